"""Every error that this package raises on purpose: one root, a few leaves by who is at fault.

An error says what is wrong, the value, the limit, where (a JSON path such as ``$.model.merges[3]`` or a byte offset)
and what to do.  The command line prints ``str(error)`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtok_export.records import dataclass


class MtokError(Exception):
    """The root of all errors of this package.

    Args:
        message: what is wrong, with the value and the limit.
        where: a JSON path, a file name or a byte offset as text; ``None`` where there is no place to name.
        hint: what the user can do about it.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class SourceError(MtokError):
    """The model directory is at fault: a file is missing, damaged, or contradicts itself."""


@dataclass(frozen=True)
class Problem:
    """One part of a source that cannot be expressed: its JSON path, its name, and why not."""

    path: str
    component: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.component}: {self.reason}"


class UnsupportedError(MtokError):
    """The source is sound, but ``target`` cannot express it; ``problems`` lists every such part at once."""

    def __init__(self, problems: Sequence[Problem], target: str = "a .mtok file") -> None:
        self.problems = tuple(problems)
        parts = "part" if len(self.problems) == 1 else "parts"
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        super().__init__(f"{len(self.problems)} {parts} of this tokenizer cannot be expressed in {target}:{lines}")


class FormatError(MtokError):
    """A ``.mtok`` file (or an object to become one) breaks the format; ``offset`` counts from the file's start."""

    def __init__(
        self, message: str, *, offset: int | None = None, where: str | None = None, hint: str | None = None
    ) -> None:
        place = where if offset is None else f"byte {offset}" if where is None else f"{where}, byte {offset}"
        super().__init__(message, where=place, hint=hint)
        self.offset = offset


class OutputError(MtokError):
    """The result cannot be written where it was asked for."""


class EngineError(MtokError):
    """The real engine is not installed, refused a file, crashed, or did not answer in time."""
