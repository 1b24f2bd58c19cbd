"""Characters per token, by script: how well a vocabulary fits the texts of a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mtok_export.inspecting.scripts import main_script

NO_SCRIPT = "none"


class Encoder(Protocol):
    """What is needed of an engine."""

    def encode_many(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each text."""


@dataclass(frozen=True)
class ScriptFigures:
    """The texts that are counted under one script."""

    script: str
    texts: int
    characters: int
    tokens: int

    @property
    def characters_per_token(self) -> float | None:
        """None where there are no tokens."""
        return round(self.characters / self.tokens, 3) if self.tokens else None

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return {
            "script": self.script,
            "texts": self.texts,
            "characters": self.characters,
            "tokens": self.tokens,
            "characters_per_token": self.characters_per_token,
        }


def characters_per_token(texts: Sequence[str], engine: Encoder, prefix: Sequence[int]) -> tuple[ScriptFigures, ...]:
    """Encode the texts; each counts under the script that most of its letters have.

    Args:
        texts: the texts.
        engine: encodes them.
        prefix: the ids that start every encoding; they are not counted.

    Returns:
        One line of figures for each script, that with the most characters first.
    """
    sums: dict[str, list[int]] = {}
    for text, ids in zip(texts, engine.encode_many(texts), strict=True):
        own = sums.setdefault(main_script(text) or NO_SCRIPT, [0, 0, 0])
        for at, number in enumerate((1, len(text), len(ids) - len(prefix))):
            own[at] += number
    figures = (ScriptFigures(script, *numbers) for script, numbers in sums.items())
    return tuple(sorted(figures, key=lambda line: (-line.characters, line.script)))
