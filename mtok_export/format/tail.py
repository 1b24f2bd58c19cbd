"""What follows the added tokens: chat template, EOS, flags, BOS and the post-processor, each of them optional."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from mtok_export.errors import FormatError
from mtok_export.format.record import STRING, TEXT, U8, U31, Codec, Field, Kind, Layout
from mtok_export.format.spec import PostProcessorOp
from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass


@dataclass(frozen=True)
class SequenceA:
    """The ids of the text."""


@dataclass(frozen=True)
class SpecialTokenId:
    """One special token."""

    id: int


PostProcessorStep = SequenceA | SpecialTokenId


@dataclass(frozen=True)
class Tail:
    """The fields in file order.  ``None`` means that the file ends before the field; nothing can follow a ``None``.

    ``padding`` is whatever follows the last field; one zero byte keeps an engine after 3.6.1 from taking a
    post-processor of certain lengths for an older layout (``post_processor_padding``).
    """

    chat_template: str | None = field(repr=False, default="")
    eos_token: str | None = ""
    flags: int | None = 0
    bos_token: str | None = ""
    post_processor: tuple[PostProcessorStep, ...] | None = None
    padding: bytes = b""


CODEC: Codec[PostProcessorStep] = Codec(
    "post-processor",
    PostProcessorOp,
    (
        Layout(PostProcessorOp.SEQUENCE_A, SequenceA),
        Layout(PostProcessorOp.SPECIAL_TOKEN, SpecialTokenId, (Field("id", U31),)),
    ),
)

_OLDER_LAYOUT_OP = 4
"""Bytes for each op in an older layout of the post-processor, by whose total length the engine tells it apart."""


def post_processor_padding(steps: tuple[PostProcessorStep, ...]) -> bytes:
    """What must follow ``steps`` so that an engine after 3.6.1 reads them as they are.

    The engine takes a post-processor for an older layout if the number of bytes behind the count is four times the
    count; one byte more and it does not, and a byte behind the last op changes nothing.  With no steps both layouts say
    the same, nothing, which is how MNN's own exporter writes it.

    Returns:
        One zero byte or nothing.
    """
    return b"\0" if steps and taken_for_older_layout(steps, b"") else b""


def taken_for_older_layout(steps: tuple[PostProcessorStep, ...], padding: bytes) -> bool:
    """Whether the length of ``steps`` and ``padding`` is that of the older layout."""
    writer = Writer()
    for step in steps:
        CODEC.encode(step, writer)
    return len(writer.getvalue()) + len(padding) == _OLDER_LAYOUT_OP * len(steps)


def _encode_steps(writer: Writer, steps: tuple[PostProcessorStep, ...], field: str) -> None:
    writer.u16(len(steps), f"number of {field} ops")
    for index, step in enumerate(steps):
        with writer.inside(f"[{index}]"):
            CODEC.encode(step, writer)


def _decode_steps(reader: Reader, field: str) -> tuple[PostProcessorStep, ...]:
    start = reader.position
    count = reader.u16(f"number of {field} ops")
    older_layout = reader.left == _OLDER_LAYOUT_OP * count
    if count > reader.left:
        raise reader.error(f"number of {field} ops is {count}, but only {reader.left} bytes left", offset=start)
    steps: list[PostProcessorStep] = []
    try:
        for index in range(count):
            with reader.inside(f"[{index}]"):
                steps.append(CODEC.decode(reader))
    except FormatError as error:
        if older_layout:
            error.hint = "by its length it may be the older layout of four bytes per op, which is not read here"
        raise
    return tuple(steps)


_STEPS: Kind[tuple[PostProcessorStep, ...]] = Kind(_encode_steps, _decode_steps)

_FIELDS: tuple[tuple[str, Field], ...] = (
    ("chat_template", Field("chat_template", TEXT)),
    ("eos", Field("eos_token", STRING)),
    ("flags", Field("flags", U8)),
    ("bos", Field("bos_token", STRING)),
    ("post_processor", Field("post_processor", _STEPS)),
)
"""Section name and field, in file order."""

_PADDING = "padding"


def encode_tail(tail: Tail, writer: Writer) -> None:
    """Write the fields up to the first that is ``None``, then the padding.

    Raises:
        FormatError: a value does not fit the format, or something follows a ``None``.
    """
    missing: str | None = None
    for section, part in _FIELDS:
        value = getattr(tail, part.name)
        with writer.section(section):
            if value is None:
                missing = missing or section
            elif missing:
                raise writer.error(f"the file ends before {missing}, so this field cannot be written")
            else:
                part.kind.encode(writer, value, part.words)
    with writer.section(_PADDING):
        if tail.padding and missing:
            raise writer.error(f"the file ends before {missing}, so padding would be read as that field")
        writer.raw(tail.padding)


def decode_tail(reader: Reader) -> Tail:
    """Read the fields that are there, and whatever bytes are left as padding.

    Raises:
        FormatError: malformed value, unknown op, or the end of the file inside a field.
    """
    values: dict[str, Any] = {part.name: None for _, part in _FIELDS}
    for section, part in _FIELDS:
        if not reader.left:
            break
        with reader.section(section):
            values[part.name] = part.kind.decode(reader, part.words)
    padding = b""
    if reader.left:
        with reader.section(_PADDING):
            padding = reader.take(reader.left, _PADDING)
    return Tail(**values, padding=padding)
