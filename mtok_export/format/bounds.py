"""Whether columns of numbers keep their bounds, without making an object of each of half a million numbers."""

from __future__ import annotations

import sys
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    IntArray = array[int]

_PAIR = 8
"""Bytes of two numbers."""
_UPPER_HALF = bytes(range(0x80, 0x100))


def all_below(column: IntArray, limit: int) -> bool:
    """Whether every number of an ``array("I")`` is below ``limit``."""
    high = limit >> 16
    if high < 0x100:
        raw = _little_endian(column).tobytes()
        # Most often the upper two bytes of the numbers say it all.
        if not raw[3::4].strip(b"\0") and not raw[2::4].translate(None, bytes(range(high))):
            return True
    elif not _little_endian(column).tobytes()[3::4].translate(None, bytes(range(min(limit >> 24, 0x100)))):
        return True
    return max(column, default=-1) < limit


def pairs_ascend(left: IntArray, right: IntArray) -> bool:
    """Whether each pair comes before the next one: its left number is lower, or that is the same and the right is.

    Args:
        left: an ``array("I")``.
        right: another one, as long as the first.
    """
    steps = len(left) - 1
    if steps < 1:
        return True
    words = array("I", bytes(_PAIR * len(left)))
    words[1::2], words[::2] = _little_endian(left), _little_endian(right)
    raw = words.tobytes()
    if raw[7::8].translate(None, bytes(range(0x80))):  # numbers that no id can be would spill into their neighbours
        return all(one < other for one, other in pairwise(zip(left, right, strict=True)))
    # All differences at once: two whole numbers of 64 bits for each pair.  What is added keeps every difference
    # positive, and leaves the highest bit of each set just where the second pair is the higher one.
    lower, higher = (int.from_bytes(part, "little") for part in (raw[:-_PAIR], raw[_PAIR:]))
    added = int.from_bytes(b"\xff\xff\xff\xff\xff\xff\xff\x7f" * steps, "little")
    differences = (higher + added - lower).to_bytes(_PAIR * steps, "little")
    return not differences[7::8].translate(None, _UPPER_HALF)


def _little_endian(column: IntArray) -> IntArray:
    if sys.byteorder == "little":
        return column
    swapped = column[:]
    swapped.byteswap()
    return swapped
