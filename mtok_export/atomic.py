"""Files that are either the old one or the whole new one, never something between."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from mtok_export.errors import OutputError


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write several files so that all of them are on the disk before the first replaces an old one.

    Each is written beside its target, flushed, and renamed; when anything fails, what was written is removed.

    Raises:
        OutputError: a folder is missing or cannot be written to, the disk is full, the target is a directory.
    """
    written: dict[Path, Path] = {}
    target = next(iter(contents), Path())
    try:
        for target, data in contents.items():
            real = Path(os.path.realpath(target))  # a link stays one, and what it points to is replaced
            written[real] = _write_beside(real, data)
        for target, temporary in written.items():
            temporary.replace(target)
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}", where=str(target), hint="the old file, if any, is untouched"
        ) from None
    finally:
        for temporary in written.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write_beside(target: Path, data: bytes) -> Path:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a directory", str(target))
    handle, temporary = _new_file(target.parent)
    try:
        with os.fdopen(handle, "wb") as sink:
            sink.write(data)
            sink.flush()
            os.fsync(sink.fileno())
        temporary.chmod(_mode(target))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _new_file(folder: Path) -> tuple[int, Path]:
    """A new file that nobody else can read, as ``tempfile`` makes one: importing that takes longer than writing."""
    while True:
        path = folder / f".mtok-{os.urandom(8).hex()}.part"
        with contextlib.suppress(FileExistsError):
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), path


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
