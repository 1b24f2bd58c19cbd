"""What the four types of text file have in common: the first line, the lists of ids, then rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from mtok_export.format.header import Header, decode_id_lists, encode_id_lists
from mtok_export.format.wire import Writer
from mtok_export.legacy.lines import (
    LineReader,
    decode_base64_rows,
    decode_first_line,
    encode_base64_rows,
    encode_first_line,
)
from mtok_export.legacy.spec import LegacyType

File = TypeVar("File", bound="TextFile")


@dataclass(frozen=True)
class TextFile(ABC):
    """A whole text file; what stands in its rows is told by the classes of the types."""

    header: Header

    kind: ClassVar[LegacyType]

    def encode(self) -> bytes:
        """The bytes of the file.

        Raises:
            FormatError: a row cannot hold what it should; an id of the header is out of range.
        """
        writer = Writer()
        encode_first_line(writer, self.kind)
        with writer.inside("header"):
            encode_id_lists(self.header, writer)
        self._encode_rows(writer)
        return writer.getvalue()

    @classmethod
    def decode(cls: type[File], data: bytes, *, name: str | None = None) -> File:
        """Read a file from its bytes; encoding the result gives the same bytes again.

        Args:
            data: the whole file.
            name: what errors call the file, if anything.

        Raises:
            FormatError: it is no file of this type, or a damaged one; the error names the line and the byte offset.
        """
        reader = LineReader(data, name)
        decode_first_line(reader, cls.kind)
        with reader.inside("header"):
            header = decode_id_lists(reader)
        file = cls(header, *cls._decode_rows(reader))
        reader.finish()
        return file

    @abstractmethod
    def _encode_rows(self, writer: Writer) -> None:
        """Write the line with the counts, and the rows."""

    @classmethod
    @abstractmethod
    def _decode_rows(cls, reader: LineReader) -> tuple[Any, ...]:
        """Read the same; gives the fields behind the header."""


@dataclass(frozen=True)
class TokenFile(TextFile):
    """A file of tokens in base64; the id of a token is its position."""

    tokens: tuple[bytes, ...] = field(repr=False)

    def _encode_rows(self, writer: Writer) -> None:
        writer.raw(f"{len(self.tokens)}\n".encode("ascii"))
        encode_base64_rows(writer, self.tokens)

    @classmethod
    def _decode_rows(cls, reader: LineReader) -> tuple[Any, ...]:
        (count,) = reader.counts(["the number of tokens"])
        return (decode_base64_rows(reader, reader.rows(count, "tokens")),)
