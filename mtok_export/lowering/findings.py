"""What the lowering finds out on its way: what each component became, what will differ, what cannot be said at all.

Rules get a ``Place`` (a component and its JSON path) and record there; nothing is raised until every component has been
looked at, so that all parts that cannot be expressed are listed at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtok_export.errors import Problem
from mtok_export.records import dataclass
from mtok_export.report import Aspect, CodeRanges, Effect, Fidelity, Limit, Lowered

_ORDER = {Fidelity.EXACT: 0, Fidelity.BOUNDED: 1, Fidelity.APPROXIMATE: 2}


class Findings:
    """A collector, in the order in which the lowering walks the pipeline."""

    def __init__(self) -> None:
        self.limits: list[Limit] = []
        self.problems: list[Problem] = []
        self.engine = (3, 5, 0)
        self._lowered: list[tuple[str, str, str]] = []

    def require_engine(self, version: tuple[int, int, int]) -> None:
        """The file needs at least this release of the engine."""
        self.engine = max(self.engine, version)

    def lowered(self) -> tuple[Lowered, ...]:
        """Every component with the fidelity that its limits leave it."""
        worst: dict[tuple[str, str], Fidelity] = {}
        for limit in self.limits:
            key = limit.path, limit.component
            worst[key] = max(worst.get(key, Fidelity.EXACT), limit.fidelity, key=_ORDER.__getitem__)
        return tuple(
            Lowered(path, component, ops, worst.get((path, component), Fidelity.EXACT))
            for path, component, ops in self._lowered
        )


@dataclass(frozen=True)
class Place:
    """A component of the pipeline at its JSON path."""

    path: str
    component: str
    findings: Findings

    def at(self, suffix: str, component: object) -> Place:
        """The place of a part: ``suffix`` goes behind the path; ``component`` names itself by its class or as text."""
        name = component if isinstance(component, str) else type(component).__name__
        return Place(self.path + suffix, name, self.findings)

    def became(self, ops: str) -> None:
        """Record what the file holds for this component."""
        self.findings._lowered.append((self.path, self.component, ops))

    def limit(
        self,
        reason: str,
        *,
        example: str | None = None,
        bound: str | None = None,
        aspects: Sequence[Aspect] = (Aspect.IDS,),
        characters: CodeRanges | None = None,
        effect: Effect | None = None,
        run: int = 1,
        holds: Sequence[str] = (),
    ) -> None:
        """Record a difference.  With a ``bound`` the lowering is exact up to it, without one it is approximate."""
        fidelity = Fidelity.APPROXIMATE if bound is None else Fidelity.BOUNDED
        self.findings.limits.append(
            Limit(
                path=self.path,
                component=self.component,
                fidelity=fidelity,
                reason=reason,
                aspects=tuple(aspects),
                bound=bound,
                example=example,
                characters=characters,
                effect=effect,
                run=run,
                holds=tuple(holds),
            )
        )

    def refuse(self, reason: str) -> None:
        """Record that this component cannot be expressed."""
        self.findings.problems.append(Problem(self.path, self.component, reason))
