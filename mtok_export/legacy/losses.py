"""What a lowering to a text format finds out on its way; nothing is raised until every part has been looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mtok_export.errors import Problem
from mtok_export.report import Aspect, CodeRanges, Effect, Fidelity, Limit, Lowered

IDS = (Aspect.IDS,)
SHOWN = (Aspect.STREAMING, Aspect.DECODING)
WHOLE = (Aspect.DECODING,)

_LAST_CODE_POINT = 0x10FFFF


@dataclass(frozen=True)
class Part:
    """A part of the pipeline: its JSON path and its type."""

    path: str
    component: str


@dataclass
class Losses:
    """A collector: limits, what cannot be expressed, and what each part became."""

    limits: list[Limit] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _became: list[tuple[Part, str]] = field(default_factory=list)

    def limit(
        self,
        part: Part,
        reason: str,
        *,
        example: str | None = None,
        aspects: Sequence[Aspect] = IDS,
        bound: str | None = None,
        characters: CodeRanges | None = None,
        effect: Effect | None = None,
    ) -> None:
        """Record a difference; with a ``bound`` the file is exact up to it."""
        fidelity = Fidelity.APPROXIMATE if bound is None else Fidelity.BOUNDED
        self.limits.append(
            Limit(
                part.path,
                part.component,
                fidelity,
                reason,
                aspects=tuple(aspects),
                bound=bound,
                example=example,
                characters=characters,
                effect=effect,
            )
        )

    def refuse(self, part: Part, reason: str) -> None:
        """Record that a part cannot be expressed."""
        self.problems.append(Problem(part.path, part.component, reason))

    def became(self, part: Part, what: str) -> None:
        """Record what the file holds for a part."""
        self._became.append((part, what))

    def components(self) -> tuple[Lowered, ...]:
        """Every part with the fidelity that its limits leave it."""
        order = list(Fidelity)
        worst: dict[Part, Fidelity] = {}
        for limit in self.limits:
            part = Part(limit.path, limit.component)
            worst[part] = max(worst.get(part, Fidelity.EXACT), limit.fidelity, key=order.index)
        return tuple(
            Lowered(part.path, part.component, what, worst.get(part, Fidelity.EXACT)) for part, what in self._became
        )


def only(characters: Iterable[str]) -> CodeRanges:
    """The code points of some characters, as ranges."""
    ranges: list[tuple[int, int]] = []
    for code in sorted(set(map(ord, characters))):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return tuple(ranges)


def all_but(characters: Iterable[str]) -> CodeRanges:
    """All code points but those of some characters, as ranges."""
    bounds = [-1, *sorted(set(map(ord, characters))), _LAST_CODE_POINT + 1]
    return tuple((before + 1, after - 1) for before, after in pairwise(bounds) if after - before > 1)
