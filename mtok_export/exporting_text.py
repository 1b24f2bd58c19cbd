"""The export of a text file: lowering, checks, what it loses on the built-in texts, and llm_config.json."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from mtok_export.errors import MtokError, UnsupportedError
from mtok_export.exporting import Export
from mtok_export.legacy import HuggingFaceFile, LegacyFile, LegacyType, SentencePieceFile, check, lower_legacy
from mtok_export.legacy.llm_config import LlmConfig, load_llm_config, with_template
from mtok_export.lowering.chat_template import lower_chat_template
from mtok_export.lowering.findings import Findings, Place
from mtok_export.report import Report, Summary
from mtok_export.source.settings import Notice, Source

_HEADER_LINES = 3


def export_text(source: Source, kind: LegacyType | None, llm_config: Path | None, *, plain: bool) -> Export:
    """Make a text file.

    Args:
        source: the tokenizer.
        kind: the type; chosen for ``None``.
        llm_config: the engine's ``llm_config.json``, into which the chat template goes.
        plain: asked for of ``.mtok`` files alone.

    Raises:
        SourceError: ``llm_config`` cannot be read.
        UnsupportedError: the type cannot hold the tokenizer, or the engine would die of the chat template.
        FormatError: the engine would stumble over the file.
        MtokError: there is no chat template for ``llm_config``, or ``plain`` is asked for.
    """
    if plain:
        raise MtokError("a text file has but one encoding: there is no plain one", hint="leave --plain out")
    file, report = lower_legacy(source, kind)
    config, report = _with_config(source, file, report, llm_config)
    check(file)
    data = file.encode()
    report = _measured(source, file, report)
    return Export(data, replace(report, summary=_summary(source, file, data)), config)


def _with_config(
    source: Source, file: LegacyFile, report: Report, path: Path | None
) -> tuple[LlmConfig | None, Report]:
    """The changed configuration, and the report with what the engine's Jinja does otherwise."""
    settings = source.settings
    template = settings.chat_template
    if path is None:
        if template is None:
            return None, report
        message = "a text file cannot hold the chat template; --llm-config writes it where the engine looks for it"
        return None, replace(report, notices=(*report.notices, Notice(template.origin, message)))
    if template is None:
        raise MtokError("there is no chat template to write into it", where=str(path), hint="--chat-template names one")
    config = load_llm_config(path)
    findings = Findings()
    place = Place("chat_template", "ChatTemplate", findings)
    contents = {token.id: token.content for token in source.pipeline.added_tokens}
    prefix = "".join(contents.get(id_, "") for id_ in file.header.prefix_ids)
    text = lower_chat_template(settings, prefix, place, faithful=True)
    if findings.problems:
        raise UnsupportedError(findings.problems, "llm_config.json")
    bos, eos = settings.bos_token, settings.eos_token
    config = with_template(config, text, bos_token=bos.content if bos else None, eos_token=eos.content if eos else None)
    components = (*report.components, *findings.lowered())
    return config, replace(report, components=components, limits=(*report.limits, *findings.limits))


def _measured(source: Source, file: LegacyFile, report: Report) -> Report:
    """The report with how many of the built-in texts come out the same, and with an example for every limit on ids."""
    from mtok_export.verify import measure

    measured, examples = measure(source, file, report.limits)
    limits = (replace(limit, example=limit.example or examples.get(limit)) for limit in report.limits)
    return replace(report, measured=measured, limits=tuple(limits))


def _summary(source: Source, file: LegacyFile, data: bytes) -> Summary:
    settings = source.settings
    rows = file.pieces if isinstance(file, SentencePieceFile) else file.tokens
    header = sum(len(line) + 1 for line in data.split(b"\n", _HEADER_LINES)[:_HEADER_LINES])
    return Summary(
        model=f"{type(source.pipeline.model).__name__} as {file.kind.name}",
        vocab_size=len(rows),
        merges=len(file.merges) if isinstance(file, HuggingFaceFile) else 0,
        added_tokens=len(source.pipeline.added_tokens),
        special_tokens=len(file.header.special_ids),
        prefix_ids=file.header.prefix_ids,
        suffix_ids=(),
        stop_tokens=tuple((stop.id, stop.content, stop.reasons) for stop in settings.stop_tokens),
        chat_template=None if settings.chat_template is None else settings.chat_template.origin,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        sections=(("header", header), ("rows", len(data) - header)),
    )
