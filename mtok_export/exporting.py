"""The main job in one function: a model directory in, a file (and a report) out."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from mtok_export.atomic import write_files
from mtok_export.errors import MtokError, OutputError, Problem, UnsupportedError
from mtok_export.format import MtokFile, SectionSpan, check
from mtok_export.format.model import Bpe
from mtok_export.format.tail import SpecialTokenId
from mtok_export.legacy.spec import LegacyType
from mtok_export.lowering import Composing, Options, lower
from mtok_export.records import dataclass
from mtok_export.report import Report, Summary
from mtok_export.source import load_source
from mtok_export.source.json_values import paused_gc
from mtok_export.source.settings import Settings, Source

if TYPE_CHECKING:  # text files are made now and then: what that takes is imported when it is
    from mtok_export.legacy.llm_config import LlmConfig

StrPath = str | os.PathLike[str]
Progress = Callable[[str], None]
Examine = Callable[[Source, bytes, Report, "LlmConfig | None"], None]
FileFormat = Literal["auto", "mtok", "txt"]

DEFAULT_NAMES: dict[Literal["mtok", "txt"], str] = {"mtok": "tokenizer.mtok", "txt": "tokenizer.txt"}


@dataclass(frozen=True)
class Export:
    """What is to be written, and the report; ``llm_config`` is that file with a text file's chat template in it."""

    data: bytes
    report: Report
    llm_config: LlmConfig | None = None


def export(
    path: StrPath,
    out: StrPath,
    *,
    file_format: FileFormat = "auto",
    legacy_type: LegacyType | None = None,
    llm_config: StrPath | None = None,
    plain: bool = False,
    composing: Composing = Composing.FULL,
    strict: bool = False,
    report: StrPath | None = None,
    chat_template: StrPath | None = None,
    chat_template_name: str | None = None,
    stop_tokens: Sequence[str | int] = (),
    revision: str | None = None,
    trust_remote_code: bool = False,
    tiktoken_pattern: str | None = None,
    examine: Examine | None = None,
    progress: Progress = lambda _step: None,
) -> Report:
    """Export the tokenizer of a model directory.

    Args:
        path: a directory, a tokenizer file, or the id of a model on the Hugging Face Hub (``load_source`` says more).
        out: the file to write; in a directory it is called ``tokenizer.mtok`` or ``tokenizer.txt``.
        file_format: ``mtok``, ``txt`` for a text file, or ``auto``: what the name of ``out`` ends with, and otherwise
            ``mtok`` for a ``tokenizer.json`` and ``txt`` for every other source.
        legacy_type: the type of text file; chosen by the source for ``None``.
        llm_config: the engine's ``llm_config.json``, into which the chat template of a text file is written.
        plain: give the encoding of the format document instead of the faithful one.
        composing: what a faithful ``.mtok`` file composes where the tokenizer asks for NFC or NFKC.
        strict: refuse a tokenizer of which any part is not exact.
        report: where to write the report as JSON, if anywhere.
        chat_template: a file whose text is used as the chat template.
        chat_template_name: which of several named templates to use.
        stop_tokens: further tokens that end generation, each the text of a token or an id (a number, or its digits).
        revision: a branch, tag or commit, where ``path`` is the id of a model on the Hugging Face Hub.
        trust_remote_code: whether Python code that comes with the model may be run, where only that code can read it.
        tiktoken_pattern: by which pattern the texts of a file of tiktoken ranks are split, where no file says so.
        examine: called with the source, the bytes, the report and the changed ``llm_config.json`` (if there is one)
            before anything is written; what it raises stops the export, and the old file stays
            (``mtok_export.verify.examiner`` makes one).
        progress: called with the name of each step before it starts.

    Returns:
        The report, whose ``summary`` describes the file that was written.

    Raises:
        SourceError: the directory is damaged or contradicts itself.
        UnsupportedError: parts cannot be expressed, or (with ``strict``) are not exact.
        OutputError: the file or the report cannot be written.
        MtokError: ``llm_config`` is given for a ``.mtok`` file, or without a chat template.
    """
    _refuse_options(out, file_format, legacy_type, composing, plain=plain)
    _refuse_slashes(other for other in (out, report, llm_config) if other is not None)
    _refuse_odd(Path(out))
    beside = [Path(other) for other in (report, llm_config) if other is not None]
    wanted = _wanted(file_format, Path(out), legacy_type)
    _refuse_unwritable([_target(Path(out), wanted or "mtok"), *beside])
    with paused_gc():
        progress("read")
        source = load_source(
            path,
            chat_template=None if chat_template is None else Path(chat_template),
            chat_template_name=chat_template_name,
            stop_tokens=stop_tokens,
            revision=revision,
            trust_remote_code=trust_remote_code,
            tiktoken_pattern=tiktoken_pattern,
        )
        wanted = wanted or ("mtok" if source.is_tokenizer_json else "txt")
        target = _target(Path(out), wanted)
        _refuse_unwritable([target, *beside])
        _refuse_sources([target, *beside], source)
        compare = None if examine is None else partial(examine, source)
        progress("lower")
        config = None if llm_config is None else Path(llm_config)
        if wanted == "txt":
            from mtok_export.exporting_text import export_text

            made = export_text(source, legacy_type, config, plain=plain)
        else:
            _refuse_config(config)
            if compare is None:
                source = replace(source, tokenizer_json=b"")  # megabytes that nothing but a comparison reads again
            file, lowered = lower(source, Options(faithful=not plain, composing=composing))
            settings = source.settings
            del source  # and with it the vocabulary as it was read
            progress("encode")
            made = _encoded(file, lowered, settings)
    result = made.report
    if strict and result.limits:
        problems = [Problem(limit.path, limit.component, limit.reason) for limit in result.limits]
        raise UnsupportedError(problems, f"a .{wanted} file")
    if compare is not None:
        progress("verify")
        compare(made.data, result, made.llm_config)
    progress("write")
    contents = {target: made.data}
    if made.llm_config is not None and llm_config is not None:
        contents[Path(llm_config)] = made.llm_config.encode()
    if report is not None:
        contents[Path(report)] = result.to_json().encode("utf-8")
    write_files(contents)
    return result


