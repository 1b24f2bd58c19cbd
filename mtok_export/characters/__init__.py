"""What the engine takes each code point for, and its lower case: data read off the real engine, not off Python.

``class_runs`` and ``lower_runs`` hold the tables, which ``scripts/probe_unicode.py`` writes by asking the engine about
every code point.  Releases 3.5.0 to 3.6.1 give the same answers.  They are those of Unicode 15, so Python's own
``unicodedata`` would be wrong for newer characters on some interpreters (4,482 code points on CPython 3.11).
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate

from mtok_export.characters import class_runs, lower_runs


class FoldedClass(IntEnum):
    """The byte that a code point beyond ASCII becomes in front of a pattern."""

    LETTER = 1
    NUMBER = 2
    SPACE = 3
    OTHER = 4
    MARK = 5
    PUNCTUATION = 6
    SYMBOL = 7


CLASS_LETTERS = {
    "L": FoldedClass.LETTER,
    "N": FoldedClass.NUMBER,
    "Z": FoldedClass.SPACE,
    "C": FoldedClass.OTHER,
    "M": FoldedClass.MARK,
    "P": FoldedClass.PUNCTUATION,
    "S": FoldedClass.SYMBOL,
}
"""The letters that stand for the classes in ``class_runs``: those of the Unicode categories."""

ASCII_WHITE_SPACE = frozenset("\t\n\v\f\r ")
ASCII_PUNCTUATION = frozenset("!\"#%&'()*,-./:;?@[\\]_{}")
"""The ASCII characters of the categories P*."""

ASCII_SYMBOLS = frozenset("$+<=>^`|~")
"""The ASCII characters of the categories S*."""


def class_starts() -> tuple[Sequence[int], str]:
    """Where each run of one class starts, and its letter; the first one at U+0080, the last one up to U+10FFFF."""
    text = "".join(class_runs.RUNS)
    lengths = [int(digits or "1", 16) for digits in re.split("[A-Z]", text)[1:]]
    starts = list(accumulate(lengths[:-1], initial=class_runs.FIRST))
    return starts, text.translate(dict.fromkeys(map(ord, string.hexdigits[:16])))


def class_ranges() -> Iterator[tuple[int, int, FoldedClass]]:
    """The first and last code point of each run of one class, from U+0080 to U+10FFFF."""
    starts, letters = class_starts()
    for start, end, letter in zip(starts, (*starts[1:], sys.maxunicode + 1), letters, strict=True):
        yield start, end - 1, CLASS_LETTERS[letter]


@lru_cache(maxsize=1)
def folded_classes() -> dict[int, FoldedClass]:
    """The class of every code point from U+0080 on that is not OTHER."""
    classes: dict[int, FoldedClass] = {}
    for first, last, kind in class_ranges():
        if kind is not FoldedClass.OTHER:
            classes.update(dict.fromkeys(range(first, last + 1), kind))
    return classes


@lru_cache(maxsize=1)
def lower_cases() -> dict[int, int]:
    """The code points that have another lower case, with it."""
    lower: dict[int, int] = {}
    for run in lower_runs.RUNS.split():
        first, last, step, distance = run.split(",")
        lower.update((code, code + int(distance)) for code in range(int(first, 16), int(last, 16) + 1, int(step)))
    return lower


def folded_class(char: str) -> FoldedClass:
    """The class of a character beyond ASCII."""
    return folded_classes().get(ord(char), FoldedClass.OTHER)


def is_white_space(char: str) -> bool:
    """Whether Strip and the BERT pre-tokenizer take a character for white space (not U+0085, U+2028, U+2029)."""
    return char in ASCII_WHITE_SPACE if char < "\x80" else folded_class(char) is FoldedClass.SPACE


def is_space_separator(char: str) -> bool:
    """Whether a character is of category Zs."""
    return char == " " if char < "\x80" else folded_class(char) is FoldedClass.SPACE


def is_punctuation(char: str) -> bool:
    """Whether the BERT pre-tokenizer isolates a character: categories P* and all ASCII punctuation and symbols."""
    if char < "\x80":
        return char in ASCII_PUNCTUATION or char in ASCII_SYMBOLS
    return folded_class(char) is FoldedClass.PUNCTUATION


def is_mark(char: str) -> bool:
    """Whether a character is of category Mn, Mc or Me."""
    return char >= "\x80" and folded_class(char) is FoldedClass.MARK


def is_control(char: str) -> bool:
    """Whether a character is of category Cc."""
    return char < " " or "\x7f" <= char <= "\x9f"


def lower(char: str) -> str:
    """The lower case of a character: always one character."""
    return chr(lower_cases().get(ord(char), ord(char)))
