"""Whether columns of numbers keep their bounds: by numpy where it is imported, as it is for half a million numbers."""

from __future__ import annotations

import sys
from array import array
from itertools import islice
from math import isnan
from operator import lt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    IntArray = array[int]
    FloatArray = array[float]


def all_below(column: IntArray, limit: int) -> bool:
    """Whether every number of an ``array("I")`` is below ``limit``."""
    np = _numpy()
    highest = max(column, default=-1) if np is None or not column else np.asarray(column).max()
    return bool(highest < limit)


def all_numbers(column: FloatArray) -> bool:
    """Whether no value of an ``array("d")`` is NaN."""
    np = _numpy()
    return not any(map(isnan, column)) if np is None else not np.isnan(column).any()


def pairs_ascend(left: IntArray, right: IntArray) -> bool:
    """Whether each pair comes before the next one: its left number is lower, or that is the same and the right is.

    Args:
        left: an ``array("I")``.
        right: another one, as long as the first.
    """
    np = _numpy()
    if np is None:
        pairs = list(zip(left, right, strict=True))
        return all(map(lt, pairs, islice(pairs, 1, None)))
    keys = np.asarray(left).astype(np.uint64) << np.uint64(32) | np.asarray(right)
    return bool((keys[1:] > keys[:-1]).all())


def _numpy() -> Any:
    return sys.modules.get("numpy")
