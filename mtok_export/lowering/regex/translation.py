"""What a translation of a Hugging Face pattern into the engine's dialect results in."""

from __future__ import annotations

from mtok_export.format.spec import SplitBehavior
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.records import dataclass
from mtok_export.report import Fidelity


@dataclass(frozen=True)
class RegexLimit:
    """One way in which the engine's splits will differ from those of Hugging Face.

    ``example`` is a text on which they do (``None`` where none is known), ``bound`` up to where a bounded translation
    is exact.  ``characters``, where given, are those without which a text is not touched by this limit.
    """

    reason: str
    example: str | None = None
    bound: str | None = None
    fidelity: Fidelity = Fidelity.APPROXIMATE
    characters: CharSet | None = None

    def covers(self, text: str) -> bool:
        """Whether this limit can change the splits of ``text``."""
        return self.characters is None or self.characters.touches(text)


@dataclass(frozen=True)
class SplitStep:
    """One Split record of the engine."""

    pattern: str
    invert: bool
    behavior: SplitBehavior


@dataclass(frozen=True)
class Translation:
    """The Split records that stand for one Split of Hugging Face, and what they change.

    ``changed`` says whether anything but the one-to-one record came out; ``wregex`` whether any step goes to the
    engine's wide matcher (``std::wregex``).  Where ``refused`` is not empty, ``steps`` is of no use.
    """

    steps: tuple[SplitStep, ...]
    changed: bool = False
    wregex: bool = False
    limits: tuple[RegexLimit, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        """The pattern of the only step.

        Raises:
            ValueError: there are several steps, or none.
        """
        if len(self.steps) != 1:
            raise ValueError(f"the translation has {len(self.steps)} steps, not one pattern")
        return self.steps[0].pattern

    @property
    def exact(self) -> bool:
        """Whether the splits are those of Hugging Face on every text."""
        return not self.limits and not self.refused
