"""What the engine takes each code point for, and its lower case: data read off the real engine, not off Python.

Two tables beside this module, written by ``scripts/probe_unicode.py``, which asks the engine about every code point:

- ``unicode_classes.tsv``: runs of code points from U+0080 on with the class that the engine folds them to (first, last,
  class; hexadecimal, OTHER left out);
- ``lower_case.tsv``: runs of code points whose lower case is at a fixed distance (first, last, step, distance).

Releases 3.5.0 to 3.6.1 give the same answers.  They are those of Unicode 15, so Python's own ``unicodedata`` would be
wrong for newer characters on some interpreters (4,482 code points on CPython 3.11).
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from importlib.resources import files

LETTER_TABLE = "unicode_classes.tsv"
LOWER_TABLE = "lower_case.tsv"


class FoldedClass(IntEnum):
    """The byte that a code point beyond ASCII becomes in front of a pattern."""

    LETTER = 1
    NUMBER = 2
    SPACE = 3
    OTHER = 4
    MARK = 5
    PUNCTUATION = 6
    SYMBOL = 7


ASCII_WHITE_SPACE = frozenset("\t\n\v\f\r ")
ASCII_PUNCTUATION = frozenset("!\"#%&'()*,-./:;?@[\\]_{}")
"""The ASCII characters of the categories P*."""

ASCII_SYMBOLS = frozenset("$+<=>^`|~")
"""The ASCII characters of the categories S*."""


def _rows(name: str) -> list[list[str]]:
    text = (files(__package__) / name).read_text(encoding="ascii")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


@lru_cache(maxsize=1)
def folded_classes() -> dict[int, FoldedClass]:
    """The class of every code point from U+0080 on that is not OTHER."""
    classes: dict[int, FoldedClass] = {}
    for first, last, kind in _rows(LETTER_TABLE):
        classes.update(dict.fromkeys(range(int(first, 16), int(last, 16) + 1), FoldedClass(int(kind))))
    return classes


@lru_cache(maxsize=1)
def lower_cases() -> dict[int, int]:
    """The code points that have another lower case, with it."""
    lower: dict[int, int] = {}
    for first, last, step, distance in _rows(LOWER_TABLE):
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
