"""Where each record of a file stands: byte offsets and paths for what the codec reads as whole sections.

The codec gives a file back byte for byte, so an offset is the start of the section and the length of what is written
in front of the record; nothing is parsed a second time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from mtok_export.format import MtokFile, SectionSpan, decoder, model, normalizer, pre_tokenizer, section_spans
from mtok_export.format.columns import ID_BYTES, LENGTH_BYTES, MERGE_BYTES, SCORE_BYTES
from mtok_export.format.record import Codec
from mtok_export.format.wire import Writer
from mtok_export.tokenizer_file import read_bytes

_OP_BYTES = 1
_COUNT_BYTES = 4
_FLAG_BYTES = 1
_ADDED_TOKEN_HEAD = ID_BYTES + 3 * _FLAG_BYTES + LENGTH_BYTES
_TABLE_ENTRY_HEAD = 4 + LENGTH_BYTES

CHILDREN: dict[type[Any], str] = {
    normalizer.Sequence: "normalizers",
    pre_tokenizer.Sequence: "pre_tokenizers",
    decoder.Sequence: "decoders",
}
"""The records that hold records of their own section, and in which attribute."""

TREES: dict[str, Codec[Any]] = {
    "normalizer": normalizer.CODEC,
    "pre_tokenizer": pre_tokenizer.CODEC,
    "decoder": decoder.CODEC,
}
"""The sections that are trees of records."""


@dataclass(frozen=True)
class Located:
    """One record of a tree: its path, its bytes from ``start`` up to ``end``, and the records in it."""

    path: str
    record: Any
    start: int
    end: int
    children: tuple[Located, ...] = ()

    def walk(self) -> Iterator[Located]:
        """This record and all in it, in file order."""
        yield self
        for child in self.children:
            yield from child.walk()


def children_of(record: Any) -> tuple[Any, ...] | None:
    """The records inside a Sequence; None for a record that is none."""
    name = CHILDREN.get(type(record))
    return None if name is None else getattr(record, name)


def locate(codec: Codec[Any], record: Any, path: str, start: int) -> Located:
    """A record of a tree that starts at byte ``start``, with everything in it."""
    name = CHILDREN.get(type(record))
    if name is None:
        writer = Writer()
        codec.encode(record, writer)
        return Located(path, record, start, start + len(writer.getvalue()))
    position = start + _OP_BYTES + _COUNT_BYTES
    children: list[Located] = []
    for index, child in enumerate(getattr(record, name)):
        children.append(locate(codec, child, f"{path}.{name}[{index}]", position))
        position = children[-1].end
    return Located(path, record, start, position, tuple(children))


class Places:
    """Offsets in one file.

    Args:
        file: the file, as read from ``data``.
        spans: its sections, as ``section_spans`` gives them.
    """

    def __init__(self, file: MtokFile, spans: Sequence[SectionSpan]) -> None:
        self.file = file
        self.spans = {span.name: span for span in spans}

    def section(self, name: str) -> int:
        """The first byte of a section."""
        return self.spans[name].start

    @cached_property
    def trees(self) -> dict[str, Located]:
        """Normalizer, pre-tokenizer and decoder."""
        return {
            name: locate(codec, getattr(self.file, name), name, self.section(name)) for name, codec in TREES.items()
        }

    def vocab_entry(self, index: int) -> int:
        """The first byte of an entry of the vocabulary."""
        record = self.file.model
        head = _MODEL_HEADS[type(record)](record)
        numbers = ID_BYTES + (SCORE_BYTES if isinstance(record, model.Unigram) else 0)
        before = sum(map(len, map(str.encode, islice(record.vocab.tokens, index))))
        return self.section("model") + head + before + index * (LENGTH_BYTES + numbers)

    def merge(self, index: int) -> int:
        """The first byte of a merge: merges end the section."""
        record = self.file.model
        assert isinstance(record, model.Bpe)
        return self.spans["model"].end - MERGE_BYTES * (len(record.merges) - index)

    def added_token(self, index: int) -> int:
        """The first byte of an added token."""
        before = sum(len(token.content.encode()) for token in self.file.added_tokens[:index])
        return self.section("added_tokens") + _COUNT_BYTES + index * _ADDED_TOKEN_HEAD + before

    def table_entry(self, table: Located, index: int) -> int:
        """The first byte of an entry of a normalizer's table: the table ends the record."""
        behind = table.record.entries[index:]
        return table.end - sum(_TABLE_ENTRY_HEAD + len(replacement.encode()) for _, replacement in behind)


def _string(text: str) -> int:
    return LENGTH_BYTES + len(text.encode())


_MODEL_HEADS: dict[type[Any], Callable[[Any], int]] = {
    model.Bpe: lambda _record: _OP_BYTES + _COUNT_BYTES + 2 * _FLAG_BYTES + _COUNT_BYTES,
    model.WordPiece: lambda record: (
        _OP_BYTES + _COUNT_BYTES + _string(record.unk_token) + _string(record.continuing_subword_prefix) + _COUNT_BYTES
    ),
    model.Unigram: lambda _record: _OP_BYTES + _COUNT_BYTES + ID_BYTES + _FLAG_BYTES,
}
"""How many bytes of the model section stand in front of the vocabulary."""


@dataclass(frozen=True)
class Opened:
    """A file with its bytes and what stands where in it."""

    name: str
    data: bytes
    file: MtokFile
    spans: tuple[SectionSpan, ...]

    @cached_property
    def places(self) -> Places:
        """The offsets."""
        return Places(self.file, self.spans)

    @classmethod
    def of(cls, data: bytes, name: str) -> Opened:
        """Read a file from its bytes.

        Raises:
            FormatError: it is no ``.mtok`` file, or a damaged one.
        """
        return cls(name, data, MtokFile.decode(data, name=name), section_spans(data, name=name))


def open_file(path: str | os.PathLike[str]) -> Opened:
    """Read a ``.mtok`` file from disk.

    Raises:
        SourceError: it cannot be opened or read.
        FormatError: it is no ``.mtok`` file (the message says what it is instead), or a damaged one.
    """
    return Opened.of(read_bytes(path), os.fspath(path))
