"""Sorting the entries of a vocabulary, of which there may be hundreds of thousands."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Sequence
from itertools import count
from typing import TYPE_CHECKING

from mtok_export.packed_tokens import PackedTokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mtok_export.byte_strings import ByteStrings, Positions

    Flags = NDArray[np.bool_]
    IntArray = array[int]

_MANY = 50_000
"""So many entries are sorted by numpy where it has been imported."""

_VERY_MANY = 200_000
"""So many save more time than it takes to import it."""


def sorted_entries(tokens: Collection[str], ids: IntArray) -> tuple[Sequence[str], IntArray]:
    """Entries in the order of their UTF-8 bytes, which is that of Python's strings; equal ones as they stand.

    Args:
        tokens: the strings.
        ids: their ids.

    Returns:
        The columns; very many strings are packed.
    """
    if len(tokens) >= (_MANY if "numpy" in sys.modules else _VERY_MANY):
        packed = PackedTokens.of(tokens, len(tokens))
        if packed is not None:
            return _by_numpy(packed, ids)
    tokens = tuple(tokens)
    # Sorting positions by string takes a third of the time of sorting tuples.
    order = sorted(range(len(tokens)), key=tokens.__getitem__)
    return tuple(map(tokens.__getitem__, order)), array("I", map(ids.__getitem__, order))


def _by_numpy(tokens: PackedTokens, ids: IntArray) -> tuple[PackedTokens, IntArray]:
    """The same by the bytes of all entries.

    The strings themselves lie all over the memory: to look at each of them in the new order takes longer than to make
    them anew.
    """
    import numpy as np

    order = _order(tokens.strings)
    return tokens.arranged(order), array("I", np.asarray(ids)[order].tobytes())


def _order(strings: ByteStrings) -> Positions:
    """The positions of strings in their order, by their first word, and then by some more bytes of those alike so far.

    How many more: as many as go into one word beside the number of those alike.
    """
    import numpy as np

    from mtok_export.byte_strings import WORD

    keys = strings.words(0)
    order = np.argsort(keys)
    keys = keys[order]
    places = np.arange(len(order))
    size = WORD - (len(order).bit_length() + 7) // 8
    for at in count(WORD, size):
        alike = _beside(keys[1:] == keys[:-1])
        places = places[alike]
        some, keys = order[places], keys[alike]
        number = np.cumsum(np.append(False, keys[1:] != keys[:-1])).astype(np.uint64) << np.uint64(8 * size)
        if (strings.sizes[some] <= at).all():  # the same strings, which stay as they stood
            order[places] = some[np.argsort(number | some.astype(np.uint64))]
            break
        keys = number | strings.words(at, some) >> np.uint64(8 * (WORD - size))
        by_key = np.argsort(keys)
        order[places], keys = some[by_key], keys[by_key]
    return order


def _beside(equal: Flags) -> Flags:
    """Which of some values in a row (one at least) equal the one before or behind, by which equal the next one."""
    import numpy as np

    beside: Flags = np.append(equal, False) | np.append(False, equal)
    return beside
