"""Character maps, read to know what to ask the library."""

from __future__ import annotations

import base64
import random
import struct
from collections.abc import Callable, Sequence

import pytest
from tokenizers import normalizers

from mtok_export.errors import SourceError
from mtok_export.lowering.asking import CONTROL, asked
from mtok_export.lowering.charsmap import CharacterMap
from mtok_export.lowering.clusters import joined, known_sequences
from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.normalizer import lower_normalizer
from mtok_export.lowering.options import Options
from mtok_export.lowering.unicode_tables import asked_characters
from mtok_export.panics import LibraryPanicError, panics_as_errors
from mtok_export.source.pipeline import Precompiled
from tests.charsmap import MAPPING, charsmap

MAPS = {
    "every kind of entry": MAPPING,
    "marks of two scripts": {
        "a\u0301": "\u00e1",
        "\u0416\u0306": "\u04c1",
        "\u0627\u0653": "\u0622",
        "\u0301": "",
        "\xa0": " ",
    },
    "marks alone": {"\u0301": "'", "\u00e9": "e"},
    "letters that stay": {"a": "a", "b\u0301": "b"},
    "behind what takes in everything": {"\u0600": "x", "\xa0": " "},
    "an ideograph": {"\xa0": "", "\u4e00": ""},
    "nothing but ASCII": {"\t": " "},
}


@pytest.mark.parametrize("name", MAPS)
def test_all_that_a_map_changes_may_be_known(name: str) -> None:
    data = charsmap(MAPS[name])
    chars = asked_characters()
    made = asked(normalizers.Precompiled(data).normalize_str, chars, CONTROL)
    changed = {ord(char) for char, other in zip(chars, made, strict=True) if char != other}
    found = set(CharacterMap(data).code_points())
    assert changed <= found
    assert len(found) < 4000


@pytest.mark.parametrize("name", MAPS)
def test_sequences_begin_with_what_may_be_known(name: str) -> None:
    data = charsmap(MAPS[name])
    normalize = normalizers.Precompiled(data).normalize_str

    def wanted_of(texts: Sequence[str]) -> Sequence[str]:
        return asked(normalize, texts, CONTROL)

    assert list(known_sequences(wanted_of, CharacterMap(data).may_know)) == list(known_sequences(wanted_of))


@pytest.mark.parametrize("name", MAPS)
def test_what_is_dropped_behind_a_known_character(name: str) -> None:
    normalize = normalizers.Precompiled(charsmap(MAPS[name])).normalize_str

    def wanted_of(texts: Sequence[str]) -> Sequence[str]:
        return asked(normalize, texts, CONTROL)

    base = next((char for char in map(chr, range(0xA0, 0x800)) if normalize(char) != char), "")
    chars = [char for char in map(chr, (*range(0x300, 0xD800), *range(0xE000, 0x10000))) if base]
    together = wanted_of([base + char for char in chars])
    alone = normalize(base)
    made = zip(chars, wanted_of(chars), together, strict=True)
    assert list(joined(wanted_of)) == [ord(char) for char, one, both in made if one and both == alone]


def test_a_text_may_be_known_by_any_key_that_it_begins_with_or_that_begins_with_it() -> None:
    known = CharacterMap(charsmap({"ab": "x", "c": "y"}))
    assert [text for text in (b"", b"a", b"ab", b"abc", b"ac", b"b", b"c", b"cd") if known.may_know(text)] == [
        b"",
        b"a",
        b"ab",
        b"abc",
        b"c",
        b"cd",
    ]


def test_offsets_of_the_long_form() -> None:
    # The root's offset is 1 << 8, the form of an offset that needs more than 21 bits.
    units = [0] * 1024
    units[0] = 1 << 10 | 1 << 9
    units[256 ^ ord("a")] = ord("a") | 1 << 8
    known = CharacterMap(struct.pack("<I1024I", 4096, *units))
    assert known.may_know(b"a")
    assert not known.may_know(b"b")


def dies(normalize: Callable[[str], str], text: str) -> bool:
    try:
        with panics_as_errors():
            normalize(text)
    except LibraryPanicError:
        return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_map_is_refused_for_what_the_library_dies_of(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(charsmap(MAPPING))
    (size,) = struct.unpack_from("<I", data)
    for _ in range(20):
        struct.pack_into("<I", data, 4 + 4 * chance.randrange(size // 4), chance.getrandbits(32))
    normalize = normalizers.Precompiled(bytes(data)).normalize_str
    dying = {ord(char) for char in asked_characters() if dies(normalize, char)}
    assert dying <= set(CharacterMap(bytes(data)).code_points())
    component = Precompiled(base64.b64encode(data).decode())
    place = Place("$.normalizer", "Precompiled", Findings())
    if dying:
        with pytest.raises(SourceError, match="the tokenizers library dies of it"):
            lower_normalizer(component, place, Options())
