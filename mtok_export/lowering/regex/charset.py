"""Sets of code points as sorted ranges: what a class of a pattern stands for, and what two readings differ in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from mtok_export.records import dataclass

MAX_CODE_POINT = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)

Range = tuple[int, int]


@dataclass(frozen=True)
class CharSet:
    """An immutable set of Unicode scalar values; ``ranges`` are inclusive, sorted, and neither touch nor overlap.

    Surrogates are never members: no text that reaches a pattern can hold one.
    """

    ranges: tuple[Range, ...] = ()

    @staticmethod
    def of(ranges: Iterable[Range]) -> CharSet:
        """The set of all code points in ``ranges`` (inclusive, in any order, overlaps allowed)."""
        return CharSet(_without_surrogates(_merged(sorted(ranges))))

    @staticmethod
    def of_text(text: Iterable[str]) -> CharSet:
        """The set of the characters of ``text``."""
        return CharSet.of((ord(char), ord(char)) for char in text)

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, int):
            return False
        index = bisect_right(self.ranges, (code, MAX_CODE_POINT + 1)) - 1
        return index >= 0 and code <= self.ranges[index][1]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for low, high in self.ranges:
            yield from range(low, high + 1)

    def __or__(self, other: CharSet) -> CharSet:
        if not other.ranges:
            return self
        if not self.ranges:
            return other
        return CharSet(_merged(sorted(self.ranges + other.ranges)))

    def __and__(self, other: CharSet) -> CharSet:
        # The innermost loop of all that is done with patterns: no calls in it.
        found: list[Range] = []
        mine, its = self.ranges, other.ranges
        left, right = 0, 0
        while left < len(mine) and right < len(its):
            low, high = mine[left]
            other_low, other_high = its[right]
            if other_low > low:
                low = other_low
            if high < other_high:
                left += 1
            else:
                right += 1
                high = other_high
            if low <= high:
                found.append((low, high))
        return CharSet(tuple(found))

    def __invert__(self) -> CharSet:
        found: list[Range] = []
        start = 0
        for low, high in self.ranges:
            if low > start:
                found.append((start, low - 1))
            start = high + 1
        if start <= MAX_CODE_POINT:
            found.append((start, MAX_CODE_POINT))
        return CharSet(_without_surrogates(tuple(found)))

    def __sub__(self, other: CharSet) -> CharSet:
        return self & ~other if self.ranges and other.ranges else self

    def __xor__(self, other: CharSet) -> CharSet:
        return (self - other) | (other - self)

    def __le__(self, other: CharSet) -> bool:
        return not self - other

    def isdisjoint(self, other: CharSet) -> bool:
        """Whether no code point is in both."""
        return not self & other

    def touches(self, text: str) -> bool:
        """Whether any character of ``text`` is a member."""
        return any(ord(char) in self for char in set(text))

    def first(self) -> int:
        """The lowest member.

        Raises:
            ValueError: the set is empty.
        """
        if not self.ranges:
            raise ValueError("an empty set has no first member")
        return self.ranges[0][0]


def _merged(ranges: list[Range]) -> tuple[Range, ...]:
    merged: list[Range] = []
    for low, high in ranges:
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def _without_surrogates(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    kept: list[Range] = []
    for low, high in ranges:
        if high < _SURROGATES[0] or low > _SURROGATES[1]:
            kept.append((low, high))
            continue
        if low < _SURROGATES[0]:
            kept.append((low, _SURROGATES[0] - 1))
        if high > _SURROGATES[1]:
            kept.append((_SURROGATES[1] + 1, high))
    return tuple(kept)


NO_CHARS = CharSet()
ALL_CHARS = CharSet.of([(0, MAX_CODE_POINT)])
ASCII = CharSet.of([(0, 0x7F)])
