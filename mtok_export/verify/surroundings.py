"""What stands round the ids of a text: what Hugging Face puts there, what the file says, what a version of it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtok_export.engine.model import Version
from mtok_export.format import MtokFile
from mtok_export.format.tail import SequenceA, SpecialTokenId
from mtok_export.tokenizer_file import TokenizerFile


@dataclass(frozen=True)
class Surroundings:
    """The ids that an engine version puts before the ids of every text, and behind them."""

    front: tuple[int, ...] = ()
    back: tuple[int, ...] = ()

    def inside(self, ids: Sequence[int]) -> list[int]:
        """The ids of the text alone."""
        return list(ids[len(self.front) : len(ids) - len(self.back)])


def of_file(file: TokenizerFile, version: Version) -> Surroundings | None:
    """What a version puts round the ids of a text; None where its post-processor does not hold the text just once."""
    prefix = file.header.prefix_ids
    steps = file.tail.post_processor if isinstance(file, MtokFile) else None
    if not version.has_post_processor or not steps:
        return Surroundings(prefix)
    texts = [place for place, step in enumerate(steps) if isinstance(step, SequenceA)]
    if len(texts) != 1:
        return None
    ids = [step.id if isinstance(step, SpecialTokenId) else -1 for step in steps]
    return Surroundings((*ids[: texts[0]], *prefix), tuple(ids[texts[0] + 1 :]))
