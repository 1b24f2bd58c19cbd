from __future__ import annotations

from array import array
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.source import merge_table
from mtok_export.source.merge_table import MergeTable

VOCAB = {"a": 0, "b": 3, " ": 1, "é": 2_000_000, "x": 3_000_000_000}
PAIRS = st.lists(st.tuples(st.sampled_from(sorted(VOCAB)), st.sampled_from(sorted(VOCAB))), max_size=12)


def table(pairs: list[tuple[str, str]]) -> MergeTable:
    left, right = (array("I", [VOCAB[pair[part]] for pair in pairs]) for part in (0, 1))
    return MergeTable(left, right, left, VOCAB)


@given(PAIRS)
def test_is_the_sequence_of_its_pairs(pairs: list[tuple[str, str]]) -> None:
    merges = table(pairs)
    assert merges == tuple(pairs) and tuple(pairs) == merges and merges == table(pairs)
    assert list(merges) == pairs and len(merges) == len(pairs)
    assert [merges[i] for i in range(len(merges))] == pairs and merges[1:3] == tuple(pairs[1:3])
    assert merges != (*pairs, ("a", "b")) and (merges == tuple(reversed(pairs))) == (pairs[::-1] == pairs)


@pytest.mark.parametrize("many", [0, 1 << 30], ids=["by numpy", "without"])
@given(pairs=PAIRS)
def test_order_and_repeats(many: int, pairs: list[tuple[str, str]]) -> None:
    merges = table(pairs)
    keys = [(VOCAB[left], VOCAB[right], rank) for rank, (left, right) in enumerate(pairs)]
    with mock.patch.object(merge_table, "MANY", many):
        assert list(zip(*merges.sorted_columns, strict=True)) == sorted(keys)
        assert merges.is_distinct == (len(set(pairs)) == len(pairs))
