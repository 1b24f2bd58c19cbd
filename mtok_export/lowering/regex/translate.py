"""The public face of the package (being built: for now every pattern is passed on as it stands)."""

from __future__ import annotations

from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex.translation import SplitStep, Translation
from mtok_export.source.pipeline import SplitBehavior

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""What the ByteLevel pre-tokenizer splits with, in Hugging Face and in the engine."""

_BEHAVIORS: dict[SplitBehavior, EngineBehavior] = {
    "Isolated": EngineBehavior.ISOLATED,
    "Removed": EngineBehavior.REMOVED,
    "MergedWithPrevious": EngineBehavior.MERGED_WITH_PREVIOUS,
    "MergedWithNext": EngineBehavior.ISOLATED,
    "Contiguous": EngineBehavior.ISOLATED,
}
_METACHARACTERS = frozenset("\\^$.|?*+()[]{}")


def escape_literal(text: str) -> str:
    """A pattern that matches ``text`` and nothing else."""
    return "".join("\\" + char if char in _METACHARACTERS else char for char in text)


def translate_split(
    pattern: str, behavior: SplitBehavior, invert: bool, *, literal: bool = False, faithful: bool = True
) -> Translation:
    """The steps for one Split."""
    text = escape_literal(pattern) if literal else pattern
    return Translation((SplitStep(text, invert, _BEHAVIORS[behavior]),))


def translate(pattern: str, *, faithful: bool) -> Translation:
    """The steps for a pattern whose matches are isolated."""
    return translate_split(pattern, "Isolated", False, faithful=faithful)
