"""The joints of a model as the engine's byte matcher sees them: ASCII as it is, everything else as seven classes.

A relation is a tuple of 128 masks: bit *b* of mask *a* says that the symbol *a* may be joined with a *b* behind it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from mtok_export.characters import FoldedClass
from mtok_export.lowering.cuts.joints import Joints
from mtok_export.lowering.regex.fold import CLASS_BITS, EVERYTHING, SYMBOLS, class_members, fold_char

SPACE = 0x20

Relation = tuple[int, ...]


def relation_of(joints: Joints, replacement: str | None) -> Relation:
    """Which symbols may stand side by side in one token.

    Args:
        joints: what the model can join.
        replacement: what a space of the text is to the model, where it is replaced after the cuts: one character.
    """
    rows = [0] * SYMBOLS
    symbols = _symbols(joints, replacement)
    for left, right in joints.pairs:
        for symbol in symbols[left]:
            for other in symbols[right]:
                rows[symbol] |= 1 << other
    if joints.known is not None:
        unknown = _unknown(joints.known, replacement)
        rows = [EVERYTHING if unknown >> symbol & 1 else row | unknown for symbol, row in enumerate(rows)]
    return tuple(rows)


def _symbols(joints: Joints, replacement: str | None) -> Mapping[str, tuple[int, ...]]:
    """What the matcher may see where the model sees a character."""
    symbols: dict[str, tuple[int, ...]] = {
        char: (symbol,) for char, symbol in _folded(set(chain.from_iterable(joints.pairs)))
    }
    if replacement is not None:
        symbols[" "] = ()
        symbols[replacement] = (SPACE, fold_char(replacement))
    return symbols


def _folded(chars: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Characters and their symbols; for thousands of characters, so by one look-up each."""
    ranges = sorted((low, high, folded) for folded in FoldedClass for low, high in class_members(folded).ranges)
    starts = [low for low, _, _ in ranges]
    for char in chars:
        yield char, ord(char) if ord(char) < SYMBOLS else int(ranges[bisect_right(starts, ord(char)) - 1][2])


def _unknown(known: frozenset[str], replacement: str | None) -> int:
    """The symbols of which some character is no entry; of a class there always is one."""
    mask = CLASS_BITS
    for symbol in range(SYMBOLS):
        char = replacement if symbol == SPACE and replacement is not None else chr(symbol)
        if char not in known:
            mask |= 1 << symbol
    return mask
