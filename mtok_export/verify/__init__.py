"""Prove what a tokenizer file does: the engine that runs it against Hugging Face, text by text.

``verify(directory, file)`` compares and returns a ``Verification``; ``compare`` is the same for what is read already.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from mtok_export.errors import MtokError, SourceError
from mtok_export.legacy.llm_config import LlmConfig
from mtok_export.report import Limit, Report
from mtok_export.source import load_source
from mtok_export.source.files import read_file
from mtok_export.source.settings import Source
from mtok_export.tokenizer_file import decode_file
from mtok_export.verify.candidates import Candidate, config_of
from mtok_export.verify.coverage import limits_of_report
from mtok_export.verify.engines import DEADLINE_SECONDS, EngineChoice
from mtok_export.verify.measuring import measure
from mtok_export.verify.results import Difference, Row, RowResult, Verification
from mtok_export.verify.text_files import read_texts
from mtok_export.verify.verification import STEPS, Progress, compare

__all__ = [
    "DEADLINE_SECONDS",
    "STEPS",
    "Candidate",
    "Difference",
    "EngineChoice",
    "Row",
    "RowResult",
    "Verification",
    "compare",
    "examiner",
    "measure",
    "read_texts",
    "verify",
]

StrPath = str | os.PathLike[str]


def verify(
    directory: StrPath,
    file: StrPath,
    *,
    engine: str = "auto",
    engine_python: str | None = None,
    deadline: float = DEADLINE_SECONDS,
    texts: Sequence[str] = (),
    report: StrPath | None = None,
    chat_template: StrPath | None = None,
    chat_template_name: str | None = None,
    llm_config: StrPath | None = None,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Compare a tokenizer file with the model directory that it was made from.

    Args:
        directory: a directory, a ``tokenizer.json``, or a directory whose ``tokenizer`` folder holds it.
        file: the ``.mtok`` or text file.
        engine: ``auto``, ``native``, ``model`` or ``model:VERSION``.
        engine_python: the interpreter that has the package ``mnn``, where it is not this one.
        deadline: seconds that the engine may take for loading, and for each text.
        texts: further texts, beside the built-in ones.
        report: the report of the export, whose limits name differences in advance.
        chat_template: a file whose text is the chat template that was exported.
        chat_template_name: which of several named templates was exported.
        llm_config: where a text file has its chat template; by default the ``llm_config.json`` beside it, if any.
        progress: called with the name of each step of ``STEPS`` before it starts.

    Raises:
        SourceError: the directory, the report or the file cannot be read, or a Hugging Face library refuses it.
        FormatError: it is no tokenizer file of the engine, or a damaged one.
        EngineError: the engine that was asked for is not installed.
        MtokError: ``engine`` is no engine.
    """
    choice = replace(EngineChoice.parse(engine, python=engine_python), deadline=deadline)
    name = os.fspath(file)
    data = read_file(Path(file), name)
    read = decode_file(data, name=name)
    config = config_of(Path(file), read, None if llm_config is None else Path(llm_config))
    candidate = Candidate(Path(file), read, config)
    limits = () if report is None else _limits(Path(report), hashlib.sha256(data).hexdigest())
    source = load_source(
        directory,
        chat_template=None if chat_template is None else Path(chat_template),
        chat_template_name=chat_template_name,
    )
    return compare(source, candidate, choice, texts=texts, limits=limits, progress=progress)


def _limits(path: Path, sha256: str) -> tuple[Limit, ...]:
    try:
        value = orjson.loads(read_file(path, str(path)))
    except orjson.JSONDecodeError as error:
        raise SourceError(f"this is no JSON: {error}", where=str(path)) from None
    return limits_of_report(value, sha256, str(path))


def examiner(
    choice: EngineChoice, *, allow_named: bool, show: Callable[[Verification], None]
) -> Callable[[Source, bytes, Report, LlmConfig | None], None]:
    """Makes a function for ``mtok_export.export`` that lets a file be written only if the comparison passes.

    Args:
        choice: which engine runs the file.
        allow_named: whether differences that the report names are no failure.
        show: called with what was found.

    Returns:
        A function of the source, the bytes of the file, the report, and of a text file the ``llm_config.json`` with
        its chat template; it raises ``MtokError`` where they differ.
    """

    def examine(source: Source, data: bytes, report: Report, llm_config: LlmConfig | None) -> None:
        with tempfile.TemporaryDirectory(prefix="mtok-verify-") as folder:
            path = Path(folder) / "tokenizer"
            path.write_bytes(data)
            result = compare(source, Candidate(path, decode_file(data), llm_config), choice, limits=report.limits)
        show(result)
        if not result.passed(allow_named=allow_named):
            hint = "see what differs; --allow-named accepts what the report names" if result.differences else None
            raise MtokError("the new file does not do what the tokenizer does, so nothing was written", hint=hint)

    return examine
