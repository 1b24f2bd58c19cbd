"""Places where a pattern always cuts, and which the byte matcher cannot see: the wide matcher can cut there.

Take a pattern that splits Russian or Chinese words by case or by script.  To the byte matcher all those characters are
letters alike.  But if no match ever holds a lower-case letter followed by an upper-case one, there is a cut between any
two such neighbours, and cutting there first changes nothing: the pieces are split as they would have been in the whole
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import itemgetter

from mtok_export.characters import FoldedClass
from mtok_export.lowering.regex import wide
from mtok_export.lowering.regex.analysis import has_type, lengths
from mtok_export.lowering.regex.automaton import followers
from mtok_export.lowering.regex.behind import last_of
from mtok_export.lowering.regex.charset import ALL_CHARS, ASCII, NO_CHARS, CharSet
from mtok_export.lowering.regex.fold import SYMBOLS, class_members
from mtok_export.lowering.regex.ir import (
    Alt,
    Atomic,
    Edge,
    Ir,
    Look,
    One,
    Repeat,
    Seq,
    children,
    items_of,
    options_of,
    sets_of,
)
from mtok_export.lowering.regex.limits import residue
from mtok_export.lowering.regex.translation import SplitStep
from mtok_export.records import dataclass

MAX_CUTS = 4
"""Each costs a pass over the text."""


@dataclass(frozen=True)
class Cuts:
    """Steps of the wide matcher to take before and after the byte matcher's."""

    before: tuple[SplitStep, ...]
    after: tuple[SplitStep, ...]


@dataclass(frozen=True)
class _Atom:
    """Characters that no set of the pattern tells apart; ``symbols`` is what the byte matcher sees of them."""

    chars: CharSet
    sets: frozenset[int]
    symbols: int


def certain_cuts(ir: Ir) -> Cuts | None:
    """Cuts of a pattern whose matches are isolated that help the byte matcher.

    Args:
        ir: the pattern, looking nowhere back.

    Returns:
        ``None`` where there are none, or too many.
    """
    sets = sorted(sets_of(ir), key=lambda each: each.chars.ranges)
    atoms = _atoms(sets)
    bits = {
        each: sum(1 << place for place, atom in enumerate(atoms) if number in atom.sets)
        for number, each in enumerate(sets)
    }
    after = followers(_relabelled(ir, bits), len(atoms))
    glued = followers(ir, SYMBOLS)
    alone = _matched_alone(ir, bits)
    if after is None or glued is None:
        return None
    pairs = [
        (left, right)
        for place, left in enumerate(atoms)
        for other, right in _may_be_glued(left, atoms, glued)
        if not after[place] >> other & 1 and alone >> other & 1 and place != other
    ]
    early = ALL_CHARS - before_looks(ir)
    first = _steps((left, right) for left, right in pairs if left.chars <= early)
    last = _steps((left, right) for left, right in pairs if not left.chars <= early)
    return Cuts(first, last) if 0 < len(first) + len(last) <= MAX_CUTS else None


def _atoms(sets: Sequence[One]) -> list[_Atom]:
    """All characters, cut up by the sets of a pattern and by the classes of the engine; without the hopeless ones."""
    classes = [class_members(folded) - ASCII for folded in FoldedClass]
    layers = [*(each.chars for each in sets), *classes, ASCII]
    found: list[_Atom] = []
    for layer_numbers, chars in _overlaps(layers):
        chars = chars - residue()
        if not chars:
            continue
        symbols = chars.ascii_bits()
        for place, folded in enumerate(FoldedClass):
            if len(sets) + place in layer_numbers:
                symbols |= 1 << folded
        found.append(_Atom(chars, frozenset(number for number in layer_numbers if number < len(sets)), symbols))
    return found


def _overlaps(layers: Sequence[CharSet]) -> Iterator[tuple[frozenset[int], CharSet]]:
    """The parts into which sets cut all characters, each with the numbers of the sets that hold it."""
    parts = {0: ALL_CHARS}
    for number, layer in enumerate(layers):
        inside = {holding | 1 << number: chars & layer for holding, chars in parts.items()}
        outside = {holding: chars - layer for holding, chars in parts.items()}
        parts = {holding: chars for holding, chars in (*inside.items(), *outside.items()) if chars}
    for holding, chars in sorted(parts.items(), key=itemgetter(0)):
        yield frozenset(number for number in range(len(layers)) if holding >> number & 1), chars


