"""Frozen dataclasses that cost next to nothing until they are used.

Making an ordinary frozen dataclass means compiling seven functions, and this package has two hundred such classes, most
of which a run never makes one of: a tenth of a second, each time that it starts.  Here a class is completed when an
object of it is made, or its fields are asked for, and only its ``__init__`` is compiled; what else a frozen dataclass
has is shared, and asks ``dataclasses.fields`` what to do.
"""

from __future__ import annotations

import dataclasses
from _thread import RLock  # as functools has it: threading itself is a module more to load
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

T = TypeVar("T")


def _dataclass(*, frozen: bool) -> Callable[[type[T]], type[T]]:
    """The decorator ``dataclasses.dataclass`` for frozen classes, and for no others.

    What is wrong with a field (a mutable default, say) is found when the class is completed.

    Raises:
        ValueError: the class is not to be frozen.
    """
    if not frozen:
        raise ValueError("this makes frozen dataclasses only")
    return _begun


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _begun(cls: type[T]) -> type[T]:
    own = vars(cls)
    for name, function in _SHARED.items():
        if own.get(name) is None:
            setattr(cls, name, function)
    for name, later in _LATER.items():
        setattr(cls, name, later)
    return cls


class _Later:
    """What a class has once it is completed: whoever asks for it completes the class."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        with _LOCK:  # another thread may be completing the same class
            for cls in owner.__mro__:
                if vars(cls).get(self.name) is self:
                    _complete(cls)
        return getattr(owner if instance is None else instance, self.name)


_LOCK = RLock()
_LATER = {
    name: _Later(name)
    for name in ("__init__", "__dataclass_fields__", "__dataclass_params__", "__match_args__", "_compared")
}


def _complete(cls: type) -> None:
    """Put what the class was to have in the place of what would have completed it, ``__init__`` last.

    Nothing is ever missing meanwhile: another thread finds either what completes the class, and waits, or the real one.
    """
    if vars(cls).get("__doc__") is None:
        cls.__doc__ = cls.__name__  # else dataclasses words one, which takes as long as all the rest
    make = dataclasses.dataclass(init=False, eq=False, repr=False, match_args=False)
    fields = dataclasses.fields(cast(Any, make(cls)))
    compared = [field.name for field in fields if field.compare]
    own = {
        # An attrgetter of one name gives no tuple, and there is none of no names.
        "_compared": attrgetter("__class__", *(compared or ("__class__",))),
        "__match_args__": tuple(field.name for field in fields if field.init),
        "__init__": _init(cls, fields),
    }
    for name, value in own.items():
        setattr(cls, name, value)


def _init(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """``__init__``, which puts the fields where ``_set`` would: that is called for no field, and for none twice."""
    known: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    parameters, lines = ["self"], ["own_fields = self.__dict__"]
    for field in fields:
        name = value = field.name
        parameter = name
        if field.default is not dataclasses.MISSING:
            known[f"default_{name}"] = field.default
            parameter = f"{name}=default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"make_{name}"] = field.default_factory
            parameter, value = f"{name}=MISSING", f"make_{name}() if {name} is MISSING else {name}"
        parameters.append(parameter)
        lines.append(f"own_fields[{name!r}] = {value}")
    exec(f"def __init__({', '.join(parameters)}):\n    " + "\n    ".join(lines), known)
    made = cast(Callable[..., None], known["__init__"])
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    return made


def _eq(self: Any, other: Any) -> bool:
    return bool(self._compared(self) == self._compared(other)) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _set(_self: Any, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED: dict[str, Callable[..., Any]] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _delete,
}
