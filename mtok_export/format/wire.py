"""Values to bytes and back: little-endian, checked at every step, with the place of every fault.

Both directions speak of places in the same words: a path such as ``normalizer.normalizers[2]`` grows and shrinks while
sections and records are entered and left, and every error carries it; a reading error carries the byte offset too.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from io import BytesIO
from struct import Struct
from typing import TYPE_CHECKING, TypeVar

from mtok_export.errors import FormatError
from mtok_export.format.spec import MAX_ID, MAX_SEQUENCE_DEPTH, MAX_STRING_BYTES, MAX_U16, MAX_U32
from mtok_export.records import dataclass

if TYPE_CHECKING:
    IntArray = array[int]
    FloatArray = array[float]

Op = TypeVar("Op", bound=IntEnum)
T = TypeVar("T")

_U16 = Struct("<H")
_U32 = Struct("<I")
_DAMAGED = "the file is cut off, or something before this place is damaged"

if array("I").itemsize != _U32.size or array("d").itemsize != 8:  # pragma: no cover - no known platform
    raise ImportError("mtok_export.format needs a platform with 4-byte unsigned int and 8-byte double")


@dataclass(frozen=True)
class SectionSpan:
    """Where a section stands in a file: from byte ``start`` up to, but not including, byte ``end``."""

    name: str
    start: int
    end: int


class _Place:
    """The path to the record at hand and how many sequences it stands in; shared by both directions."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._path: list[str] = []
        self._depth = 0

    @property
    def where(self) -> str | None:
        """The place in words, ``None`` at the top of a nameless file."""
        path = ".".join(self._path).replace(".[", "[")
        return ", ".join(part for part in (self._name, path) if part) or None

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """Add ``name`` to the path of every error raised in the block."""
        self._path.append(name)
        try:
            yield
        finally:
            self._path.pop()

    def each(self, name: str, items: Iterable[T], first: int = 0) -> Iterator[T]:
        """The items; while one is worked on, ``name`` and its number are in the path of every error raised.

        Args:
            name: what the path calls them.
            items: some or all of them.
            first: the number of the first one.
        """
        self._path.append("")
        try:
            for index, item in enumerate(items, first):
                self._path[-1] = f"{name}[{index}]"
                yield item
        finally:
            self._path.pop()

    @contextmanager
    def sequence(self) -> Iterator[None]:
        """Count one more level of nesting in the block.

        Raises:
            FormatError: over MAX_SEQUENCE_DEPTH levels.
        """
        if self._depth >= MAX_SEQUENCE_DEPTH:
            raise self.error(f"sequences nest more than {MAX_SEQUENCE_DEPTH} deep")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def error(self, message: str, *, hint: str | None = None) -> FormatError:
        """An error at this place, to be raised by the caller."""
        return FormatError(message, where=self.where, hint=hint)


