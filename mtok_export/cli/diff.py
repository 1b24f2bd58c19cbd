"""``mtok diff``: what differs between two files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mtok_export.cli.say import say

if TYPE_CHECKING:
    from mtok_export.diffing import Change, Differences


@click.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "-n",
    "--most",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="NUMBER",
    help="So many differences of each kind are shown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff_command(old: Path, new: Path, most: int, as_json: bool) -> None:
    """Show what differs between the files OLD and NEW, by meaning.

    Exit code 0 for files that mean the same, 1 for others.
    """
    from mtok_export.diffing import diff, template_diff
    from mtok_export.format import MtokFile
    from mtok_export.tokenizer_file import decode_file, read_bytes

    data = read_bytes(old), read_bytes(new)
    files = decode_file(data[0], name=str(old)), decode_file(data[1], name=str(new))
    found = diff(*files, most=most)
    before, after = (each.tail.chat_template if isinstance(each, MtokFile) else None for each in files)
    templates = template_diff(before, after, (str(old), str(new)))
    same = data[0] == data[1]
    if as_json:
        value = {
            "old": str(old),
            "new": str(new),
            "same_bytes": same,
            "differences": [each.as_dict() for each in found],
            "chat_template": templates,
        }
        click.echo(json.dumps(value, indent=2))
    else:
        for line in _lines(same, found, templates):
            say(line)
    if found:
        click.get_current_context().exit(1)


def _lines(same: bool, found: Sequence[Differences], templates: list[str]) -> Iterator[str]:
    from mtok_export.shown import visible_line

    if not found:
        yield "the same bytes" if same else _OTHER_BYTES
        return
    for each in found:
        yield f"{each.section}: {each.kind}: {each.count:,}"
        if each.section == "chat_template":
            yield from (f"  {visible_line(line)}" for line in templates)
            continue
        strings = each.kind.startswith(("entries", "tokens")) and each.section != "rows"
        for change in each.first:
            yield f"  {_change(change, strings)}"
        if each.count > len(each.first):
            yield f"  ... and {each.count - len(each.first):,} more"


_OTHER_BYTES = (
    "the same meaning in other bytes (a space at the end of the header's line 3, a number in another spelling)"
)


def _change(change: Change, is_string: bool) -> str:
    from mtok_export.shown import visible, visible_line

    what = visible(change.what) if is_string else visible_line(change.what)
    if change.old is None and change.new is None:
        return what
    if change.old is None:
        return f"+ {what}: {_value(change.new)}"
    if change.new is None:
        return f"- {what}: {_value(change.old)}"
    return f"  {what}: {_value(change.old)} -> {_value(change.new)}"


def _value(value: Any) -> str:
    from mtok_export.shown import visible

    if isinstance(value, dict):
        return " ".join(str(part) if key == "op" else f"{key}={_value(part)}" for key, part in value.items())
    return visible(value, 200) if isinstance(value, str) else str(value)
