r"""Patterns that the engine hands to ``std::wregex``: those with a character beyond ASCII and no ``\p{``.

That is ECMAScript over code points in the C locale.  The part of the syntax that Python's ``re`` reads the same way is
modelled by ``re``; anything else is refused here rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mtok_export.engine.model.text import seen
from mtok_export.errors import EngineError

_PART = re.compile(
    r"""
    \\[\\.\[\]{}()*+?^$|/\-]            # an escaped metacharacter
    | \\[nrtfv]
    | \[\^? (?: \\[\\\[\]^\-nrtfv] | [^\\\[\]] )+ \]   # a class without nesting
    | \(\?[:=!] | \( | \)
    | [*+?]\?? | \{\d+(?:,\d*)?\}\??
    | \| | [^\\\[\]{}()*+?^$|.]
    """,
    re.VERBOSE,
)


def goes_wide(pattern: str) -> bool:
    """Whether the engine gives a pattern to ``std::wregex``."""
    return not pattern.isascii() and r"\p{" not in pattern and r"\P{" not in pattern


@lru_cache(maxsize=64)
def compile_wide(pattern: str) -> re.Pattern[str]:
    """The pattern for ``re``.

    Raises:
        EngineError: it holds syntax that this model does not know to be read alike.
    """
    at = 0
    while at < len(pattern):
        part = _PART.match(pattern, at)
        if part is None:
            raise EngineError(
                f"the pattern {pattern!r} goes to std::wregex, and {pattern[at : at + 10]!r} in it is not modelled"
            )
        at = part.end()
    try:
        return re.compile(pattern, re.ASCII)
    except re.error as error:
        raise EngineError(
            f"the pattern {pattern!r} goes to std::wregex, which dies of it or reads it otherwise: {error}"
        ) from None


def find_all(text: str, pattern: str) -> Iterable[tuple[int, int]]:
    """The matches as (start, end) in code points, empty ones included."""
    wide = "".join(map(seen, text))
    return (found.span() for found in compile_wide(pattern).finditer(wide))
