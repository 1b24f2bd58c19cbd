"""Panics of libraries that are written in Rust, as errors that can be caught like others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class LibraryPanicError(Exception):
    """A library gave up in the middle of its work."""


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """Turn a panic inside the block, which no ``except Exception`` would catch, into a ``LibraryPanicError``."""
    try:
        yield
    except Exception:
        raise
    except BaseException as error:  # the class has no home that it could be imported from
        if type(error).__name__ != "PanicException":
            raise
        raise LibraryPanicError(str(error)) from None
