"""What the files beside ``tokenizer.json`` say: special tokens, stop ids, chat template, clean-up."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from mtok_export.records import dataclass
from mtok_export.source.conversion import Owner, ScoredPiece
from mtok_export.source.pipeline import Pipeline


@dataclass(frozen=True)
class SpecialToken:
    """A token named by a role (``eos_token``, ``bos_token``): its text, and its id where the pipeline knows it."""

    content: str
    id: int | None


@dataclass(frozen=True)
class StopToken:
    """An id that ends generation, and why: ``reasons`` name the file and field, or the chat template."""

    id: int
    content: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class ChatTemplate:
    """A chat template and where it came from (a file name, with the template's name where the file holds several)."""

    text: str = field(repr=False)
    origin: str


@dataclass(frozen=True)
class Settings:
    """Everything that is not in ``tokenizer.json``."""

    eos_token: SpecialToken | None = None
    bos_token: SpecialToken | None = None
    stop_tokens: tuple[StopToken, ...] = ()
    chat_template: ChatTemplate | None = None
    clean_up_tokenization_spaces: bool = False


@dataclass(frozen=True)
class Notice:
    """Something in the source that the user should know: where, and what (no id or text is lost by it).

    Of a converted source it may name texts of which the conversion makes something else than the library that owns the
    source: those that hold one of ``characters`` (ranges of code points, first and last) or one of ``strings``.
    """

    where: str
    message: str
    characters: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    strings: tuple[str, ...] = ()

    def names(self, text: str) -> bool:
        """Whether a text is one of those."""
        if any(string in text for string in self.strings):
            return True
        return any(first <= code <= last for code in set(map(ord, text)) for first, last in self.characters)


@dataclass(frozen=True)
class SourceFile:
    """A file that was read: its path relative to the model directory, its size in bytes, and its SHA-256."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Source:
    """A model directory, read: the pipeline, the settings, what was read and what is worth saying about it.

    ``tokenizer_json`` is the text of ``tokenizer.json``, or what another source was turned into, as
    ``is_tokenizer_json`` says; ``origin`` names the file that it comes from; ``owner`` is the library whose ids are
    right, ``original`` the bytes that it reads, ``pattern`` what it needs beside them, and ``pieces`` the vocabulary of
    a sentencepiece source.  ``folder`` is where the files lie that belong to the tokenizer, ``None`` for a file read
    alone; ``paths`` are all files that were looked into.
    """

    pipeline: Pipeline
    settings: Settings
    files: tuple[SourceFile, ...]
    notices: tuple[Notice, ...] = ()
    tokenizer_json: bytes = field(repr=False, default=b"")
    origin: str = "tokenizer.json"
    is_tokenizer_json: bool = True
    owner: Owner = Owner.TOKENIZERS
    original: bytes = field(repr=False, default=b"")
    pattern: str = field(repr=False, default="")
    pieces: tuple[ScoredPiece, ...] = field(repr=False, default=())
    folder: Path | None = field(repr=False, compare=False, default=None)
    paths: frozenset[Path] = field(repr=False, compare=False, default=frozenset())
