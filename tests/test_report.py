"""Which texts a limit can touch."""

from __future__ import annotations

import pytest

from mtok_export.report import Fidelity, Limit


def limit(**fields: object) -> Limit:
    return Limit("$.model", "BPE", Fidelity.APPROXIMATE, "because", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "touched", "untouched"),
    [
        ({}, ["", "a"], []),
        ({"characters": ((0x61, 0x62),)}, ["a", "xb", "ab"], ["", "c", "A"]),
        ({"characters": ((0x61, 0x62),), "run": 3}, ["aba", "xbbby"], ["ab", "aab bab".replace(" ", "x")[:2], "abxab"]),
        ({"holds": ("foo", "bar")}, ["a foo", "bars"], ["fo", "", "ba r"]),
        ({"holds": ("foo",), "characters": ((0x61, 0x61),)}, ["foo a"], ["foo", "a"]),
    ],
)
def test_a_limit_touches_the_texts_that_it_describes(
    fields: dict[str, object], touched: list[str], untouched: list[str]
) -> None:
    assert all(limit(**fields).touches(text) for text in touched)
    assert not any(limit(**fields).touches(text) for text in untouched)


def test_what_a_limit_touches_stands_in_the_report() -> None:
    written = limit(characters=((1, 7),), run=2, holds=("x",)).as_dict()
    assert (written["characters"], written["run"], written["holds"]) == ([[1, 7]], 2, ["x"])
