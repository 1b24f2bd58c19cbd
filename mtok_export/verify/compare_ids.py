"""Ids of texts: with the special tokens round them, and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mtok_export.errors import EngineError
from mtok_export.verify.engines import Encoded
from mtok_export.verify.results import Difference, Failed, Row, RowResult
from mtok_export.verify.segmentations import IdsEffect, no_effect
from mtok_export.verify.surroundings import Surroundings
from mtok_export.verify.windows import Pieces, ids_difference

Expected = Sequence["list[int] | None"]
"""The ids of each text; None for a text on which Hugging Face itself fails, which is left out."""


def compare_ids(
    texts: Sequence[str],
    expected: Expected,
    found: Sequence[Encoded],
    suffix: Sequence[int],
    pieces: tuple[Pieces, Pieces],
    effect: IdsEffect = no_effect,
) -> RowResult:
    """Compare the ids of each text as they are.

    Args:
        texts: the texts.
        expected: what Hugging Face makes of each.
        found: what the engine makes of each.
        suffix: the ids that Hugging Face puts behind every text and the engine's version cannot; where only they are
            missing, the text counts as expected by version.
        pieces: what an id stands for, to Hugging Face and in the file.
        effect: what makes up a difference.
    """
    differences: list[Difference] = []
    compared = by_version = 0
    for text, right, ids in zip(texts, expected, found, strict=True):
        if right is None:
            continue
        compared += 1
        if isinstance(ids, list) and ids != right and suffix and [*ids, *suffix] == right:
            by_version += 1
        elif ids != right:
            differences.append(difference(text, right, ids, pieces, lambda a, b: effect(a, [*b, *suffix])))
    return RowResult(Row.IDS, compared, tuple(differences), by_version)


def compare_plain_ids(
    texts: Sequence[str],
    expected: Expected,
    found: Sequence[Encoded],
    around: Surroundings,
    pieces: tuple[Pieces, Pieces],
    effect: IdsEffect = no_effect,
) -> RowResult:
    """Compare the ids of each text without what stands ``around`` them on the side of the engine."""
    differences: list[Difference] = []
    compared = 0
    for text, right, ids in zip(texts, expected, found, strict=True):
        if right is None:
            continue
        compared += 1
        inside = around.inside(ids) if isinstance(ids, list) else ids
        if inside != right:
            differences.append(difference(text, right, inside, pieces, effect))
    return RowResult(Row.PLAIN_IDS, compared, tuple(differences))


def difference(
    text: str, right: Sequence[int], ids: Encoded, pieces: tuple[Pieces, Pieces], effect: IdsEffect = no_effect
) -> Difference:
    """The difference between the ids that are right and those of the engine, or the engine's failure."""
    if isinstance(ids, EngineError):
        shown = ids_difference(text, text, right, (), *pieces)
        return Difference(text, text, 0, shown.expected, Failed(str(ids)))
    return replace(ids_difference(text, text, right, ids, *pieces), effect=effect(right, ids))
