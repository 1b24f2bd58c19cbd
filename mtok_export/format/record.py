"""Records that start with an op: the layout of each is stated once, and both directions follow it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import chain, groupby, repeat
from operator import attrgetter
from typing import Any, Generic, TypeVar

from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass

T = TypeVar("T")
Record = TypeVar("Record")


@dataclass(frozen=True)
class Kind(Generic[T]):
    """How one field is written and read; the last argument of both is the field's name in words."""

    encode: Callable[[Writer, T, str], None]
    decode: Callable[[Reader, str], T]


FLAG: Kind[bool] = Kind(Writer.flag, Reader.flag)
U8: Kind[int] = Kind(Writer.u8, Reader.u8)
U31: Kind[int] = Kind(Writer.u31, Reader.u31)
STRING: Kind[str] = Kind(Writer.string, Reader.string)
TEXT: Kind[str] = Kind(Writer.text, Reader.text)


@dataclass(frozen=True)
class Field:
    """One field of a record: the attribute that holds it and how it is written.

    ``only_with`` names an earlier flag of the same record; without it the field has no bytes and keeps its default.
    """

    name: str
    kind: Kind[Any]
    only_with: str | None = None

    @cached_property
    def words(self) -> str:
        """The attribute's name as words, for messages."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class Layout:
    """What follows the op byte of one kind of record, in file order."""

    op: IntEnum
    record: type[Any]
    fields: tuple[Field, ...] = ()


class Codec(Generic[Record]):
    """Writes and reads the records of one section.

    Args:
        what: what errors call such a record ("normalizer").
        ops: the enum of op numbers.
        layouts: one for each op.
    """

    def __init__(self, what: str, ops: type[IntEnum], layouts: Iterable[Layout]) -> None:
        self.what = what
        self._op_words = f"{what} op"
        self.ops = ops
        self.layouts = tuple(layouts)
        self._by_op = {layout.op: layout for layout in self.layouts}
        self._by_record = {layout.record: layout for layout in self.layouts}

    def encode(self, record: Record, writer: Writer) -> None:
        """Write one record.

        Raises:
            FormatError: it is no record of this section, or a value does not fit.
        """
        layout = self._by_record.get(type(record))
        if layout is None:
            raise writer.error(f"{type(record).__name__} is no {self.what} record")
        writer.u8(layout.op.value, self._op_words)
        for field in layout.fields:
            value = getattr(record, field.name)
            if field.only_with is None or getattr(record, field.only_with):
                field.kind.encode(writer, value, field.words)
            elif value:
                raise writer.error(f"{field.words} can only be written together with {field.only_with}")

    def packed(self, kind: type[Any], records: Sequence[Record]) -> bytes | None:
        """The bytes of records of one kind that holds strings alone, of which there may be tens of thousands.

        Returns:
            ``None`` for other kinds, and where a string does not fit: then they are to be written one by one.
        """
        layout = self._by_record.get(kind)
        if layout is None or any(field.kind is not STRING or field.only_with for field in layout.fields):
            return None
        columns: list[Iterable[bytes]] = [repeat(layout.op.value.to_bytes(1, "little"), len(records))]
        for field in layout.fields:
            column = Writer.strings_bytes(list(map(attrgetter(field.name), records)))
            if column is None:
                return None
            columns += column
        return b"".join(chain.from_iterable(zip(*columns, strict=True)))

    def decode(self, reader: Reader) -> Record:
        """Read one record.

        Raises:
            FormatError: the op is unknown, a value is malformed, or the file ends.
        """
        layout = self._by_op[reader.op(self.ops, self.what)]
        values: dict[str, Any] = {}
        for field in layout.fields:
            if field.only_with is None or values[field.only_with]:
                values[field.name] = field.kind.decode(reader, field.words)
        record: Record = layout.record(**values)
        return record


def children(codec: Callable[[], Codec[Record]]) -> Kind[tuple[Record, ...]]:
    """The field of a Sequence: a u32 count and that many records of the same section.

    Args:
        codec: gives the codec of the section, which does not exist yet while its layouts are being written down.
    """

    def encode(writer: Writer, records: tuple[Record, ...], field: str) -> None:
        writer.u32(len(records), f"number of {field}")
        first = 0
        with writer.sequence():
            for kind, group in groupby(records, type):
                alike = tuple(group)
                packed = codec().packed(kind, alike)
                if packed is not None:
                    writer.raw(packed)
                else:
                    for record in writer.each(_attribute(field), alike, first):
                        codec().encode(record, writer)
                first += len(alike)

    def decode(reader: Reader, field: str) -> tuple[Record, ...]:
        # The shortest record is its op alone.
        count = reader.count(f"number of {field}", 1)
        with reader.sequence():
            return tuple([codec().decode(reader) for _ in reader.each(_attribute(field), range(count))])

    return Kind(encode, decode)


def _attribute(words: str) -> str:
    return words.replace(" ", "_")
