"""``mtok decode``: ids to text, as the engine does it in its two ways."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from mtok_export.cli.loaded import STDIN, loaded, stdin_text
from mtok_export.cli.options import engine_choice, engine_options
from mtok_export.errors import OutputError
from mtok_export.format.spec import MAX_ID


@click.command("decode")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("ids", nargs=-1, required=True)
@engine_options
@click.option("--raw", is_flag=True, help="Print the streamed bytes alone, as they are.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def decode_command(
    file: Path,
    ids: tuple[str, ...],
    engine: str,
    engine_python: str | None,
    deadline: float | None,
    raw: bool,
    as_json: bool,
) -> None:
    """Print what the engine shows for IDS.

    Each id with its piece and with what streaming shows for it, which is what an app prints while the model speaks;
    then the streamed text, and the text of whole decoding, which drops special tokens and comes from the model of the
    engine (the real one offers it to C++ alone).  With - the ids are read from standard input.
    """
    numbers = _numbers(ids)
    with loaded(file, engine_choice(engine, engine_python, deadline)) as tokenizer:
        streamed = tokenizer.engine.decode_ids(numbers)
        if raw:
            if sys.stdout is None:
                raise OutputError("it is closed, and there are bytes to be written", where="stdout")
            sys.stdout.buffer.write(b"".join(streamed))
            sys.stdout.buffer.flush()
            tokenizer.finish()
            return
        streaming = b"".join(streamed).decode("utf-8", "replace")
        whole = tokenizer.engine.decode(numbers).decode("utf-8", "replace")
        if as_json:
            shown = [
                {**token, "streamed": data.decode("utf-8", "replace")}
                for token, data in zip(tokenizer.tokens(numbers), streamed, strict=True)
            ]
            value = {**tokenizer.about(), "ids": numbers, "tokens": shown, "streaming": streaming, "whole": whole}
            click.echo(json.dumps(value, indent=2))
        else:
            for line, data in zip(tokenizer.lines(numbers), streamed, strict=True):
                click.echo(f"{line}  {_shown(data)}")
            click.echo(f"streaming {streaming!a}")
            click.echo(f"whole     {whole!a}")
        tokenizer.finish()


def _numbers(ids: tuple[str, ...]) -> list[int]:
    words = stdin_text().split() if ids == (STDIN,) else ids
    return [_id(word) for word in words]


def _id(word: str) -> int:
    if word.isascii() and word.isdecimal() and int(word[:20]) <= MAX_ID:
        return int(word)
    raise click.BadParameter(f"{word!r} is no id, a whole number from 0 to {MAX_ID}", param_hint="IDS")


def _shown(data: bytes) -> str:
    """Bytes for a person: as text, or as bytes where they are no text of their own."""
    try:
        return ascii(data.decode("utf-8"))
    except UnicodeDecodeError:
        return repr(data)
