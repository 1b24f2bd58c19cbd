"""Type 1, TIKTOKEN: the bytes of a token in each row, in base64."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

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


@dataclass(frozen=True)
class TiktokenFile:
    """A whole file of type 1; the id of a token is its position."""

    header: Header
    tokens: tuple[bytes, ...] = field(repr=False)

    kind: ClassVar[LegacyType] = LegacyType.TIKTOKEN

    def encode(self) -> bytes:
        """The bytes of the file.

        Raises:
            FormatError: an id of the header is out of range.
        """
        writer = Writer()
        encode_first_line(writer, self.kind)
        with writer.inside("header"):
            encode_id_lists(self.header, writer)
        writer.raw(f"{len(self.tokens)}\n".encode("ascii"))
        encode_base64_rows(writer, self.tokens)
        return writer.getvalue()

    @classmethod
    def decode(cls, data: bytes, *, name: str | None = None) -> TiktokenFile:
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
        (count,) = reader.counts(["the number of tokens"])
        tokens = decode_base64_rows(reader, reader.rows(count, "tokens"))
        reader.finish()
        return cls(header, tokens)
