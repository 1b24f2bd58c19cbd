"""What the engine's byte matcher sees of a text: ASCII as it is, everything else as one of seven classes.

A set of such symbols is an ``int`` of 128 bits.  Bits 1-7 stand both for the classes and for U+0001-U+0007, which fold
to themselves: the engine cannot tell U+0001 from a letter.
"""

from __future__ import annotations

from functools import lru_cache

from mtok_export.characters import CLASS_LETTERS, FoldedClass, class_starts
from mtok_export.lowering.regex.charset import CharSet, by_label, of_runs
from mtok_export.lowering.regex.oniguruma import char_set

SYMBOLS = 128
EVERYTHING = (1 << SYMBOLS) - 1
CLASS_BITS = sum(1 << folded for folded in FoldedClass)

_TYPICAL: dict[FoldedClass, tuple[str, ...]] = {
    FoldedClass.LETTER: (r"\p{Lo}", r"\p{Lu}", r"\p{Ll}"),
    FoldedClass.NUMBER: (r"\p{Nd}",),
    FoldedClass.SPACE: (r"\p{Zs}",),
    FoldedClass.OTHER: (r"\p{C}",),
    FoldedClass.MARK: (r"\p{Mn}",),
    FoldedClass.PUNCTUATION: (r"\p{Po}",),
    FoldedClass.SYMBOL: (r"\p{So}",),
}
"""A set that holds most of one of these takes in the whole class: upper and lower case each stand for all letters."""


@lru_cache(maxsize=1)
def _table() -> dict[FoldedClass, CharSet]:
    starts, letters = class_starts()
    beyond_ascii = by_label(starts, letters)
    return {folded: beyond_ascii[letter] | CharSet.of_codes([folded]) for letter, folded in CLASS_LETTERS.items()}


def class_members(folded: FoldedClass) -> CharSet:
    """The characters that fold to a class, the control character of the same number included."""
    return _table()[folded]


@lru_cache(maxsize=4096)
def fold_char(char: str) -> int:
    """The byte that stands for a character."""
    code = ord(char)
    if code < SYMBOLS:
        return code
    return next(folded for folded, members in _table().items() if code in members)


def fold(text: str) -> bytes:
    """One byte for each character."""
    return bytes(map(fold_char, text))


@lru_cache(maxsize=512)
def members(mask: int) -> CharSet:
    """The characters that a set of symbols stands for."""
    found = of_runs(mask & ~CLASS_BITS)  # the first runs are the characters of ASCII
    for folded in FoldedClass:
        if mask >> folded & 1:
            found = found | class_members(folded)
    return found


@lru_cache(maxsize=512)
def approximate(chars: CharSet) -> int:
    """The set of symbols nearest to a set of characters; exact where ``members`` of the result is ``chars`` again.

    ASCII is always exact, U+0001-U+0007 apart.
    """
    mask = chars.ascii_bits() & ~CLASS_BITS
    for folded in FoldedClass:
        if _takes_class(chars, folded):
            mask |= 1 << folded
    return mask


def _takes_class(chars: CharSet, folded: FoldedClass) -> bool:
    whole = class_members(folded)
    if chars.isdisjoint(whole):
        return False
    return len(whole - chars) <= 1 or any(2 * len(chars & typical) > len(typical) for typical in _typical(folded))


@lru_cache(maxsize=len(FoldedClass))
def _typical(folded: FoldedClass) -> tuple[CharSet, ...]:
    whole = class_members(folded)
    return tuple(char_set(expression) & whole for expression in _TYPICAL[folded])
