"""Pre-tokenizer records: the text cut into what the model sees."""

from __future__ import annotations

from mtok_export.format.record import FLAG, STRING, Codec, Field, Kind, Layout, children
from mtok_export.format.spec import PreTokenizerOp, SplitBehavior
from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass


@dataclass(frozen=True)
class NoPreTokenizer:
    """The text stays in one piece (NONE)."""


@dataclass(frozen=True)
class ByteLevel:
    """Optional GPT-2 pattern, then bytes to printable characters."""

    use_regex: bool


@dataclass(frozen=True)
class Digits:
    """ASCII digits one by one; without ``individual_digits`` it does nothing."""

    individual_digits: bool


@dataclass(frozen=True)
class Metaspace:
    """With ``add_prefix_space``, a space in front of each piece that has none; then spaces become ``replacement``."""

    replacement: str
    add_prefix_space: bool


@dataclass(frozen=True)
class Split:
    """Split by a regular expression of the engine's dialect."""

    pattern: str
    invert: bool
    behavior: SplitBehavior


@dataclass(frozen=True)
class Bert:
    """White space removed, punctuation isolated."""


@dataclass(frozen=True)
class Sequence:
    """Pre-tokenizers one after another."""

    pre_tokenizers: tuple[PreTokenizer, ...]


PreTokenizer = NoPreTokenizer | ByteLevel | Digits | Metaspace | Split | Bert | Sequence


def _encode_behavior(writer: Writer, behavior: SplitBehavior, field: str) -> None:
    if behavior not in tuple(SplitBehavior):
        raise writer.error(f"{field} is {behavior!r}, which is no SplitBehavior")
    writer.u8(int(behavior), field)


def _decode_behavior(reader: Reader, field: str) -> SplitBehavior:
    start = reader.position
    value = reader.u8(field)
    try:
        return SplitBehavior(value)
    except ValueError:
        known = ", ".join(f"{behavior.value} {behavior.name}" for behavior in SplitBehavior)
        raise reader.error(f"{field} is {value}; the known ones are {known}", offset=start) from None


_BEHAVIOR: Kind[SplitBehavior] = Kind(_encode_behavior, _decode_behavior)

CODEC: Codec[PreTokenizer] = Codec(
    "pre-tokenizer",
    PreTokenizerOp,
    (
        Layout(PreTokenizerOp.NONE, NoPreTokenizer),
        Layout(PreTokenizerOp.BYTE_LEVEL, ByteLevel, (Field("use_regex", FLAG),)),
        Layout(PreTokenizerOp.DIGITS, Digits, (Field("individual_digits", FLAG),)),
        Layout(PreTokenizerOp.METASPACE, Metaspace, (Field("replacement", STRING), Field("add_prefix_space", FLAG))),
        Layout(
            PreTokenizerOp.SPLIT, Split, (Field("pattern", STRING), Field("invert", FLAG), Field("behavior", _BEHAVIOR))
        ),
        Layout(PreTokenizerOp.BERT, Bert),
        Layout(PreTokenizerOp.SEQUENCE, Sequence, (Field("pre_tokenizers", children(lambda: CODEC)),)),
    ),
)


def encode_pre_tokenizer(record: PreTokenizer, writer: Writer) -> None:
    """Write a pre-tokenizer with everything in it.

    Raises:
        FormatError: a value does not fit the format.
    """
    CODEC.encode(record, writer)


def decode_pre_tokenizer(reader: Reader) -> PreTokenizer:
    """Read a pre-tokenizer with everything in it.

    Raises:
        FormatError: unknown op, malformed value, nesting too deep, or the end of the file.
    """
    return CODEC.decode(reader)
