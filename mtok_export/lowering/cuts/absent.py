"""Characters that no text holds any more when its normalization ends."""

from __future__ import annotations

from collections.abc import Iterator

from mtok_export.source.pipeline import Normalizer, NormalizerSequence, Prepend, ReplaceNormalizer, StringPattern


def replaced_characters(normalizer: Normalizer | None) -> str:
    """The single characters that the last steps of a normalizer replace and do not put in again."""
    gone: set[str] = set()
    added: set[str] = set()
    for step in reversed(tuple(_steps(normalizer))):
        if isinstance(step, Prepend):
            added.update(step.prepend)
        elif isinstance(step, ReplaceNormalizer) and isinstance(step.pattern, StringPattern):
            added.update(step.content)
            if len(step.pattern.text) == 1 and step.pattern.text not in added:
                gone.add(step.pattern.text)
        else:
            break
    return "".join(sorted(gone))


def _steps(normalizer: Normalizer | None) -> Iterator[Normalizer]:
    if isinstance(normalizer, NormalizerSequence):
        for child in normalizer.normalizers:
            yield from _steps(child)
    elif normalizer is not None:
        yield normalizer
