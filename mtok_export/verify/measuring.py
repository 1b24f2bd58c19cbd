"""How much a text file loses, in figures: the model of the engine on the built-in texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mtok_export.report import Effect, Limit, Measured
from mtok_export.source.settings import Source
from mtok_export.tokenizer_file import TokenizerFile
from mtok_export.verify.candidates import Candidate
from mtok_export.verify.coverage import named
from mtok_export.verify.engines import EngineChoice
from mtok_export.verify.results import RowResult
from mtok_export.verify.verification import compare


def measure(source: Source, file: TokenizerFile, limits: Sequence[Limit]) -> tuple[Measured, Mapping[Limit, str]]:
    """Run the built-in texts through the model of the engine, and compare with Hugging Face.

    Args:
        source: the tokenizer.
        file: the file that was made of it.
        limits: what is known to differ.

    Returns:
        The figures; and for each limit that names a difference that was found, the shortest text with one.

    Raises:
        SourceError: a Hugging Face library refuses the source.
    """
    result = compare(source, Candidate(Path(), file), EngineChoice("model"), limits=limits)
    rows = tuple((row.row.value, row.compared, row.equal, _spaced(row)) for row in result.rows if row.compared)
    examples: dict[Limit, str] = {}
    by_name = {named(limit): limit for limit in limits}
    for difference in (difference for row in result.rows for difference in row.differences):
        limit = by_name.get(difference.limit or "")
        if limit is not None and len(difference.text) < len(examples.get(limit, difference.text + " ")):
            examples[limit] = difference.text
    return Measured(result.engine, rows), examples


def _spaced(row: RowResult) -> int:
    """How many differences are one space in front and nothing else."""
    return sum(difference.effect is Effect.LEADING_SPACE for difference in row.differences)