class Reader(_Place):
    """Reads values off the bytes of a file and trusts none of them.

    Args:
        data: the whole file, so that ``position`` is the offset from its start.
        name: what errors call the file, if anything.

    Every reading method takes the name of the field in words and raises FormatError with the offset of the fault.
    """

    def __init__(self, data: bytes, name: str | None = None) -> None:
        super().__init__(name)
        self.data = data
        self.position = 0
        self.spans: list[SectionSpan] = []

    @property
    def left(self) -> int:
        """How many bytes are not read yet."""
        return len(self.data) - self.position

    def error(self, message: str, *, offset: int | None = None, hint: str | None = None) -> FormatError:
        """An error at this place and byte ``offset`` (where the next value starts, unless given)."""
        return FormatError(message, where=self.where, offset=self.position if offset is None else offset, hint=hint)

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Like ``inside``, and note in ``spans`` which bytes the block read."""
        start = self.position
        with self.inside(name):
            yield
        self.spans.append(SectionSpan(name, start, self.position))

    def take(self, size: int, field: str) -> bytes:
        """The next ``size`` bytes."""
        start = self.position
        if size > self.left:
            raise self.error(f"{field} takes {_bytes(size)}, but the file ends after {self.left}", hint=_DAMAGED)
        self.position = start + size
        return self.data[start : self.position]

    def u8(self, field: str) -> int:
        """One byte."""
        return self.take(1, field)[0]

    def u16(self, field: str) -> int:
        """Two bytes."""
        value: int = _U16.unpack(self.take(_U16.size, field))[0]
        return value

    def u32(self, field: str) -> int:
        """Four bytes."""
        value: int = _U32.unpack(self.take(_U32.size, field))[0]
        return value

    def u31(self, field: str) -> int:
        """Four bytes that the engine keeps in a signed integer: an id, a limit, a rank."""
        start = self.position
        value = self.u32(field)
        if value > MAX_ID:
            raise self.error(f"{field} is {value}, over the limit of {MAX_ID}", offset=start)
        return value

    def flag(self, field: str) -> bool:
        """One byte that is 0 or 1."""
        start = self.position
        value = self.u8(field)
        if value > 1:
            raise self.error(f"{field} is {value}, but it can only be 0 or 1", offset=start)
        return bool(value)

    def op(self, ops: type[Op], what: str) -> Op:
        """One byte that says which record follows; ``what`` names the kind of record."""
        start = self.position
        value = self.u8(f"{what} op")
        try:
            return ops(value)
        except ValueError:
            known = ", ".join(f"{op.value} {op.name}" for op in ops)
            message = f"unknown {what} op {value}; the known ones are {known}"
            hint = "its length is not known, so nothing behind it can be read"
            raise self.error(message, offset=start, hint=hint) from None

    def count(self, field: str, record_size: int) -> int:
        """A u32 number of records, each of at least ``record_size`` bytes, that the bytes left can hold."""
        start = self.position
        value = self.u32(field)
        if value * record_size > self.left:
            message = f"{field} is {value}, each at least {_bytes(record_size)} long, but only {_bytes(self.left)} left"
            raise self.error(message, offset=start, hint=_DAMAGED)
        return value

    def string(self, field: str) -> str:
        """A u16 length and that many bytes of UTF-8."""
        return self._utf8(self.u16(f"length of {field}"), field)

    def text(self, field: str) -> str:
        """A u32 length and that many bytes of UTF-8."""
        return self._utf8(self.u32(f"length of {field}"), field)

    def _utf8(self, size: int, field: str) -> str:
        start = self.position
        raw = self.take(size, field)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"{field} is not UTF-8: {error.reason} 0x{raw[error.start]:02X}"
            raise self.error(message, offset=start + error.start) from None


class Writer(_Place):
    """Collects the bytes of a file; every writing method takes the value and the name of the field in words.

    A value that the format cannot hold raises FormatError with the path and the field.
    """

    def __init__(self) -> None:
        super().__init__(None)
        self._out = BytesIO()  # which gives its bytes away without a second copy
        self.spans: list[SectionSpan] = []

    def getvalue(self) -> bytes:
        """All bytes written so far."""
        return self._out.getvalue()

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Like ``inside``, and note in ``spans`` which bytes the block wrote, if any."""
        start = self._out.tell()
        with self.inside(name):
            yield
        end = self._out.tell()
        if end > start:
            self.spans.append(SectionSpan(name, start, end))

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._out.write(data)

    def u8(self, value: int, field: str) -> None:
        """One byte."""
        self._out.write(self._in_range(value, 0xFF, field).to_bytes(1, "little"))

    def u16(self, value: int, field: str) -> None:
        """Two bytes."""
        self._out.write(_U16.pack(self._in_range(value, MAX_U16, field)))

    def u32(self, value: int, field: str) -> None:
        """Four bytes."""
        self._out.write(_U32.pack(self._in_range(value, MAX_U32, field)))

    def u31(self, value: int, field: str) -> None:
        """Four bytes that the engine keeps in a signed integer: an id, a limit, a rank."""
        self._out.write(_U32.pack(self._in_range(value, MAX_ID, field)))

    def flag(self, value: bool, field: str) -> None:
        """One byte, 0 or 1."""
        self._out.write(b"\1" if self._in_range(value, 1, field) else b"\0")

    def string(self, value: str, field: str) -> None:
        """A u16 length and UTF-8."""
        self._out.write(self.string_bytes(value, field))

    def string_bytes(self, value: str, field: str) -> bytes:
        """The bytes that ``string`` would write."""
        raw = self._utf8(value, field)
        if len(raw) > MAX_STRING_BYTES:
            raise self.error(f"{field} is {len(raw)} bytes long, over the limit of {MAX_STRING_BYTES}")
        return _U16.pack(len(raw)) + raw

    @staticmethod
    def strings_bytes(values: Sequence[str]) -> tuple[list[bytes], list[bytes]] | None:
        """What ``string`` would write for each of many values: their lengths, and their UTF-8.

        Returns:
            ``None`` where one of them does not fit, for which ``string`` has the words.
        """
        try:
            raw = list(map(str.encode, values))
        except (UnicodeEncodeError, TypeError):
            return None
        sizes = list(map(len, raw))
        return None if max(sizes, default=0) > MAX_STRING_BYTES else (list(map(_U16.pack, sizes)), raw)

    def text(self, value: str, field: str) -> None:
        """A u32 length and UTF-8."""
        raw = self._utf8(value, field)
        self.u32(len(raw), f"length of {field}")
        self._out.write(raw)

    def column(self, values: IntArray | FloatArray, typecode: str, field: str) -> bytes:
        """The values of a column as little-endian bytes, returned, not written.

        Raises:
            FormatError: the column is no ``array`` of that typecode.
        """
        if not isinstance(values, array) or values.typecode != typecode:
            raise self.error(f'{field} must be an array("{typecode}"), not {type(values).__name__}')
        if sys.byteorder == "little":
            return values.tobytes()
        copy = values[:]
        copy.byteswap()
        return copy.tobytes()

    def _in_range(self, value: int, limit: int, field: str) -> int:
        if not isinstance(value, int) or not 0 <= value <= limit:
            raise self.error(f"{field} is {value!r}, not a whole number from 0 to {limit}")
        return value

    def _utf8(self, value: str, field: str) -> bytes:
        try:
            return value.encode("utf-8")
        except UnicodeEncodeError as error:
            code_point = ord(value[error.start])
            message = f"{field} holds the lone surrogate U+{code_point:04X} at character {error.start}"
            raise self.error(message, hint="UTF-8 has no bytes for it") from None


def int_column(raw: bytes) -> IntArray:
    """The u32 values in ``raw`` as an ``array("I")``."""
    column: IntArray = array("I", raw)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def float_column(raw: bytes) -> FloatArray:
    """The f64 values in ``raw`` as an ``array("d")``."""
    column: FloatArray = array("d", raw)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _bytes(size: int) -> str:
    return "1 byte" if size == 1 else f"{size} bytes"
