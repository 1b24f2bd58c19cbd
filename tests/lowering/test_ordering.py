from __future__ import annotations

import sys
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.lowering import ordering
from mtok_export.lowering.ordering import in_order

TOKENS = st.lists(st.text(st.sampled_from("ab\0é▁\U0001f600"), max_size=12) | st.text(), max_size=40)
ALIKE = TOKENS.map(lambda tokens: [f"{'x' * 8}{token}" for token in tokens])


@pytest.mark.parametrize("many", [0, 1 << 30], ids=["by numpy", "without"])
@given(tokens=TOKENS | ALIKE)
def test_order_of_bytes_and_of_places(many: int, tokens: list[str]) -> None:
    assert np.__name__ in sys.modules
    by_bytes = sorted(range(len(tokens)), key=lambda place: (tokens[place].encode(), place))
    with mock.patch.object(ordering, "_MANY", many):
        assert in_order(tokens) == by_bytes


def test_numpy_is_not_imported_for_it() -> None:
    with mock.patch.dict(sys.modules), mock.patch.object(ordering, "_MANY", 0):
        del sys.modules["numpy"]
        assert in_order(["b", "a"]) == [1, 0]
        assert "numpy" not in sys.modules
