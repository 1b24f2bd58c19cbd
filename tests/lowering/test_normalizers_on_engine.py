"""Faithful normalizers on the real engine: what is left of a text, against the tokenizers library.

A byte-level model with one entry for each byte gives back, as ids, exactly the bytes that the normalizer leaves.
"""

from __future__ import annotations

import itertools
import random
import string
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Regex, normalizers

from mtok_export import MtokFile, Options
from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.engine.native import NativeEngine
from mtok_export.format import decoder, model, pre_tokenizer
from mtok_export.format import normalizer as ops
from mtok_export.format.header import Header
from mtok_export.format.tail import Tail
from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.normalizer import lower_normalizer
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    NormalizerSequence,
    Prepend,
    RegexPattern,
    ReplaceNormalizer,
    StringPattern,
    StripAccents,
)
from mtok_export.texts import builtin_texts

pytestmark = pytest.mark.engine

TEXTS = tuple(text for text in builtin_texts() if "\0" not in text)


def sequence(*parts: Normalizer) -> NormalizerSequence:
    return NormalizerSequence(parts)


def replace(pattern: str, content: str, *, regex: bool = False) -> ReplaceNormalizer:
    return ReplaceNormalizer(RegexPattern(pattern) if regex else StringPattern(pattern), content)


CHAINS: dict[str, tuple[Normalizer, Any]] = {
    "nfc": (NFC(), normalizers.NFC()),
    "nfd": (NFD(), normalizers.NFD()),
    "nfkc": (NFKC(), normalizers.NFKC()),
    "nfkd": (NFKD(), normalizers.NFKD()),
    "nmt": (Nmt(), normalizers.Nmt()),
    "lower": (Lowercase(), normalizers.Lowercase()),
    "bert uncased": (BertNormalizer(True, True, None, True), normalizers.BertNormalizer(True, True, None, True)),
    "bert cased": (BertNormalizer(True, True, None, False), normalizers.BertNormalizer(True, True, None, False)),
    "bert accents kept": (
        BertNormalizer(True, False, False, True),
        normalizers.BertNormalizer(True, False, False, True),
    ),
    "bert not cleaned": (
        BertNormalizer(False, True, True, False),
        normalizers.BertNormalizer(False, True, True, False),
    ),
    "no accents, lower": (
        sequence(NFD(), Lowercase(), StripAccents()),
        normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents()]),
    ),
    "albert": (
        sequence(replace("``", '"'), replace("''", '"'), NFKD(), StripAccents(), Lowercase()),
        normalizers.Sequence(
            [
                normalizers.Replace("``", '"'),
                normalizers.Replace("''", '"'),
                normalizers.NFKD(),
                normalizers.StripAccents(),
                normalizers.Lowercase(),
            ]
        ),
    ),
    "classes, then nfc, then lower": (
        sequence(replace(r"\p{Zs}", " ", regex=True), replace("[\u00ad\u200b]", "", regex=True), NFC(), Lowercase()),
        normalizers.Sequence(
            [
                normalizers.Replace(Regex(r"\p{Zs}"), " "),
                normalizers.Replace(Regex("[\u00ad\u200b]"), ""),
                normalizers.NFC(),
                normalizers.Lowercase(),
            ]
        ),
    ),
    "prepend and nfkc": (
        sequence(Prepend("\u2581"), NFKC(), replace(" ", "\u2581")),
        normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.NFKC(), normalizers.Replace(" ", "\u2581")]),
    ),
    "runs of spaces": (
        sequence(replace(r"\s+", " ", regex=True), NFC()),
        normalizers.Sequence([normalizers.Replace(Regex(r"\s+"), " "), normalizers.NFC()]),
    ),
}


