"""The byte alphabet inside the model of the engine."""

from __future__ import annotations

from mtok_export.byte_alphabet import BYTE_TO_CHAR, CHAR_TO_BYTE
from mtok_export.engine.model.text import to_bytes


def to_chars(text: str) -> str:
    """Each byte of a text as its character."""
    return "".join(map(BYTE_TO_CHAR.__getitem__, to_bytes(text)))


def from_chars(text: str) -> bytes:
    """Characters of the alphabet to their bytes; every other character keeps its own bytes."""
    return b"".join(bytes((CHAR_TO_BYTE[char],)) if char in CHAR_TO_BYTE else to_bytes(char) for char in text)
