"""The ids of hundreds of thousands of merges, given as strings.

All is made of calls that loop in C: over string objects, or by numpy over their bytes where there are so many merges
that it pays to import it.  Neither says which merge is wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any

from mtok_export.packed_tokens import PackedTokens
from mtok_export.source.merge_table import MANY, Merge

if TYPE_CHECKING:
    from mtok_export.byte_strings import ByteStrings, Positions

    Columns = tuple[array[int], array[int], array[int]]

VERSION_LINE = "#version"
"""How the first line of an old ``merges.txt`` starts; the library drops every merge in string form that starts so."""

_BLOCK = 1 << 14
"""Merges that are taken apart at once: few enough for their parts to take little memory beside the others."""

_NO_MARKS = bytes(set(range(256)).difference(b" \n"))
"""All bytes but the space between two parts and the newline between two merges."""


def joiner(prefix: str) -> Callable[[Merge], str]:
    """What makes the resulting token of a merge; ``ValueError`` where the library would panic."""
    if not prefix:
        return "".join
    size = len(prefix.encode())

    def join(merge: Merge) -> str:
        """The library cuts as many bytes off the second part as the prefix has, whatever bytes they are."""
        first, second = merge[0], merge[1].encode()
        if len(second) < size:
            raise ValueError
        return first + second[size:].decode()

    return join


def merge_columns(raw: list[Any], vocab: dict[str, int], prefix: str) -> Columns | None:
    """The ids of first parts, second parts and results; ``None`` when a merge is wrong or to be dropped.

    Args:
        raw: the merges as they were parsed, each a string or an array.
        vocab: token -> id.
        prefix: what a merge cuts off its second part; ``""`` for nothing.
    """
    as_text = bool(raw) and isinstance(raw[0], str)  # then all of them are joined, which they must be strings for
    if not as_text and (set(map(type, raw)) - {list} or set(map(len, raw)) - {2}):
        return None
    columns = _by_bytes(raw, vocab, as_text) if len(raw) >= MANY and not prefix else None
    return columns or _by_strings(raw, vocab, as_text, prefix)


def _joined(strings: Iterable[Any], mark: str) -> str | None:
    """Strings in one text with a mark between them; ``None`` where one of them is no string."""
    try:
        return mark.join(strings)
    except TypeError:
        return None


def _lines(raw: list[Any]) -> str | None:
    """Merges in string form as one text, a line each; ``None`` where one is no string, or is a version line."""
    text = _joined(raw, "\n")
    return None if text is None or text.startswith(VERSION_LINE) or f"\n{VERSION_LINE}" in text else text


# --- as strings -------------------------------------------------------------------------------------------------------


def _by_strings(raw: list[Any], vocab: dict[str, int], as_text: bool, prefix: str) -> Columns | None:
    columns = array("I"), array("I"), array("I")
    for start in range(0, len(raw), _BLOCK):
        block = raw[start : start + _BLOCK]
        parts = _split(block) if as_text else list(chain.from_iterable(block))
        if parts is None:
            return None
        left, right = parts[0::2], parts[1::2]
        results = map(joiner(prefix), zip(left, right, strict=True)) if prefix else map(add, left, right)
        try:
            for column, tokens in zip(columns, (left, right, results), strict=True):
                column.extend(map(vocab.__getitem__, tokens))
        except (KeyError, TypeError, ValueError):  # no entry; a part that is no string; a prefix that cannot be cut off
            return None
    return columns


def _split(raw: list[str]) -> list[str] | None:
    """The parts of merges in string form; ``None`` unless each is two parts with one space, and no version line.

    All are taken as one text.  A merge that holds a newline itself is left to the slow way.
    """
    text = _lines(raw)
    if text is None:
        return None
    marks = text.encode("utf-8", "surrogatepass").translate(None, _NO_MARKS)
    if marks != (b" \n" * len(raw))[:-1]:
        return None
    return text.replace("\n", " ").split(" ")


# --- as bytes ---------------------------------------------------------------------------------------------------------


def _by_bytes(raw: list[Any], vocab: dict[str, int], as_text: bool) -> Columns | None:
    """The same by bytes; ``None`` means that strings are to be asked.

    That is so for what is wrong or to be dropped, and where entries or merges hold the characters that are put between
    them here, are very long, or have the same hash.
    """
    import numpy as np

    from mtok_export.byte_strings import StringTable

    entries = PackedTokens.of(vocab, len(vocab))
    if entries is None:
        return None
    table = StringTable(entries.strings)
    ids = np.fromiter(vocab.values(), np.uint32, len(vocab))
    columns = array("I"), array("I"), array("I")
    for start in range(0, len(raw), _BLOCK):
        parts = _stretches(raw[start : start + _BLOCK], as_text)
        for column, strings in zip(columns, parts, strict=True):
            positions: Positions | None = None if strings is None else table.positions(strings)
            if positions is None:
                return None
            column.frombytes(ids[positions].tobytes())
    return columns


def _stretches(raw: list[Any], as_text: bool) -> Iterable[ByteStrings | None]:
    """The first parts, second parts and results of merges, which lie over each other in one text."""
    import numpy as np

    from mtok_export.byte_strings import ByteStrings, Text

    nothing = None, None, None
    joined = _lines(raw) if as_text else _joined(chain.from_iterable(raw), "\0")
    if joined is None:
        return nothing
    text = joined.encode("utf-8", "surrogatepass")
    between, behind = b" \n" if as_text else b"\0\0"
    as_bytes = np.frombuffer(text, dtype=np.uint8)
    marks = np.flatnonzero((as_bytes == between) | (as_bytes == behind))
    if len(marks) != 2 * len(raw) - 1 or (as_bytes[marks[0::2]] != between).any():
        return nothing
    # With the marks left out, a result is where its parts are.
    bounds = np.append(0, np.append(marks, len(text)) - np.arange(2 * len(raw)))
    start, middle, end = bounds[0:-1:2], bounds[1::2], bounds[2::2]
    parts = Text(text.translate(None, bytes((between, behind))))
    return ByteStrings(parts, start, middle), ByteStrings(parts, middle, end), ByteStrings(parts, start, end)
