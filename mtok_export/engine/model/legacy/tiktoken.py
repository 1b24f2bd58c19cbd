"""Type 1: the longest token from each place on."""

from __future__ import annotations

from mtok_export.errors import EngineError
from mtok_export.legacy import TiktokenFile

_HEAD = 2
"""Tokens are sorted into groups by so many of their first bytes, so that few lengths have to be tried."""


class Tiktoken:
    """Looks up bytes; the engine's search looks one byte beyond the end of the text, where it finds a zero."""

    def __init__(self, file: TiktokenFile) -> None:
        self._tokens = file.tokens
        self._ids: dict[bytes, int] = {}
        self._longest: dict[bytes, int] = {}
        self._overruns: set[bytes] = set()
        for id_, token in enumerate(file.tokens):
            self._ids.setdefault(token, id_)
            for head in (token[:1], token[:_HEAD]):
                self._longest[head] = max(len(token), self._longest.get(head, 0))
            self._overruns.update(token[:at] for at in range(1, len(token)) if token[at] == 0)

    def entry(self, id_: int) -> bytes:
        """The bytes of an id; nothing beyond the rows."""
        return self._tokens[id_] if 0 <= id_ < len(self._tokens) else b""

    def encode(self, data: bytes) -> list[int]:
        """The ids of a stretch; a byte that no token starts with is skipped."""
        ids: list[int] = []
        at = 0
        while at < len(data):
            if self._overruns and data[at:] in self._overruns:
                raise EngineError(f"the engine runs on behind the end of a text that ends with {data[at:]!r}")
            found = self._find(data, at)
            if found is not None:
                ids.append(self._ids[found])
                at += len(found)
            elif b"" in self._ids:
                raise EngineError(f"the engine finds an empty token for ever where the byte 0x{data[at]:02X} stands")
            else:
                at += 1
        return ids

    def _find(self, data: bytes, at: int) -> bytes | None:
        head = data[at : at + _HEAD]
        longest = max(self._longest.get(head, 0), min(self._longest.get(head[:1], 0), 1))
        for length in range(min(longest, len(data) - at), 0, -1):
            token = data[at : at + length]
            if token in self._ids:
                return token
        return None
