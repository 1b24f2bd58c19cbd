"""Patterns made short for texts of a few characters: Python takes long to compile classes of a thousand ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mtok_export.lowering.regex.charset import MAX_CODE_POINT, CharSet
from mtok_export.lowering.regex.reading import goes_wide
from mtok_export.lowering.regex.wide import write_class

_CHAR = r"(?:\\.|[^\\\]])"
_CLASS = rf"(?s)\\.|\[(\^?)({_CHAR}+)\]"
_MEMBER = rf"(?s)({_CHAR})(?:-({_CHAR}))?"
_ESCAPES = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\f": "\f", r"\v": "\v"}
_NOTHING = r"[^\s\S]"
_BEYOND_ASCII = f"(?!{chr(MAX_CODE_POINT)}{_NOTHING})"
"""It holds everywhere, and sends a pattern to the wide matcher."""


def confined(pattern: str, chars: Iterable[str]) -> str:
    """A pattern that does to texts of some characters what another does.

    Args:
        pattern: one for the wide matcher that Python reads as that does.
        chars: the characters.
    """
    few = CharSet.of_text(chars)

    def shortened(found: re.Match[str]) -> str:
        if found[0].isascii():
            return found[0]
        inside = few & _members(found[2])
        kept = few - inside if found[1] else inside
        return write_class(kept) if kept else _NOTHING

    text = re.sub(_CLASS, shortened, pattern)
    return text if goes_wide(text) else _BEYOND_ASCII + text


@lru_cache(maxsize=64)
def _members(inside: str) -> CharSet:
    """What a class holds, by what stands between its brackets."""
    members = re.findall(_MEMBER, inside)
    if "\\" in inside:
        members = [(_ESCAPES.get(low, low[-1:]), _ESCAPES.get(high, high[-1:])) for low, high in members]
    return CharSet.of([(ord(low), ord(high or low)) for low, high in members])
