"""The Split that cuts a text between symbols that are never joined.

One pattern finds the pieces: *as long as the next symbol may be joined to this one, take this one; then take one more*.
Symbols with the same followers share a branch, and where they may follow each other a whole run of them is taken at
once.  The branches are tried in order, so those of letters and spaces come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from itertools import chain
from operator import or_

from mtok_export.characters import FoldedClass
from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.spec import SplitBehavior
from mtok_export.lowering.cuts.folded import Relation
from mtok_export.lowering.regex.fold import EVERYTHING, SYMBOLS
from mtok_export.lowering.regex.program import (
    UNBOUNDED,
    Branch,
    Chars,
    Group,
    NotAhead,
    Program,
    write_program,
    write_set,
)


def _mask(chars: str) -> int:
    return sum(1 << ord(char) for char in chars)


LETTERS = _mask("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = _mask("0123456789")
_TOGETHER = (LETTERS, DIGITS)
"""These are not told apart: a branch for each letter would take longer than it saves."""

_FREQUENT = (LETTERS, _mask(" "), 1 << FoldedClass.LETTER, DIGITS, *map(_mask, ".,\n-'\"()_/:;="))
"""What texts hold most of, in this order."""


def coarse(relation: Relation) -> Relation:
    """The relation that the pattern follows: letters of ASCII are not told apart, digits neither."""
    rows = list(relation)
    for together in _TOGETHER:
        members = [symbol for symbol in range(SYMBOLS) if together >> symbol & 1]
        followers = reduce(or_, (relation[symbol] for symbol in members))
        if followers & together:
            followers |= together  # runs of them are then taken at once
        for symbol in members:
            rows[symbol] = followers
    return tuple(rows)


def cutting_split(relation: Relation, whole: Program = ()) -> ops.Split:
    """The record that cuts wherever two symbols are never joined.

    Args:
        relation: as ``coarse`` made it.
        whole: what is taken as one piece where a piece begins with it.
    """
    branches = tuple(_branch(chars, followers) for chars, followers in _groups(relation))
    pieces = (Group(branches, 0, UNBOUNDED), Chars(EVERYTHING, 0, 1)) if branches else (Chars(EVERYTHING),)
    return isolating_split((*whole, pieces))


def isolating_split(program: Program) -> ops.Split:
    """The record that makes a piece of each match of a program."""
    names = {mask: _escaped(write_set(mask)) for mask in _masks(program)}
    return ops.Split(write_program(program, names), invert=False, behavior=SplitBehavior.ISOLATED)


def _masks(program: Program) -> Iterator[int]:
    for node in chain.from_iterable(program):
        if isinstance(node, Chars):
            yield node.mask
        else:
            yield from _masks(node.branches)


def _escaped(text: str) -> str:
    """A set with those characters escaped that are something else to most other engines."""
    if text in ("^", "$"):
        return f"\\{text}"
    if not text.startswith("["):
        return text
    return "[" + re.sub(r"\\.|\[", lambda found: r"\[" if found[0] == "[" else found[0], text[1:])


def _groups(relation: Relation) -> list[tuple[int, int]]:
    """Symbols and what may follow them, the frequent ones first; without those that nothing may follow."""
    members: dict[int, int] = {}
    for symbol, followers in enumerate(relation):
        if followers:
            members[followers] = members.get(followers, 0) | 1 << symbol
    return sorted(((chars, followers) for followers, chars in members.items()), key=_turn)


def _turn(group: tuple[int, int]) -> tuple[int, int]:
    chars, _ = group
    return next((turn for turn, frequent in enumerate(_FREQUENT) if chars & frequent), len(_FREQUENT)), chars


def _branch(chars: int, followers: int) -> Branch:
    """As many of these symbols as may be joined to what comes next; at the end of the text, all of them."""
    taken = Chars(chars, 1, None if chars & ~followers == 0 else 1)
    if followers == EVERYTHING:
        return (taken,)
    return taken, NotAhead(((Chars(EVERYTHING & ~followers),),))
