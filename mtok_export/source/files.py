"""Where the files of a model are, and reading them without being held up or fooled by what is no file."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

from mtok_export.errors import SourceError
from mtok_export.source.settings import SourceFile

TOKENIZER_JSON = "tokenizer.json"
TOKENIZER_FOLDER = "tokenizer"

OTHER_TOKENIZER_FILES = ("*.model", "*.model.v*", "vocab.txt", "*.tiktoken", "tekken.json", "*.gguf")
"""Files that hold a tokenizer in a form that is not read; ``vocab.json`` with ``merges.txt`` is one more."""

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
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):  # opening a pipe would wait for ever
            kind = next((word for test, word in _KINDS if test(mode)), "something else")
            raise SourceError(f"it is {kind}, and a file is needed", where=name)
        return path.read_bytes()
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


class ModelFolder:
    """The folder (or the two folders) of a model, and which of its files were read."""

    def __init__(self, path: Path) -> None:
        """Find the ``tokenizer.json`` of ``path``: a folder with it, one whose ``tokenizer`` folder has it, or a file.

        A file that is called otherwise is read alone: what lies beside it belongs to another tokenizer.

        Raises:
            SourceError: when there is none.
        """
        self.tokenizer_json, self.root = _find_tokenizer_json(path)
        self._has_companions = self.tokenizer_json.name == TOKENIZER_JSON
        self._read: dict[str, SourceFile] = {}

    @property
    def files_read(self) -> tuple[SourceFile, ...]:
        """The files read so far, in that order."""
        return tuple(self._read.values())

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
        self._read[name] = SourceFile(name, len(data), hashlib.sha256(data).hexdigest())
        return data

    def find(self, name: str) -> Path | None:
        """The file or folder ``name``: beside ``tokenizer.json``, or else at the top of the model's folder."""
        if not self._has_companions:
            return None
        for folder in dict.fromkeys((self.tokenizer_json.parent, self.root)):
            if _exists(folder / name):
                return folder / name
        return None


def _exists(path: Path) -> bool:
    """Whether there is something at ``path``, be it a broken link."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise SourceError(f"it cannot be looked at: {error.strerror or error}", where=str(path)) from None
    return True


def _find_tokenizer_json(path: Path) -> tuple[Path, Path]:
    """The path of ``tokenizer.json``, and the model's folder."""
    if not _exists(path):
        raise SourceError("there is no such file or directory", where=str(path))
    if not _is_folder(path):
        if path.suffix != ".json":
            hint = f"give a {TOKENIZER_JSON} or the directory that holds one"
            raise SourceError(
                "this is no tokenizer.json, and other tokenizer files are not read yet", where=str(path), hint=hint
            )
        return path, path.parent
    for candidate in (path / TOKENIZER_JSON, path / TOKENIZER_FOLDER / TOKENIZER_JSON):
        if _exists(candidate):
            return candidate, path
    raise _nothing_found(path)


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        raise SourceError("it is a link whose target does not exist", where=str(path)) from None
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror or error}", where=str(path)) from None


def _nothing_found(path: Path) -> SourceError:
    looked_for = f"there is neither {TOKENIZER_JSON} nor {TOKENIZER_FOLDER}/{TOKENIZER_JSON}"
    try:
        others = sorted({found.name for pattern in OTHER_TOKENIZER_FILES for found in path.glob(pattern)})
    except OSError as error:
        return SourceError(f"it cannot be read: {error.strerror or error}", where=str(path))
    if (path / "vocab.json").is_file() and (path / "merges.txt").is_file():
        others += ["vocab.json with merges.txt"]
    if not others:
        return SourceError(looked_for, where=str(path), hint="give the directory of a Hugging Face model")
    hint = "save the tokenizer with transformers, which writes a tokenizer.json"
    return SourceError(f"{looked_for}; {', '.join(others)} cannot be read yet", where=str(path), hint=hint)
