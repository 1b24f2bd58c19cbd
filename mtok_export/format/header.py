"""The three lines of text that every tokenizer file of the engine starts with."""

from __future__ import annotations

from itertools import chain

from mtok_export.errors import FormatError
from mtok_export.format.spec import MAGIC, MAX_ID, TEXT_TYPES, TYPE_PIPELINE
from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass


@dataclass(frozen=True)
class Header:
    """The three id lists.

    ``special_ids`` are looked for first in a text (in this order) and skipped in whole decoding; ``stop_ids`` end
    generation; ``prefix_ids`` start every encoding.  ``trailing_space`` says whether the third line ends with a space
    before its line end, as MNN's own exporter writes it; the engine takes both.
    """

    special_ids: tuple[int, ...] = ()
    stop_ids: tuple[int, ...] = ()
    prefix_ids: tuple[int, ...] = ()
    trailing_space: bool = False


_LINE_1 = f"{MAGIC} {TYPE_PIPELINE}\n".encode("ascii")
_LONGEST_NUMBER = len(str(MAX_ID))

_FOREIGN_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer; the file itself was not downloaded"),
    (b"\xef\xbb\xbf", "a text file with a byte order mark"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"GGUF", "a GGUF model"),
    (b"{", "JSON, perhaps the tokenizer.json that a .mtok file is exported from"),
    (b"<", "HTML or XML, perhaps an error page saved under this name"),
    (b"\n", "perhaps a SentencePiece model"),
)
"""How files begin that are taken for a ``.mtok`` file, and what to call them."""


def encode_header(header: Header, writer: Writer) -> None:
    """Write the three lines.

    Raises:
        FormatError: an id is out of range.
    """
    writer.raw(_LINE_1)
    encode_id_lists(header, writer)


def encode_id_lists(header: Header, writer: Writer) -> None:
    """Write lines 2 and 3, which are the same in every tokenizer file of the engine.

    Raises:
        FormatError: an id is out of range.
    """
    lists = (header.special_ids, header.stop_ids, header.prefix_ids)
    for name, ids in zip(("special ids", "stop ids", "prefix ids"), lists, strict=True):
        for index, value in enumerate(ids):
            if not isinstance(value, int) or not 0 <= value <= MAX_ID:
                raise writer.error(f"number {index} of the {name} is {value!r}, not a whole number from 0 to {MAX_ID}")
    counts = " ".join(str(len(ids)) for ids in lists)
    line_3 = " ".join(str(int(value)) for value in chain(*lists)) + " " * header.trailing_space
    writer.raw(f"{counts}\n{line_3}\n".encode("ascii"))


def decode_header(reader: Reader) -> Header:
    """Read the three lines.

    The engine would also take more spaces, signs, leading zeros and ids beyond the three counts; none of its exporters
    writes them, and they are refused here, so that what is read can be written back as it was.

    Raises:
        FormatError: another kind of file (the message says which), a malformed line, or counts that do not fit.
    """
    if not reader.data.startswith(_LINE_1, reader.position):
        raise _no_mtok_file(reader)
    reader.position += len(_LINE_1)
    return decode_id_lists(reader)


def decode_id_lists(reader: Reader) -> Header:
    """Read lines 2 and 3, which are the same in every tokenizer file of the engine.

    Raises:
        FormatError: a malformed line, or counts that do not fit.
    """
    start = reader.position
    counts = _numbers(reader, start, _line(reader, 2))
    if len(counts) != 3:
        message = f"line 2 of the header holds {len(counts)} numbers, not the 3 counts of special, stop and prefix ids"
        raise reader.error(message, offset=start)
    start = reader.position
    line = _line(reader, 3)
    trailing_space = line.endswith(b" ")
    ids = _numbers(reader, start, line[:-1] if trailing_space else line)
    if len(ids) != sum(counts):
        message = f"line 3 of the header holds {len(ids)} ids, but line 2 announces {' + '.join(map(str, counts))}"
        raise reader.error(message, offset=start)
    special, stop, _ = counts
    return Header(ids[:special], ids[special : special + stop], ids[special + stop :], trailing_space)


def _line(reader: Reader, number: int) -> bytes:
    """The bytes up to the next line feed, which is read too."""
    end = reader.data.find(b"\n", reader.position)
    if end < 0:
        raise reader.error(f"the file ends inside line {number} of the header")
    line = reader.data[reader.position : end]
    if line.endswith(b"\r"):
        raise _carriage_return(reader, number, end - 1)
    reader.position = end + 1
    return line


def _carriage_return(reader: Reader, number: int, offset: int) -> FormatError:
    message = f"line {number} of the header ends with CR LF instead of LF"
    return reader.error(message, offset=offset, hint="the file was changed by a text-mode copy; copy it as binary")


def _numbers(reader: Reader, start: int, line: bytes) -> tuple[int, ...]:
    """The numbers of a line that starts at byte ``start``, one space between them."""
    numbers: list[int] = []
    for word in line.split(b" ") if line else ():
        canonical = word.isdigit() and len(word) <= _LONGEST_NUMBER and (word[:1] != b"0" or word == b"0")
        value = int(word) if canonical else -1
        if not 0 <= value <= MAX_ID:
            shown = word[:20].decode("ascii", "backslashreplace")
            message = f"{shown!r} in the header is not a plain number from 0 to {MAX_ID} between single spaces"
            raise reader.error(message, offset=start)
        numbers.append(value)
        start += len(word) + 1
    return tuple(numbers)


def _no_mtok_file(reader: Reader) -> FormatError:
    """The error for a file whose first line is not that of a ``.mtok`` file."""
    start = reader.position
    head = reader.data[start : start + 64]
    if _LINE_1.startswith(head):
        what = "inside line 1 of the header" if head else "before it begins: it is empty"
        return reader.error(f"the file ends {what}", offset=start + len(head))
    line = head.split(b"\n", 1)[0]
    if line == _LINE_1[:-1] + b"\r":
        return _carriage_return(reader, 1, start + len(line) - 1)
    for foreign, what in _FOREIGN_STARTS:
        if head.startswith(foreign):
            return reader.error(f"not a .mtok file but {what}", offset=start)
    for number, name in TEXT_TYPES.items():
        if line.split() == [b"%d" % MAGIC, b"%d" % number]:
            message = (
                f"a text tokenizer file of type {number} ({name}), not a .mtok file, which is type {TYPE_PIPELINE}"
            )
            return reader.error(message, offset=start)
    shown = line[:20].decode("ascii", "backslashreplace")
    wanted = _LINE_1[:-1].decode("ascii")
    return reader.error(f"not a .mtok file: line 1 is {shown!r}, not {wanted!r}", offset=start)
