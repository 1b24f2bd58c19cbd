"""``mtok validate``: what the engine would stumble over in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mtok_export.cli.options import DEADLINE
from mtok_export.cli.say import say

if TYPE_CHECKING:
    from mtok_export.validating import Finding

_VERSIONS = ("3.5", "3.6", "next")


@click.command("validate")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
@click.option(
    "--engine-version",
    type=click.Choice(_VERSIONS),
    help="Judge for one engine version. Without it all count, and what only 3.5 dies of is a warning.",
)
@click.option(
    "--run",
    is_flag=True,
    help="Put the file into the real engine as well, with the stack of an app's thread: load, encode, render.",
)
@click.option("--engine-python", metavar="PYTHON", help="The Python that has the engine, where it is not this one.")
@click.option(
    "--deadline",
    type=DEADLINE,
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="With --run: how long the engine may take for loading, and for each text.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def validate_command(
    file: Path,
    strict: bool,
    engine_version: str | None,
    run: bool,
    engine_python: str | None,
    deadline: float,
    as_json: bool,
) -> None:
    """Look for everything in FILE that the engine trusts without checking.

    An error kills the process or gives wrong ids or text; a warning is something that is silently other than it looks.
    Exit code 1 where there is an error.
    """
    from mtok_export.tokenizer_file import read_bytes
    from mtok_export.validating import Severity, run_findings, validate

    findings = validate(read_bytes(file), engine=engine_version)
    if run:
        findings += run_findings(file, python=engine_python or sys.executable, deadline=deadline)
    counts = {severity.value: sum(finding.severity is severity for finding in findings) for severity in Severity}
    if as_json:
        click.echo(
            json.dumps({"file": str(file), **counts, "findings": [each.as_dict() for each in findings]}, indent=2)
        )
    else:
        for line in _lines(str(file), findings, counts):
            say(line)
    if counts[Severity.ERROR.value] or (strict and findings):
        click.get_current_context().exit(1)


def _lines(name: str, findings: Sequence[Finding], counts: dict[str, int]) -> Iterator[str]:
    from mtok_export.shown import counted, visible_line

    said = " and ".join(counted(count, severity) for severity, count in counts.items() if count)
    yield f"{visible_line(name)}: {said or 'nothing found'}"
    for finding in findings:
        place = "" if finding.offset is None else f"byte {finding.offset:,}"
        where = ", ".join(part for part in (finding.where, place) if part)
        versions = "" if len(finding.versions) == len(_VERSIONS) else f" (engine {', '.join(finding.versions)})"
        yield f"{finding.severity.value} {finding.code}{f' at {where}' if where else ''}{versions}"
        for title, text in (("", finding.what), ("why: ", finding.why), ("do: ", finding.fix)):
            for number, line in enumerate(text.splitlines()):
                yield f"    {title if number == 0 else '  '}{visible_line(line)}"
