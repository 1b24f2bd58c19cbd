from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.lowering.regex.charset import ALL_CHARS, NO_CHARS, CharSet

ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8)).map(lambda pair: (pair[0], sum(pair))), max_size=6)
sets = ranges.map(CharSet.of)


@given(sets, sets)
@settings(derandomize=True)
def test_algebra_is_that_of_sets(left: CharSet, right: CharSet) -> None:
    first, second = set(left), set(right)
    assert set(left | right) == first | second
    assert set(left & right) == first & second
    assert set(left - right) == first - second
    assert set(left ^ right) == first ^ second
    assert (left <= right) == (first <= second)
    assert left.isdisjoint(right) == first.isdisjoint(second)
    assert len(left) == len(first)


@given(sets)
@settings(derandomize=True)
def test_ranges_neither_touch_nor_overlap(chars: CharSet) -> None:
    assert all(before[1] + 1 < after[0] for before, after in zip(chars.ranges, chars.ranges[1:], strict=False))
    assert ~~chars == chars


def test_everything_but_surrogates() -> None:
    assert len(ALL_CHARS) == 0x110000 - 0x800
    assert 0xD800 not in ALL_CHARS
    assert ~ALL_CHARS == NO_CHARS
    assert CharSet.of([(0xD000, 0xE000)]).ranges == ((0xD000, 0xD7FF), (0xE000, 0xE000))


def test_texts() -> None:
    chars = CharSet.of_text("zab")
    assert chars.ranges == ((0x61, 0x62), (0x7A, 0x7A))
    assert chars.touches("xaz")
    assert not chars.touches("xy")
    assert "a" not in chars
    assert chars.first() == 0x61
    with pytest.raises(ValueError, match="empty"):
        NO_CHARS.first()
