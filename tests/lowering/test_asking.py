from __future__ import annotations

import pytest
from tokenizers import Regex, normalizers

from mtok_export.lowering.asking import CONTROL, GRAVE, asked
from mtok_export.lowering.unicode_tables import asked_code_points
from tests.charsmap import charsmap

CHARS = list(map(chr, asked_code_points()))
MARKED = [base + chr(mark) for base in "a0\u0391\u0627\u0915\uac00\u1100 \u0600\u0d4e`" for mark in range(0x300, 0x3A0)]
TRICKY = ["", "`", "a`b", "``", "\x81", "\r", "\n", "\r\n", "\u200d", "\u0345", "\u1fef", "\uff40"]

MAP = {"\u2460": "1", "a\u0301": "\u00e1", "\u0301": "", "\u00a0": " ", "\u1fef": "`", "\x01": "", "\n": " "}

FUNCTIONS = {
    "NFC": (normalizers.NFC(), GRAVE),
    "NFD": (normalizers.NFD(), GRAVE),
    "NFKC": (normalizers.NFKC(), GRAVE),
    "NFKD": (normalizers.NFKD(), GRAVE),
    "Lowercase": (normalizers.Lowercase(), GRAVE),
    "StripAccents": (normalizers.StripAccents(), GRAVE),
    "Nmt": (normalizers.Nmt(), GRAVE),
    "BertNormalizer": (normalizers.BertNormalizer(), GRAVE),
    "BertNormalizer, accents kept": (normalizers.BertNormalizer(strip_accents=False), GRAVE),
    "Precompiled": (normalizers.Precompiled(charsmap(MAP)), CONTROL),
    "Replace of a class": (normalizers.Replace(Regex(r"\p{Zs}"), "_"), GRAVE),
    "Replace of the separator": (normalizers.Replace("`", ""), GRAVE),
    "Replace by the separator": (normalizers.Replace("a", "`"), GRAVE),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_together_as_one_by_one(name: str) -> None:
    normalizer, separator = FUNCTIONS[name]
    texts = [*CHARS, *TRICKY, *MARKED]
    assert asked(normalizer.normalize_str, texts, separator) == list(map(normalizer.normalize_str, texts))
