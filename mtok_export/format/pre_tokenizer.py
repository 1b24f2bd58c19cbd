"""Pre-tokenizer records: the text cut into what the model sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from mtok_export.format.spec import SplitBehavior


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
    """Put a space in front of each piece that has none (if ``add_prefix_space``), then spaces become ``replacement``."""

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


PreTokenizer = Union[NoPreTokenizer, ByteLevel, Digits, Metaspace, Split, Bert, Sequence]
