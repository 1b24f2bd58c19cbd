"""``mtok encode``: a text to ids, as the engine does it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mtok_export.cli.loaded import STDIN, loaded, stdin_text
from mtok_export.cli.options import engine_choice, engine_options


@click.command("encode")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("text")
@engine_options
@click.option("--keep-newline", is_flag=True, help="Keep the last line end of standard input.")
@click.option("--ids-only", is_flag=True, help="Print the ids alone, on one line.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def encode_command(
    file: Path,
    text: str,
    engine: str,
    engine_python: str | None,
    deadline: float | None,
    keep_newline: bool,
    ids_only: bool,
    as_json: bool,
) -> None:
    r"""Print the ids that the engine gives to TEXT, each with its piece.

    The ids of the header's prefix list come first.  With - as TEXT standard input is read, as UTF-8; one line end at
    its very end (which echo and editors put there) is left out unless --keep-newline is given.  A TEXT that starts
    with a dash goes behind --.
    """
    if text == STDIN:
        text = stdin_text()
        if not keep_newline:
            text = text.removesuffix("\n").removesuffix("\r") if text.endswith("\r\n") else text.removesuffix("\n")
    with loaded(file, engine_choice(engine, engine_python, deadline)) as tokenizer:
        ids = tokenizer.encode(text)
        if as_json:
            value = {**tokenizer.about(), "text": text, "ids": ids, "tokens": tokenizer.tokens(ids)}
            click.echo(json.dumps(value, indent=2))
        elif ids_only:
            click.echo(" ".join(map(str, ids)))
        else:
            for line in tokenizer.lines(ids):
                click.echo(line)
        tokenizer.finish()
