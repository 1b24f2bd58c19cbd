"""``mtok chat``: a conversation, rendered and encoded as the engine does it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import click

from mtok_export.cli.loaded import STDIN, loaded, stdin_text
from mtok_export.cli.options import engine_choice, engine_options, llm_config_option
from mtok_export.errors import EngineError, SourceError


@click.command("chat")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("messages")
@engine_options
@llm_config_option
@click.option("--raw", is_flag=True, help="Print the rendered text alone, as it is.")
@click.option("--ids-only", is_flag=True, help="Print the ids alone, on one line.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def chat_command(
    file: Path,
    messages: str,
    engine: str,
    engine_python: str | None,
    deadline: float | None,
    llm_config: Path | None,
    raw: bool,
    ids_only: bool,
    as_json: bool,
) -> None:
    """Print a conversation as the file's chat template renders it, and the ids that the engine gives to it.

    MESSAGES is a JSON file (- is standard input): a list of messages with role and content, or an object that holds
    such a list under messages.  A message that has more than these, or a content that is no text, goes to the engine as
    its role json has it.  The assistant's next turn is opened.  Needs the native engine: the model renders nothing.
    """
    choice = engine_choice(engine, engine_python, deadline)
    if choice.kind == "model":
        raise click.BadParameter("the model has no template engine; give native", param_hint="--engine")
    if not choice.native:
        raise EngineError("chat needs the native engine", hint="install the extra: pip install 'mtok-export[engine]'")
    conversation = _conversation(messages)
    with loaded(file, choice, llm_config, reads_config=True) as tokenizer:
        text = tokenizer.engine.chat(conversation)
        ids = tokenizer.encode(text)
        if as_json:
            value = {**tokenizer.about(), "text": text, "ids": ids, "tokens": tokenizer.tokens(ids)}
            click.echo(json.dumps(value, indent=2))
        elif raw:
            click.echo(text, nl=False)
        elif ids_only:
            click.echo(" ".join(map(str, ids)))
        else:
            for line in StringIO(text, newline="\n"):
                click.echo(ascii(line))
            for line in tokenizer.lines(ids):
                click.echo(line)
        tokenizer.finish()


def _conversation(name: str) -> list[dict[str, str]]:
    """The messages of a file, as the engine takes them.

    Raises:
        SourceError: the file cannot be read, or is not as it must be.
    """
    from mtok_export.source.files import decode_text, read_file
    from mtok_export.verify.scenes import for_engine

    where = "stdin" if name == STDIN else name
    text = stdin_text() if name == STDIN else decode_text(read_file(Path(name), name), name)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"this is no JSON: {error}", where=where) from None
    messages: Any = value.get("messages") if isinstance(value, dict) else value
    others = sorted(value.keys() - {"messages"}) if isinstance(value, dict) else []
    if others:
        problem = f"the engine takes messages alone, and here are {', '.join(others)} as well"
        raise SourceError(problem, where=where, hint="leave them out; what they would say belongs into a message")
    if not isinstance(messages, list) or not messages:
        raise SourceError("a list of messages is needed, with one at least", where=where)
    return for_engine(_objects(messages, where))


def _objects(messages: Sequence[Any], where: str) -> list[Mapping[str, object]]:
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise SourceError("a message must be an object", where=f"{where}: $[{index}]")
    return list(messages)
