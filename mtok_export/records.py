"""Frozen dataclasses that are made quickly.

Making an ordinary frozen dataclass means compiling seven functions, and this package has two hundred such classes: a
tenth of a second, each time that it starts.  Here only ``__init__`` is compiled for a class; what else a frozen
dataclass has is shared, and asks ``dataclasses.fields`` what to do.  To be imported at run time in place of
``dataclasses.dataclass``, which is what type checkers are shown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, cast

T = TypeVar("T")


def dataclass(*, frozen: bool) -> Callable[[type[T]], type[T]]:
    """The decorator ``dataclasses.dataclass`` for frozen classes, and for no others.

    Raises:
        ValueError: the class is not to be frozen.
    """
    if not frozen:
        raise ValueError("this makes frozen dataclasses only")
    return _made


def _made(cls: type[T]) -> type[T]:
    own = vars(cls)
    shared = {name: function for name, function in _SHARED.items() if own.get(name) is None}
    if own.get("__doc__") is None:
        cls.__doc__ = cls.__name__  # else dataclasses words one, which takes as long as all the rest
    made = dataclasses.dataclass(eq=False, repr=False)(cls)
    compared = [field.name for field in dataclasses.fields(cast(Any, made)) if field.compare]
    # An attrgetter of one name gives no tuple, and there is none of no names.
    shared["_compared"] = attrgetter("__class__", *(compared or ("__class__",)))
    for name, function in shared.items():
        setattr(made, name, function)
    return made


def _eq(self: Any, other: Any) -> bool:
    return bool(self._compared(self) == self._compared(other)) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _set(self: Any, name: str, value: object) -> None:
    """Each field once, by ``__init__``."""
    if name in self.__dict__ or name not in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    self.__dict__[name] = value


def _delete(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED: dict[str, Callable[..., Any]] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _delete,
}
