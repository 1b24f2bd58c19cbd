"""Decoder records: ids back to text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union


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


Decoder = Union[ByteLevel, ByteFallback, Metaspace, WordPiece, Fuse, Replace, Strip, Sequence]
