"""Whether columns of numbers keep their bounds, without making an object of each of half a million numbers."""

from __future__ import annotations

import sys
from array import array
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    IntArray = array[int]
    FloatArray = array[float]

_NUMBER = 4
_PAIR = 8
"""Bytes of one number, and of two."""
_LOWER_HALF, _UPPER_HALF = bytes(range(0x80)), bytes(range(0x80, 0x100))
_BIT_31 = 1 << 31


def all_below(column: IntArray, limit: int) -> bool:
    """Whether every number of an ``array("I")`` is below ``limit``."""
    raw = _little_endian(column).tobytes()
    highest, high = raw[3::4], limit >> 16
    # Most often the upper bytes of the numbers say it all.
    if high < 0x100 and not highest.strip(b"\0") and not raw[2::4].translate(None, bytes(range(high))):
        return True
    if high >= 0x100 and not highest.translate(None, bytes(range(min(limit >> 24, 0x100)))):
        return True
    if not 0 < limit <= _BIT_31 or highest.translate(None, _LOWER_HALF):
        return max(column, default=-1) < limit
    # All sums at once: what is added to each number sets its highest bit just where it is not below the limit.
    added = (_BIT_31 - limit).to_bytes(_NUMBER, "little") * len(column)
    sums = (int.from_bytes(raw, "little") + int.from_bytes(added, "little")).to_bytes(len(raw), "little")
    return not sums[3::4].translate(None, _LOWER_HALF)


def all_numbers(column: FloatArray) -> bool:
    """Whether no value of an ``array("d")`` is NaN."""
    raw = column.tobytes()
    highest = raw[7::8] if sys.byteorder == "little" else raw[::8]
    # Only NaN, infinity and numbers beyond 10 ** 303 have these bits for their exponent.
    return (b"\x7f" not in highest and b"\xff" not in highest) or not any(map(isnan, column))


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
    if raw[7::8].translate(None, _LOWER_HALF):  # numbers that no id can be would spill into their neighbours
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
