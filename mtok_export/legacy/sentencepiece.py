"""Type 0, SENTENCEPIECE: a piece, its score and its type in each row."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mtok_export.format.wire import Writer
from mtok_export.legacy.lines import LineReader, from_base64, not_base64, shown
from mtok_export.legacy.spec import LegacyType
from mtok_export.legacy.text_file import TextFile
from mtok_export.source.conversion import PieceType

__all__ = ["Piece", "PieceType", "SentencePieceFile"]

_SCORE = re.compile(rb"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_TYPES = {str(kind.value).encode("ascii"): kind for kind in PieceType}
_TYPE_LIST = ", ".join(f"{kind.value} {kind.name}" for kind in PieceType)


@dataclass(frozen=True)
class Piece:
    """One row; its id is its position.

    ``piece`` is what the engine looks up and shows, with U+2581 for spaces; ``score`` is compared as a 32-bit float,
    the highest first; ``spelling`` is how the row writes the score, where that is not how Python does.
    """

    piece: bytes
    score: float
    type: PieceType
    spelling: str | None = None


@dataclass(frozen=True)
class SentencePieceFile(TextFile):
    """A whole file of type 0."""

    pieces: tuple[Piece, ...]

    kind: ClassVar[LegacyType] = LegacyType.SENTENCEPIECE

    def _encode_rows(self, writer: Writer) -> None:
        writer.raw(f"{len(self.pieces)}\n".encode("ascii"))
        for index, piece in enumerate(self.pieces):
            if not math.isfinite(piece.score):
                raise writer.error(f"the score of piece {index} is {piece.score}, and it must be a finite number")
        writer.raw(b"".join(map(_row, self.pieces)))

    @classmethod
    def _decode_rows(cls, reader: LineReader) -> tuple[Any, ...]:
        (count,) = reader.counts(["the number of pieces"])
        rows = reader.rows(count, "pieces")
        return (tuple(_piece(reader, rows, index) for index in range(count)),)


def _row(piece: Piece) -> bytes:
    score = repr(float(piece.score)) if piece.spelling is None else piece.spelling
    return base64.b64encode(piece.piece) + f" {score} {piece.type.value}\n".encode("ascii")


def _piece(reader: LineReader, rows: Sequence[bytes], index: int) -> Piece:
    words = rows[index].split(b" ")
    if len(words) != 3:
        raise reader.row_error(rows, index, f"{shown(rows[index])} is not a piece, its score and its type")
    text, score, kind = words
    piece = from_base64(text)
    if piece is None:
        raise reader.row_error(rows, index, not_base64(text))
    value = float(score) if _SCORE.fullmatch(score) else math.inf
    if not math.isfinite(value):
        raise reader.row_error(rows, index, f"the score {shown(score)} is not a finite decimal number")
    if kind not in _TYPES:
        raise reader.row_error(rows, index, f"the type {shown(kind)} is none of {_TYPE_LIST}")
    spelling = score.decode("ascii")
    return Piece(piece, value, _TYPES[kind], None if spelling == repr(value) else spelling)
