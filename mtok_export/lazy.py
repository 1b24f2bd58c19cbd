"""Names of a package whose modules are imported when a name is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_of(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Args:
        package: its name.
        homes: each name with the module of the package that has it.  No name may be that of a module: importing that
            module would put it in the place of what is meant.

    Raises:
        ValueError: a name is that of its module.
    """
    hidden = homes.keys() & set(homes.values())
    if hidden:
        raise ValueError(f"{package}: {', '.join(sorted(hidden))} would be hidden by the module of that name")

    def named(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        if name in homes.values():  # a module that would be there if it had been imported
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return named
