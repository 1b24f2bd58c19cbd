"""What follows the added tokens: chat template, EOS, flags, BOS and the post-processor, each of them optional."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True)
class SequenceA:
    """The ids of the text."""


@dataclass(frozen=True)
class SpecialTokenId:
    """One special token."""

    id: int


PostProcessorStep = Union[SequenceA, SpecialTokenId]


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