def _relabelled(ir: Ir, bits: dict[One, int]) -> Ir:
    """The pattern over atoms instead of the engine's symbols."""
    if isinstance(ir, One):
        return One(ir.chars, bits[ir])
    if isinstance(ir, Seq):
        return Seq(tuple(_relabelled(item, bits) for item in ir.items))
    if isinstance(ir, Alt):
        return Alt(tuple(_relabelled(option, bits) for option in ir.options))
    if isinstance(ir, Repeat):
        return Repeat(_relabelled(ir.body, bits), ir.low, ir.high, ir.greedy)
    if isinstance(ir, Atomic):
        return Atomic(_relabelled(ir.body, bits))
    return ir  # what look-arounds hold is not taken


def _matched_alone(ir: Ir, bits: dict[One, int]) -> int:
    """The atoms that are a match of their own whatever follows, so that none is ever left between matches."""
    found = 0
    for option in options_of(ir):
        if has_type(option, (Look, Edge, Atomic)):
            continue
        items = items_of(option)
        needed = [item for item in items if lengths(item)[0] > 0]
        if not needed:
            candidates: Sequence[Ir] = items
        elif len(needed) == 1 and lengths(needed[0])[0] == 1:
            candidates = needed
        else:
            continue
        for item in candidates:
            body = item.body if isinstance(item, Repeat) else item
            if isinstance(body, One):
                found |= bits[body]
    return found


def _may_be_glued(left: _Atom, atoms: Sequence[_Atom], glued: Sequence[int]) -> Iterator[tuple[int, _Atom]]:
    """The atoms, by number, that the byte matcher could take in one match right after one."""
    following = 0
    for symbol in range(SYMBOLS):
        if left.symbols >> symbol & 1:
            following |= glued[symbol]
    is_ascii = left.chars <= ASCII
    for number, right in enumerate(atoms):
        if following & right.symbols and not (is_ascii and right.chars <= ASCII):
            yield number, right


def before_looks(ir: Ir) -> CharSet:
    """The characters after which the pattern looks ahead: a cut must not hide from it what follows them."""
    return reduce(CharSet.__or__, _look_places(ir, None), NO_CHARS)


def _look_places(ir: Ir, previous: CharSet | None) -> Iterator[CharSet]:
    if isinstance(ir, Look):
        yield ALL_CHARS if previous is None or lengths(ir.body)[1] != 1 else previous
    elif isinstance(ir, Seq):
        for item in ir.items:
            yield from _look_places(item, previous)
            previous = last_of(item, previous)
    elif isinstance(ir, Repeat):
        before = last_of(ir.body, previous)
        yield from _look_places(ir.body, None if previous is None or before is None else previous | before)
    else:
        for child in children(ir):
            yield from _look_places(child, previous)


def _steps(pairs: Iterable[tuple[_Atom, _Atom]]) -> tuple[SplitStep, ...]:
    """As few steps as will do.  In a step no places to cut may be neighbours: nothing is both left and right."""
    rights: dict[CharSet, CharSet] = {}
    for left, right in pairs:
        rights[left.chars] = rights.get(left.chars, NO_CHARS) | right.chars
    lefts: dict[CharSet, CharSet] = {}
    for left_chars, right_chars in rights.items():
        lefts[right_chars] = lefts.get(right_chars, NO_CHARS) | left_chars
    steps: list[list[tuple[CharSet, CharSet]]] = []
    for right_chars, left_chars in sorted(lefts.items(), key=lambda item: item[0].ranges):
        both = left_chars - right_chars, right_chars
        fitting = (step for step in steps if all(_apart(both, known) for known in step))
        step = next(fitting, None)
        if step is None:
            steps.append([both])
        else:
            step.append(both)
    return tuple(wide.cut_where(step) for step in steps)


def _apart(one: tuple[CharSet, CharSet], other: tuple[CharSet, CharSet]) -> bool:
    return one[0].isdisjoint(other[1]) and other[0].isdisjoint(one[1])
