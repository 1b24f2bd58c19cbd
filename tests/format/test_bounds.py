"""Columns of numbers and their bounds, against what comparing the numbers one by one says."""

from __future__ import annotations

import importlib
import math
from array import array
from collections.abc import Iterator
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.format import bounds
from mtok_export.format.bounds import all_below, all_numbers, pairs_ascend


@pytest.fixture(autouse=True, params=[True, False], ids=["by numpy", "without"], scope="module")
def numpy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Numpy imported already, and not."""
    importlib.import_module("numpy")
    with mock.patch.object(bounds, "_numpy", bounds._numpy if request.param else lambda: None):
        yield


EDGES = (0, 1, 0xFF, 0x100, 0xFFFF, 0x10000, 0x2FFFF, 0x30000, 0xFFFFFF, 0x1000000, 999_999_999, 2**31 - 1, 2**31)
NUMBERS = st.sampled_from((*EDGES, 2**32 - 1)) | st.integers(0, 2**32 - 1)


@given(st.lists(NUMBERS), NUMBERS | st.just(2**32))
def test_all_below(values: list[int], limit: int) -> None:
    assert all_below(array("I", values), limit) == all(value < limit for value in values)


@pytest.mark.parametrize("limit", EDGES)
def test_all_below_at_the_limit(limit: int) -> None:
    assert not all_below(array("I", [0, limit]), limit)
    assert limit == 0 or all_below(array("I", [limit - 1, 0]), limit)


@given(st.lists(st.floats() | st.just(-math.nan)))
def test_all_numbers(values: list[float]) -> None:
    assert all_numbers(array("d", values)) == (not any(map(math.isnan, values)))


def ascends(pairs: list[tuple[int, int]]) -> bool:
    return pairs_ascend(array("I", [left for left, _ in pairs]), array("I", [right for _, right in pairs]))


@given(st.lists(st.tuples(NUMBERS, NUMBERS)))
def test_pairs_ascend(pairs: list[tuple[int, int]]) -> None:
    assert ascends(pairs) == all(one < other for one, other in pairwise(pairs))
    assert ascends(sorted(set(pairs)))


@pytest.mark.parametrize("last", [(2, 5), (2, 4), (1, 9), (2, 2**32 - 1), (2**32 - 1, 0), (0, 0)])
@pytest.mark.parametrize("before", [(1, 2), (2, 4), (0, 2**32 - 1), (2**31 - 1, 2**32 - 1), (2**31, 0)])
def test_two_pairs(before: tuple[int, int], last: tuple[int, int]) -> None:
    assert ascends([before, last]) == (before < last)
    assert ascends([(0, 0), before, last]) == ((0, 0) < before < last)
