"""What an export did, and what will differ: the fidelity of every component, with a reason and an example text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


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
    where a bounded lowering is exact, ``example`` a text that shows it, ``aspects`` what it touches.
    """

    path: str
    component: str
    fidelity: Fidelity
    reason: str
    aspects: tuple[Aspect, ...] = (Aspect.IDS,)
    bound: str | None = None
    example: str | None = None

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
        }


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
