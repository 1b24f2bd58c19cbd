"""The byte alphabet of byte-level tokenizers: each byte as one printable character (the table of GPT-2)."""

from __future__ import annotations

import re

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHERS = sorted(set(range(256)).difference(_PRINTABLE))

BYTE_TO_CHAR: dict[int, str] = {
    **{byte: chr(byte) for byte in _PRINTABLE},
    **{byte: chr(0x100 + position) for position, byte in enumerate(_OTHERS)},
}
"""Printable Latin-1 bytes stand for themselves, the other 68 are U+0100 onwards in order."""

CHAR_TO_BYTE: dict[str, int] = {char: byte for byte, char in BYTE_TO_CHAR.items()}


_ALL_OF_IT = re.compile("[!-~\u00a1-\u00ac\u00ae-\u0143]*")


def is_spelled(text: str) -> bool:
    """Whether every character of ``text`` is one of the byte alphabet."""
    return _ALL_OF_IT.fullmatch(text) is not None


def to_chars(text: str) -> str:
    """The UTF-8 bytes of ``text`` in the byte alphabet."""
    return "".join(map(BYTE_TO_CHAR.__getitem__, text.encode("utf-8")))


def to_bytes(token: str) -> bytes:
    """A token of a byte-level file as the engine streams it: characters outside the alphabet keep their UTF-8 bytes."""
    return b"".join(bytes((CHAR_TO_BYTE[char],)) if char in CHAR_TO_BYTE else char.encode("utf-8") for char in token)
