"""The engine's tokenizer files of both kinds, told apart by their first line."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from mtok_export import format as mtok
from mtok_export import legacy
from mtok_export.errors import FormatError, SourceError
from mtok_export.format import MtokFile
from mtok_export.legacy import LegacyFile

TokenizerFile = MtokFile | LegacyFile


def decode_file(data: bytes, *, name: str | None = None) -> TokenizerFile:
    """Read a file from its bytes.

    Args:
        data: the whole file.
        name: what errors call the file, if anything.

    Raises:
        FormatError: it is no tokenizer file of the engine, or a damaged one.
    """
    if legacy.is_legacy(data):
        return legacy.decode(data, name=name)
    return MtokFile.decode(data, name=name)


def read_file(path: str | os.PathLike[str]) -> TokenizerFile:
    """Read a file from disk.

    Raises:
        SourceError: it cannot be opened or read.
        FormatError: it is no tokenizer file of the engine, or a damaged one.
    """
    return decode_file(read_bytes(path), name=os.fspath(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a tokenizer file; whether they are sound is not looked at.

    Raises:
        SourceError: it cannot be opened or read.
    """
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # opening a pipe would wait for ever
            raise SourceError("this is no regular file, and a tokenizer file is needed", where=os.fspath(path))
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        # ValueError: a path with a null character.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(f"the tokenizer file cannot be read: {reason}", where=os.fspath(path)) from error


def file_faults(file: TokenizerFile) -> Iterator[FormatError]:
    """Everything in a file that the engine would stumble over; each error names its place."""
    if isinstance(file, MtokFile):
        yield from mtok.faults(file)
    else:
        yield from legacy.faults(file)
