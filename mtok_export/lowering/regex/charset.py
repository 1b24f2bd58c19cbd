"""Sets of code points: what a class of a pattern stands for, and what two readings differ in.

Nearly all of them are made of whole runs of code points: those that no property of ``properties``, no class of the
engine and no character of ASCII cuts.  There are four thousand runs, so such a set is a number with a bit for each, and
a union is one operation on numbers.  Any other set is kept as ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress, count, pairwise
from operator import mul, sub
from typing import Any

from mtok_export.lowering.regex.properties import places

MAX_CODE_POINT = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)
_BITS = bytes.maketrans(b"01", b"\0\1")

Range = tuple[int, int]
Ranges = tuple[Range, ...]


class CharSet:
    """An immutable set of Unicode scalar values.

    Surrogates are never members: no text that reaches a pattern can hold one.

    Attributes:
        ranges: the members as ranges, inclusive and sorted, none of which touch or overlap.
        _runs: the same by runs; ``None`` where the set is not made of whole ones.
        _edges: the places where it starts and where it ends, in turn.
    """

    __slots__ = ("_edges", "_runs", "ranges")
    ranges: Ranges
    _runs: int | None
    _edges: Sequence[int]

    def __init__(self, ranges: Ranges = ()) -> None:
        """A set of ranges as the attribute has them; ``of`` takes them in any order."""
        self.ranges = ranges

    def __getattr__(self, name: str) -> Any:
        """Work out one form from another when it is first asked for: a set is made with its ranges or its runs."""
        if name == "ranges":
            edges = self._edges
            self.ranges = tuple([(low, end - 1) for low, end in zip(edges[::2], edges[1::2], strict=True)])
        elif name == "_runs":
            self._runs = _runs_of(self.ranges)
        elif name == "_edges":
            known = self._runs
            self._edges = _edges_of_ranges(self.ranges) if known is None else _edges_of_runs(known)
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self, name)

    @staticmethod
    def of(ranges: Iterable[Range]) -> CharSet:
        """The set of all code points in ``ranges`` (inclusive, in any order, overlaps allowed)."""
        return CharSet(_without_surrogates(_merged(sorted(ranges))))

    @staticmethod
    def of_codes(codes: Iterable[int]) -> CharSet:
        """The set of some code points, in any order."""
        found = sorted(set(codes))
        ends = [code for code, following in pairwise(found) if following - code > 1]
        starts = [code for before, code in pairwise(found) if code - before > 1]
        return CharSet(_without_surrogates(tuple(zip(chain(found[:1], starts), chain(ends, found[-1:]), strict=True))))

    @staticmethod
    def of_text(text: Iterable[str]) -> CharSet:
        """The set of the characters of ``text``."""
        return CharSet.of_codes(map(ord, text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CharSet):
            return NotImplemented
        return self._runs == other._runs and (self._runs is not None or self.ranges == other.ranges)

    def __hash__(self) -> int:
        return hash(self.ranges if self._runs is None else self._runs)

    def __repr__(self) -> str:
        return f"CharSet.of({self.ranges!r})"

    def __contains__(self, code: object) -> bool:
        return isinstance(code, int) and bisect_right(self._edges, code) % 2 == 1

    def __bool__(self) -> bool:
        return self._runs != 0

    def __len__(self) -> int:
        if self._runs is not None:
            return sum(compress(_grid().lengths, _bits(self._runs)))
        return sum(high - low + 1 for low, high in self.ranges)

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(range(low, high + 1) for low, high in self.ranges)

    def __or__(self, other: CharSet) -> CharSet:
        if self._runs is not None and other._runs is not None:
            return _of_runs(self._runs | other._runs)
        return CharSet(_merged(sorted(self.ranges + other.ranges)))

    def __and__(self, other: CharSet) -> CharSet:
        if self._runs is not None and other._runs is not None:
            return _of_runs(self._runs & other._runs)
        return CharSet(_common(self.ranges, other.ranges))

    def __invert__(self) -> CharSet:
        if self._runs is not None:
            return _of_runs(self._runs ^ _grid().all_runs)
        edges = iter((0, *self._edges, MAX_CODE_POINT + 1))
        gaps = ((start, end - 1) for start, end in zip(edges, edges, strict=True) if start < end)
        return CharSet(_without_surrogates(tuple(gaps)))

    def __sub__(self, other: CharSet) -> CharSet:
        if self._runs is not None and other._runs is not None:
            return _of_runs(self._runs & ~other._runs)
        return self & ~other

    def __xor__(self, other: CharSet) -> CharSet:
        if self._runs is not None and other._runs is not None:
            return _of_runs(self._runs ^ other._runs)
        return (self - other) | (other - self)

    def __le__(self, other: CharSet) -> bool:
        return not self - other

    def isdisjoint(self, other: CharSet) -> bool:
        """Whether no code point is in both."""
        return not self & other

    def touches(self, text: str) -> bool:
        """Whether any character of ``text`` is a member."""
        return any(ord(char) in self for char in set(text))

    def ascii_bits(self) -> int:
        """The members in ASCII, as a number with a bit for each."""
        return (self & ASCII)._runs or 0  # each is a run of its own, of the same number

    def first(self) -> int:
        """The lowest member.

        Raises:
            ValueError: the set is empty.
        """
        if not self:
            raise ValueError("an empty set has no first member")
        if self._runs is None:
            return self.ranges[0][0]
        return _grid().places[(self._runs & -self._runs).bit_length() - 1]


def of_runs(runs: int) -> CharSet:
    """The set of the runs whose bits are set in a number, without surrogates."""
    return _of_runs(runs & _grid().all_runs)


def _of_runs(runs: int) -> CharSet:
    made = CharSet.__new__(CharSet)
    made._runs = runs
    return made


def by_label(starts: Sequence[int], labels: str) -> dict[str, CharSet]:
    """All code points from some place on, as one set for each label.

    Args:
        starts: where to put which label, ascending; each place is the start of a run.
        labels: a character for each place.
    """
    numbers = [*map(_grid().numbers.__getitem__, starts), len(_grid().lengths)]
    of_runs_downwards = "".join(map(mul, labels, map(sub, numbers[1:], numbers)))[::-1]
    others = dict.fromkeys(map(ord, labels), "0")
    return {
        label: of_runs(int(of_runs_downwards.translate({**others, ord(label): "1"}), 2) << numbers[0])
        for label in sorted(set(labels))
    }


# --- runs -------------------------------------------------------------------------------------------------------------


class _Grid:
    """The runs, by number: where they start (and where the last one ends) and how long they are."""

    def __init__(self, starts: tuple[int, ...]) -> None:
        self.places = starts
        self.lengths = tuple(map(sub, starts[1:], starts))
        self.numbers = dict(zip(starts, count()))
        self.all_runs = (1 << len(self.lengths)) - 1 ^ 1 << self.numbers[_SURROGATES[0]]


@lru_cache(maxsize=1)
def _grid() -> _Grid:
    """Made when it is first asked for: many tokenizers need nothing of it."""
    return _Grid(places())


def _runs_of(ranges: Ranges) -> int | None:
    runs = 0
    number = _grid().numbers.get
    for low, high in ranges:
        first, end = number(low), number(high + 1)
        if first is None or end is None:
            return None
        runs |= (1 << end) - (1 << first)
    return runs


def _bits(number: int) -> bytes:
    """The bits of a number, one in each byte, the lowest first."""
    return f"{number:b}"[::-1].encode("ascii").translate(_BITS)


def _edges_of_runs(runs: int) -> Sequence[int]:
    """The edges are where a bit differs from the one before."""
    return list(compress(_grid().places, _bits(runs ^ runs << 1)))


# --- ranges -----------------------------------------------------------------------------------------------------------


def _edges_of_ranges(ranges: Ranges) -> Sequence[int]:
    return [edge for low, high in ranges for edge in (low, high + 1)]


def _common(left: Ranges, right: Ranges) -> Ranges:
    """What is in both: each range of the shorter list is looked up in the longer one."""
    few, many = (left, right) if len(left) < len(right) else (right, left)
    found: list[Range] = []
    for low, high in few:
        first = bisect_right(many, (low, MAX_CODE_POINT + 1))
        if first and many[first - 1][1] >= low:
            found.append((low, many[first - 1][1]))
        found += many[first : bisect_right(many, (high, MAX_CODE_POINT + 1), first)]
        if found and found[-1][1] > high:
            found[-1] = (found[-1][0], high)
    return tuple(found)


def _merged(ranges: list[Range]) -> Ranges:
    merged: list[Range] = []
    for low, high in ranges:
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def _without_surrogates(ranges: Ranges) -> Ranges:
    place = max(bisect_right(ranges, (_SURROGATES[0], MAX_CODE_POINT + 1)) - 1, 0)
    end = bisect_right(ranges, (_SURROGATES[1], MAX_CODE_POINT + 1))
    kept: list[Range] = []
    for low, high in ranges[place:end]:
        kept += [(low, min(high, _SURROGATES[0] - 1))] if low < _SURROGATES[0] else []
        kept += [(max(low, _SURROGATES[1] + 1), high)] if high > _SURROGATES[1] else []
    return (*ranges[:place], *kept, *ranges[end:])


NO_CHARS = CharSet()
ALL_CHARS = CharSet.of([(0, MAX_CODE_POINT)])
ASCII = CharSet.of([(0, 0x7F)])