def file_for(record: ops.Normalizer) -> MtokFile:
    rows = sorted((char, byte) for byte, char in BYTE_TO_CHAR.items())
    vocab = model.Vocab(tuple(char for char, _ in rows), array("I", [byte for _, byte in rows]))
    merges = model.Merges(array("I"), array("I"), array("I"))
    bpe = model.Bpe(vocab, merges, byte_fallback=False, byte_level=True)
    return MtokFile(Header(), record, pre_tokenizer.NoPreTokenizer(), bpe, decoder.ByteLevel(), (), Tail())


@cache
def lowered(name: str) -> tuple[ops.Normalizer, Findings]:
    ours = CHAINS[name][0]
    findings = Findings()
    record = lower_normalizer(ours, Place("$.normalizer", type(ours).__name__, findings), Options())
    assert not findings.problems
    return record, findings


def on_engine(
    name: str, texts: list[str], tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> tuple[list[str], Findings]:
    """The texts of which the engine leaves something else than the library, and what the lowering found."""
    theirs = CHAINS[name][1]
    record, findings = lowered(name)
    path = tmp_path / "normalizer.mtok"
    path.write_bytes(file_for(record).encode())
    found = native(path).encode_many(texts)
    right = [theirs.normalize_str(text) for text in texts]
    wrong = [text for text, ids, wanted in zip(texts, found, right, strict=True) if bytes(ids).decode() != wanted]
    return wrong, findings


@pytest.mark.parametrize("name", CHAINS)
def test_what_differs_is_touched_by_a_limit(name: str, tmp_path: Path, native: Callable[[Path], NativeEngine]) -> None:
    wrong, findings = on_engine(name, [*TEXTS, *random_texts(2000)], tmp_path, native)
    assert [text for text in wrong if not any(limit.touches(text) for limit in findings.limits)] == []


@pytest.mark.parametrize("name", CHAINS)
def test_letters_with_up_to_two_marks_are_right(
    name: str, tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> None:
    """Every order of up to two common marks on an ASCII letter, and one mark on any other character."""
    marked = [
        letter + "".join(marks)
        for letter in string.ascii_letters
        for size in (0, 1, 2)
        for marks in itertools.permutations(MARKS, size)
    ]
    others = [char + mark for char in ALPHABET for mark in ("", *MARKS) if mark == "" or char not in OWN_MARKS]
    neighbours = [one + other for one in ALPHABET for other in ALPHABET if other not in OWN_MARKS]
    wrong, _ = on_engine(name, marked + others + neighbours, tmp_path, native)
    assert wrong == []


ALPHABET = (
    "aAeEiIoOuUyYdDsScCzZnN \u00e9\u00c9\u0130\u0131\u1e9e\u00df\u03a3\u03c2\u0416\u0439"
    "\u4e2d\uf900\u3042\u30ab\uff76\uff9e\uac00\uac01\u1100\u1161\u11a8\u0915\u093f\u0930\u093c\u09c7\u09be"
    "\u05d0\u05b0\u05bc\u0628\u064e\u0651\u0654\u0627\u0e01\u0e38\u0e48\u200b\u200c\u200d\ufeff\u00ad\u2028\u0085"
    "\u00a0\u3000\t\n\r\x01\x1f\x7f\u2460\ufb01\u212b\u0958\U0001f600\ue000\ufffd\u0378"
)
OWN_MARKS = "\u093c\u09be\u09c7\u05b0\u05bc\u064e\u0651\u0654\u0e38\u0e48\uff9e"
"""Marks of the alphabet itself: another one on top would come from another script."""

MARKS = "\u0300\u0301\u0302\u0303\u0306\u0308\u0309\u030c\u031b\u0323\u0327\u0328\u0331"


def random_texts(count: int) -> list[str]:
    """Letters with one mark, or two, or none, the same on every run."""
    chance = random.Random(5)
    return [
        "".join(
            chance.choice(ALPHABET) + "".join(chance.sample(MARKS, chance.choice((0, 0, 0, 1, 1, 2))))
            for _ in range(chance.randint(1, 6))
        )
        for _ in range(count)
    ]
