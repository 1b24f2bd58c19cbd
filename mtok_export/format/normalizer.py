"""Normalizer records: the text before it is split."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


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
    """Remove white space at the ends of the stretch (3.6.0 and later)."""

    strip_left: bool
    strip_right: bool


Normalizer = Union[NoNormalizer, Nfkc, Prepend, Replace, Sequence, Bert, Table, BertTable, Strip]
