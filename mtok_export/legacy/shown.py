"""What the engine makes of a row when it decodes its id.

This decides what a special token is looked for by, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mtok_export.byte_alphabet import CHAR_TO_BYTE
from mtok_export.legacy.bert import BertFile
from mtok_export.legacy.huggingface import HuggingFaceFile
from mtok_export.legacy.legacy_file import LegacyFile
from mtok_export.legacy.sentencepiece import SentencePieceFile
from mtok_export.legacy.spec import META
from mtok_export.legacy.tiktoken import TiktokenFile

_META = META.encode("utf-8")
_LOOKS_LIKE_A_BYTE = re.compile(rb"<0x(..)>", re.DOTALL)
_HEX = re.compile(rb"[\t-\r ]*([-+]?[0-9A-Fa-f]+)")


def shown_piece(piece: bytes) -> bytes:
    """A piece of type SENTENCEPIECE, decoded.

    The first U+2581 becomes a space, and as many bytes behind it as stand in front of it are lost.
    """
    at = piece.find(_META)
    return piece if at < 0 else piece[:at] + b" " + piece[2 * at + len(_META) :]


def shown_token(token: str) -> bytes:
    """A token of type HUGGINGFACE, decoded: characters outside the byte alphabet are dropped."""
    return bytes([CHAR_TO_BYTE[char] for char in token if char in CHAR_TO_BYTE])


def streamed(decoded: bytes) -> bytes | None:
    """What streaming shows of a decoded row, which takes ``<0xNN>`` for a byte in every type.

    ``None`` where the engine dies of it: what stands between ``<0x`` and ``>`` is no number to C.
    """
    found = _LOOKS_LIKE_A_BYTE.fullmatch(decoded)
    if found is None:
        return decoded
    number = _HEX.match(found[1])
    return None if number is None else bytes((int(number[1], 16) & 0xFF,))


_ROWS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    SentencePieceFile: lambda file: [shown_piece(piece.piece) for piece in file.pieces],
    TiktokenFile: lambda file: list(file.tokens),
    BertFile: lambda file: list(file.tokens),
    HuggingFaceFile: lambda file: list(map(shown_token, file.tokens)),
}


def decoded_rows(file: LegacyFile) -> list[bytes]:
    """Every row, decoded, by id."""
    return _ROWS[type(file)](file)
