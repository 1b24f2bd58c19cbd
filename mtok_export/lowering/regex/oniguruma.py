"""The regex library of ``tokenizers`` as a source of facts: which characters a class holds, how a text is split.

The library is imported when something is first asked.  Answers follow the version that is installed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from mtok_export.lowering.regex import properties
from mtok_export.lowering.regex.charset import MAX_CODE_POINT, CharSet, Range, of_runs

_ASSIGNED_END = 0x33480
_TAGS = (0xE0000, 0xE0FFF)
_PART = 0x1000
_PLANE = 0x10000
_WORD = r"(?i)\\w|\\p\{[ _-]*w[ _-]*o[ _-]*r[ _-]*d[ _-]*\}"
"""The one set that is not the same inside a class; the others are asked for in one, which is quicker."""

_CLASS_OF_ONE = r"(?i)\[(\\[pP]\{(?![ _-]*w[ _-]*o)[\w^ -]+\}|\\[sd])\]"
"""A class of one property, which says the same without its brackets."""

ASCII_CASE_EXTRAS = {"k": "\u212a", "s": "\u017f"}
"""Characters beyond ASCII that are case variants of an ASCII letter: the Kelvin sign and the long s."""

BEHAVIORS = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
"""Names of the behaviours in tokenizer.json, and in the Python package."""


def syntax_error(pattern: str) -> str | None:
    """What the library says against a pattern; ``None`` if it compiles it."""
    from tokenizers import Regex

    try:
        Regex(pattern)
    except Exception as error:  # the library raises bare Exception
        return str(error)
    return None


@lru_cache(maxsize=64)
def _splitter(pattern: str, behavior: str, invert: bool, literal: bool) -> Any:
    from tokenizers import Regex, pre_tokenizers

    return pre_tokenizers.Split(pattern if literal else Regex(pattern), BEHAVIORS[behavior], invert)


def split(text: str, pattern: str, behavior: str, invert: bool, *, literal: bool = False) -> tuple[str, ...]:
    """The pieces of a text that the library leaves, empty ones apart."""
    splitter = _splitter(pattern, behavior, invert, literal)
    return tuple(piece for piece, _ in splitter.pre_tokenize_str(text))


@lru_cache(maxsize=1)
def _uniform_segments() -> tuple[Range, ...]:
    """Stretches beyond what is assigned, in each of which all characters have the same properties."""
    segments: list[Range] = []
    for plane in range(_ASSIGNED_END // _PLANE, MAX_CODE_POINT // _PLANE + 1):
        start = max(plane * _PLANE, _ASSIGNED_END)
        if plane == _TAGS[0] // _PLANE:
            start = _TAGS[1] + 1
        end = plane * _PLANE + _PLANE - 1
        segments += [(start, end - 2), (end - 1, end)]
    return tuple(segments)


@lru_cache(maxsize=1)
def _sample() -> tuple[str, ...]:
    """Every character that may be assigned, and one of each stretch that is not, ascending in each part.

    The library takes some hundred bytes for each character of a text, so it is asked part by part.
    """
    parts = [
        "".join(map(chr, range(start, min(start + _PART, codes.stop))))
        for codes in (range(0xD800), range(0xE000, _ASSIGNED_END), range(_TAGS[0], _TAGS[1] + 1))
        for start in codes[::_PART]
    ]
    return (*parts, "".join(chr(low) for low, _ in _uniform_segments()))


@lru_cache(maxsize=256)
def char_set(expression: str) -> CharSet:
    r"""The characters that an expression for one character matches.

    Args:
        expression: a property, a shorthand or a class, such as ``\p{Lu}`` or ``[[:alpha:]]``.  What it says of
        characters
            beyond the assigned ones must be uniform (true of every property, not of every range).  Inside a class and
            outside, a shorthand may differ: ``\w`` holds U+00B2 and ``[\w]`` does not.

    Raises:
        ValueError: the library does not compile it.
    """
    known = properties.known_runs()
    # A class of one property is that property, unless it is a known expression itself, as ``[\w]`` is.
    runs = known.get(expression) or known.get(expression[1:-1])
    if runs is not None:
        return of_runs(int(runs, 16))
    alone = re.fullmatch(_CLASS_OF_ONE, expression)
    return char_set(alone[1]) if alone else ask(expression)


def ask(expression: str) -> CharSet:
    """The same, asked of the library whatever is known.

    Raises:
        ValueError: the library does not compile it.
    """
    from tokenizers import Regex, normalizers

    try:
        others = Regex(f"(?!{expression})\\O" if re.fullmatch(_WORD, expression) else f"[^{expression}]+")
    except Exception as error:  # the library raises bare Exception
        raise ValueError(str(error)) from None
    without = normalizers.Replace(others, "").normalize_str
    sampled = CharSet.of_text("".join(map(without, _sample())))
    return CharSet.of([*sampled.ranges, *(segment for segment in _uniform_segments() if segment[0] in sampled)])


def ask_properties() -> bytes:
    """The table ``facts/properties``, asked of the library."""
    return properties.encode({expression: ask(expression).ranges for expression in properties.EXPRESSIONS})


@lru_cache(maxsize=64)
def case_closure(chars: CharSet) -> CharSet:
    """A set with every character that matches one of its members when case is ignored (one character for one)."""
    if not chars.ranges or chars.ranges[-1][1] < 0x80:
        return chars | CharSet.of_text(variant for code in chars for variant in _ascii_variants(chr(code)))
    from tokenizers import Regex, normalizers

    inside = "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in chars.ranges)
    found = normalizers.Replace(Regex(f"(?!(?i:[{inside}]))\\O"), "").normalize_str(_cased())
    return chars | CharSet.of_text(found.replace("\n", ""))


@lru_cache(maxsize=1)
def _cased() -> str:
    """Every character that has case, each on a line of its own, lest two of them match as one."""
    cased = char_set(r"\p{Changes_When_Casemapped}") | char_set(r"\p{Changes_When_Casefolded}")
    return "\n".join(map(chr, cased))


def _ascii_variants(char: str) -> str:
    if not char.isalpha():
        return char
    return char.lower() + char.upper() + ASCII_CASE_EXTRAS.get(char.lower(), "")
