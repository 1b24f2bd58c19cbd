"""The command ``mtok``: the only place that prints or ends the process.

Exit codes: 0 done, 1 refused or differences found, 2 wrong use of the command.
"""

from __future__ import annotations

import sys

import click

from mtok_export._version import __version__
from mtok_export.cli.chat import chat_command
from mtok_export.cli.decode import decode_command
from mtok_export.cli.diff import diff_command
from mtok_export.cli.encode import encode_command
from mtok_export.cli.export import export_command
from mtok_export.cli.inspect import inspect_command
from mtok_export.cli.validate import validate_command
from mtok_export.cli.verify import verify_command
from mtok_export.errors import MtokError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mtok")
def cli() -> None:
    """Hugging Face tokenizers for the MNN engine, as .mtok files, with a report of what differs."""


cli.add_command(export_command)
cli.add_command(verify_command)
cli.add_command(encode_command)
cli.add_command(decode_command)
cli.add_command(chat_command)
cli.add_command(inspect_command)
cli.add_command(validate_command)
cli.add_command(diff_command)


def main() -> None:
    """Run the command line; errors of this package are one message on stderr and exit code 1."""
    try:
        cli()
    except MtokError as error:
        click.echo(f"mtok: {error}", err=True)
        sys.exit(1)
