"""Quick frozen dataclasses against ordinary ones."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import pytest

from mtok_export import records


def point(decorator: Any) -> Any:
    @decorator(frozen=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        name: str = dataclasses.field(default="", repr=False)
        note: str = dataclasses.field(default="", compare=False)
        more: list[int] = dataclasses.field(default_factory=list, compare=False)

        @cached_property
        def far(self) -> int:
            return self.x + self.y

    return Point


def single(decorator: Any) -> Any:
    @decorator(frozen=True)
    class Single:
        text: str

        def __repr__(self) -> str:
            return "own words"

    return Single


def nothing(decorator: Any) -> Any:
    @decorator(frozen=True)
    class Nothing:
        pass

    return Nothing


BOTH = (records.dataclass, dataclasses.dataclass)


@pytest.mark.parametrize("make", BOTH)
def test_a_record(make: Any) -> None:
    cls = point(make)
    one = cls(1, name="n", note="this")
    assert one == cls(1, 2, "n", note="that") and one != cls(1, 3, "n") and one != (1, 2, "n")
    assert hash(one) == hash(cls(1, 2, "n", "that")) and one.far == one.far == 3
    assert repr(one).endswith("Point(x=1, y=2, note='this', more=[])")
    assert dataclasses.replace(one, x=5) == cls(5, 2, "n") and dataclasses.asdict(one)["more"] == []
    assert [field.name for field in dataclasses.fields(one)] == ["x", "y", "name", "note", "more"]
    for name in ("x", "z"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, name, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.x
    with pytest.raises(TypeError):
        cls()


@pytest.mark.parametrize("make", BOTH)
def test_few_fields(make: Any) -> None:
    one, none = single(make), nothing(make)
    assert one("a") == one("a") != one("b") and len({one("a"), one("a")}) == 1 and repr(one("a")) == "own words"
    assert none() == none() and hash(none()) == hash(none()) and repr(none()).endswith("Nothing()")
    assert none() != nothing(make)()


def test_only_frozen_ones() -> None:
    with pytest.raises(ValueError, match="frozen"):
        records.dataclass(frozen=False)
