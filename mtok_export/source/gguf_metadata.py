"""Read the metadata of a GGUF file, which stands in front of the weights.

The package ``gguf`` reads the same, but makes several arrays of every string: half a minute for a vocabulary of 150,000
tokens.  The layout is that of docs/gguf.md of the ggml project, versions 2 and 3, in either byte order: ``GGUF``, the
version, the numbers of tensors and of fields, then the fields, each a name, a type and a value.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.files import read_head

MAGIC = b"GGUF"
VERSIONS = (2, 3)

_SCALARS: Mapping[int, str] = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
"""The types of one number, with their letters in the module ``struct``."""

_STRING, _ARRAY = 8, 9

_ARRAY_HEAD = 12
"""Bytes in front of the values of an array: their type and their number."""

_DEEPEST = 4
"""So deep arrays may lie in each other."""


def read_metadata(path: Path, name: str, wanted: Callable[[str], bool]) -> tuple[dict[str, Any], bytes]:
    """Read the fields of a GGUF file.

    Args:
        path: the file.
        name: what messages call it.
        wanted: whether a field of this name is of interest.

    Returns:
        The fields that are wanted (numbers, truth values, strings, and lists of those), and the bytes of them all.

    Raises:
        SourceError: the file is cut short or damaged, with the byte offset, or of another version.
    """
    if not read_head(path, name, len(MAGIC)).startswith(MAGIC):
        raise SourceError("this is no GGUF file", where=name)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        reader = _Reader(data, name)
        fields = reader.fields(wanted)
        return fields, data[: reader.offset]


class _Reader:
    """A walk through the bytes; every read checks that they are there."""

    def __init__(self, data: mmap.mmap, name: str) -> None:
        self._data = data
        self._size = len(data)
        self._name = name
        self._order = "<"
        self.offset = len(MAGIC)

    def fields(self, wanted: Callable[[str], bool]) -> dict[str, Any]:
        """All fields that are wanted."""
        version = self._number("I")
        if version & 0xFFFF == 0:  # written by a machine of the other byte order
            self._order = ">"
            version = int.from_bytes(version.to_bytes(4, "little"), "big")
        if version not in VERSIONS:
            known = " and ".join(map(str, VERSIONS))
            raise SourceError(f"this is version {version} of GGUF; read are {known}", where=self._name)
        self._number("Q")  # of tensors
        fields: dict[str, Any] = {}
        for _ in range(self._number("Q")):
            key = self._string()
            value = self._value(self._number("I"))
            if wanted(key):
                fields[key] = value
        return fields

    def _error(self, problem: str) -> SourceError:
        place = f"{self._name}, byte {self.offset}"
        return SourceError(problem, where=place, hint="the file is cut short or damaged: fetch it again")

    def _take(self, size: int, what: str) -> int:
        """Pass over ``size`` bytes and return where they start."""
        start = self.offset
        if size > self._size - start:
            raise self._error(f"{what} takes {size:,} bytes, and {self._size - start:,} are left")
        self.offset += size
        return start

    def _number(self, letter: str) -> Any:
        form = struct.Struct(self._order + letter)
        return form.unpack_from(self._data, self._take(form.size, "a number"))[0]

    def _string(self) -> str:
        size = self._number("Q")
        start = self._take(size, "a string")
        try:
            return self._data[start : start + size].decode()
        except UnicodeDecodeError:
            self.offset = start
            raise self._error("a string is not UTF-8") from None

    def _value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self._number(_SCALARS[kind])
        if kind == _STRING:
            return self._string()
        if kind != _ARRAY:
            raise self._error(f"{kind} is no type of a field")
        return self._array(self._number("I"), self._number("Q"))

    def _array(self, kind: int, count: int, depth: int = 1) -> list[Any]:
        if kind in _SCALARS:
            size = struct.calcsize(self._order + _SCALARS[kind])
            start = self._take(size * count, f"an array of {count:,} numbers")
            return list(struct.unpack_from(f"{self._order}{count}{_SCALARS[kind]}", self._data, start))
        if kind == _ARRAY and depth < _DEEPEST and count <= (self._size - self.offset) // _ARRAY_HEAD:
            return [self._array(self._number("I"), self._number("Q"), depth + 1) for _ in range(count)]
        if kind != _STRING:
            raise self._error(f"an array holds {count:,} values of the type {kind}")
        if count > (self._size - self.offset) // 8:  # the length of each takes as many bytes
            raise self._error(f"there is no room for an array of {count:,} strings")
        return [self._string() for _ in range(count)]