def _wanted(file_format: FileFormat, out: Path, legacy_type: LegacyType | None) -> Literal["mtok", "txt"] | None:
    """The format, where it can be told without the source."""
    if file_format == "auto":
        if legacy_type is not None or (out.suffix == ".txt" and not out.is_dir()):
            return "txt"
        return "mtok" if out.suffix == ".mtok" and not out.is_dir() else None
    if file_format == "mtok" and legacy_type is not None:
        raise MtokError(f"a .mtok file has no legacy type, and {legacy_type.name} is asked for")
    return file_format


def _refuse_config(llm_config: Path | None) -> None:
    if llm_config is not None:
        reason = "a .mtok file has its chat template in itself, and one in this file would come before it"
        raise MtokError(reason, where=str(llm_config), hint="leave --llm-config out, or write a text file")


def _encoded(file: MtokFile, report: Report, settings: Settings) -> Export:
    """The bytes of a ``.mtok`` file, with its report."""
    check(file)
    data, spans = file.encode_with_spans()
    return Export(data, replace(report, summary=_summary(settings, file, data, spans)))


def _target(out: Path, file_format: Literal["mtok", "txt"]) -> Path:
    return out / DEFAULT_NAMES[file_format] if out.is_dir() else out


def written_file(out: Path, report: Report) -> Path:
    """The tokenizer file that an export to ``out`` wrote, by its report."""
    return _target(out, "txt" if report.is_text else "mtok")


def _refuse_options(
    out: StrPath, file_format: FileFormat, legacy_type: LegacyType | None, composing: Composing, *, plain: bool
) -> None:
    """Say what is no value of an option, and what does not go together."""
    if file_format not in get_args(FileFormat):
        raise MtokError(f"{file_format!r} is no format", hint=f"give one of {', '.join(get_args(FileFormat))}")
    if not isinstance(composing, Composing):
        raise MtokError(f"composing is {composing!r}", hint="give a member of mtok_export.Composing")
    if legacy_type is not None and not isinstance(legacy_type, LegacyType):
        raise MtokError(f"legacy_type is {legacy_type!r}", hint="give a member of LegacyType, or None")
    if not str(out):
        raise OutputError("the name of the file to be written is empty")
    if composing is not Composing.FULL and (plain or file_format == "txt"):
        what = "a plain file" if plain else "a text file"
        raise MtokError(f"composing is {composing.value!r}, and {what} composes nothing", hint="leave it out")


def _refuse_slashes(targets: Iterable[StrPath]) -> None:
    """A name that ends with a slash is that of a directory; a path object would not know that it did."""
    for target in targets:
        name = os.fspath(target)
        if name.endswith((os.sep, os.altsep or os.sep)) and not Path(name).is_dir():
            raise OutputError("there is no such directory", where=name, hint="make it, or leave the slash out")


def _refuse_unwritable(targets: list[Path]) -> None:
    """Say early what would fail late: a missing folder, a target that is a directory, two outputs in one file."""
    for target in targets:
        _refuse_odd(target)
        if not target.parent.is_dir():
            raise OutputError("the folder does not exist", where=str(target.parent), hint="make it, or check the path")
        if target.is_dir():
            raise OutputError("it is a directory, and a file name is needed", where=str(target))
        if target.exists() and not target.is_file():
            raise OutputError("it is a device or a pipe, and a file is needed", where=str(target))
    if len({target.resolve() for target in targets}) < len(targets):
        raise OutputError("two of the files to be written have this name", where=str(targets[-1]))


def _refuse_odd(target: Path) -> None:
    """Names that no file can have, and links that lead nowhere."""
    if "\0" in str(target):
        raise OutputError("this is no path: it holds U+0000", where=ascii(str(target)))
    try:
        target.resolve()
        target.lstat()
    except FileNotFoundError:
        return
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, before Python 3.13
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(f"no file can be written there: {reason}", where=str(target)) from None


def _refuse_sources(targets: Iterable[Path], source: Source) -> None:
    """A target that is one of the files that were read would be lost."""
    read = {path.resolve() for path in source.paths}
    for target in targets:
        if target.exists() and target.resolve() in read:
            raise OutputError("it is one of the files that the tokenizer is read from", where=str(target))


def _summary(settings: Settings, file: MtokFile, data: bytes, spans: Iterable[SectionSpan]) -> Summary:
    model = file.model
    steps = file.tail.post_processor or ()
    return Summary(
        model=type(model).__name__,
        vocab_size=len(model.vocab),
        merges=len(model.merges) if isinstance(model, Bpe) else 0,
        added_tokens=len(file.added_tokens),
        special_tokens=len(file.header.special_ids),
        prefix_ids=file.header.prefix_ids,
        suffix_ids=tuple(step.id for step in steps if isinstance(step, SpecialTokenId)),
        stop_tokens=tuple((stop.id, stop.content, stop.reasons) for stop in settings.stop_tokens),
        chat_template=None if settings.chat_template is None else settings.chat_template.origin,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        sections=tuple((span.name, span.end - span.start) for span in spans),
    )
