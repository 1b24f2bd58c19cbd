"""The vocab of a Unigram model as columns: a pair of objects for each piece would take three times the memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    FloatArray = array[float]

ScoredPiece = tuple[str, float]


class ScoredVocab(Sequence[ScoredPiece]):
    """Pieces with their scores: a sequence of pairs, where an id is a position.

    Args:
        pieces: the pieces by id.
        scores: their scores, an ``array("d")``.
    """

    __slots__ = ("_ids", "pieces", "scores")

    def __init__(self, pieces: tuple[str, ...], scores: FloatArray) -> None:
        self.pieces = pieces
        self.scores = scores
        self._ids: dict[str, int] | None = None

    @classmethod
    def of(cls, pairs: Sequence[ScoredPiece]) -> ScoredVocab:
        """The same from any sequence of pairs."""
        if isinstance(pairs, ScoredVocab):
            return pairs
        return ScoredVocab(tuple([piece for piece, _ in pairs]), array("d", [score for _, score in pairs]))

    @property
    def ids(self) -> Mapping[str, int]:
        """The id of each piece; of a piece that stands there twice the last."""
        if self._ids is None:
            self._ids = dict(zip(self.pieces, count()))
        return self._ids

    def __len__(self) -> int:
        return len(self.pieces)

    @overload
    def __getitem__(self, index: int) -> ScoredPiece: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ScoredPiece, ...]: ...

    def __getitem__(self, index: int | slice) -> ScoredPiece | tuple[ScoredPiece, ...]:
        if isinstance(index, int):
            return self.pieces[index], self.scores[index]
        return tuple(zip(self.pieces[index], self.scores[index], strict=True))

    def __iter__(self) -> Iterator[ScoredPiece]:
        return zip(self.pieces, self.scores, strict=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScoredVocab):
            return self.pieces == other.pieces and self.scores == other.scores
        if not isinstance(other, (tuple, list)):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for every sequence that is compared by what it holds

    def __repr__(self) -> str:
        return f"ScoredVocab({len(self)} pieces)"
