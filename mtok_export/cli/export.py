"""``mtok export``: a model directory to a ``.mtok`` file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from mtok_export.cli.options import EXISTING_FILE, FILE, OUTPUT, engine_choice, engine_options, source_options
from mtok_export.cli.progress import progress_bar
from mtok_export.exporting import DEFAULT_NAMES, Examine, FileFormat, export, written_file
from mtok_export.legacy.spec import LegacyType
from mtok_export.lowering import Composing
from mtok_export.report import Fidelity, Limit, Report

if TYPE_CHECKING:
    from mtok_export.verify import Verification

STEPS = ("read", "lower", "encode", "verify", "write")

_FORMAT = click.Choice(get_args(FileFormat))
_LEGACY_TYPES = tuple(kind.name for kind in LegacyType)

_FORMAT_HELP = (
    "mtok, txt (a text file, which older engines read and which loses more), or auto: what the name of --out ends "
    "with, else mtok for a tokenizer.json and txt for every other source."
)
_LEGACY_TYPE_HELP = "Which of the four types of text file to write, where the choice by the source is not wanted."
_LLM_CONFIG_HELP = (
    "Write the chat template of a text file into this file, the engine's llm_config.json; all else in it stays."
)

_DIFFERENCES_SHOWN = 2
"""Of each aspect, when --verify finds some."""


@click.command("export")
@source_options
@click.option(
    "--out",
    required=True,
    type=OUTPUT,
    help=f"File to write; in a directory it is {' or '.join(DEFAULT_NAMES.values())}.",
)
@click.option("--format", "file_format", type=_FORMAT, default="auto", show_default=True, help=_FORMAT_HELP)
@click.option("--legacy", is_flag=True, help="Write a text file, which older engines read: the same as --format txt.")
@click.option("--legacy-type", type=click.Choice(_LEGACY_TYPES, case_sensitive=False), help=_LEGACY_TYPE_HELP)
@click.option("--llm-config", type=EXISTING_FILE, help=_LLM_CONFIG_HELP)
@click.option("--plain", is_flag=True, help="One op per component, as the format document has it; no rewrites.")
@click.option(
    "--composing",
    type=click.Choice([kind.value for kind in Composing]),
    default=Composing.FULL.value,
    show_default=True,
    help="Of NFC and NFKC: all, letters with marks alone, or nothing; less is faster on the phone.",
)
@click.option("--strict", is_flag=True, help="Refuse a tokenizer of which any part is not exact.")
@click.option("--report", type=OUTPUT, help="Write the report to this file, as JSON.")
@click.option("--chat-template", type=FILE, help="Use the text of this file as the chat template.")
@click.option("--chat-template-name", help="Which of several named chat templates to use (default: default).")
@click.option(
    "--stop-token",
    "stop_tokens",
    multiple=True,
    help="A further token that ends generation: its text or its id. Repeatable.",
)
@click.option("--verify", "verified", is_flag=True, help="Compare with Hugging Face before the old file is replaced.")
@click.option("--allow-named", is_flag=True, help="With --verify: differences that the report names are no failure.")
@engine_options
@click.option("--quiet", is_flag=True, help="No summary; errors are still printed.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON on stdout.")
def export_command(
    path: Path,
    revision: str | None,
    trust_remote_code: bool,
    tiktoken_pattern: str | None,
    out: str,
    file_format: FileFormat,
    legacy: bool,
    legacy_type: str | None,
    llm_config: Path | None,
    plain: bool,
    composing: str,
    strict: bool,
    report: str | None,
    chat_template: Path | None,
    chat_template_name: str | None,
    stop_tokens: tuple[str, ...],
    verified: bool,
    allow_named: bool,
    engine: str,
    engine_python: str | None,
    deadline: float | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Turn a Hugging Face tokenizer into a .mtok file, or into a tokenizer.txt.

    Reads tokenizer.json and the files beside it, or another tokenizer file where there is none; needs no weights and,
    for a directory, no network.  What the engine will do otherwise than Hugging Face is in the summary and in the
    report; what cannot be expressed is refused and nothing is written.
    With --verify the engine runs the new file first (as mtok verify does), and a difference stops the export.
    """
    if legacy and file_format == "mtok":
        raise click.UsageError("--legacy asks for a text file and --format mtok for none")
    if not verified and (allow_named or engine_python or deadline or engine != "auto"):
        raise click.UsageError("--allow-named, --engine, --engine-python and --deadline go with --verify")

    def print_result(result: Verification) -> None:
        from mtok_export.cli.verify_table import lines

        if not quiet or not result.passed(allow_named=allow_named):
            for line in lines(result, out, _DIFFERENCES_SHOWN):
                click.echo(line, err=True)

    examine: Examine | None = None
    if verified:
        from mtok_export.verify import examiner

        choice = engine_choice(engine, engine_python, deadline)
        examine = examiner(choice, allow_named=allow_named, show=print_result)
    with progress_bar(STEPS) as progress:
        result = export(
            path,
            out,
            file_format="txt" if legacy else file_format,
            legacy_type=None if legacy_type is None else LegacyType[legacy_type],
            llm_config=llm_config,
            plain=plain,
            composing=Composing(composing),
            strict=strict,
            report=report,
            chat_template=chat_template,
            chat_template_name=chat_template_name,
            stop_tokens=stop_tokens,
            revision=revision,
            trust_remote_code=trust_remote_code,
            tiktoken_pattern=tiktoken_pattern,
            examine=examine,
            progress=progress,
        )
    if as_json:
        click.echo(result.to_json(), nl=False)
    if not quiet:
        for line in summary_lines(result, written_file(Path(out), result)):
            click.echo(line, err=True)


