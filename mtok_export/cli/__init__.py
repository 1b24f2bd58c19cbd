"""The command ``mtok``: the only place that prints or ends the process.

Exit codes: 0 done, 1 refused or differences found, 2 wrong use of the command.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

import click

from mtok_export._version import __version__
from mtok_export.errors import MtokError


class _Commands(Mapping[str, click.Command]):
    """Every command with its name, which is that of its module too; it is imported when it is asked for."""

    names = ("export", "verify", "encode", "decode", "chat", "inspect", "validate", "diff")

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.names:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"{__name__}.{name}"), f"{name}_command")
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


@click.group(commands=cast(Any, _Commands()), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mtok")
def cli() -> None:
    """Hugging Face tokenizers for the MNN engine, as .mtok files, with a report of what differs."""


_FEW_COLLECTIONS = 50_000
"""So many new objects before the interpreter looks for cycles among them: a command makes far more than it drops."""

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended, as shells have it."""


def main() -> None:
    """Run the command line; whatever goes wrong is one message on stderr and an exit code."""
    signal.signal(signal.SIGTERM, _end)
    gc.set_threshold(_FEW_COLLECTIONS)
    try:
        code = cli.main(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk is found out here, not when the interpreter has gone
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except MtokError as error:
        click.echo(f"mtok: {error}", err=True)
        code = 1
    except OSError as error:
        _give_up_stdout()
        if not isinstance(error, BrokenPipeError):  # whoever read the output has seen enough
            click.echo(f"mtok: cannot print: {error.strerror or error}", err=True)
        code = 1
    # The interpreter looks for cycles among all objects before it ends, and takes thousands of functions and classes
    # apart one by one: a tenth of a second for nothing.
    gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _end(number: int, _frame: object) -> None:
    """End as if asked to by the code itself, so that what is temporary is removed."""
    raise SystemExit(128 + number)


def _give_up_stdout() -> None:
    """Let what is still to be printed go nowhere, so that the interpreter does not try again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
