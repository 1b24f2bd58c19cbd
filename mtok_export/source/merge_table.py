"""The merges of a BPE model as columns of ids: half a million pairs of strings take thirty times the memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    IntArray = array[int]

Merge = tuple[str, str]

MANY = 100_000
"""So many merges are sorted by numpy."""

_WORD_BITS = 64

_EXACT_LEFT = 1 << 21
"""Below this a left id, shifted by 32 bits, and a right id make a whole number that a float holds to the last bit."""


class MergeTable(Sequence[Merge]):
    """Merges in order of rank: a sequence of pairs of tokens, made when they are looked at.

    Args:
        left: the ids of the first parts, an ``array("I")`` in order of rank.
        right: those of the second parts.
        results: those of what the merges make.
        vocab: token -> id, with one token for each id; not to be changed afterwards.
    """

    __slots__ = ("_in_order", "_tokens", "_vocab", "left", "results", "right")

    def __init__(self, left: IntArray, right: IntArray, results: IntArray, vocab: Mapping[str, int]) -> None:
        self.left = left
        self.right = right
        self.results = results
        self._vocab = vocab
        self._tokens: dict[int, str] | None = None
        self._in_order: tuple[tuple[IntArray, IntArray, IntArray], bool] | None = None

    @property
    def tokens(self) -> Mapping[int, str]:
        """The token of each id."""
        if self._tokens is None:
            self._tokens = dict(zip(self._vocab.values(), self._vocab.keys(), strict=True))
        return self._tokens

    @property
    def sorted_columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """Left ids, right ids and ranks, sorted by left id, then right id, then rank."""
        return self._sorted()[0]

    @property
    def is_distinct(self) -> bool:
        """Whether no pair stands there twice."""
        return self._sorted()[1]

    def _sorted(self) -> tuple[tuple[IntArray, IntArray, IntArray], bool]:
        if self._in_order is None:
            many = len(self.left) >= MANY
            self._in_order = _sorted_by_numpy(self.left, self.right) if many else _sorted(self.left, self.right)
        return self._in_order

    def __len__(self) -> int:
        return len(self.left)

    @overload
    def __getitem__(self, index: int) -> Merge: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Merge, ...]: ...

    def __getitem__(self, index: int | slice) -> Merge | tuple[Merge, ...]:
        tokens = self.tokens
        if isinstance(index, int):
            return tokens[self.left[index]], tokens[self.right[index]]
        pairs = zip(self.left[index], self.right[index], strict=True)
        return tuple([(tokens[left], tokens[right]) for left, right in pairs])

    def __iter__(self) -> Iterator[Merge]:
        token_of = self.tokens.__getitem__
        return zip(map(token_of, self.left), map(token_of, self.right), strict=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MergeTable) and self._vocab is other._vocab:
            return self.left == other.left and self.right == other.right
        if not isinstance(other, (MergeTable, tuple, list)):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for every sequence that is compared by what it holds

    def __repr__(self) -> str:
        return f"MergeTable({len(self)} merges)"


def _sorted(left: IntArray, right: IntArray) -> tuple[tuple[IntArray, IntArray, IntArray], bool]:
    """The sorted columns, and whether no pair stands there twice; floats are the quickest to sort."""
    width: float = 1 << 32
    if max(left, default=0) < _EXACT_LEFT:
        width = float(width)
    keys = [one * width + other for one, other in zip(left, right, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    in_order = list(map(keys.__getitem__, order))
    distinct = all(map(lt, in_order, islice(in_order, 1, None)))
    first, second = (array("I", map(column.__getitem__, order)) for column in (left, right))
    return (first, second, array("I", order)), distinct


def _sorted_by_numpy(left: IntArray, right: IntArray) -> tuple[tuple[IntArray, IntArray, IntArray], bool]:
    """The same, where there are so many that it pays to import numpy."""
    import numpy as np

    first, second = (np.frombuffer(column, np.uint32).astype(np.uint64) for column in (left, right))
    second_at = len(left).bit_length()
    first_at = second_at + int(second.max(initial=0)).bit_length()
    rank = np.arange(len(left), dtype=np.uint64)
    if first_at + int(first.max(initial=0)).bit_length() <= _WORD_BITS:  # all in one number, which is sorted as it is
        keys = np.sort(first << np.uint64(first_at) | second << np.uint64(second_at) | rank)
        first, rank = keys >> np.uint64(first_at), keys & np.uint64((1 << second_at) - 1)
        second = keys >> np.uint64(second_at) & np.uint64((1 << first_at - second_at) - 1)
    else:
        rank = np.lexsort((second, first))
        first, second = first[rank], second[rank]
    distinct = not ((first[1:] == first[:-1]) & (second[1:] == second[:-1])).any()
    left, right, ranks = (array("I", column.astype(np.uint32).tobytes()) for column in (first, second, rank))
    return (left, right, ranks), distinct
