from __future__ import annotations

from tokenizers import normalizers

from mtok_export.lowering.asking import asked
from mtok_export.lowering.composition import syllables

NFC, NFD = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str
IDEOGRAPHS = [chr(code) for code in (*range(0x3400, 0xA000), *range(0xAC00, 0xD7A4))]


def test_what_is_not_asked_about_has_no_combining_class() -> None:
    marked = ["\u0345" + NFD(char) for char in IDEOGRAPHS]
    assert asked(NFD, marked) == marked


def test_ideographs_do_not_decompose() -> None:
    ideographs = [char for char in IDEOGRAPHS if char < "\ua000"]
    assert asked(NFD, ideographs) == ideographs


def test_every_syllable_is_composed_by_two_rules() -> None:
    jamo = dict(syllables())
    assert all(NFC(pattern) == content for pattern, content in jamo.items())
    assert sorted(jamo.values()) == [chr(code) for code in range(0xAC00, 0xD7A4)]