def summary_lines(report: Report, target: Path) -> Iterator[str]:
    """The summary for a person: what was written, and every limit."""
    summary = report.summary
    if summary is None:
        return
    merges = f", {summary.merges:,} merges" if summary.merges else ""
    yield f"{target}: {summary.bytes:,} bytes, {report.encoding}, for engine {report.engine} and later"
    yield f"  model     {summary.model}: {summary.vocab_size:,} entries{merges}"
    yield f"  specials  {summary.special_tokens:,} of {summary.added_tokens:,} added tokens; {_around(report)}"
    stops = ", ".join(f"{id_} {text!r}" if text is not None else str(id_) for id_, text, _ in summary.stop_tokens)
    yield f"  stop      {stops or 'none: no end-of-text token is known (--stop-token names one)'}"
    yield f"  template  {summary.chat_template or 'none'}"
    for notice in report.notices:
        yield f"  note      {notice.where}: {notice.message}"
    if report.measured is not None:
        shares = ", ".join(_share(*row) for row in report.measured.rows)
        yield f"  measured  on the built-in texts, by the {report.measured.engine}: {shares}"
    counts = ", ".join(f"{report.count(kind)} {kind.value}" for kind in (Fidelity.BOUNDED, Fidelity.APPROXIMATE))
    yield f"  limits    {counts if report.limits else 'none: exact'}"
    for limit in report.limits:
        yield f"    {_limit_line(limit)}"


def _share(aspect: str, compared: int, equal: int, spaced: int) -> str:
    but = f" ({(equal + spaced) / compared:.2%} but for a space in front)" if spaced else ""
    return f"{aspect} {equal / compared:.2%} equal{but}"


def _around(report: Report) -> str:
    summary = report.summary
    if summary is None or not (summary.prefix_ids or summary.suffix_ids):
        return "none put round a text"
    parts = []
    if summary.prefix_ids:
        parts.append(f"{list(summary.prefix_ids)} before a text")
    if summary.suffix_ids:
        parts.append(f"{list(summary.suffix_ids)} after it")
    return ", ".join(parts)


def _limit_line(limit: Limit) -> str:
    aspects = "/".join(aspect.value for aspect in limit.aspects)
    bound = f" [exact for {limit.bound}]" if limit.bound else ""
    example = f" e.g. {_short(limit.example)}" if limit.example else ""
    return f"{limit.fidelity.value} ({aspects}) {limit.path} {limit.component}: {limit.reason}{bound}{example}"


def _short(text: str, width: int = 60) -> str:
    """A text in ASCII quotes, so that no control character reaches the terminal; long ones are cut."""
    shown = ascii(text)
    return shown if len(shown) <= width else f"{shown[: width - 4]}...{shown[-1]}"
