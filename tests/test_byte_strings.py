"""Strings in one text of bytes, against what Python says of them one by one."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export import byte_strings
from mtok_export.byte_strings import ByteStrings, StringTable, Text

STRINGS = st.lists(st.binary(max_size=40) | st.text("ab\0é", max_size=30).map(str.encode), max_size=60)


def strings_of(rows: list[bytes]) -> ByteStrings:
    """The strings one behind another, as nothing separates stretches."""
    ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
    return ByteStrings(Text(b"".join(rows)), np.append(0, ends)[:-1], ends)


@given(STRINGS, st.sampled_from((0, 8, 16, 48)))
def test_words_are_in_the_order_of_the_bytes(rows: list[bytes], at: int) -> None:
    expected = [int.from_bytes(row[at : at + 8].ljust(8, b"\0"), "big") for row in rows]
    assert strings_of(rows).words(at).tolist() == expected


@given(STRINGS)
def test_ascending(rows: list[bytes]) -> None:
    rows = [row.replace(b"\0", b"0") for row in rows]
    assert strings_of(rows).ascend() == (sorted(rows) == rows)
    assert strings_of(sorted(rows)).ascend()


@given(STRINGS, STRINGS)
def test_a_table_finds_what_is_there_and_nothing_else(rows: list[bytes], others: list[bytes]) -> None:
    rows = list(dict.fromkeys(rows))
    table = StringTable(strings_of(rows))
    wanted = [row for row in others if row in rows] + rows[::-1]
    found = table.positions(strings_of(wanted))
    assert found is not None and found.tolist() == [rows.index(row) for row in wanted]
    for row in set(others) - set(rows):
        assert table.positions(strings_of([*rows, row])) is None


def test_stretches_lie_over_each_other() -> None:
    table = StringTable(strings_of([b"a", b"bc", b"abc", b"a long string of several words", b"words"]))
    text = Text(b"a long string of several words")
    assert table.positions(ByteStrings(text, np.array([0, 25, 0, 3]), np.array([1, 30, 30, 4]))) is None
    found = table.positions(ByteStrings(text, np.array([0, 25, 0]), np.array([1, 30, 30])))
    assert found is not None and found.tolist() == [0, 4, 3]


ROWS = [b"x" * size + end for size in range(34) for end in (b"a", b"b")]
"""Strings that differ in one byte, at every place of a word."""


def test_each_byte_counts() -> None:
    table = StringTable(strings_of(ROWS))
    found = table.positions(strings_of(ROWS))
    assert found is not None and found.tolist() == list(range(len(ROWS)))
    for size in range(34):
        assert table.positions(strings_of([b"x" * size + b"c"])) is None
    in_order = sorted(ROWS)
    assert strings_of(in_order).ascend()
    for place in range(len(ROWS) - 1):
        swapped = [*in_order[:place], in_order[place + 1], in_order[place], *in_order[place + 2 :]]
        assert not strings_of(swapped).ascend()


def test_strings_of_one_hash() -> None:
    """Of several with the same hash all but one are not found; none is taken for one with another second word."""
    rows = [b"one of two words", b"one of two lines"]
    with mock.patch.object(byte_strings._Hashes, "__init__", _all_alike):
        both = StringTable(strings_of(rows))
        found = [both.positions(strings_of([row])) for row in rows]
        assert [place for place in found if place is not None] == [[1]]
        table = StringTable(strings_of(rows[:1]))
        assert table.positions(strings_of([rows[0], rows[0]])) is not None
        assert table.positions(strings_of([rows[0], b"one of two turns"])) is None
        assert table.positions(strings_of([rows[0], b"one of two words more"])) is None
        assert table.positions(strings_of([b"one of t"])) is None
        longer = StringTable(strings_of([b"one of two words and more"]))
        assert longer.positions(strings_of([b"one of two words and less"])) is None
        many = [b"one word%d" % number for number in range(200)]
        assert StringTable(strings_of(many)).positions(strings_of(many)) is None


def _all_alike(self: byte_strings._Hashes, strings: ByteStrings) -> None:
    self.numbers = np.zeros(len(strings), dtype=np.uint64)
    self.rest = [(longer, strings.words(8 * turn, longer)) for turn, longer in enumerate(strings.longer(8), 1)]


@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=1))
def test_mixing_can_be_undone(words: list[int]) -> None:
    """Which is what makes it enough to compare all words but the first."""
    mixed = byte_strings._mixed(np.array(words, dtype=np.uint64)).tolist()
    back = pow(int(byte_strings.MIX), -1, 1 << 64)
    assert [(word ^ word >> 32) * back % (1 << 64) for word in mixed] == words


@pytest.mark.parametrize("rows", [[], [b""], [b"", b"\0"]])
def test_few_strings(rows: list[bytes]) -> None:
    strings = strings_of(rows)
    table = StringTable(strings)
    found = table.positions(strings)
    assert found is not None and found.tolist() == list(range(len(rows)))
