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

TOKENS = st.lists(st.text(st.sampled_from("ab\0é▁\U0001f600"), max_size=20) | st.text(), max_size=40)
ALIKE = st.builds(lambda size, tokens: [f"{'x' * size}{token}" for token in tokens], st.integers(6, 17), TOKENS)


@pytest.mark.parametrize("many", [1, 1 << 30], ids=["by numpy", "without"])
@given(tokens=TOKENS | ALIKE)
def test_order_of_bytes_and_of_places(many: int, tokens: list[str]) -> None:
    assert np.__name__ in sys.modules
    by_bytes = sorted((token.encode(), id_) for id_, token in enumerate(tokens))
    with mock.patch.object(ordering, "_MANY", many):
        found, ids = sorted_entries(tokens, array("I", range(len(tokens))))
    assert [(token.encode(), id_) for token, id_ in zip(found, ids, strict=True)] == by_bytes


def test_numpy_is_not_imported_for_it() -> None:
    with mock.patch.dict(sys.modules), mock.patch.object(ordering, "_MANY", 0):
        del sys.modules["numpy"]
        assert sorted_entries(["b", "a"], array("I", [5, 7])) == (("a", "b"), array("I", [7, 5]))
        assert "numpy" not in sys.modules
