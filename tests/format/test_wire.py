from __future__ import annotations

import sys
from array import array

import pytest

from mtok_export.errors import FormatError
from mtok_export.format.wire import Reader, SectionSpan, Writer, float_column, int_column


def test_numbers_both_ways() -> None:
    writer = Writer()
    writer.u8(0xAB, "a")
    writer.u16(0x0102, "b")
    writer.u32(0xFFFF_FFFF, "c")
    writer.u31(0x7FFF_FFFF, "d")
    writer.flag(True, "e")
    data = writer.getvalue()
    assert data.hex() == "ab0201ffffffffffffff7f01"
    reader = Reader(data)
    read = (reader.u8("a"), reader.u16("b"), reader.u32("c"), reader.u31("d"), reader.flag("e"))
    assert read == (0xAB, 0x0102, 0xFFFF_FFFF, 0x7FFF_FFFF, True)
    assert (reader.position, reader.left) == (12, 0)


def test_a_failed_take_reads_nothing() -> None:
    reader = Reader(b"abc")
    with pytest.raises(FormatError, match="x takes 4 bytes, but the file ends after 3"):
        reader.take(4, "x")
    assert reader.take(3, "x") == b"abc"


def test_places_grow_and_shrink() -> None:
    reader = Reader(b"ab", "f.mtok")
    assert reader.where == "f.mtok"
    with reader.section("first"):
        reader.take(1, "x")
        with reader.inside("[3]"), reader.inside("deeper"):
            assert reader.where == "f.mtok, first[3].deeper"
            assert str(reader.error("wrong", hint="do this")) == "f.mtok, first[3].deeper, byte 1: wrong (do this)"
    assert reader.where == "f.mtok"
    assert reader.spans == [SectionSpan("first", 0, 1)]


def test_a_section_that_fails_has_no_span() -> None:
    reader = Reader(b"")
    with pytest.raises(FormatError, match="broken, byte 0: x takes 1 byte"), reader.section("broken"):
        reader.u8("x")
    assert reader.spans == []
    assert reader.where is None


def test_a_count_that_just_fits() -> None:
    assert Reader(bytes.fromhex("02000000") + b"abcdef").count("n", 3) == 2
    with pytest.raises(FormatError, match="n is 2, each at least 3 bytes long, but only 5 bytes left"):
        Reader(bytes.fromhex("02000000") + b"abcde").count("n", 3)


def test_the_other_byte_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told that the machine has the other order, columns are swapped, and the originals stay as they are."""
    ids = array("I", [1, 0x01020304])
    writer = Writer()
    straight = writer.column(ids, "I", "ids")
    monkeypatch.setattr(sys, "byteorder", "big" if sys.byteorder == "little" else "little")
    swapped = writer.column(ids, "I", "ids")
    assert [straight[at : at + 4][::-1] for at in (0, 4)] == [swapped[at : at + 4] for at in (0, 4)]
    assert ids == array("I", [1, 0x01020304])
    assert int_column(swapped) == ids
    scores = array("d", [0.5, -2.0])
    assert float_column(writer.column(scores, "d", "scores")) == scores
