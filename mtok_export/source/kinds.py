"""Which file of a directory holds the tokenizer, and of what kind it is.

A kind is found by the name of the file, and believed only after a look at its first bytes: ``tokenizer.model`` is a
sentencepiece model for most publishers and a list of tiktoken ranks for others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path

from mtok_export.errors import SourceError
from mtok_export.records import dataclass
from mtok_export.source.files import ModelFolder, exists, is_folder, read_head
from mtok_export.source.settings import Notice

TOKENIZER_JSON = "tokenizer.json"
TOKENIZER_FOLDER = "tokenizer"


class Kind(Enum):
    """The kinds of tokenizer files, each with its name in messages; the first that a directory has counts."""

    TOKENIZER_JSON = "tokenizer.json"
    TEKKEN = "a tekken file"
    SENTENCEPIECE = "a sentencepiece model"
    TIKTOKEN = "a tiktoken file"
    VOCAB_MERGES = "a vocabulary with merges"
    VOCAB_TXT = "a WordPiece vocabulary"
    GGUF = "a GGUF file"
    SLOW = "a directory for transformers"


PATTERNS: Mapping[Kind, tuple[str, ...]] = {
    Kind.TOKENIZER_JSON: (TOKENIZER_JSON,),
    Kind.TEKKEN: ("tekken.json", "tekken*.json"),
    Kind.SENTENCEPIECE: ("tokenizer.model", "spiece.model", "*.model", "*.model.v*"),
    Kind.TIKTOKEN: ("*.tiktoken",),
    Kind.VOCAB_MERGES: ("vocab.json", "encoder.json"),
    Kind.VOCAB_TXT: ("vocab.txt",),
    Kind.GGUF: ("*.gguf",),
}
"""The names of the files of each kind, in the order in which they count."""

MERGES_OF: Mapping[str, str] = {"vocab.json": "merges.txt", "encoder.json": "vocab.bpe"}
"""The file with the merges of each vocabulary in JSON; without it that is no tokenizer."""

_CONFIGS = ("tokenizer_config.json", "config.json")

_HEAD = 4096

_TIKTOKEN_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]+\r?\n")
_TEKKEN_KEYS = re.compile(
    rb'\A\s*\{\s*"config"\s*:\s*\{[^}]*?"(?:pattern|num_vocab_tokens|default_vocab_size|default_num_special_tokens)"'
)


@dataclass(frozen=True)
class TokenizerFile:
    """A file that holds a tokenizer (for ``Kind.SLOW`` the folder), and its kind by name."""

    kind: Kind
    path: Path

    @property
    def title(self) -> str:
        """The name of the file, for messages."""
        if self.kind is Kind.VOCAB_MERGES:
            return f"{self.path.name} with {MERGES_OF[self.path.name]}"
        return self.path.name


@dataclass(frozen=True)
class Found:
    """The tokenizer files of a model, the one that counts first; ``asked_for`` says that the user named that file."""

    folder: ModelFolder
    files: tuple[TokenizerFile, ...]
    asked_for: bool


def find_source(path: Path) -> Found:
    """Find the tokenizer of ``path``.

    Args:
        path: a folder with a tokenizer, one whose ``tokenizer`` folder holds it, or a file.  What lies beside a file
            with a name of its own (``my.json``, ``q4.gguf``) belongs to another tokenizer and is not read.

    Raises:
        SourceError: when there is nothing of use.
    """
    if not exists(path):
        raise SourceError("there is no such file or directory", where=str(path))
    if not is_folder(path):
        return _of_file(path)
    inside = path / TOKENIZER_FOLDER
    found = [_tokenizer_files(path), _tokenizer_files(inside)]
    chosen = next((files for files in found if files and files[0].kind is Kind.TOKENIZER_JSON), found[0] or found[1])
    if not chosen:
        chosen = [TokenizerFile(Kind.SLOW, folder) for folder in (path, inside) if _has_config(folder)][:1]
    if not chosen:
        raise _nothing_found(path)
    first = chosen[0]
    folder = first.path if first.kind is Kind.SLOW else first.path.parent
    others = [file for files in found for file in files if file is not first] if first.kind is not Kind.SLOW else []
    return Found(ModelFolder(folder, path, companions=True), (first, *others), asked_for=False)


def ignored_beside(found: Found) -> Iterator[Notice]:
    """What to say about other tokenizer files beside a ``tokenizer.json``."""
    others = [file.title for file in found.files[1:] if file.kind is not Kind.TOKENIZER_JSON]
    found.folder.paths.update(file.path for file in found.files)
    if others:
        message = f"not read, since tokenizer.json comes first: {', '.join(others)}"
        yield Notice(found.folder.name_of(found.files[0].path), message)


def _of_file(path: Path) -> Found:
    file = TokenizerFile(_kind_by_name(path), path)
    companions = file.kind is not Kind.GGUF and any(fnmatchcase(path.name, pattern) for pattern in PATTERNS[file.kind])
    return Found(ModelFolder(path.parent, path.parent, companions=companions), (file,), asked_for=True)


def _kind_by_name(path: Path) -> Kind:
    """The kind of a file that the user names: by its name or, where that says nothing, by its first bytes."""
    for vocab, merges in MERGES_OF.items():
        if path.name == merges:
            raise SourceError(
                "this file holds merges alone", where=str(path), hint=f"give {vocab}, which lies beside it"
            )
    if path.name in MERGES_OF and not exists(path.with_name(MERGES_OF[path.name])):
        missing = MERGES_OF[path.name]
        raise SourceError(f"this vocabulary needs {missing} beside it", where=str(path), hint=f"fetch {missing} too")
    for kind, patterns in PATTERNS.items():
        if any(fnmatchcase(path.name, pattern) for pattern in patterns):
            return kind
    if path.suffix == ".json":
        is_tekken = _TEKKEN_KEYS.search(read_head(path, str(path), _HEAD))
        return Kind.TEKKEN if is_tekken else Kind.TOKENIZER_JSON
    found = kind_of_content(read_head(path, str(path), _HEAD), str(path))
    if found is None:
        raise SourceError(
            "neither the name nor the content of this file is that of a tokenizer",
            where=str(path),
            hint=f"give a directory, or one of {', '.join(_readable_names())}",
        )
    return found


def _readable_names() -> Iterator[str]:
    yield from (patterns[0] for patterns in PATTERNS.values())


def _tokenizer_files(folder: Path) -> list[TokenizerFile]:
    """The tokenizer files right in ``folder``, in the order in which they count; none where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name: entry for entry in entries}
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror or error}", where=str(folder)) from None
    files: dict[str, TokenizerFile] = {}
    for kind, patterns in PATTERNS.items():
        for pattern in patterns:
            for name in sorted(names, key=_main_part_first):
                if not fnmatchcase(name, pattern) or name in files or MERGES_OF.get(name, name) not in names:
                    continue
                if kind is Kind.TOKENIZER_JSON or not _is_dir(names[name]):
                    files[name] = TokenizerFile(kind, folder / name)
    return list(files.values())


