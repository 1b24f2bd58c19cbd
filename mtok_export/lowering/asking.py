"""Asking a function of the ``tokenizers`` library about hundreds of thousands of texts in one call.

A call costs as much as some twenty characters, so single characters are joined, normalized together and split again.
That is right where the function treats what stands between two separators as if it stood alone, for which the caller
answers.  Whether each separator came back is checked, and texts between which one is missing are asked for one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

GRAVE = "`"
"""The usual separator, U+0060: no normalization form changes it, composes it with what follows or moves anything across
it; it has no case, is no mark, no space and no control, and Bert's clean-up and spacing leave it alone.
"""

CONTROL = "\x81"
"""The separator for character maps, which take a whole cluster where they know it: a control never belongs to one,
whatever stands beside it (rules GB4 and GB5 of Unicode's annex 29).
"""

_BLOCKS = (4096, 64)
"""So many texts are asked for at once, for the library takes some hundred bytes for each character; and so many where
one of those holds the separator.
"""


def asked(function: Callable[[str], str], texts: Sequence[str], separator: str = GRAVE) -> list[str]:
    """What a text-to-text function makes of each of many short texts.

    Args:
        function: treats the parts of a text between separators as if each stood alone.
        texts: the texts; those that hold or give the separator are asked for one by one, with their neighbours.
        separator: one character.
    """
    return _asked(function, texts, separator, _BLOCKS)


def _asked(function: Callable[[str], str], texts: Sequence[str], separator: str, blocks: tuple[int, ...]) -> list[str]:
    if not blocks:
        return list(map(function, texts))
    found: list[str] = []
    for start in range(0, len(texts), blocks[0]):
        block = texts[start : start + blocks[0]]
        parts = function(separator.join(block)).split(separator)
        found += parts if len(parts) == len(block) else _asked(function, block, separator, blocks[1:])
    return found
