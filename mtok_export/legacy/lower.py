"""The whole lowering to a text file: a source in, a file and a report out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mtok_export._version import __version__
from mtok_export.errors import UnsupportedError
from mtok_export.legacy.choice import choose_type
from mtok_export.legacy.decoding import limit_clean_up
from mtok_export.legacy.entries import ADDED_TOKENS
from mtok_export.legacy.legacy_file import LegacyFile
from mtok_export.legacy.losses import IDS, WHOLE, Losses, Part
from mtok_export.legacy.lower_bert import lower_bert
from mtok_export.legacy.lower_huggingface import lower_huggingface
from mtok_export.legacy.lower_sentencepiece import lower_sentencepiece
from mtok_export.legacy.lower_tiktoken import lower_tiktoken
from mtok_export.legacy.spec import LegacyType
from mtok_export.report import TEXT_ENCODING, Report
from mtok_export.source.pipeline import PostProcessor, PostProcessorSequence, TemplateProcessing, TemplateSequence
from mtok_export.source.settings import Notice, Source
from mtok_export.source.special_tokens import ids_around

TARGET = "a tokenizer.txt file"

_ENGINE = "3.5.0"
"""The oldest release that this was tried on; text files are older than the binary ones."""

_MERGES_LOST = Notice(
    "$.model",
    "type TIKTOKEN, which the format document names for this source, has no merges; --legacy-type HUGGINGFACE has "
    "them and comes closer, but the engine dies of very long runs without a break then",
)

_RULES: dict[LegacyType, Callable[[Source, Losses], LegacyFile]] = {
    LegacyType.SENTENCEPIECE: lower_sentencepiece,
    LegacyType.TIKTOKEN: lower_tiktoken,
    LegacyType.BERT: lower_bert,
    LegacyType.HUGGINGFACE: lower_huggingface,
}


def lower_legacy(source: Source, kind: LegacyType | None = None) -> tuple[LegacyFile, Report]:
    """Lower a source to a text file, and report what it loses against Hugging Face.

    Args:
        source: the tokenizer.
        kind: the type; ``choose_type`` picks it for ``None``.

    Raises:
        UnsupportedError: the type cannot hold the tokenizer, or the engine would die of it; all reasons are listed.
    """
    chosen = choose_type(source) if kind is None else kind
    notices = (_MERGES_LOST,) if kind is None and chosen is LegacyType.TIKTOKEN else ()
    losses = Losses()
    file = _RULES[chosen](source, losses)
    limit_clean_up(source, losses)
    prefix = _prefix(source, losses)
    if losses.problems:
        raise UnsupportedError(losses.problems, TARGET)
    header = replace(file.header, stop_ids=tuple(stop.id for stop in source.settings.stop_tokens), prefix_ids=prefix)
    report = Report(
        tool_version=__version__,
        encoding=f"{TEXT_ENCODING} {chosen.value} {chosen.name}",
        tables="none",
        engine=_ENGINE,
        files=source.files,
        components=losses.components(),
        limits=tuple(losses.limits),
        notices=(*source.notices, *notices),
    )
    return replace(file, header=header), report


def _prefix(source: Source, losses: Losses) -> tuple[int, ...]:
    """The ids in front of every text; those behind it are lost."""
    post_processor = source.pipeline.post_processor
    if post_processor is None:
        return ()
    part = Part("$.post_processor", type(post_processor).__name__)
    _refuse_lost_text(post_processor, part, losses)
    front, back = ids_around(post_processor)
    losses.became(part, f"the header's prefix list {list(front)}" if front else "nothing")
    if back:
        losses.limit(part, f"the ids {list(back)} after the text are never added", example="a", aspects=IDS)
    if front or back:
        losses.limit(ADDED_TOKENS, "the engine's whole decoding drops no special token", example="a", aspects=WHOLE)
    return front


def _refuse_lost_text(post_processor: PostProcessor, part: Part, losses: Losses) -> None:
    """The engine gives the ids of a text once; a template may lose them, or give them several times."""
    if isinstance(post_processor, PostProcessorSequence):
        for child in post_processor.processors:
            _refuse_lost_text(child, part, losses)
    elif isinstance(post_processor, TemplateProcessing):
        texts = sum(isinstance(piece, TemplateSequence) for piece in post_processor.single)
        if texts != 1:
            losses.refuse(part, f"the text must stand once in what is put together, it stands {texts} times")
