"""What ``encode``, ``decode`` and ``chat`` have in common: a file in an engine, and how ids are shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mtok_export.errors import EngineError, SourceError
from mtok_export.records import dataclass

if TYPE_CHECKING:
    from mtok_export.verify.engines import Engine, EngineChoice
    from mtok_export.verify.pieces import Pieces

STDIN = "-"


@dataclass(frozen=True)
class Loaded:
    """A file in an engine; ``faults`` are what the engine can stumble over, so that what it says may be luck."""

    engine: Engine
    pieces: Pieces
    faults: tuple[str, ...]

    def encode(self, text: str) -> list[int]:
        """The ids of a text.

        Raises:
            EngineError: the engine failed at it.
        """
        (result,) = self.engine.encode_each([text])
        if isinstance(result, EngineError):
            raise result
        return result

    def tokens(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """The ids with their pieces, as plain JSON values."""
        return [{"id": id_, "piece": self.pieces(id_)} for id_ in ids]

    def lines(self, ids: Sequence[int]) -> Iterator[str]:
        """One line for each id, with its piece."""
        for id_ in ids:
            yield f"{id_:>8}  {self.pieces(id_)!a}"

    def about(self) -> dict[str, Any]:
        """What every result in JSON says beside the result."""
        return {"engine": self.engine.name, "notes": list(self.engine.notes()), "faults": list(self.faults)}

    def finish(self) -> None:
        """Print notes and faults on stderr; with faults the exit code is 1, whatever the engine said."""
        for note in self.engine.notes():
            click.echo(f"note: {note}", err=True)
        for fault in self.faults:
            click.echo(f"mtok: {fault}", err=True)
        if self.faults:
            click.echo("mtok: the engine trusts what is wrong with this file: what it gives may be luck", err=True)
            click.get_current_context().exit(1)


@contextmanager
def loaded(
    path: Path, choice: EngineChoice, llm_config: Path | None = None, *, reads_config: bool = False
) -> Iterator[Loaded]:
    """Load a file into an engine.

    Args:
        path: a ``.mtok`` or a text file.
        choice: the engine.
        llm_config: where a text file has its chat template.
        reads_config: whether the chat template is wanted; that of a text file is looked for beside it, too.

    Raises:
        SourceError: the file cannot be read.
        FormatError: it is no tokenizer file of the engine, or a damaged one.
        EngineError: the engine is missing, refuses the file, dies of it, or takes too long.
    """
    from mtok_export.tokenizer_file import file_faults, read_file
    from mtok_export.verify.candidates import config_of
    from mtok_export.verify.engines import open_engine
    from mtok_export.verify.pieces import Pieces

    file = read_file(path)
    found = tuple(map(str, file_faults(file)))
    config = config_of(path, file, llm_config) if reads_config else None
    values = {} if config is None else config.template_values
    with open_engine(choice, path, file, values) as engine:
        yield Loaded(engine, Pieces(file), found)


def stdin_text() -> str:
    """Standard input as UTF-8.

    Raises:
        SourceError: it is something else.
    """
    if sys.stdin is None:
        raise SourceError("it is closed, and a text is needed", where="stdin")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8", where="stdin") from None
