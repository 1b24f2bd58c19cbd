"""Options that several commands share, as decorators, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mtok_export.errors import MtokError

if TYPE_CHECKING:
    from mtok_export.verify.engines import EngineChoice

Command = TypeVar("Command", bound=Callable[..., Any])

LONGEST_DEADLINE = 86_400
"""Seconds: a day.  No text takes that long, and timers of the system take no number at all."""


class NamedPath(click.Path):
    """A path that is not empty, which would mean the current directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path.  Raises ``click.BadParameter`` where there is none."""
        if value in ("", Path()) and str(value) != ".":
            self.fail("it is empty", param, ctx)
        return super().convert(value, param, ctx)


class Seconds(click.FloatRange):
    """A time that has an end."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number.  Raises ``click.BadParameter`` where it is none, or is out of range."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is no number", param, ctx)
        return number


FILE = NamedPath(dir_okay=False, path_type=Path)
EXISTING_FILE = NamedPath(exists=True, dir_okay=False, path_type=Path)
SOME_PATH = NamedPath(path_type=Path)
OUTPUT = NamedPath()
"""As it was given: a ``Path`` would not know that a name ends with a slash."""
DEADLINE = Seconds(min=0, min_open=True, max=LONGEST_DEADLINE)

_LLM_CONFIG_HELP = "Where a text file has its chat template (default: the llm_config.json beside it, if there is one)."
_ENGINE_HELP = "What runs the file: auto (native if it is installed, else the model), native, model or model:VERSION."
_DEADLINE_HELP = "How long the engine may take to load the file, and for each text (default: 30)."
_PYTHON_HELP = "The Python that has the engine (the package mnn), where it is not this one."


_PATH_HELP = (
    "Model directory, a tokenizer file (tokenizer.json, tokenizer.model, tekken.json, *.tiktoken, vocab.json, "
    "vocab.txt, *.gguf), or the id of a model on the Hugging Face Hub."
)
_PATTERN_HELP = "The pattern that splits texts for a file of tiktoken ranks, where nothing else says it."


def source_options(command: Command) -> Command:
    """``--path`` and what else says where the tokenizer is and how it is read; ``load_source`` takes the same names."""
    for option in (
        click.option("--tiktoken-pattern", metavar="PATTERN", help=_PATTERN_HELP),
        click.option("--trust-remote-code", is_flag=True, help="Let Python code run that comes with the model."),
        click.option("--revision", help="Branch, tag or commit of a model on the Hub (default: main)."),
        click.option("--path", required=True, type=SOME_PATH, help=_PATH_HELP),
    ):
        command = option(command)
    return command


def llm_config_option(command: Command) -> Command:
    """``--llm-config``, the file in which the chat template of a text file stands."""
    return click.option("--llm-config", type=EXISTING_FILE, help=_LLM_CONFIG_HELP)(command)


def engine_options(command: Command) -> Command:
    """``--engine``, ``--engine-python`` and ``--deadline``; ``engine_choice`` makes one value of them."""
    for option in (
        click.option("--deadline", type=DEADLINE, metavar="SECONDS", help=_DEADLINE_HELP),
        click.option("--engine-python", metavar="PYTHON", help=_PYTHON_HELP),
        click.option("--engine", default="auto", show_default=True, metavar="ENGINE", help=_ENGINE_HELP),
    ):
        command = option(command)
    return command


def engine_choice(engine: str, engine_python: str | None, deadline: float | None) -> EngineChoice:
    """The engine that the options ask for.

    Raises:
        click.BadParameter: there is no such engine.
    """
    from mtok_export.verify.engines import EngineChoice

    try:
        choice = EngineChoice.parse(engine, python=engine_python)
    except MtokError as error:
        raise click.BadParameter(str(error), param_hint="--engine") from None
    return choice if deadline is None else replace(choice, deadline=deadline)
