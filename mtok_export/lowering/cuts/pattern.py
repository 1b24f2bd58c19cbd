"""The Split that cuts a text between symbols that are never joined.

One pattern finds the pieces: *as long as the next symbol may be joined to this one, take this one; then take one more*.
Symbols with the same followers share a branch, and where they may follow each other a whole run of them is taken at
once.  The branches are tried in order, so those of letters and spaces come first.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtok_export.characters import FoldedClass
from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.spec import SplitBehavior
from mtok_export.lowering.cuts.folded import Relation
from mtok_export.lowering.regex.fold import EVERYTHING, SYMBOLS
from mtok_export.lowering.regex.program import UNBOUNDED, Branch, Chars, Group, NotAhead, write_program


def _mask(chars: str) -> int:
    return sum(1 << ord(char) for char in chars)


LETTERS = _mask("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = _mask("0123456789")
_TOGETHER = (LETTERS, DIGITS)
"""These are not told apart: a branch for each letter would take longer than it saves."""

_FREQUENT = (LETTERS, _mask(" "), 1 << FoldedClass.LETTER, DIGITS, *map(_mask, ".,\n-'\"()_/:;="))
"""What texts hold most of, in this order."""


def cutting_splits(relation: Relation) -> tuple[ops.Split, ...]:
    """The record that cuts wherever two symbols are never joined; none where it would cut nowhere."""
    if all(row == EVERYTHING for row in relation):
        return ()
    branches = tuple(_branch(chars, followers) for chars, followers in _groups(relation))
    pieces = (Group(branches, 0, UNBOUNDED), Chars(EVERYTHING, 0, 1)) if branches else (Chars(EVERYTHING),)
    return (ops.Split(write_program((pieces,)), invert=False, behavior=SplitBehavior.ISOLATED),)


def _groups(relation: Relation) -> list[tuple[int, int]]:
    """Symbols and what may follow them, the frequent ones first; without those that nothing may follow."""
    members: dict[int, int] = {}
    for chars in _parts():
        followers = 0
        for symbol in range(SYMBOLS):
            if chars >> symbol & 1:
                followers |= relation[symbol]
        if chars in _TOGETHER and followers & chars:
            followers |= chars  # runs of them are then taken at once
        if followers:
            members[followers] = members.get(followers, 0) | chars
    return sorted(((chars, followers) for followers, chars in members.items()), key=_turn)


def _parts() -> Iterator[int]:
    yield from _TOGETHER
    for symbol in range(SYMBOLS):
        if not any(chars >> symbol & 1 for chars in _TOGETHER):
            yield 1 << symbol


def _turn(group: tuple[int, int]) -> tuple[int, int]:
    chars, _ = group
    return next((turn for turn, frequent in enumerate(_FREQUENT) if chars & frequent), len(_FREQUENT)), chars


def _branch(chars: int, followers: int) -> Branch:
    """As many of these symbols as may be joined to what comes next; at the end of the text, all of them."""
    taken = Chars(chars, 1, None if chars & ~followers == 0 else 1)
    if followers == EVERYTHING:
        return (taken,)
    return taken, NotAhead(((Chars(EVERYTHING & ~followers),),))
