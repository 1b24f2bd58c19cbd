"""What a comparison found: rows of a table, each with its counts and its differences, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from mtok_export.report import Effect


class Row(Enum):
    """What is compared, in the order of the table."""

    IDS = "ids"
    PLAIN_IDS = "ids without specials"
    STREAMING = "streaming"
    WHOLE = "whole decoding"
    CHAT_IDS = "chat ids"
    CHAT_TEXT = "chat text"
    OWNER_IDS = "ids of the owner"
    """Only of a source that is no ``tokenizer.json``: against the library that it was made for."""


@dataclass(frozen=True)
class Piece:
    """An id and what it stands for: an entry of the vocabulary, or the content of an added token."""

    id: int
    text: str

    def __str__(self) -> str:
        return f"{self.id} {self.text!a}"


@dataclass(frozen=True)
class Ids:
    """A stretch of ids: the first of them is number ``start`` of ``total``."""

    start: int
    pieces: tuple[Piece, ...]
    total: int

    def __str__(self) -> str:
        shown = "  ".join(map(str, self.pieces)) or "nothing more"
        return f"{'... ' if self.start else ''}{shown}{' ...' if self._end < self.total else ''} ({self.total:,} ids)"

    @property
    def _end(self) -> int:
        return self.start + len(self.pieces)

    def as_dict(self) -> dict[str, Any]:
        """The stretch as plain JSON values."""
        pieces = [{"id": piece.id, "piece": piece.text} for piece in self.pieces]
        return {"start": self.start, "pieces": pieces, "total": self.total}


@dataclass(frozen=True)
class Text:
    """A stretch of text: its first character is number ``start`` of ``total``."""

    start: int
    text: str
    total: int

    def __str__(self) -> str:
        more = " ..." if self.start + len(self.text) < self.total else ""
        return f"{'... ' if self.start else ''}{self.text!a}{more} ({self.total:,} characters)"

    def as_dict(self) -> dict[str, Any]:
        """The stretch as plain JSON values."""
        return {"start": self.start, "text": self.text, "total": self.total}


@dataclass(frozen=True)
class Failed:
    """In the place of a result: the engine died, took too long, or refused."""

    message: str

    def __str__(self) -> str:
        return self.message

    def as_dict(self) -> dict[str, Any]:
        """The failure as plain JSON values."""
        return {"failed": self.message}


Side = Ids | Text | Failed


@dataclass(frozen=True)
class Difference:
    """One text (or conversation) on which Hugging Face and the engine differ.

    ``subject`` is the text, or the name of the conversation; ``text`` is what was encoded or rendered on the side of
    Hugging Face, for finding out which limits can touch it; ``place`` is the index of the first id or character that
    differs; ``limit`` says which named limit covers the difference, if one does; ``effect`` is what makes up the whole
    difference, where that has a name.
    """

    subject: str
    text: str
    place: int
    expected: Side
    found: Side
    limit: str | None = None
    effect: Effect | None = None

    def as_dict(self) -> dict[str, Any]:
        """The difference as plain JSON values."""
        return {
            "subject": self.subject,
            "place": self.place,
            "expected": self.expected.as_dict(),
            "found": self.found.as_dict(),
            "limit": self.limit,
            "effect": None if self.effect is None else self.effect.value,
        }


@dataclass(frozen=True)
class RowResult:
    """One row: how many were compared, which of them differ.

    ``by_version`` counts those that differ only in what the engine's version cannot do.  ``not_run`` says why the row
    was left out where that is no fault of the file, ``failure`` why it could not be finished where it is.  ``applies``
    is false where there is nothing to compare.
    """

    row: Row
    compared: int = 0
    differences: tuple[Difference, ...] = ()
    by_version: int = 0
    not_run: str | None = None
    failure: str | None = None
    applies: bool = True

    @property
    def equal(self) -> int:
        """How many are the same, those by version not counted."""
        return self.compared - len(self.differences) - self.by_version

    @property
    def named(self) -> int:
        """How many differences a named limit covers."""
        return sum(difference.limit is not None for difference in self.differences)

    def as_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        return {
            "aspect": self.row.value,
            "compared": self.compared,
            "equal": self.equal,
            "expected_by_version": self.by_version,
            "different": len(self.differences),
            "named": self.named,
            "applies": self.applies,
            "not_run": self.not_run,
            "failure": self.failure,
            "differences": [difference.as_dict() for difference in self.differences],
        }


@dataclass(frozen=True)
class Verification:
    """Everything that one comparison found.

    ``engine`` names what ran the file, ``faults`` are what the engine would stumble over, ``notes`` say how something
    was compared where that is not the usual way.
    """

    engine: str
    texts: int
    conversations: int
    rows: tuple[RowResult, ...]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def row(self, row: Row) -> RowResult:
        """The result of one row."""
        return next(result for result in self.rows if result.row is row)

    def failures(self) -> Iterator[str]:
        """Why a row could not be finished; each reason once."""
        yield from dict.fromkeys(result.failure for result in self.rows if result.failure is not None)

    @property
    def differences(self) -> int:
        """How many differences there are in all rows."""
        return sum(len(result.differences) for result in self.rows)

    @property
    def unnamed(self) -> int:
        """How many differences no named limit covers."""
        return self.differences - sum(result.named for result in self.rows)

    @property
    def complete(self) -> bool:
        """Whether every row that could have been compared was."""
        return not any(self.left_out()) and not any(self.failures())

    def left_out(self) -> Iterator[Row]:
        """The rows that could have been compared and were not, for no fault of the file."""
        yield from (result.row for result in self.rows if result.not_run is not None and result.applies)

    def passed(self, *, allow_named: bool = False) -> bool:
        """Whether nothing that was compared differs (or, with ``allow_named``, nothing that no limit names)."""
        if self.faults or any(self.failures()):
            return False
        return (self.unnamed if allow_named else self.differences) == 0

    def as_dict(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {
            "engine": self.engine,
            "texts": self.texts,
            "conversations": self.conversations,
            "complete": self.complete,
            "differences": self.differences,
            "unnamed": self.unnamed,
            "faults": list(self.faults),
            "failures": list(self.failures()),
            "notes": list(self.notes),
            "aspects": [result.as_dict() for result in self.rows],
        }
