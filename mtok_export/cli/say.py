"""Lines for a person: text of a tokenizer in any script, on terminals that cannot show all of it."""

from __future__ import annotations

import sys

import click


def say(line: str) -> None:
    """Print a line on stdout; what the stream's encoding has no bytes for is escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(line.encode(encoding, "backslashreplace").decode(encoding))
