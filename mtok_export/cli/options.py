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

FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

_LLM_CONFIG_HELP = "Where a text file has its chat template (default: the llm_config.json beside it, if there is one)."
_ENGINE_HELP = "What runs the file: auto (native if it is installed, else the model), native, model or model:VERSION."
_DEADLINE_HELP = "How long the engine may take to load the file, and for each text (default: 30)."
_PYTHON_HELP = "The Python that has the engine (the package mnn), where it is not this one."


def llm_config_option(command: Command) -> Command:
    """``--llm-config``, the file in which the chat template of a text file stands."""
    return click.option("--llm-config", type=EXISTING_FILE, help=_LLM_CONFIG_HELP)(command)


def engine_options(command: Command) -> Command:
    """``--engine``, ``--engine-python`` and ``--deadline``; ``engine_choice`` makes one value of them."""
    for option in (
        click.option("--deadline", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help=_DEADLINE_HELP),
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
