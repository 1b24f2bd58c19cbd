"""The built-in texts stay what they are, and are what they are said to be."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from typing import Literal

import pytest

from mtok_export.texts import builtin_texts, groups, languages, special_texts
from mtok_export.texts.forms import BASES, FORMS
from mtok_export.texts.special import MOST_TEXTS
from mtok_export.texts.white_space import BREAKS, ZS

FINGERPRINT = "59f989bdd672c3b0b87748e7c4d154049b17b8a0bd0905257ef20fb82e7fd496"
"""SHA-256 of all texts; to be renewed on purpose when texts are added, since reports compare with older ones."""


def fingerprint() -> str:
    digest = hashlib.sha256()
    for name, texts in groups().items():
        digest.update(f"{name}\0{len(texts)}\0".encode())
        for text in texts:
            data = text.encode("utf-8")
            digest.update(len(data).to_bytes(4, "little") + data)
    return digest.hexdigest()


def test_they_are_always_the_same() -> None:
    assert fingerprint() == FINGERPRINT


def test_there_are_enough_and_none_stands_twice() -> None:
    texts = builtin_texts()
    assert len(texts) >= 800
    assert [text for text, count in Counter(texts).items() if count > 1] == []


def test_every_group_holds_something_and_all_groups_together_are_all_texts() -> None:
    assert all(groups().values())
    assert tuple(text for texts in groups().values() for text in texts) == builtin_texts()


def test_every_text_is_valid_unicode_and_not_too_long() -> None:
    for text in builtin_texts():
        assert text.encode("utf-8").decode("utf-8") == text
        assert len(text) <= 2000


def test_there_are_many_languages_with_two_sentences_or_more() -> None:
    assert len(languages()) >= 40
    assert all(len(sentences) >= 2 for sentences in languages().values())
    assert {text for sentences in languages().values() for text in sentences} <= set(builtin_texts())


@pytest.mark.parametrize(
    "word",
    [
        "VIETNAMESE",
        "CYRILLIC",
        "GREEK",
        "ARABIC",
        "HEBREW",
        "DEVANAGARI",
        "BENGALI",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "GUJARATI",
        "GURMUKHI",
        "SINHALA",
        "THAI",
        "LAO",
        "KHMER",
        "MYANMAR",
        "TIBETAN",
        "GEORGIAN",
        "ARMENIAN",
        "ETHIOPIC",
        "CHEROKEE",
        "MONGOLIAN",
        "CJK UNIFIED",
        "HIRAGANA",
        "KATAKANA",
        "HANGUL SYLLABLE",
        "HANGUL JONGSEONG",
        "LATIN",
        "ORIYA",
        "THAANA",
        "SYRIAC",
        "TIFINAGH",
        "NKO",
        "YI SYLLABLE",
        "CANADIAN",
        "GOTHIC",
    ],
)
def test_every_major_script_is_there(word: str) -> None:
    wanted = "LATIN SMALL LETTER O WITH HORN" if word == "VIETNAMESE" else word
    text = "".join(builtin_texts())
    assert any(unicodedata.name(character, "").startswith(wanted) for character in set(text))


def test_every_kind_of_white_space_is_between_letters_and_at_both_ends() -> None:
    texts = builtin_texts()
    for space in (*ZS, *BREAKS, "\t", "\n", "\r\n", "\r", "\v", "\f"):
        assert f"a{space}b" in texts
        assert any(text.startswith(space) for text in texts)
        assert any(text.endswith(space) for text in texts)
    assert set(map(unicodedata.category, ZS)) == {"Zs"}


def test_what_the_engine_cannot_take_stands_in_groups_of_its_own() -> None:
    for name, texts in groups().items():
        for text in texts:
            assert ("\0" in text) == (name == "U+0000")
            assert any(space in text for space in BREAKS) == (name == "U+0085, U+2028, U+2029")


@pytest.mark.parametrize("form", FORMS)
def test_normalization_forms_are_made_of_old_characters(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> None:
    for base in BASES:
        assert unicodedata.normalize(form, base) in builtin_texts()
        assert {unicodedata.ucd_3_2_0.category(character) for character in base}.isdisjoint({"Cn", "Co"})


# --- texts from added tokens ------------------------------------------------------------------------------------------


def test_special_texts_hold_each_token_in_many_places() -> None:
    texts = special_texts(["<s>", "</s>", "<|im_start|>"])
    assert {"<s>", "a <s> b", "before</s>after", "<s><s>", "<s></s>", "<|im_start|", "  </s>  ", "x\n<s>\n\ny"} <= set(
        texts
    )
    assert any("<|IM_START|>" in text for text in texts)
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("count", [0, 1, 2, 39, 40, 41, 1000, 6000])
def test_special_texts_are_bounded_and_spread_evenly(count: int) -> None:
    contents = [f"<token_{number}>" for number in range(count)]
    texts = special_texts(contents)
    assert texts == special_texts(list(contents))
    assert len(texts) < MOST_TEXTS
    assert len(texts) == len(set(texts))
    if count:
        assert contents[0] in texts
        assert contents[-1] in texts


def test_special_texts_take_odd_contents() -> None:
    texts = special_texts(["", " ", "▁", "x", "X", "x", "\n"])
    assert "" not in special_texts([""])
    assert len(texts) == len(set(texts))
