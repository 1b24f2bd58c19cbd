"""``mtok inspect``: what stands in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mtok_export.cli.say import say

if TYPE_CHECKING:
    from mtok_export.inspecting import Inspection
    from mtok_export.tokenizer_file import TokenizerFile

_SECTION_HELP = "Show one section alone: header, normalizer, pre_tokenizer, model, decoder, added_tokens, ..."


@click.command("inspect")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--section", metavar="NAME", help=_SECTION_HELP)
@click.option("--chat-template", is_flag=True, help="Print the chat template alone, as it stands in the file.")
@click.option(
    "--unreachable",
    is_flag=True,
    help="Look for entries that no text can give as well; takes seconds, for large vocabularies up to a minute.",
)
@click.option(
    "--texts",
    type=click.Path(path_type=Path),
    help="Count characters per token by script on the texts of this file: one per line, or JSON lines (.jsonl).",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def inspect_command(
    file: Path, section: str | None, chat_template: bool, unreachable: bool, texts: Path | None, as_json: bool
) -> None:
    """Show what stands in FILE: header, ops, sizes, vocabulary and merges, added tokens, chat template."""
    if chat_template and (section or unreachable or texts or as_json):
        raise click.UsageError("--chat-template prints the template and goes with no other option")
    from mtok_export import legacy
    from mtok_export.inspecting import Inspection
    from mtok_export.places import Opened
    from mtok_export.tokenizer_file import read_bytes

    data = read_bytes(file)
    if legacy.is_legacy(data):
        if chat_template or unreachable:
            option = "--chat-template" if chat_template else "--unreachable"
            raise click.UsageError(f"{option} is for .mtok files, and this is a text file")
        _inspect_text(str(file), data, section, texts, as_json)
        return
    opened = Opened.of(data, str(file))
    if chat_template:
        _print_template(opened.file.tail.chat_template or "")
        return
    inspection = Inspection(opened)
    value = inspection.as_dict() if section is None else {section: inspection.section(section)}
    value |= _on_demand(inspection, unreachable, texts)
    if as_json:
        click.echo(json.dumps(value, indent=2))
        return
    for line in _lines(value, section):
        say(line)


def _on_demand(inspection: Inspection, unreachable: bool, texts: Path | None) -> dict[str, Any]:
    """What takes longer, and is asked for by an option."""
    from mtok_export.inspecting import reachability

    value: dict[str, Any] = {}
    file = inspection.opened.file
    if unreachable:
        value["unreachable"] = reachability(file).as_dict()
    if texts is not None:
        value |= _by_script(file, texts)
    return value


def _by_script(file: TokenizerFile, texts: Path) -> dict[str, Any]:
    """Characters per token on the texts of a file."""
    from mtok_export.engine.model import model_of
    from mtok_export.inspecting import characters_per_token
    from mtok_export.verify.text_files import read_texts

    figures = characters_per_token(read_texts(texts), model_of(file), file.header.prefix_ids)
    return {"characters_per_token": [line.as_dict() for line in figures]}


def _inspect_text(name: str, data: bytes, section: str | None, texts: Path | None, as_json: bool) -> None:
    """The whole command for a text file."""
    from mtok_export import legacy
    from mtok_export.inspecting.lines import script_lines
    from mtok_export.inspecting.text_file import TextInspection, text_file_lines, text_section_lines

    inspection = TextInspection(name, data, legacy.decode(data, name=name))
    value = inspection.as_dict() if section is None else {section: inspection.section(section)}
    value |= {} if texts is None else _by_script(inspection.file, texts)
    if as_json:
        click.echo(json.dumps(value, indent=2))
        return
    for line in text_file_lines(value) if section is None else text_section_lines(section, value[section]):
        say(line)
    for line in script_lines(value["characters_per_token"]) if texts is not None else ():
        say(line)


def _lines(value: dict[str, Any], section: str | None) -> Iterator[str]:
    from mtok_export.inspecting import lines

    whole = sys.maxsize
    yield from lines.file_lines(value) if section is None else lines.section_lines(section, value[section], whole)
    if "unreachable" in value:
        yield from lines.unreachable_lines(value["unreachable"])
    if "characters_per_token" in value:
        yield from lines.script_lines(value["characters_per_token"])


def _print_template(template: str) -> None:
    """Byte for byte into a file or a pipe; on a terminal no control character gets through."""
    if sys.stdout.isatty():
        from mtok_export.shown import visible_line

        for line in template.split("\n"):
            say(visible_line(line.replace("\t", "    ")))
        return
    click.echo(template.encode("utf-8"), nl=False)
