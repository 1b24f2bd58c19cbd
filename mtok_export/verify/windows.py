"""Where two results part, and the stretch of each round that place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from mtok_export.report import Effect
from mtok_export.verify.results import Difference, Ids, Piece, Text

IDS_BEFORE, IDS_AFTER = 2, 4
"""So many ids before the first that differs are shown, and so many from it on."""

CHARACTERS_BEFORE, CHARACTERS_AFTER = 20, 40

Pieces = Callable[[int], str]
"""What an id stands for."""


def first_difference(left: Sequence[object], right: Sequence[object]) -> int:
    """The index of the first place where two sequences differ; their length where they do not."""
    missing = object()
    for place, (one, other) in enumerate(zip_longest(left, right, fillvalue=missing)):
        if one != other:
            return place
    return len(left)


def ids_difference(
    subject: str, text: str, expected: Sequence[int], found: Sequence[int], expected_piece: Pieces, found_piece: Pieces
) -> Difference:
    """The difference between two lists of ids; each side's ids are shown as that side calls them."""
    place = first_difference(expected, found)

    def side(ids: Sequence[int], piece: Pieces) -> Ids:
        start = max(0, min(place, len(ids)) - IDS_BEFORE)
        return Ids(start, tuple(Piece(id_, piece(id_)) for id_ in ids[start : place + IDS_AFTER]), len(ids))

    return Difference(subject, text, place, side(expected, expected_piece), side(found, found_piece))


def text_difference(subject: str, text: str, expected: str, found: str) -> Difference:
    """The difference between two texts."""
    place = first_difference(expected, found)

    def side(whole: str) -> Text:
        start = max(0, min(place, len(whole)) - CHARACTERS_BEFORE)
        return Text(start, whole[start : place + CHARACTERS_AFTER], len(whole))

    effect = Effect.LEADING_SPACE if found == f" {expected}" else None
    return Difference(subject, text, place, side(expected), side(found), effect=effect)
