from __future__ import annotations

import sys
from array import array
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.lowering import ordering
from mtok_export.lowering.ordering import sorted_entries
from mtok_export.packed_tokens import LONGEST, PackedTokens

ANY = st.characters(exclude_characters="\0", codec="utf-8")
TOKENS = st.lists(st.text(st.sampled_from("abé▁\U0001f600"), max_size=20) | st.text(ANY), max_size=40)
WITH_ZEROS = st.lists(st.text(st.sampled_from("ab\0"), max_size=12), max_size=12)
ALIKE = st.builds(lambda size, tokens: [f"{'x' * size}{token}" for token in tokens], st.integers(6, 17), TOKENS)


@pytest.mark.parametrize("many", [1, 1 << 30], ids=["by numpy", "without"])
@given(tokens=TOKENS | ALIKE | WITH_ZEROS)
def test_order_of_bytes_and_of_places(many: int, tokens: list[str]) -> None:
    assert np.__name__ in sys.modules
    by_bytes = sorted((token.encode(), id_) for id_, token in enumerate(tokens))
    with mock.patch.object(ordering, "_MANY", many):
        found, ids = sorted_entries(tokens, array("I", range(len(tokens))))
    assert [(token.encode(), id_) for token, id_ in zip(found, ids, strict=True)] == by_bytes
    assert isinstance(found, PackedTokens) == (many == 1 and bool(tokens) and "\0" not in "".join(tokens))


RUNS = [f"{'x' * size}{end}" for size in range(34) for end in "ba"]
NUMBERED = [f"{number:08}{end}" for number in range(300) for end in "ba"]


@pytest.mark.parametrize(
    "tokens", [RUNS, RUNS[::-1], RUNS * 5, NUMBERED], ids=["runs", "reversed", "often", "numbered"]
)
def test_what_differs_late(tokens: list[str]) -> None:
    with mock.patch.object(ordering, "_MANY", 1):
        found, ids = sorted_entries(tokens, array("I", range(len(tokens))))
    assert isinstance(found, PackedTokens)
    assert list(zip(found, ids, strict=True)) == sorted(zip(tokens, range(len(tokens)), strict=True))


def test_what_is_very_long_is_not_packed() -> None:
    tokens = ["b", "a" * (LONGEST + 1), "a" * LONGEST]
    with mock.patch.object(ordering, "_MANY", 1):
        assert sorted_entries(tokens, array("I", range(3))) == (tuple(sorted(tokens)), array("I", [2, 1, 0]))


def test_numpy_is_not_imported_for_it() -> None:
    with mock.patch.dict(sys.modules), mock.patch.object(ordering, "_MANY", 0):
        del sys.modules["numpy"]
        assert sorted_entries(["b", "a"], array("I", [5, 7])) == (("a", "b"), array("I", [7, 5]))
        assert "numpy" not in sys.modules
