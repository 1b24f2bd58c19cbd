"""What an export did, and what will differ: the fidelity of every component, with a reason and an example text."""

from __future__ import annotations

import json
from bisect import bisect_right
from enum import Enum
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any

from mtok_export.records import dataclass
from mtok_export.source.settings import Notice, SourceFile

ENGINE_NOTES = (
    "the Python binding of the engine ends a text, and what it decodes, at U+0000",
    "the Python binding of the engine dies of a lone surrogate in a text",
)
"""What holds for every file, whatever it says."""


class Effect(Enum):
    """What a limit does to a result, where that is always the same."""

    LEADING_SPACE = "one space more in front"
    SAME_SCORE = "another segmentation of the same score"
    UNKNOWN = "another place of the unknown token"


TEXT_ENCODING = "text type"
"""How the encoding of a text file starts in a report."""

CodeRanges = tuple[tuple[int, int], ...]
"""Ranges of code points, each (first, last)."""


class Fidelity(Enum):
    """How true a lowering is.  What is *unsupported* never gets this far: it is an error and nothing is written."""

    EXACT = "exact"
    BOUNDED = "bounded"
    APPROXIMATE = "approximate"


class Aspect(Enum):
    """What a limit can change."""

    IDS = "ids"
    STREAMING = "streaming"
    DECODING = "decoding"
    CHAT = "chat"


@dataclass(frozen=True)
class Limit:
    """One way in which the engine will differ from Hugging Face.

    ``path`` is the JSON path of the component, ``component`` its type, ``reason`` what differs and why, ``bound`` up to
    where a bounded lowering is exact, ``example`` a text that shows it, ``aspects`` what it touches.  ``characters``,
    where given, are ranges of code points (first, last): a text that holds none of them is not touched, nor is one that
    does not hold ``run`` of them in a row, nor, where ``holds`` is given, one that holds none of those strings;
    ``effect``, where given, is all that the limit does to a result.
    """

    path: str
    component: str
    fidelity: Fidelity
    reason: str
    aspects: tuple[Aspect, ...] = (Aspect.IDS,)
    bound: str | None = None
    example: str | None = None
    characters: CodeRanges | None = None
    effect: Effect | None = None
    run: int = 1
    holds: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The limit as plain JSON values."""
        return {
            "path": self.path,
            "component": self.component,
            "fidelity": self.fidelity.value,
            "aspects": [aspect.value for aspect in self.aspects],
            "reason": self.reason,
            "bound": self.bound,
            "example": self.example,
            "characters": None if self.characters is None else [list(pair) for pair in self.characters],
            "effect": None if self.effect is None else self.effect.value,
            "run": self.run,
            "holds": list(self.holds),
        }

    def touches(self, text: str) -> bool:
        """Whether the limit can change what becomes of a text."""
        if self.holds and not any(string in text for string in self.holds):
            return False
        if self.characters is None:
            return True
        touched = {char for char in set(text) if self._holds(ord(char))}
        runs = (sum(1 for _ in chars) for inside, chars in groupby(text, touched.__contains__) if inside)
        return any(length >= self.run for length in runs)

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """The first code points in order, and the highest last one up to each."""
        ranges = sorted(self.characters or ())
        return [first for first, _ in ranges], list(accumulate((last for _, last in ranges), max))

    def _holds(self, code: int) -> bool:
        """Whether a code point is in one of the ranges, of which there may be thousands."""
        firsts, lasts = self._bounds
        at = bisect_right(firsts, code) - 1
        return at >= 0 and code <= lasts[at]


@dataclass(frozen=True)
class Lowered:
    """One component and how it was lowered: ``ops`` says in words what the file holds for it."""

    path: str
    component: str
    ops: str
    fidelity: Fidelity

    def as_dict(self) -> dict[str, Any]:
        """The entry as plain JSON values."""
        return {"path": self.path, "component": self.component, "ops": self.ops, "fidelity": self.fidelity.value}


@dataclass(frozen=True)
class Summary:
    """The file in a few figures: what the command line prints."""

    model: str
    vocab_size: int
    merges: int
    added_tokens: int
    special_tokens: int
    prefix_ids: tuple[int, ...]
    suffix_ids: tuple[int, ...]
    stop_tokens: tuple[tuple[int, str | None, tuple[str, ...]], ...]
    chat_template: str | None
    bytes: int
    sha256: str
    sections: tuple[tuple[str, int], ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return {
            "model": self.model,
            "vocab_size": self.vocab_size,
            "merges": self.merges,
            "added_tokens": self.added_tokens,
            "special_tokens": self.special_tokens,
            "prefix_ids": list(self.prefix_ids),
            "suffix_ids": list(self.suffix_ids),
            "stop_tokens": [{"id": id_, "content": text, "reasons": list(why)} for id_, text, why in self.stop_tokens],
            "chat_template": self.chat_template,
            "bytes": self.bytes,
            "sha256": self.sha256,
            "sections": dict(self.sections),
        }


@dataclass(frozen=True)
class Measured:
    """What a text file made of the built-in texts: it loses more than limits can tell in words.

    ``engine`` says what ran the file.  Each row is an aspect, how many texts were compared, how many came out equal,
    and how many of the others were equal but for one space in front.
    """

    engine: str
    rows: tuple[tuple[str, int, int, int], ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        keys = ("aspect", "compared", "equal", "equal_but_for_a_space")
        return {"engine": self.engine, "aspects": [dict(zip(keys, row, strict=True)) for row in self.rows]}


@dataclass(frozen=True)
class Report:
    """Everything that one export has to say.  Equal inputs give equal reports: no time, no absolute path."""

    tool_version: str
    encoding: str
    tables: str
    engine: str
    files: tuple[SourceFile, ...]
    components: tuple[Lowered, ...]
    limits: tuple[Limit, ...]
    notices: tuple[Notice, ...]
    summary: Summary | None = None
    measured: Measured | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is about one of the engine's text files."""
        return self.encoding.startswith(TEXT_ENCODING)

    def count(self, fidelity: Fidelity) -> int:
        """How many limits have this fidelity."""
        return sum(limit.fidelity is fidelity for limit in self.limits)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "tool": "mtok-export",
            "tool_version": self.tool_version,
            "encoding": self.encoding,
            "tables": self.tables,
            "engine": self.engine,
            "files": [{"name": file.name, "size": file.size, "sha256": file.sha256} for file in self.files],
            "notices": [{"where": notice.where, "message": notice.message} for notice in self.notices],
            "components": [component.as_dict() for component in self.components],
            "limits": [limit.as_dict() for limit in self.limits],
            "engine_notes": list(ENGINE_NOTES),
            "summary": None if self.summary is None else self.summary.as_dict(),
            **({} if self.measured is None else {"measured": self.measured.as_dict()}),
        }

    def to_json(self) -> str:
        """The report as JSON text, ASCII alone so that no example is changed on its way, with a final line end."""
        return json.dumps(self.as_dict(), indent=2) + "\n"
