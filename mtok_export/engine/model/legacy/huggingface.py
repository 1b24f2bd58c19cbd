"""Type 3: the engine's one pattern, on bytes, and merges by rank."""

from __future__ import annotations

import heapq
import re

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.errors import EngineError
from mtok_export.legacy import HuggingFaceFile
from mtok_export.legacy.shown import shown_token

_PATTERN = re.compile(
    rb"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
    rb"|[^\r\nA-Za-z0-9]?[A-Za-z]+"
    rb"|[0-9]"
    rb"| ?[^\sA-Za-z0-9]+[\r\n]*"
    rb"|\s*[\r\n]+"
    rb"|\s+(?!\S)"
    rb"|\s+"
)
"""On bytes: every byte beyond ASCII is a symbol.  It covers every text."""


class HuggingFace:
    """Byte-level BPE."""

    def __init__(self, file: HuggingFaceFile) -> None:
        self._tokens = file.tokens
        self._ids: dict[str, int] = {}
        for id_, token in enumerate(file.tokens):
            self._ids.setdefault(token, id_)
        self._ranks: dict[tuple[str, str], int] = {}
        for rank, merge in enumerate(file.merges):
            self._ranks.setdefault(merge, rank)
        self._cache: dict[bytes, list[int]] = {}

    def entry(self, id_: int) -> bytes:
        """The bytes of an id; nothing beyond the rows."""
        return shown_token(self._tokens[id_]) if 0 <= id_ < len(self._tokens) else b""

    def encode(self, data: bytes) -> list[int]:
        """The ids of a stretch."""
        return [id_ for found in _PATTERN.finditer(data) for id_ in self._word(found[0])]

    def _word(self, word: bytes) -> list[int]:
        ids = self._cache.get(word)
        if ids is None:
            symbols = self._merge([BYTE_TO_CHAR[byte] for byte in word])
            missing = next((symbol for symbol in symbols if symbol not in self._ids), None)
            if missing is not None:
                raise EngineError(f"the engine dies of {word!r}: {missing!r} is no token")
            ids = self._cache[word] = [self._ids[symbol] for symbol in symbols]
        return ids

    def _merge(self, symbols: list[str]) -> list[str]:
        """A heap of (rank, position); an item is stale once one of its two symbols has changed."""
        size = len(symbols)
        after, before = [*range(1, size), -1], list(range(-1, size - 1))
        heap: list[tuple[int, int, str, str]] = []

        def offer(left: int) -> None:
            if left >= 0 and after[left] >= 0:
                pair = symbols[left], symbols[after[left]]
                if pair in self._ranks:
                    heapq.heappush(heap, (self._ranks[pair], left, *pair))

        for left in range(size):
            offer(left)
        while heap:
            _, left, one, other = heapq.heappop(heap)
            right = after[left]
            if right < 0 or (symbols[left], symbols[right]) != (one, other):
                continue
            symbols[left], symbols[right] = one + other, ""
            after[left] = after[right]
            if after[left] >= 0:
                before[after[left]] = left
            offer(left)
            offer(before[left])
        return [symbol for symbol in symbols if symbol]
