"""Type 3, HUGGINGFACE: the entries of a byte-level BPE as they are, one a line, then its merges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mtok_export.format.wire import Writer
from mtok_export.legacy.lines import LineReader, shown
from mtok_export.legacy.spec import LegacyType
from mtok_export.legacy.text_file import TextFile

Merge = tuple[str, str]


@dataclass(frozen=True)
class HuggingFaceFile(TextFile):
    """A whole file of type 3; the id of a token is its position, the rank of a merge too."""

    tokens: tuple[str, ...] = field(repr=False)
    merges: tuple[Merge, ...] = field(repr=False)

    kind: ClassVar[LegacyType] = LegacyType.HUGGINGFACE

    def _encode_rows(self, writer: Writer) -> None:
        for index, token in enumerate(self.tokens):
            if fault := token_fault(token):
                raise writer.error(f"token {index} cannot be written: {fault}")
        for index, merge in enumerate(self.merges):
            if fault := merge_fault(merge):
                raise writer.error(f"merge {index} cannot be written: {fault}")
        lines = [f"{len(self.tokens)} {len(self.merges)}", *self.tokens, *(" ".join(merge) for merge in self.merges)]
        writer.raw("".join(f"{line}\n" for line in lines).encode("utf-8"))

    @classmethod
    def _decode_rows(cls, reader: LineReader) -> tuple[Any, ...]:
        tokens, merges = reader.counts(["the number of tokens", "the number of merges"])
        rows = reader.rows(tokens, "tokens")
        entries = tuple(_text(reader, rows, index) for index in range(tokens))
        rows = reader.rows(merges, "merges")
        return entries, tuple(_merge(reader, rows, index) for index in range(merges))


def token_fault(token: str) -> str | None:
    """Why a line cannot hold a token; None where it can."""
    if "\n" in token:
        return f"{token!r} holds a line feed, which ends its line and shifts the ids of all tokens behind it"
    if token.endswith("\r"):
        return f"{token!r} ends with a carriage return, so its line would end with CR LF"
    if any("\ud800" <= char <= "\udfff" for char in token):
        return f"{token!a} holds half a surrogate pair, for which UTF-8 has no bytes"
    return None


def merge_fault(merge: Merge) -> str | None:
    """Why a line cannot hold a merge; None where it can."""
    for part in merge:
        if " " in part:
            return f"{part!r} of {merge!r} holds a space, which separates the two parts"
        if not part:
            return f"a part of {merge!r} is empty"
        if fault := token_fault(part):
            return fault
    return None


def _text(reader: LineReader, rows: Sequence[bytes], index: int) -> str:
    try:
        return rows[index].decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} of {shown(rows[index])} is no UTF-8"
        raise reader.row_error(rows, index, message) from None


def _merge(reader: LineReader, rows: Sequence[bytes], index: int) -> Merge:
    left, space, right = _text(reader, rows, index).partition(" ")
    if not left or not space or not right or " " in right:
        message = f"{shown(rows[index])} is no merge: two parts with one space between them"
        raise reader.row_error(rows, index, message)
    return left, right
