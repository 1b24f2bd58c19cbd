"""Type 0: merging by scores over a whole stretch of text."""

from __future__ import annotations

import heapq
from array import array

from mtok_export.errors import EngineError
from mtok_export.legacy import PieceType, SentencePieceFile
from mtok_export.legacy.shown import shown_piece

META = "\u2581".encode()

_LENGTHS = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}
"""Bytes of a character by the upper half of its first; whatever else starts one is a character by itself."""


class SentencePiece:
    """Finds NORMAL pieces in merging, all others only where a single character is looked up."""

    def __init__(self, file: SentencePieceFile) -> None:
        self._pieces = [piece.piece for piece in file.pieces]
        self._scores = array("f", [piece.score for piece in file.pieces])
        self._normal: dict[bytes, int] = {}
        self._reserved: dict[bytes, int] = {}
        self._unk_id = 0
        for id_, piece in enumerate(file.pieces):
            (self._normal if piece.type is PieceType.NORMAL else self._reserved).setdefault(piece.piece, id_)
            if piece.type is PieceType.UNKNOWN:
                self._unk_id = id_

    def entry(self, id_: int) -> bytes:
        """The piece of an id, as decoding has it; nothing beyond the rows."""
        return shown_piece(self._pieces[id_]) if 0 <= id_ < len(self._pieces) else b""

    def encode(self, data: bytes) -> list[int]:
        """The ids of a stretch."""
        if not self._pieces:
            raise EngineError("the file holds no pieces: the engine reads outside its memory")
        ids: list[int] = []
        for symbol in self._merge(_characters(META + data.replace(b" ", META))):
            id_ = self._id(symbol)
            if id_ == self._unk_id:
                ids += [self._id(b"<0x%02X>" % byte) for byte in symbol]
            else:
                ids.append(id_)
        return ids

    def _id(self, symbol: bytes) -> int:
        found = self._reserved.get(symbol)
        return self._normal.get(symbol, self._unk_id) if found is None else found

    def _merge(self, symbols: list[bytes]) -> list[bytes]:
        """A heap of (minus score, position); an item is stale once the length of its two symbols has changed."""
        size = len(symbols)
        after, before = [*range(1, size), -1], list(range(-1, size - 1))
        heap: list[tuple[float, int, int, int]] = []

        def offer(left: int, right: int) -> None:
            if left < 0 or right < 0:
                return
            joined = symbols[left] + symbols[right]
            id_ = self._normal.get(joined)
            if id_ is not None:
                heapq.heappush(heap, (-self._scores[id_], left, right, len(joined)))

        for left in range(size - 1):
            offer(left, left + 1)
        while heap:
            _, left, right, length = heapq.heappop(heap)
            if not symbols[left] or not symbols[right] or len(symbols[left]) + len(symbols[right]) != length:
                continue
            symbols[left] += symbols[right]
            symbols[right] = b""
            after[left] = after[right]
            if after[left] >= 0:
                before[after[left]] = left
            offer(before[left], left)
            offer(left, after[left])
        return [symbol for symbol in symbols if symbol]


def _characters(data: bytes) -> list[bytes]:
    characters: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + _LENGTHS.get(data[at] >> 4, 1)
        characters.append(data[at:end])
        at = end
    return characters
