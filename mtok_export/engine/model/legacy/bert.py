"""Type 2: ASCII words and single characters, then the longest entry from the left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtok_export.legacy import BertFile

UNK = b"[UNK]"
NO_UNK_ID = 100

_WORD = re.compile(rb"[0-9A-Za-z]+")
_WHITE_SPACE = b" \t\n\v\f\r"


class Bert:
    """WordPiece on bytes."""

    def __init__(self, file: BertFile) -> None:
        self._tokens = file.tokens
        self._ids: dict[bytes, int] = {}
        for id_, token in enumerate(file.tokens):
            self._ids.setdefault(token, id_)

    def entry(self, id_: int) -> bytes:
        """The bytes of an id; nothing beyond the rows."""
        return self._tokens[id_] if 0 <= id_ < len(self._tokens) else b""

    def encode(self, data: bytes) -> list[int]:
        """The ids of a stretch."""
        return [id_ for word in _words(data) for id_ in self._pieces(word)]

    def _pieces(self, word: bytes) -> Iterator[int]:
        """The pieces of a word up to where it cannot be covered, and the unknown token there."""
        if word in self._ids:
            yield self._ids[word]
            return
        prefix = b""
        while word:
            length = next((n for n in range(len(word), 0, -1) if prefix + word[:n] in self._ids), 0)
            if not length:
                yield self._ids.get(UNK, NO_UNK_ID)
                return
            yield self._ids[prefix + word[:length]]
            word, prefix = word[length:], b"##"


def _words(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        first = data[at]
        if first >= 0x80:
            length = _length(first)
            if at + length > len(data):  # a character cut short: its first byte is skipped
                at += 1
                continue
            yield data[at : at + length]
            at += length
        elif found := _WORD.match(data, at):
            yield found[0].lower()
            at = found.end()
        else:
            if first not in _WHITE_SPACE:
                yield data[at : at + 1]
            at += 1


def _length(first: int) -> int:
    """How many bytes a character takes by its first one; 1 for a byte that starts none."""
    if first & 0xE0 == 0xC0:
        return 2
    if first & 0xF0 == 0xE0:
        return 3
    return 4 if first & 0xF8 == 0xF0 else 1
