"""Where the files of a model are, and reading them without being held up or fooled by what is no file."""

from __future__ import annotations

import hashlib
import stat
import threading
from collections.abc import Callable
from pathlib import Path

from mtok_export.errors import SourceError
from mtok_export.source.settings import SourceFile

_LARGE = 1 << 20
"""Bytes that take a millisecond to hash."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_file(path: Path, name: str) -> bytes:
    """Read a regular file.

    Args:
        path: the file.
        name: what messages call it.

    Raises:
        SourceError: when it is missing, something else than a file, or not readable.
    """
    return _with_care(path, name, path.read_bytes)


def read_head(path: Path, name: str, size: int) -> bytes:
    """Read the first ``size`` bytes of a regular file (all of a smaller one); the errors are those of ``read_file``."""

    def head() -> bytes:
        with path.open("rb") as file:
            return file.read(size)

    return _with_care(path, name, head)


def _with_care(path: Path, name: str, read: Callable[[], bytes]) -> bytes:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):  # opening a pipe would wait for ever
            kind = next((word for test, word in _KINDS if test(mode)), "something else")
            raise SourceError(f"it is {kind}, and a file is needed", where=name)
        return read()
    except FileNotFoundError:
        problem = "it is a link whose target does not exist" if path.is_symlink() else "it does not exist"
        raise SourceError(problem, where=name) from None
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror or error}", where=name) from None


def decode_text(data: bytes, name: str) -> str:
    r"""Decode a text file as UTF-8, with every line end as ``\n``, as Python (and so ``transformers``) reads one."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise SourceError(f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8", where=name) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Digest:
    """The SHA-256 of a file; that of a large one is worked out while something else is done with the file."""

    def __init__(self, data: bytes) -> None:
        self._hash = hashlib.sha256()
        self._thread: threading.Thread | None = None
        if len(data) < _LARGE:
            self._hash.update(data)
        else:
            self._thread = threading.Thread(target=self._hash.update, args=(data,), daemon=True)
            self._thread.start()

    def hex(self) -> str:
        if self._thread is not None:
            self._thread.join()
        return self._hash.hexdigest()


class ModelFolder:
    """The folder (or the two folders) of a model, and which of its files were read."""

    def __init__(self, folder: Path, root: Path, *, companions: bool, paths: set[Path] | None = None) -> None:
        """Take the folder of the tokenizer, and that of the model, which may be the same.

        ``companions`` says whether the files beside the tokenizer belong to it.  ``paths``, which may be shared with
        another folder, is where the paths of the files that are looked into are kept.
        """
        self.folder, self.root, self.has_companions = folder, root, companions
        self.paths = set() if paths is None else paths
        self._read: dict[str, tuple[int, _Digest]] = {}

    @property
    def files_read(self) -> tuple[SourceFile, ...]:
        """The files read so far, in that order."""
        return tuple(SourceFile(name, size, digest.hex()) for name, (size, digest) in self._read.items())

    def name_of(self, path: Path) -> str:
        """The path relative to the model's folder where it lies in there, with ``/``."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()

    def read(self, path: Path) -> bytes:
        """Read a file and remember it; raises ``SourceError``."""
        name = self.name_of(path)
        data = read_file(path, name)
        self.remember(path, name, data)
        return data

    def remember(self, path: Path, name: str, data: bytes) -> None:
        """Count ``data``, which is at least a part of the file at ``path``, among the files read, under ``name``."""
        self.paths.add(path)
        self._read[name] = len(data), _Digest(data)

    def find(self, name: str) -> Path | None:
        """The file or folder ``name``: beside the tokenizer, or else at the top of the model's folder."""
        if not self.has_companions:
            return None
        for folder in dict.fromkeys((self.folder, self.root)):
            if exists(folder / name):
                return folder / name
        return None


def exists(path: Path) -> bool:
    """Whether there is something at ``path``, be it a broken link; raises ``SourceError`` where that stays unknown."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except ValueError as error:  # U+0000 in it
        raise SourceError(f"this is no path: {error}", where=ascii(str(path))) from None
    except OSError as error:
        raise SourceError(f"it cannot be looked at: {error.strerror or error}", where=str(path)) from None
    return True


def is_folder(path: Path) -> bool:
    """Whether ``path``, which exists, is a folder; raises ``SourceError`` for a broken link."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        raise SourceError("it is a link whose target does not exist", where=str(path)) from None
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror or error}", where=str(path)) from None