def _is_dir(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, or a link to one; a link that leads nowhere is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _main_part_first(name: str) -> tuple[bool, str]:
    """GGUF files of the part that sees pictures have no tokenizer."""
    return name.startswith("mmproj"), name


def _has_config(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _CONFIGS)


def _nothing_found(path: Path) -> SourceError:
    return SourceError(
        f"there is neither {TOKENIZER_JSON} nor {TOKENIZER_FOLDER}/{TOKENIZER_JSON}, nor any of "
        f"{', '.join(list(_readable_names())[1:])}",
        where=str(path),
        hint="give the directory of a Hugging Face model",
    )


# --- what is really in a file -----------------------------------------------------------------------------------------

_NO_TOKENIZERS: Sequence[tuple[bytes, str, str]] = (
    (b"version https://git-lfs", "this is a pointer of Git LFS, not the file itself", "fetch it: git lfs pull"),
    (b"<!DOCTYPE", "this is a web page", "fetch the raw file"),
    (b"<html", "this is a web page", "fetch the raw file"),
    (b"PK\x03\x04", "this is a ZIP archive, such as PyTorch writes", "give the tokenizer, not the weights"),
)
"""How files start that are taken for a tokenizer: the start, what they are, and what to do."""


def kind_of_content(head: bytes, name: str) -> Kind | None:
    """What the first bytes of a file say about its kind.

    Args:
        head: the first bytes of a file, or all of it.
        name: what messages call it.

    Returns:
        The kind, or ``None`` where they say nothing.

    Raises:
        SourceError: for an empty file, and for what is known to be no tokenizer.
    """
    if not head.strip():
        raise SourceError("the file is empty" if not head else "the file holds nothing but white space", where=name)
    refuse_stand_in(head, name)
    if head.startswith(b"GGUF"):
        return Kind.GGUF
    if head.lstrip().startswith(b"{"):
        return Kind.TEKKEN if _TEKKEN_KEYS.search(head) else Kind.TOKENIZER_JSON
    if _TIKTOKEN_LINE.match(head):
        return Kind.TIKTOKEN
    # The first field of the protobuf is a piece, and the first field of that is its text: a tag, a length, a tag.
    return Kind.SENTENCEPIECE if len(head) > 2 and head[0] == head[2] == 0x0A else None


def refuse_stand_in(head: bytes, name: str) -> None:
    """Refuse what is often found in the place of a tokenizer: a pointer of Git LFS, a web page, an archive.

    Args:
        head: the first bytes of the file.
        name: what messages call it.

    Raises:
        SourceError: it is one of these, with what to do.
    """
    for start, what, hint in _NO_TOKENIZERS:
        if head.startswith(start):
            raise SourceError(what, where=name, hint=hint)
