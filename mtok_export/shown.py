"""Texts of a tokenizer file as something that can be shown.

No control character, direction mark or half of a pair reaches the terminal, and long texts are cut.
"""

from __future__ import annotations

from collections.abc import Iterable

WIDTH = 60
"""So many characters of a text stand in one place."""


def visible(text: str, width: int = WIDTH) -> str:
    """A text in quotes, everything that is not printable escaped; of a long one the beginning."""
    if len(text) <= width:
        return repr(text)
    return f"{text[:width]!r}... ({len(text):,} characters)"


def visible_line(text: str) -> str:
    """A line without quotes in which everything that is not printable is escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def visible_bytes(data: bytes, width: int = WIDTH) -> str:
    """Bytes as text in quotes; those that are no UTF-8 stand as a backslash, x and two digits."""
    return visible(data.decode("utf-8", "backslashreplace"), width)


def listed(items: Iterable[str], total: int | None = None, most: int = 3) -> str:
    """The first few of some items, and how many more there are (of ``total``, where not all are given)."""
    known = list(items)
    more = (len(known) if total is None else total) - min(most, len(known))
    return ", ".join(known[:most]) + (f" and {more:,} more" if more > 0 else "")


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 token``, ``2 tokens``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
