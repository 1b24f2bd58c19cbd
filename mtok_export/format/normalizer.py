"""Normalizer records: the text before it is split."""

from __future__ import annotations

import struct
from dataclasses import field

from mtok_export.format.record import FLAG, STRING, Codec, Field, Kind, Layout, children
from mtok_export.format.spec import MAX_CODE_POINT, NormalizerOp
from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass

TableEntries = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class NoNormalizer:
    """The text stays as it is (NONE).  Not allowed inside a Sequence: 3.5.0 dies of it."""


@dataclass(frozen=True)
class Nfkc:
    """NFKC without a table: the identity, kept by the format for old files."""


@dataclass(frozen=True)
class Prepend:
    """Put ``prepend`` in front of the stretch."""

    prepend: str


@dataclass(frozen=True)
class Replace:
    """Replace ``pattern`` by ``content``, left to right, not repeated; an empty pattern does nothing."""

    pattern: str
    content: str


@dataclass(frozen=True)
class Sequence:
    """Normalizers one after another."""

    normalizers: tuple[Normalizer, ...]


@dataclass(frozen=True)
class Bert:
    """BertNormalizer without a table: ``strip_accents`` has no effect."""

    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool
    lowercase: bool


@dataclass(frozen=True)
class Table:
    """One look-up per code point; ``entries`` are (code point, replacement), ascending.

    Before the look-up the engine turns controls, joiners and direction marks into a space (FORMAT.md lists them).
    """

    entries: tuple[tuple[int, str], ...] = field(repr=False)


@dataclass(frozen=True)
class BertTable:
    """BertNormalizer with a decomposition table, which is there only with ``strip_accents``."""

    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool
    lowercase: bool
    entries: tuple[tuple[int, str], ...] = field(repr=False, default=())


@dataclass(frozen=True)
class Strip:
    """Remove white space at the ends of the stretch (3.6.0 and later); at the right end 3.6.0 and 3.6.1 do nothing."""

    strip_left: bool
    strip_right: bool


Normalizer = NoNormalizer | Nfkc | Prepend | Replace | Sequence | Bert | Table | BertTable | Strip


_ENTRY_HEAD = struct.Struct("<IH")


def _encode_table(writer: Writer, entries: TableEntries, field: str) -> None:
    writer.u32(len(entries), f"number of {field}")
    packed = _packed(entries)
    if packed is not None:
        writer.raw(packed)
        return
    for index, (code_point, replacement) in enumerate(entries):
        if not 0 <= code_point <= MAX_CODE_POINT:
            raise writer.error(f"entry {index} is for {code_point:#x}, which is no code point")
        writer.u32(code_point, "code point")
        writer.string(replacement, f"replacement in entry {index}")


def _packed(entries: TableEntries) -> bytes | None:
    """All entries at once, as there may be tens of thousands; ``None`` when one of them does not fit."""
    pack = _ENTRY_HEAD.pack
    try:
        encoded = [(code_point, replacement.encode("utf-8")) for code_point, replacement in entries]
        if max((code_point for code_point, _ in encoded), default=0) > MAX_CODE_POINT:
            return None
        return b"".join([pack(code_point, len(raw)) + raw for code_point, raw in encoded])
    except (UnicodeEncodeError, struct.error):
        return None


def _decode_table(reader: Reader, field: str) -> TableEntries:
    count = reader.count(f"number of {field}", _ENTRY_HEAD.size)
    entries: list[tuple[int, str]] = []
    for index in range(count):
        start = reader.position
        code_point = reader.u32(f"code point of entry {index}")
        if code_point > MAX_CODE_POINT:
            raise reader.error(f"entry {index} is for {code_point:#x}, which is no code point", offset=start)
        entries.append((code_point, reader.string(f"replacement in entry {index}")))
    return tuple(entries)


_TABLE: Kind[TableEntries] = Kind(_encode_table, _decode_table)

_BERT_FLAGS = (
    Field("clean_text", FLAG),
    Field("handle_chinese_chars", FLAG),
    Field("strip_accents", FLAG),
    Field("lowercase", FLAG),
)

CODEC: Codec[Normalizer] = Codec(
    "normalizer",
    NormalizerOp,
    (
        Layout(NormalizerOp.NONE, NoNormalizer),
        Layout(NormalizerOp.NFKC, Nfkc),
        Layout(NormalizerOp.PREPEND, Prepend, (Field("prepend", STRING),)),
        Layout(NormalizerOp.REPLACE, Replace, (Field("pattern", STRING), Field("content", STRING))),
        Layout(NormalizerOp.SEQUENCE, Sequence, (Field("normalizers", children(lambda: CODEC)),)),
        Layout(NormalizerOp.BERT, Bert, _BERT_FLAGS),
        Layout(NormalizerOp.TABLE, Table, (Field("entries", _TABLE),)),
        Layout(NormalizerOp.BERT_TABLE, BertTable, (*_BERT_FLAGS, Field("entries", _TABLE, only_with="strip_accents"))),
        Layout(NormalizerOp.STRIP, Strip, (Field("strip_left", FLAG), Field("strip_right", FLAG))),
    ),
)


def encode_normalizer(record: Normalizer, writer: Writer) -> None:
    """Write a normalizer with everything in it.

    Raises:
        FormatError: a value does not fit the format.
    """
    CODEC.encode(record, writer)


def decode_normalizer(reader: Reader) -> Normalizer:
    """Read a normalizer with everything in it.

    Raises:
        FormatError: unknown op, malformed value, nesting too deep, or the end of the file.
    """
    return CODEC.decode(reader)
