"""Why the engine sees other characters than a pattern means: once for each reason, with the characters it touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, reduce

from mtok_export.characters import FoldedClass
from mtok_export.lowering.regex.charset import ASCII, NO_CHARS, CharSet
from mtok_export.lowering.regex.fold import class_members, members
from mtok_export.lowering.regex.ir import One
from mtok_export.lowering.regex.oniguruma import ASCII_CASE_EXTRAS, char_set
from mtok_export.lowering.regex.translation import RegexLimit

CONTROLS = CharSet.of([(1, 7)])
LINE_SEPARATORS = CharSet.of([(0x85, 0x85), (0x2028, 0x2029)])

_CASE_VARIANTS = CharSet.of_text("".join(ASCII_CASE_EXTRAS.values()))
MAX_SHOWN = 60
COARSE = "beyond ASCII the engine knows no more of a character than its class"
_CLASS_NAMES = {
    FoldedClass.LETTER: "letters",
    FoldedClass.NUMBER: "numbers",
    FoldedClass.SPACE: "spaces",
    FoldedClass.OTHER: "others (control, format, unassigned)",
    FoldedClass.MARK: "marks",
    FoldedClass.PUNCTUATION: "punctuation",
    FoldedClass.SYMBOL: "symbols",
}


@lru_cache(maxsize=1)
def newer_characters() -> CharSet:
    """Characters that ``tokenizers`` knows and the engine (Unicode 15.0) does not: to it they are unassigned."""
    return class_members(FoldedClass.OTHER) - char_set(r"\p{C}") - char_set(r"\p{Zl}") - char_set(r"\p{Zp}") - ASCII


def residue() -> CharSet:
    """Characters that no pattern of the byte matcher gets right: rare ones, and they are the same for all patterns."""
    return CONTROLS | LINE_SEPARATORS | newer_characters()


def difference(sets: Iterable[One]) -> CharSet:
    """The characters that some set of a pattern holds in Hugging Face and not in the engine, or the other way round."""
    return _union(each.chars ^ members(each.mask) for each in sets)


def character_limits(sets: Iterable[One], spellings: Mapping[CharSet, str]) -> tuple[RegexLimit, ...]:
    """One limit for each reason why characters are taken for others; the examples are found later."""
    sets = sorted(sets, key=lambda each: each.chars.ranges)
    touched = difference(sets)
    limits = [
        RegexLimit(reason, characters=touched & chars)
        for chars, reason in (
            (CONTROLS, "U+0001-U+0007 are taken for letters, numbers, spaces and so on"),
            (LINE_SEPARATORS, "U+0085, U+2028 and U+2029 are taken for control characters, not for white space"),
            (newer_characters(), "characters newer than Unicode 15.0 are taken for unassigned ones"),
        )
        if touched & chars
    ]
    known = residue()
    wrong = {each: (each.chars ^ members(each.mask)) - known for each in sets}
    variants = {each: chars for each, chars in wrong.items() if chars and chars <= _CASE_VARIANTS}
    coarse = {each: chars for each, chars in wrong.items() if chars and each not in variants}
    if variants:
        listed = " and ".join(f"U+{code:04X}" for code in _union(variants.values()))
        limits.append(
            RegexLimit(
                f"the engine does not match {listed} where case is ignored", characters=_union(variants.values())
            )
        )
    if coarse:
        named = ", ".join(
            dict.fromkeys(f"{_spelled(each, spellings)} takes in {_classes(each.mask)}" for each in coarse)
        )
        limits.append(RegexLimit(f"{COARSE}: {named}", characters=_union(coarse.values())))
    return tuple(limits)


def touching(limits: Iterable[RegexLimit], chars: CharSet) -> tuple[RegexLimit, ...]:
    """The same limits, the one for coarse classes touching some more characters."""
    return tuple(
        replace(limit, characters=limit.characters | chars)
        if limit.reason.startswith(COARSE) and limit.characters is not None
        else limit
        for limit in limits
    )


def _union(sets: Iterable[CharSet]) -> CharSet:
    return reduce(CharSet.__or__, sets, NO_CHARS)


def _spelled(each: One, spellings: Mapping[CharSet, str]) -> str:
    spelling = spellings.get(each.chars, "a set")
    return spelling if len(spelling) <= MAX_SHOWN else f"{spelling[: MAX_SHOWN - 3]}..."


def _classes(mask: int) -> str:
    inside = [_CLASS_NAMES[folded] for folded in FoldedClass if mask >> folded & 1]
    outside = [_CLASS_NAMES[folded] for folded in FoldedClass if not mask >> folded & 1]
    if not inside or not outside:
        return "all of them" if inside else "none of them"
    return f"all {' and '.join(inside)}" if len(inside) <= len(outside) else f"all but {' and '.join(outside)}"
