"""Quick frozen dataclasses against ordinary ones."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mtok_export import records

ROOT = Path(records.__file__).resolve().parent


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


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize(
    "ask",
    [
        lambda cls: [field.name for field in dataclasses.fields(cls)],
        lambda cls: dataclasses.is_dataclass(cls),
        lambda cls: cls.__match_args__,
        lambda cls: str(inspect.signature(cls)).replace("'", "").split(" -> ")[0].count(","),
        lambda cls: cls(1) == copy.copy(cls(1)) == copy.deepcopy(cls(1)) != cls(2),
        lambda cls: cls.__new__(cls).__class__ is cls,
        lambda cls: dataclasses.fields(type("Sub", (cls,), {})) == dataclasses.fields(cls),
        lambda cls: isinstance(type("Sub", (cls,), {})(1, 5).far, int),
    ],
)
def test_whatever_is_asked_first(ask: Any, make: Any) -> None:
    """A class is completed when something is asked of it for the first time, be it what it may."""
    assert ask(point(make)) == ask(point(dataclasses.dataclass))


def test_inherited_fields() -> None:
    @records.dataclass(frozen=True)
    class Base:
        x: int
        y: int = 2

    @records.dataclass(frozen=True)
    class Derived(Base):
        z: int = 3

    assert Derived(1) == Derived(1, 2, 3) != Derived(1, 2, 4) and Base(1) == Base(1, 2) != Derived(1)
    assert [field.name for field in dataclasses.fields(Derived)] == ["x", "y", "z"]


def test_a_list_as_default_is_refused_when_the_class_is_used() -> None:
    @records.dataclass(frozen=True)
    class Wrong:
        x: list[int] = []  # noqa: RUF012

    with pytest.raises(ValueError, match="mutable default"):
        Wrong()


def test_classes_are_completed_once_by_several_threads() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(100):
            cls = point(records.dataclass)
            with ThreadPoolExecutor(4) as pool:
                made = list(pool.map(cls, range(16)))
            assert [one.x for one in made] == list(range(16)) and len(set(made)) == 16
    finally:
        sys.setswitchinterval(interval)


def test_signatures_have_their_annotations() -> None:
    quick, ordinary = (inspect.signature(point(make)) for make in (records.dataclass, dataclasses.dataclass))
    assert [(name, one.annotation) for name, one in quick.parameters.items()] == [
        (name, one.annotation) for name, one in ordinary.parameters.items()
    ]


def test_every_record_of_the_package_can_be_completed() -> None:
    """What is wrong with the fields of a class would else be found by the first who makes one of it."""
    for path in ROOT.rglob("*.py"):
        if "records import dataclass" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
            for cls in vars(import_module(name)).values():
                if isinstance(cls, type) and cls.__module__ == name and dataclasses.is_dataclass(cls):
                    assert cls.__init__ is not object.__init__


def test_only_frozen_ones() -> None:
    with pytest.raises(ValueError, match="frozen"):
        records.dataclass(frozen=False)
