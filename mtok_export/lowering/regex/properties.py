r"""Which characters have a property, as far as the library need not be asked: the table ``facts/properties``.

The table is text.  First come the lengths of all runs of code points that none of its properties cuts, no class of the
engine and no character of ASCII, each written as the character of that number; then, in turn, an expression such as
``\p{Lu}`` and the runs that it matches, as a hexadecimal number whose lowest bit is the first run.  U+0000 stands
between the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate, chain, pairwise

from mtok_export import facts
from mtok_export.characters import class_ranges

TABLE = "properties"

_CATEGORIES = (
    "L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs C Cc Cf Cn Co",
    "Alphabetic Lowercase Uppercase White_Space Changes_When_Casefolded Changes_When_Casemapped",
)
_SCRIPTS = (
    "Arabic Armenian Bengali Bopomofo Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul",
    "Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu",
    "Thai Tibetan",
)
_POSIX = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"

EXPRESSIONS = (
    *(rf"\p{{{name}}}" for names in (*_CATEGORIES, *_SCRIPTS) for name in names.split()),
    *(f"[[:{name}:]]" for name in _POSIX.split()),
    *(r"\d", r"\h", r"\s", r"\w", r"[\w]"),
)
"""What patterns of tokenizers ask for, written as they write it."""


@lru_cache(maxsize=1)
def _parts() -> list[str]:
    return facts.read(TABLE).decode("utf-8").split("\0")


def places() -> tuple[int, ...]:
    """Where each run starts, ascending, and where the last one ends.

    Runs are only a way to say things, so they are those of the table whatever the library.
    """
    return tuple(accumulate(map(ord, _parts()[0]), initial=0))


@lru_cache(maxsize=1)
def known_runs() -> Mapping[str, str]:
    """The runs that expressions match, as hexadecimal numbers; none where the library has to be asked."""
    parts = _parts()
    return dict(zip(parts[1::2], parts[2::2], strict=True)) if facts.holds(TABLE) else {}


def encode(members: Mapping[str, Iterable[tuple[int, int]]]) -> bytes:
    """The table.

    Args:
        members: each expression and what it matches, as ranges (first, last) that are sorted and do not touch.
    """
    cuts = {0, *range(0x81), 0xD800, 0xE000, 0x110000}
    ranges = chain(((first, last) for first, last, _ in class_ranges()), *members.values())
    cuts.update(chain.from_iterable((first, last + 1) for first, last in ranges))
    starts = sorted(cuts)
    numbers = {start: number for number, start in enumerate(starts)}
    parts = ["".join(chr(end - start) for start, end in pairwise(starts))]
    for expression, found in members.items():
        runs = sum((1 << numbers[last + 1]) - (1 << numbers[first]) for first, last in found)
        parts += [expression, f"{runs:x}"]
    return "\0".join(parts).encode("utf-8")
