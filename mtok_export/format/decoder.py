"""Decoder records: ids back to text."""

from __future__ import annotations

from mtok_export.format.record import FLAG, STRING, U31, Codec, Field, Layout, children
from mtok_export.format.spec import DecoderOp
from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass


@dataclass(frozen=True)
class ByteLevel:
    """Printable characters back to bytes."""


@dataclass(frozen=True)
class ByteFallback:
    """``<0xNN>`` tokens back to bytes."""


@dataclass(frozen=True)
class Metaspace:
    """``replacement`` back to spaces; with ``add_prefix_space`` one leading space is dropped."""

    replacement: str
    add_prefix_space: bool


@dataclass(frozen=True)
class WordPiece:
    """Join pieces that start with ``prefix``, spaces before the others; the engine tidies punctuation in any case."""

    prefix: str
    cleanup: bool


@dataclass(frozen=True)
class Fuse:
    """Join all tokens: the nearest there is to "no decoder"."""


@dataclass(frozen=True)
class Replace:
    """Replace in each token; an empty pattern makes the engine loop for ever."""

    pattern: str
    content: str


@dataclass(frozen=True)
class Strip:
    """Remove ``content`` once at the start of the first token and the end of the last, where the count is above 0."""

    content: str
    start: int
    stop: int


@dataclass(frozen=True)
class Sequence:
    """Decoders one after another."""

    decoders: tuple[Decoder, ...]


Decoder = ByteLevel | ByteFallback | Metaspace | WordPiece | Fuse | Replace | Strip | Sequence


CODEC: Codec[Decoder] = Codec(
    "decoder",
    DecoderOp,
    (
        Layout(DecoderOp.BYTE_LEVEL, ByteLevel),
        Layout(DecoderOp.BYTE_FALLBACK, ByteFallback),
        Layout(DecoderOp.METASPACE, Metaspace, (Field("replacement", STRING), Field("add_prefix_space", FLAG))),
        Layout(DecoderOp.WORDPIECE, WordPiece, (Field("prefix", STRING), Field("cleanup", FLAG))),
        Layout(DecoderOp.FUSE, Fuse),
        Layout(DecoderOp.REPLACE, Replace, (Field("pattern", STRING), Field("content", STRING))),
        Layout(DecoderOp.STRIP, Strip, (Field("content", STRING), Field("start", U31), Field("stop", U31))),
        Layout(DecoderOp.SEQUENCE, Sequence, (Field("decoders", children(lambda: CODEC)),)),
    ),
)


def encode_decoder(record: Decoder, writer: Writer) -> None:
    """Write a decoder with everything in it.

    Raises:
        FormatError: a value does not fit the format.
    """
    CODEC.encode(record, writer)


def decode_decoder(reader: Reader) -> Decoder:
    """Read a decoder with everything in it.

    Raises:
        FormatError: unknown op, malformed value, nesting too deep, or the end of the file.
    """
    return CODEC.decode(reader)
