"""The merges of a sentencepiece BPE model, which states none: scores of pieces take their place.

sentencepiece joins two neighbours whenever the joined string is a piece: the pair whose piece has the highest score
first, of equal scores the one furthest to the left.  In a list of merges that is the order of falling scores.  Equal
scores (of runs of spaces, in practice) cannot be told by their place there, but a pair further to the left has usually
grown longer: the longer piece goes first, and of one piece the cut with the longer left part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtok_export.source.conversion import PieceType, ScoredPiece


@dataclass(frozen=True)
class DerivedMerges:
    """The merges in order of rank.

    ``unreachable`` are normal pieces that no merge makes (sentencepiece joins characters even if they are no pieces),
    ``kept_unused`` pieces of the type UNUSED that stay in the merges because others are made of them.
    """

    merges: list[list[str]]
    unreachable: tuple[str, ...]
    kept_unused: tuple[str, ...]


def derive_merges(pieces: Sequence[ScoredPiece]) -> DerivedMerges:
    """The merges that do what sentencepiece does with these pieces.

    Pieces of the type UNUSED are joined by sentencepiece and cut again at the end; here they are joined only where a
    piece in use is made of them.  A user-defined character is never joined with anything.
    """
    joinable = {piece.piece: (piece.score, i) for i, piece in enumerate(pieces) if _joins(piece)}
    unused = {piece.piece for piece in pieces if piece.type is PieceType.UNUSED}
    ways = {piece: list(_cuts(piece, joinable)) for piece in joinable if len(piece) > 1}
    needed = _needed_unused(ways, unused)
    left_out = unused - needed
    rows = [
        (-joinable[piece][0], -len(piece), joinable[piece][1], -len(left), left, right)
        for piece, cuts in ways.items()
        if piece not in left_out
        for left, right in cuts
        if left not in left_out and right not in left_out
    ]
    rows.sort()
    made = {left + right for *_, left, right in rows}
    normal = {piece.piece for piece in pieces if piece.type is PieceType.NORMAL}
    unreachable = tuple(piece for piece in ways if piece in normal and piece not in made)
    return DerivedMerges([[left, right] for *_, left, right in rows], unreachable, tuple(sorted(needed)))


def _joins(piece: ScoredPiece) -> bool:
    """Whether a piece can be part of a merge."""
    if piece.type is PieceType.USER_DEFINED:
        return len(piece.piece) > 1
    return piece.type in (PieceType.NORMAL, PieceType.UNUSED)


def _cuts(piece: str, joinable: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for place in range(1, len(piece)):
        left, right = piece[:place], piece[place:]
        if left in joinable and right in joinable:
            yield left, right


def _needed_unused(ways: Mapping[str, Sequence[tuple[str, str]]], unused: set[str]) -> set[str]:
    """The unused pieces that are a part of a way to a piece in use, directly or through other unused ones."""
    needed: set[str] = set()
    waiting = [piece for piece in ways if piece not in unused] if unused else []
    while waiting:
        for part in {part for way in ways.get(waiting.pop(), ()) for part in way} & unused:
            if part not in needed:
                needed.add(part)
                waiting.append(part)
    return needed
