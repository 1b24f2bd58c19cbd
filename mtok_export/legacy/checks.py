"""What a text file means to the engine: faults that can be written down, but that the engine would stumble over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.errors import FormatError
from mtok_export.legacy.bert import BertFile
from mtok_export.legacy.huggingface import HuggingFaceFile, Merge
from mtok_export.legacy.legacy_file import LegacyFile
from mtok_export.legacy.sentencepiece import PieceType, SentencePieceFile
from mtok_export.legacy.shown import decoded_rows, streamed
from mtok_export.legacy.spec import UNK_TOKEN
from mtok_export.legacy.tiktoken import TiktokenFile

Faults = Iterator[FormatError]

FIRST_ROW = 5
"""The number of the line with the row of id 0."""


def check(file: LegacyFile) -> None:
    """Make sure that the engine can load and use the file.

    Raises:
        FormatError: the first fault; ``faults`` gives them all.
    """
    for fault in faults(file):
        raise fault


def faults(file: LegacyFile) -> Faults:
    """Everything in the file that the engine would stumble over; each error names its line."""
    yield from _RULES[type(file)](file)
    for id_, decoded in enumerate(decoded_rows(file)):
        if streamed(decoded) is None:
            message = f"{decoded!r} looks like a byte piece and is none: the engine dies of decoding id {id_}"
            yield _fault(message, id_)


def _fault(message: str, id_: int, *, hint: str | None = None) -> FormatError:
    return FormatError(message, where=f"line {FIRST_ROW + id_}", hint=hint)


def _sentencepiece(file: SentencePieceFile) -> Faults:
    if not file.pieces:
        yield FormatError("there are no pieces: the engine reads outside its memory", where="line 4")
    elif not any(piece.type is PieceType.UNKNOWN for piece in file.pieces):
        message = "no piece is UNKNOWN: the engine takes id 0 for it, and gives bytes wherever a text has its piece"
        yield _fault(message, 0)


def _tiktoken(file: TiktokenFile) -> Faults:
    for id_, token in enumerate(file.tokens):
        if b"\0" in token[1:]:
            message = f"{token!r} holds a zero byte behind another byte: the engine runs on behind the end of a text"
            yield _fault(message, id_)
    missing = set(range(256)) - {token[0] for token in file.tokens if len(token) == 1}
    empty = next((id_ for id_, token in enumerate(file.tokens) if not token), None)
    if missing and empty is not None:
        message = f"the row is empty and the byte 0x{min(missing):02X} has none: the engine finds nothing for ever"
        yield _fault(message, empty)


def _bert(file: BertFile) -> Faults:
    if UNK_TOKEN.encode("ascii") not in file.tokens:
        message = f"no row is {UNK_TOKEN}: the engine gives id 100 for what it does not know, whatever that is"
        yield FormatError(message, where="line 4")


def _huggingface(file: HuggingFaceFile) -> Faults:
    known = frozenset(file.tokens)
    missing = [byte for byte, char in BYTE_TO_CHAR.items() if char not in known]
    if missing:
        message = f"{len(missing)} of the 256 bytes have no row, first 0x{missing[0]:02X}: the engine dies of them"
        yield FormatError(message, where="line 4")
    made = _made(file.merges)
    for rank, (left, right) in enumerate(file.merges):
        if left + right not in known and left in made and right in made:
            message = f"merge {rank} makes {left + right!r}, which has no row: the engine dies of a text with it"
            yield _fault(message, len(file.tokens) + rank)


def _made(merges: Sequence[Merge]) -> set[str]:
    """Every symbol that a text can come to hold: bytes, and what merges make of such symbols.

    A file of MNN's own exporter has the first line of ``merges.txt``, a comment, as its first merge: no text has its
    parts.
    """
    symbols = set(BYTE_TO_CHAR.values())
    size = 0
    while len(symbols) > size:
        size = len(symbols)
        symbols.update(left + right for left, right in merges if left in symbols and right in symbols)
    return symbols


_RULES: dict[type[Any], Callable[[Any], Faults]] = {
    SentencePieceFile: _sentencepiece,
    TiktokenFile: _tiktoken,
    BertFile: _bert,
    HuggingFaceFile: _huggingface,
}
