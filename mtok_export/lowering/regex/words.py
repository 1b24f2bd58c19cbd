r"""Words split by case, as GPT-4o and many models after it do: capitals, then small letters, in one of two ways.

Such a pattern starts with ``p?U*L+t|p?U+L*t``, where ``U`` holds capitals, ``L`` small letters, and both hold the
letters and marks without case.  The byte matcher cannot tell capitals from small letters beyond ASCII.  But the places
where such words are cut can be said character by character:

- between a small letter and a capital;
- the same with letters without case between the two: before the capital;
- after a letter without case, if nothing but capitals follow before the word ends: the first way takes no more.

Cut there, each piece of a word is taken whole, by whichever way, and the byte matcher need not know capitals from small
letters.  Within ASCII it does, and goes on to cut there itself.  A window has an end: so many letters without case, or
capitals, are looked at, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtok_export.lowering.regex.analysis import never_fails
from mtok_export.lowering.regex.charset import ASCII, NO_CHARS, CharSet
from mtok_export.lowering.regex.cuts import before_looks
from mtok_export.lowering.regex.ir import (
    Alt,
    Ir,
    Look,
    One,
    Repeat,
    children,
    items_of,
    one,
    options_of,
    repeat,
    seq,
    sets_of,
)
from mtok_export.lowering.regex.translation import RegexLimit, SplitStep
from mtok_export.lowering.regex.wide import merging_step, write_class
from mtok_export.records import dataclass
from mtok_export.report import Fidelity

_COMMON = CharSet.of(
    (
        *((0x20, 0x40), (0x61, 0x7A), (0x430, 0x45F), (0x3001, 0x3002), (0x3041, 0x3096), (0x30A1, 0x30FA)),
        *((0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF0C, 0xFF0C)),
    )
)
"""What most texts mostly hold, capitals apart."""

WINDOW = 64
"""How many letters without case, or capitals, a cut looks over."""


@dataclass(frozen=True)
class CasedWords:
    """A pattern that begins with two ways to take a word, taken apart.

    ``upper`` and ``lower`` are the two sets; ``prefix`` is what may stand before a word, ``tail`` what may follow it,
    and ``others`` are the options after the two.
    """

    upper: One
    lower: One
    prefix: tuple[Ir, ...]
    tail: tuple[Ir, ...]
    others: tuple[Ir, ...]

    @property
    def capitals(self) -> CharSet:
        """What only the first part of a word holds."""
        return self.upper.chars - self.lower.chars

    @property
    def small(self) -> CharSet:
        """What only the second part holds."""
        return self.lower.chars - self.upper.chars

    @property
    def caseless(self) -> CharSet:
        """What both hold."""
        return self.upper.chars & self.lower.chars

    def cut(self) -> SplitStep:
        """The step of the wide matcher that cuts words."""
        capitals, caseless = write_class(self.capitals), write_class(self.caseless)
        between = f"{caseless}{{1,{WINDOW}}}(?={capitals})"
        last = f"{caseless}(?={capitals}{{1,{WINDOW}}}(?!{write_class(self.upper.chars | self.lower.chars)}))"
        inside, plain = self.small - self.ends, self.small & ASCII
        ways = (
            f"{write_class(self.small - ASCII)}(?={capitals})",
            f"{write_class(plain)}(?={write_class(self.capitals - ASCII)})" if plain else "",
            f"{write_class(inside)}{between}",
            last,
        )
        return merging_step(f"{self._guard()}(?:{'|'.join(filter(None, ways))})")

    def _guard(self) -> str:
        """Look whether two characters are such as to cut anywhere: the sets of letters are long, and looking costs."""
        common_caseless, plain = _COMMON & self.caseless, self.small & ASCII
        pairs = [
            (~ASCII - common_caseless, ~(_COMMON - self.capitals - self.caseless)),
            (common_caseless, ~(_COMMON - self.capitals)),
            (plain, ~ASCII),
        ]
        return f"(?={'|'.join(write_class(left) + write_class(right) for left, right in pairs if left)})"

    @property
    def ends(self) -> CharSet:
        """The letters that a tail can end with: what comes after them is a new word."""
        found = NO_CHARS
        for way in _ways(seq(self.tail)):
            found = found | _chars(way[-1:])
        return found

    def pattern(self) -> Ir:
        """What the byte matcher is to do with the pieces: the second way first, and small letters alone."""
        capitals = seq([*self.prefix, repeat(self.upper, 1, None), repeat(self.lower, 0, None), *self.tail])
        small = seq([*self.prefix, repeat(self.lower, 1, None), *self.tail])
        return Alt((capitals, small, *self.others))

    def sets(self) -> frozenset[One]:
        """The sets whose characters have to be told apart: capitals and small letters do not."""
        letters = one(self.upper.chars | self.lower.chars)
        return frozenset({letters}).union(*map(sets_of, (*self.prefix, *self.tail, *self.others)))

    def limits(self) -> tuple[RegexLimit, ...]:
        """What happens beyond the window, and to letters that might end a tail."""
        reason = "words are cut by case looking over no more than so many capitals, or letters and marks without case"
        window = RegexLimit(
            reason,
            bound=f"{WINDOW} capitals after a letter without case, {WINDOW} letters and marks without case in a row",
            fidelity=Fidelity.BOUNDED,
            characters=self.caseless,
            example=chr(self.caseless.first()) + chr(self.capitals.first()) * (WINDOW + 1),
        )
        ends, capitals = self.ends & self.small, self.capitals - ASCII
        if not ends or not capitals:
            return (window,)
        listed = "".join(map(chr, ends))
        return window, RegexLimit(
            f"after one of {listed}, letters and marks without case, and a capital beyond ASCII, a word is not cut",
            characters=self.caseless,
            example=chr(ends.first()) + chr(self.caseless.first()) + chr(capitals.first()) + chr(self.small.first()),
        )


def cased_words(ir: Ir) -> CasedWords | None:
    """Take a pattern apart if it begins with two ways to take a word and cutting words beforehand changes nothing else.

    Args:
        ir: the pattern, looking nowhere back.
    """
    options = options_of(ir)
    if len(options) < 2:
        return None
    first, second = _word(options[0], ((0, None), (1, None))), _word(options[1], ((1, None), (0, None)))
    if first is None or first != second:
        return None
    words = CasedWords(*first, tuple(options[2:]))
    return words if _is_safe(words, ir) else None


_Counts = tuple[int, int | None]
_Parts = tuple[One, One, tuple[Ir, ...], tuple[Ir, ...]]


def _word(option: Ir, counts: tuple[_Counts, _Counts]) -> _Parts | None:
    """``p?U*L+t`` or ``p?U+L*t``, by the counts of its two sets, as (U, L, (p?,), t)."""
    items = items_of(option)
    place = 1 if items and _repeated(items[0], (0, 1)) else 0
    sets = [_repeated(item, wanted) for item, wanted in zip(items[place : place + 2], counts, strict=False)]
    if len(sets) != 2 or sets[0] is None or sets[1] is None:
        return None
    return sets[0], sets[1], items[:place], items[place + 2 :]


def _repeated(ir: Ir, counts: _Counts) -> One | None:
    """The set of which ``ir`` takes so many."""
    if isinstance(ir, Repeat) and ir.greedy and isinstance(ir.body, One) and (ir.low, ir.high) == counts:
        return ir.body
    return None


def _is_safe(words: CasedWords, ir: Ir) -> bool:
    """Whether no match of the pattern goes across a cut, and no look-ahead looks across one."""
    cased = words.capitals | words.small
    letters = cased | words.caseless
    if not words.capitals or not words.small or not words.caseless.isdisjoint(ASCII):
        return False
    if not all(each.chars.isdisjoint(cased) for part in (*words.prefix, *words.others) for each in _taken(part)):
        return False
    if not before_looks(ir).isdisjoint(words.small | words.caseless):
        return False
    return all(map(never_fails, words.tail)) and _tail_is_ascii(seq(words.tail), letters)


def _taken(ir: Ir) -> Iterator[One]:
    """The sets of what a pattern takes, not of what it looks at."""
    if isinstance(ir, One):
        yield ir
    elif not isinstance(ir, Look):
        for child in children(ir):
            yield from _taken(child)


def _tail_is_ascii(tail: Ir, letters: CharSet) -> bool:
    """Whether what may follow a word starts with no letter, and holds others than ASCII at its end alone."""
    return all(_chars(way[:1]).isdisjoint(letters) and _chars(way[:-1]) <= ASCII for way in _ways(tail))


def _ways(tail: Ir) -> Iterator[tuple[Ir, ...]]:
    """The ways to match a tail, each as its items."""
    if isinstance(tail, Repeat) and tail.high == 1:
        yield from _ways(tail.body)
    elif isinstance(tail, Alt):
        for option in tail.options:
            yield from _ways(option)
    elif items_of(tail):
        yield items_of(tail)


def _chars(items: Sequence[Ir]) -> CharSet:
    found = NO_CHARS
    for item in items:
        for each in sets_of(item):
            found = found | each.chars
    return found
