"""What single characters are to the library's components: the stored sets, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tokenizers import Regex, normalizers

from mtok_export import facts
from mtok_export.format import normalizer as ops
from mtok_export.lowering import character_sets
from mtok_export.lowering.asking import asked
from mtok_export.lowering.changing import may_change
from mtok_export.lowering.character_sets import (
    BERT_ACCENTS,
    BERT_LOWERCASE,
    CHANGED,
    CHINESE,
    CLEAN_TEXT,
    SPLITTING,
    bounds_of,
    changed,
    codes_of,
    dropped_and_apart,
)
from mtok_export.lowering.composition import canonical_composition
from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.normalizer import lower_normalizer
from mtok_export.lowering.options import Options
from mtok_export.lowering.replace import characters
from mtok_export.lowering.unicode_tables import asked_characters, asked_code_points
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    BertNormalizer,
    Lowercase,
    Normalizer,
    NormalizerSequence,
    RegexPattern,
    ReplaceNormalizer,
    StringPattern,
    StripAccents,
)

CHARS = asked_characters()


@pytest.fixture
def unknown_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(facts, "stored", lambda _name: None)
    cached = character_sets._stored, canonical_composition
    for one in cached:
        one.cache_clear()
    yield
    for one in cached:
        one.cache_clear()


@pytest.mark.parametrize("codes", [[], [0], [0x10FFFF], [5, 3, 4], [1, 3, 5], range(7, 90)])
def test_bounds(codes: list[int]) -> None:
    assert list(codes_of(bounds_of(codes))) == sorted(codes)


def test_no_set_is_empty_for_want_of_an_answer() -> None:
    assert [name for name in CHANGED if not changed(name)] == []
    assert [name for name in SPLITTING if not dropped_and_apart(name)[0]] == []


def test_an_ideograph_is_left_alone_but_for_the_spaces() -> None:
    spaced = list(map(chr, codes_of(changed(CHINESE))))
    function = normalizers.BertNormalizer(False, True, False, False).normalize_str
    assert asked(function, spaced) == [f" {char} " for char in spaced]


@pytest.mark.parametrize("flags", [(True, True, None, True), (True, False, True, False), (False, True, False, True)])
def test_flags_together_change_what_one_of_them_does(flags: tuple[bool, bool, bool | None, bool]) -> None:
    function = normalizers.BertNormalizer(*flags).normalize_str
    accents = flags[3] if flags[2] is None else flags[2]
    kept = zip(
        (CLEAN_TEXT, CHINESE, BERT_ACCENTS, BERT_LOWERCASE), (flags[0], flags[1], accents, flags[3]), strict=True
    )
    expected = {code for name, flag in kept if flag for code in codes_of(changed(name))}
    found = {ord(char) for char, made in zip(CHARS, asked(function, CHARS), strict=True) if char != made}
    assert found == expected


@pytest.mark.parametrize(
    "expression",
    [
        *("a", " ", "`", "#", "&", r"\.", r"\-", r"\]", r"\s", r"\S", r"\w", r"\d", r"\h", r"\p{Zs}", r"\P{L}"),
        *(r"\p{^L}", "[ab]", "[^a]", "[a-]", "[a-f]", "[\u4e00-\u4e03]", r"[\s]", r"[\w]", r"[\d]", r"[\h]", "[`]"),
        *(r"[\u200b\u00AD]", r"[z\u0061b a]", r"[\-x]", r"[ \t\n]", r"[\p{Zs}\u2028]", r"[x\]]", r"[\^]"),
        *(r"\u2028", r"\p{Word}"),
        *("[:alpha:]", "[:^alpha:]", "[^:a]", "[:a]", "\U000f0000"),
    ],
)
def test_the_characters_of_a_pattern_are_those_that_are_replaced(expression: str) -> None:
    function = normalizers.Replace(Regex(expression), "").normalize_str
    found = [char for char, made in zip(CHARS, asked(function, CHARS), strict=True) if not made]
    assert list(characters(RegexPattern(expression), "$")) == found


def test_characters_that_are_not_asked_about_are_not_replaced_by_a_table() -> None:
    replaced = ReplaceNormalizer(StringPattern("\U000f0000"), "a")
    assert list(may_change(replaced, "$")) == []


RUNS: dict[str, Normalizer] = {
    "nfc": NFC(),
    "bert": BertNormalizer(True, True, None, True),
    "no accents": NormalizerSequence((NFD(), Lowercase(), StripAccents())),
    "spaces first": NormalizerSequence(
        (BertNormalizer(False, True, False, False), ReplaceNormalizer(StringPattern(" "), "_"))
    ),
}


def lowered(run: Normalizer) -> tuple[ops.Normalizer, Any]:
    findings = Findings()
    return lower_normalizer(run, Place("$.normalizer", type(run).__name__, findings), Options()), findings.limits


@pytest.mark.parametrize("name", RUNS)
def test_a_version_that_is_not_known_is_asked(name: str, request: pytest.FixtureRequest) -> None:
    expected = lowered(RUNS[name])
    request.getfixturevalue("unknown_version")
    assert lowered(RUNS[name]) == expected


def test_what_splits_is_asked_of_a_version_that_is_not_known(request: pytest.FixtureRequest) -> None:
    expected = [dropped_and_apart(name) for name in SPLITTING]
    request.getfixturevalue("unknown_version")
    assert [dropped_and_apart(name) for name in SPLITTING] == expected


def test_the_table_says_nothing_of_characters_that_are_not_asked_about() -> None:
    asked_about = set(asked_code_points())
    assert [name for name in CHANGED if not asked_about.issuperset(codes_of(changed(name)))] == []
