from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.lowering.regex.charset import ALL_CHARS, NO_CHARS, CharSet
from mtok_export.lowering.regex.oniguruma import char_set

ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8)).map(lambda pair: (pair[0], sum(pair))), max_size=6)
han = ranges.map(lambda pairs: [(0x4E00 + low, 0x4E00 + high) for low, high in pairs])
sets = st.tuples(ranges, han).map(lambda parts: CharSet.of([*parts[0], *parts[1]]))
"""Single characters of ASCII are runs of their own, ideographs are not."""


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


PLACES = (0x7F, 0x80, 0x3FF, 0x400, 0x4DFF, 0x4E00, 0x4E01, 0x9FA5, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xE001, 0x10FFFF)
"""Where runs of code points start or end, and where they do not."""

wide_range = st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES)).map(lambda ends: (min(ends), max(ends)))
wide_sets = st.lists(wide_range, max_size=3).map(CharSet.of) | st.sampled_from(
    [r"\p{Lo}", r"\p{Han}", r"\s", r"\p{C}"]
).map(char_set)


@given(wide_sets, wide_sets, wide_sets)
@settings(derandomize=True, deadline=None)
def test_one_set_is_one_set_however_it_was_made(first: CharSet, second: CharSet, third: CharSet) -> None:
    ways = [(first | second) & third, (third & second) | (first & third), third - ~(second | first)]
    ways += [CharSet.of(way.ranges) for way in ways]
    ways += [(way - second) | (way & second) for way in ways] + [~~way for way in ways]
    assert len(set(ways)) == 1
    assert len({way.ranges for way in ways}) == 1
    for code in PLACES:
        surrogate = 0xD800 <= code <= 0xDFFF
        expected = code in third and (code in first or code in second)
        assert {code in way for way in ways} == {expected and not surrogate}
        assert (code in ~first) == (code not in first and not surrogate)


@given(st.sets(st.sampled_from((*PLACES, 1, 2, 3))))
@settings(derandomize=True)
def test_code_points(codes: set[int]) -> None:
    chars = CharSet.of_codes(codes)
    assert set(chars) == {code for code in codes if not 0xD800 <= code <= 0xDFFF}
    assert chars == CharSet.of((code, code) for code in codes)
    assert not chars or chars.first() == min(chars)


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
