"""Lines of a text file, read and written: every error carries the number of the line and the byte offset."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence

from mtok_export.errors import FormatError
from mtok_export.format.wire import Reader, Writer
from mtok_export.legacy.spec import FIRST_LINES, MAX_COUNT, LegacyType

_TEXT_MODE = "the file was changed by a text-mode copy; turn its line ends back into LF"

SHOWN_BYTES = 40
"""So much of a line stands in an error."""


class LineReader(Reader):
    """Reads lines and trusts none of them.

    Args:
        data: the whole file.
        name: what errors call the file, if anything.

    Raises:
        FormatError: a line ends with CR LF.  Types 0 to 2 survive that in the engine; type 3 dies of it, since every
            token then ends with a carriage return.
    """

    def __init__(self, data: bytes, name: str | None = None) -> None:
        super().__init__(data, name)
        at = data.find(b"\r\n")
        if at >= 0:
            raise self.error("the line ends with CR LF instead of LF", offset=at, hint=_TEXT_MODE)

    def error(self, message: str, *, offset: int | None = None, hint: str | None = None) -> FormatError:
        """An error at this place and byte ``offset``, with the number of its line."""
        at = self.position if offset is None else offset
        number = self.data.count(b"\n", 0, at) + 1
        where = ", ".join(part for part in (self.where, f"line {number}") if part)
        return FormatError(message, where=where, offset=at, hint=hint)

    def line(self, what: str) -> bytes:
        """The next line, without its end."""
        end = self.data.find(b"\n", self.position)
        if end < 0:
            raise self.error(f"the file ends inside the line with {what}", offset=len(self.data))
        line = self.data[self.position : end]
        self.position = end + 1
        return line

    def counts(self, names: Sequence[str]) -> tuple[int, ...]:
        """A line of as many numbers as there are names, with one space between them."""
        start = self.position
        line = self.line(" and ".join(names))
        words = line.split(b" ")
        if len(words) != len(names) or not all(map(_is_count, words)):
            wanted = "a number" if len(names) == 1 else f"{len(names)} numbers with one space between them"
            raise self.error(f"{shown(line)} is not {' and '.join(names)}: {wanted}", offset=start)
        return tuple(map(int, words))

    def rows(self, count: int, what: str) -> list[bytes]:
        """The next ``count`` lines, without their ends; no count makes it take more than the file holds."""
        start = self.position
        rows = self.data[start:].split(b"\n", count)
        rest = rows.pop()
        if len(rows) < count:
            message = f"{count:,} {what} are announced, but only {len(rows):,} whole lines follow"
            raise self.error(message, offset=start, hint="the file is cut off, or its count is wrong")
        self.position = len(self.data) - len(rest)
        return rows

    def row_error(self, rows: Sequence[bytes], index: int, message: str) -> FormatError:
        """An error about one of the rows that were read last."""
        end = self.position
        start = end - sum(len(row) + 1 for row in rows[index:])
        return self.error(message, offset=start)

    def finish(self) -> None:
        """Make sure that nothing is left.

        Raises:
            FormatError: there are more lines than the counts say, which the engine would not see.
        """
        if self.left:
            left = self.data.count(b"\n", self.position) + (not self.data.endswith(b"\n"))
            lines = "there is 1 line" if left == 1 else f"there are {left:,} lines"
            raise self.error(f"{lines} more than the counts say", hint="the engine would not read it")


def first_line(data: bytes) -> LegacyType | None:
    """The type that line 1 names; None for a file that is none of the text formats."""
    return FIRST_LINES.get(data[:8].partition(b"\n")[0].removesuffix(b"\r"))


def decode_first_line(reader: LineReader, kind: LegacyType) -> None:
    """Read line 1, which must be that of ``kind``."""
    start = reader.position
    line = reader.line("the magic number and the type")
    found = FIRST_LINES.get(line)
    if found is not kind:
        what = "the first line of no text tokenizer file" if found is None else f"that of type {found.name}"
        raise reader.error(f"{shown(line)} is {what}, not of type {kind.name}", offset=start)


def encode_first_line(writer: Writer, kind: LegacyType) -> None:
    """Write line 1."""
    writer.raw(next(line for line, found in FIRST_LINES.items() if found is kind) + b"\n")


def decode_base64_rows(reader: LineReader, rows: Sequence[bytes]) -> tuple[bytes, ...]:
    """The bytes of rows that are one base64 string each."""
    tokens = tuple(map(from_base64, rows))
    if None in tokens:
        index = tokens.index(None)
        raise reader.row_error(rows, index, not_base64(rows[index]))
    return tokens  # type: ignore[return-value]  # None was looked for


def encode_base64_rows(writer: Writer, tokens: Iterable[bytes]) -> None:
    """Write rows that are one base64 string each."""
    writer.raw(b"".join(base64.b64encode(token) + b"\n" for token in tokens))


def from_base64(text: bytes) -> bytes | None:
    """The bytes; None for what is not the one canonical spelling of them, of which the engine would make something."""
    try:
        data = binascii.a2b_base64(text)
    except binascii.Error:
        return None
    return data if base64.b64encode(data) == text else None


def not_base64(text: bytes) -> str:
    """The message about a string that is no base64."""
    return f"{shown(text)} is not base64, with its padding and nothing else"


def shown(data: bytes) -> str:
    """Some bytes for an error; of a long line the beginning."""
    text = ascii(data[:SHOWN_BYTES].decode("utf-8", "backslashreplace"))
    return text if len(data) <= SHOWN_BYTES else f"{text}... ({len(data):,} bytes)"


def _is_count(word: bytes) -> bool:
    return word.isdigit() and (word == b"0" or word[:1] != b"0") and len(word) <= 10 and int(word) <= MAX_COUNT
