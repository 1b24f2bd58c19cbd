"""Sorting the entries of a vocabulary, of which there may be hundreds of thousands."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    IntArray = array[int]

_MANY = 50_000
"""So many entries are sorted by numpy where it has been imported."""

_VERY_MANY = 200_000
"""So many save more time than it takes to import it."""

_BLOCK = 1 << 12
"""Entries that are put in their new order at once."""

_WORD = 8
"""Numpy compares two words of so many bytes at the beginning; few entries are alike in them."""


def sorted_entries(tokens: Sequence[str], ids: IntArray) -> tuple[tuple[str, ...], IntArray]:
    """Entries in the order of their UTF-8 bytes, which is that of Python's strings; equal ones as they stand.

    Args:
        tokens: the strings.
        ids: their ids.
    """
    if len(tokens) >= (_MANY if "numpy" in sys.modules else _VERY_MANY):
        raw = "\0".join((*tokens, "\0" * 2 * _WORD)).encode("utf-8", "surrogatepass")
        if raw.count(b"\0") == len(tokens) + 2 * _WORD:
            return _by_numpy(tokens, ids, raw)
    # Sorting positions by string takes a third of the time of sorting tuples.
    order = sorted(range(len(tokens)), key=tokens.__getitem__)
    return tuple(map(tokens.__getitem__, order)), array("I", map(ids.__getitem__, order))


def _by_numpy(tokens: Sequence[str], ids: IntArray, joined: bytes) -> tuple[tuple[str, ...], IntArray]:
    """The same by the bytes of all entries, which lie side by side, each with a zero behind it, and zeros at the end.

    The strings themselves lie all over the memory: to look at each of them in the new order takes longer than to make
    them anew.
    """
    import numpy as np

    raw = np.frombuffer(joined, dtype=np.uint8)
    ends = np.flatnonzero(raw == 0)[: len(tokens)].astype(np.int32)
    starts = np.append(np.int32(0), ends[:-1] + 1)
    order = _order(tokens, raw, starts, ends)
    blocks = (order[first : first + _BLOCK] for first in range(0, len(tokens), _BLOCK))
    parts = (_joined(raw, starts[block], ends[block]).split("\0") for block in blocks)
    return tuple(chain.from_iterable(parts)), array("I", np.asarray(ids)[order].tobytes())


def _order(tokens: Sequence[str], raw: Any, starts: Any, ends: Any) -> Any:
    """The positions of the entries in their order."""
    import numpy as np

    words = [_words(raw, starts + at, ends - starts - at) for at in (0, _WORD)]
    order = np.lexsort(words[::-1]).astype(np.int32)
    alike = np.ones(len(tokens) - 1, dtype=np.bool_)
    for word in words:
        alike &= np.diff(word[order]) == 0
    for first, end in _runs(np.flatnonzero(alike).tolist()):
        order[first:end] = sorted(order[first:end].tolist(), key=tokens.__getitem__)
    return order


def _joined(raw: Any, starts: Any, ends: Any) -> str:
    """Some stretches of a text, each up to a zero, one behind another with the zeros between them."""
    import numpy as np

    sizes = ends - starts + 1
    behind = np.cumsum(sizes)
    places = np.arange(behind[-1]) + np.repeat(starts + sizes - behind, sizes)
    text: str = raw[places[:-1]].tobytes().decode("utf-8", "surrogatepass")
    return text


def _words(raw: Any, starts: Any, sizes: Any) -> Any:
    """The first eight bytes of some stretches, or as many as there are and zeros, as numbers in the same order."""
    import numpy as np

    at_each_byte = np.ndarray((len(raw) - _WORD + 1,), dtype=">u8", buffer=raw, strides=(1,))
    beyond = np.uint64(8) * (_WORD - np.clip(sizes, 1, _WORD)).astype(np.uint64)
    words = at_each_byte[np.minimum(starts, len(raw) - _WORD)].astype(np.uint64) >> beyond << beyond
    words[sizes <= 0] = 0
    return words


def _runs(alike: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The stretches of strings that start alike, given the places of those that are so with the next one."""
    first = end = -1
    for place in alike:
        if place >= end:
            if end > 0:
                yield first, end
            first = place
        end = place + 2
    if end > 0:
        yield first, end
