"""Tables of what a normalizer makes of each code point.

Two sources: Python's ``unicodedata`` (whose Unicode version changes with the interpreter: ``--plain`` uses it and the
report names it) and the ``tokenizers`` library itself, asked code point by code point.
"""

from __future__ import annotations

import sys
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal

from mtok_export.lowering.asking import asked
from mtok_export.report import CodeRanges

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
Entries = tuple[tuple[int, str], ...]

_SURROGATES = range(0xD800, 0xE000)

_BLOCK = 0x100
"""So many code points are looked at together."""

SPACED_BY_TABLE_OP = (
    *(code for code in range(0x01, 0x20) if chr(code) not in "\t\n\r"),
    *range(0x7F, 0xA0),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x206A),
    0xFEFF,
    *range(0xFFF0, 0xFFF9),
)
"""The code points that the engine's table op turns into a space before it looks anything up."""


def ranges(codes: Iterable[int]) -> CodeRanges:
    """Code points as ranges (first, last), ascending."""
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1] = found[-1][0], code
        else:
            found.append((code, code))
    return tuple(found)


LINE_SEPARATORS: CodeRanges = ((0x85, 0x85), (0x2028, 0x2029))
"""White space of Hugging Face that the engine does not take for white space."""

WHITE_SPACE: CodeRanges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
"""The characters with the Unicode property White_Space, which has not changed since Unicode 6.3."""

NO_WHITE_SPACE: CodeRanges = tuple(
    (before[1] + 1, after[0] - 1)
    for before, after in pairwise(((-1, -1), *WHITE_SPACE, (sys.maxunicode + 1, sys.maxunicode + 1)))
    if before[1] + 1 <= after[0] - 1
)
"""All others."""


@lru_cache(maxsize=4)
def unicodedata_table(form: Form) -> Entries:
    """The code points that ``unicodedata`` normalizes to something else, ascending.

    None of those can stand in a text that is normalized, so whole blocks are looked at first.
    """
    entries: list[tuple[int, str]] = []
    for start in range(0, sys.maxunicode + 1, _BLOCK):
        block = "".join(map(chr, range(start, start + _BLOCK)))
        if not unicodedata.is_normalized(form, block):
            made = zip(block, map(partial(unicodedata.normalize, form), block), strict=True)
            entries += [(ord(char), mapped) for char, mapped in made if char != mapped]
    return tuple(entries)


ASKED: CodeRanges = ((0, _SURROGATES.start - 1), (_SURROGATES.stop, 0x3347F), (0xE0000, 0xE0FFF))
"""The code points that a normalizer is asked about; they hold all assigned ones.

The planes that are left out hold private characters, which are treated alike, and unassigned ones.
"""


_ASKED_BOUNDS = tuple(bound for first, last in ASKED for bound in (first, last + 1))


def is_asked(code: int) -> bool:
    """Whether a code point is one of ``ASKED``."""
    return bisect(_ASKED_BOUNDS, code) % 2 == 1


def asked_code_points() -> Iterator[int]:
    """The code points of ``ASKED``, ascending."""
    for first, last in ASKED:
        yield from range(first, last + 1)


def asked_characters() -> list[str]:
    """The characters of ``ASKED``, ascending."""
    return [char for first, last in ASKED for char in map(chr, range(first, last + 1))]


def table_of(normalize: Callable[[str], str]) -> Entries:
    """The code points that ``normalize`` (a text-to-text function that works code point by code point) changes.

    Asked for each of ``asked_code_points``; what a normalizer does to the private planes is the caller's affair.
    """
    chars = asked_characters()
    mapped = asked(normalize, chars)
    return tuple([(ord(char), result) for char, result in zip(chars, mapped, strict=True) if char != result])
