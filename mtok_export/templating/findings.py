"""What the engine's Jinja subset ignores in a chat template, or takes for something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from mtok_export.records import dataclass
from mtok_export.shown import listed


class Part(Enum):
    """What kind of thing a finding is about."""

    TAG = "tag"
    FILTER = "filter"
    TEST = "test"
    FUNCTION = "function"
    METHOD = "method"
    EXPRESSION = "expression"
    WHITE_SPACE = "white space"


@dataclass(frozen=True)
class TemplateFinding:
    """One way in which the engine renders a template otherwise than Jinja.

    ``name`` is the tag, filter, test, function or method, or a short description; ``effect`` is what the engine does;
    ``lines`` are the lines on which it stands, from 1; ``offset`` is the first place, in characters, and ``excerpt``
    its text, made visible; ``kills`` says that it is the end of the process, by an endless loop or a crash.
    """

    part: Part
    name: str
    effect: str
    lines: tuple[int, ...]
    excerpt: str
    offset: int
    kills: bool = False

    def row(self) -> list[Any]:
        """The finding as what JSON can hold; ``of_row`` makes it of that again."""
        return [self.part.value, self.name, self.effect, self.lines, self.excerpt, self.offset, self.kills]

    @classmethod
    def of_row(cls, row: list[Any]) -> TemplateFinding:
        """The finding of which ``row`` made this."""
        part, name, effect, lines, *rest = row
        return cls(Part(part), name, effect, tuple(lines), *rest)

    def __str__(self) -> str:
        where = ("line " if len(self.lines) == 1 else "lines ") + listed(map(str, self.lines), most=5)
        return f"{self.part.value} {self.name} ({where}): {self.effect}"


@dataclass(frozen=True)
class Seen:
    """A finding at one place: ``at`` is the offset of the tag in characters."""

    part: Part
    name: str
    effect: str
    at: int
    excerpt: str
    kills: bool = False


def grouped(template: str, seen: Iterable[Seen]) -> Iterator[TemplateFinding]:
    """One finding for all places that have the same thing to say, in the order of the first of them."""
    groups: dict[tuple[Part, str, str], list[Seen]] = {}
    for one in sorted(seen, key=lambda one: one.at):
        groups.setdefault((one.part, one.name, one.effect), []).append(one)
    for (part, name, effect), places in groups.items():
        lines = dict.fromkeys(template.count("\n", 0, place.at) + 1 for place in places)
        kills = any(place.kills for place in places)
        yield TemplateFinding(part, name, effect, tuple(lines), places[0].excerpt, places[0].at, kills)
