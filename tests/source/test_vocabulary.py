"""Ids that leave none out."""

from __future__ import annotations

import pytest

from mtok_export.source.vocabulary import counts_up


@pytest.mark.parametrize("ids", [[], [0], [0, 1, 2], range(70_000)])
def test_ids_in_order(ids: list[object]) -> None:
    assert counts_up(ids)


@pytest.mark.parametrize(
    "ids",
    [[1], [0, 2], [1, 0], [0, 0], [False], [0, True], [0.0], [0, 1.0], [-1], [0, 1, 2**32], ["0"], [None], [0, [1]]],
    ids=repr,
)
def test_others(ids: list[object]) -> None:
    assert not counts_up(ids)
