"""Text inside the model of the engine.

The engine works on bytes.  Here a text is a ``str`` in which a byte that is part of no valid UTF-8 stands as a lone
surrogate (Python's ``surrogateescape``); the engine, too, takes such a byte for one character, U+FFFD.
"""

from __future__ import annotations

REPLACEMENT = "\ufffd"


def to_bytes(text: str) -> bytes:
    """The bytes that the engine has for a text."""
    return text.encode("utf-8", "surrogateescape")


def from_bytes(data: bytes) -> str:
    """A text for bytes of the engine."""
    return data.decode("utf-8", "surrogateescape")


def is_stray_byte(char: str) -> bool:
    """Whether a character stands for a byte that is no UTF-8."""
    return "\udc80" <= char <= "\udcff"


def seen(char: str) -> str:
    """The character that the engine's look-ups see: U+FFFD for a stray byte."""
    return REPLACEMENT if is_stray_byte(char) else char
