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

_EXACT_LEFT = 1 << 21
"""Below this a left id, shifted by 32 bits, and a right id make a whole number that a float holds to the last bit."""


class MergeTable(Sequence[Merge]):
    """Merges in order of rank: a sequence of pairs of tokens, made when they are looked at.

    Args:
        left: the ids of the first parts, an ``array("I")`` in order of rank.
        right: those of the second parts.
        vocab: token -> id, with one token for each id; not to be changed afterwards.
    """

    __slots__ = ("_order", "_tokens", "_vocab", "left", "right")

    def __init__(self, left: IntArray, right: IntArray, vocab: Mapping[str, int]) -> None:
        self.left = left
        self.right = right
        self._vocab = vocab
        self._tokens: dict[int, str] | None = None
        self._order: tuple[IntArray, bool] | None = None

    @property
    def tokens(self) -> Mapping[int, str]:
        """The token of each id."""
        if self._tokens is None:
            self._tokens = dict(zip(self._vocab.values(), self._vocab.keys(), strict=True))
        return self._tokens

    @property
    def order(self) -> IntArray:
        """The ranks, sorted by left id, then right id, then rank."""
        return self._sorted()[0]

    @property
    def is_distinct(self) -> bool:
        """Whether no pair stands there twice."""
        return self._sorted()[1]

    def _sorted(self) -> tuple[IntArray, bool]:
        if self._order is None:
            keys = self._keys()
            order = sorted(range(len(keys)), key=keys.__getitem__)
            in_order = list(map(keys.__getitem__, order))
            self._order = array("I", order), all(map(lt, in_order, islice(in_order, 1, None)))
        return self._order

    def _keys(self) -> list[float]:
        """A number for each pair that sorts as the pair does; floats are the quickest to sort."""
        width = 1 << 32
        if max(self.left, default=0) < _EXACT_LEFT:
            return [left * float(width) + right for left, right in zip(self.left, self.right, strict=True)]
        return [left * width + right for left, right in zip(self.left, self.right, strict=True)]

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
