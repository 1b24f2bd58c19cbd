"""Type 0, SENTENCEPIECE: a piece, its score and its type in each row."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mtok_export.format.header import Header, decode_id_lists, encode_id_lists
from mtok_export.format.wire import Writer
from mtok_export.legacy.lines import (
    LineReader,
    decode_first_line,
    encode_first_line,
    from_base64,
    not_base64,
    shown,
)
from mtok_export.legacy.spec import LegacyType
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
class SentencePieceFile:
    """A whole file of type 0."""

    header: Header
    pieces: tuple[Piece, ...]

    kind: ClassVar[LegacyType] = LegacyType.SENTENCEPIECE

    def encode(self) -> bytes:
        """The bytes of the file.

        Raises:
            FormatError: a score is no finite number; an id of the header is out of range.
        """
        writer = Writer()
        encode_first_line(writer, self.kind)
        with writer.inside("header"):
            encode_id_lists(self.header, writer)
        writer.raw(f"{len(self.pieces)}\n".encode("ascii"))
        for index, piece in enumerate(self.pieces):
            if not math.isfinite(piece.score):
                raise writer.error(f"the score of piece {index} is {piece.score}, and it must be a finite number")
        writer.raw(b"".join(map(_row, self.pieces)))
        return writer.getvalue()

    @classmethod
    def decode(cls, data: bytes, *, name: str | None = None) -> SentencePieceFile:
        """Read a file from its bytes; encoding the result gives the same bytes again.

        Args:
            data: the whole file.
            name: what errors call the file, if anything.

        Raises:
            FormatError: it is no file of this type, or a damaged one; the error names the line and the byte offset.
        """
        reader = LineReader(data, name)
        decode_first_line(reader, cls.kind)
        with reader.inside("header"):
            header = decode_id_lists(reader)
        (count,) = reader.counts(["the number of pieces"])
        rows = reader.rows(count, "pieces")
        pieces = tuple(_piece(reader, rows, index) for index in range(count))
        reader.finish()
        return cls(header, pieces)


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
