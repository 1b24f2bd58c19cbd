"""What Hugging Face does with the matches of a Split, in terms of what the engine can do with them.

The engine pays no heed to empty matches and glues neighbouring matches together where Hugging Face does not.  Where
that matters, the pattern is turned into one for whole pieces, which are then isolated.
"""

from __future__ import annotations

from collections.abc import Callable

from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex.fold import EVERYTHING
from mtok_export.lowering.regex.lower import final_group
from mtok_export.lowering.regex.normal import normal
from mtok_export.lowering.regex.program import (
    UNBOUNDED,
    Branch,
    Chars,
    Group,
    Node,
    NotAhead,
    Program,
    may_be_empty,
    takes_nothing,
)
from mtok_export.records import dataclass
from mtok_export.source.pipeline import SplitBehavior

ANY_CHAR = Chars(EVERYTHING)


@dataclass(frozen=True)
class Tiles:
    """A program and what the engine is to do with its matches; ``as_is`` where the program is the pattern's own."""

    program: Program
    invert: bool
    behavior: EngineBehavior
    as_is: bool = True


def tiles(program: Program, behavior: SplitBehavior, invert: bool) -> tuple[Tiles, ...] | None:
    """The Splits that leave the pieces that Hugging Face would.

    Args:
        program: the pattern, in its normal shape.
        behavior: as tokenizer.json names it.
        invert: whether matches and gaps change places.

    Returns:
        One Split, or two; ``None`` where there are none.
    """
    if not any(map(may_be_empty, program)):
        return (_WITHOUT_EMPTY_MATCHES[behavior](program, invert),)
    if behavior == "Removed":
        return _removed_or_empty(program, invert)
    return (_WITH_EMPTY_MATCHES[behavior](program, invert),)


# --- matches that always take a character -----------------------------------------------------------------------------


def _isolated(program: Program, invert: bool) -> Tiles:
    return Tiles(program, invert, EngineBehavior.ISOLATED)


def _removed(program: Program, invert: bool) -> Tiles:
    return Tiles(program, invert, EngineBehavior.REMOVED)


def _merged_with_previous(program: Program, invert: bool) -> Tiles:
    """A match joins the gap before it; of neighbouring matches only the first does."""
    if invert or never_adjacent(program):
        return Tiles(program, invert, EngineBehavior.MERGED_WITH_PREVIOUS)
    return _gap_then_match(program)


def _merged_with_next(program: Program, invert: bool) -> Tiles:
    """A match joins the gap after it, which is the same as the gap joining the match before it."""
    if invert:
        return _merged_with_previous(program, invert=False)
    return Tiles(program, invert=True, behavior=EngineBehavior.MERGED_WITH_PREVIOUS, as_is=True)


def _contiguous(program: Program, _invert: bool) -> Tiles:
    if never_adjacent(program):
        return Tiles(program, invert=False, behavior=EngineBehavior.ISOLATED)
    run = normal(((Group(program, 1, UNBOUNDED),),))
    return Tiles(run, invert=False, behavior=EngineBehavior.ISOLATED, as_is=False)


def never_adjacent(program: Program) -> bool:
    """Whether no match can start where another ends: a run of one set takes all there is."""
    if len(program) != 1 or len(program[0]) != 1:
        return False
    node = program[0][0]
    return isinstance(node, Chars) and node.low >= 1 and node.high is None


def _gap_then_match(program: Program) -> Tiles:
    """``gap* match``; what no match follows is the last piece, taken at once lest each character be searched from."""
    first: Branch = (*gaps(program), *final_group(program))
    return Tiles((first, (Chars(EVERYTHING, 1, None),)), invert=False, behavior=EngineBehavior.ISOLATED, as_is=False)


def gaps(program: Program) -> Branch:
    """Characters up to where the program matches (taking a character or not)."""
    sole = program[0][0] if len(program) == 1 and program[0] else None
    if isinstance(sole, Chars) and len(program[0]) == 1 and sole.low == 1:
        others = EVERYTHING & ~sole.mask
        return (Chars(others, 0, None),) if others else ()
    return (Group(((NotAhead(program), ANY_CHAR),), 0, UNBOUNDED),)


# --- matches that may be empty ----------------------------------------------------------------------------------------
#
# Hugging Face cuts at an empty match too, unless a match ends there; then the search goes on one character further.
# A group fails in the engine when what it takes first is empty: "(?:P)" is "P, and it takes something first".


def _taken(program: Program) -> Node:
    return Group(program)


def _gap(program: Program) -> Branch:
    return (ANY_CHAR, *gaps(program))


def _isolating(*branches: Branch) -> Tiles:
    return Tiles(normal(branches), invert=False, behavior=EngineBehavior.ISOLATED, as_is=False)


def _isolated_or_empty(program: Program, _invert: bool) -> Tiles:
    return _isolating((_taken(program),), _gap(program))


def _removed_or_empty(program: Program, invert: bool) -> tuple[Tiles, ...] | None:
    """Cut first, then remove: a piece that was a match is one on its own too, if matching looks at nothing beyond."""
    removed = Tiles(program, invert, EngineBehavior.REMOVED, as_is=invert)
    if invert:
        return (removed,)
    if all(map(takes_nothing, program)):
        return (_isolated_or_empty(program, invert),)
    return None if looks_ahead(program) else (_isolated_or_empty(program, invert), removed)


def _with_previous_or_empty(program: Program, invert: bool) -> Tiles:
    if invert:
        return _with_next_or_empty(program, invert=False)
    return _isolating((_taken(program),), (*_gap(program), Group(program, 0, 1)))


def _with_next_or_empty(program: Program, invert: bool) -> Tiles:
    if invert:
        return _with_previous_or_empty(program, invert=False)
    following = Group(((NotAhead(((_taken(program),),)), *_gap(program)),), 0, 1)
    return _isolating((_taken(program), following), _gap(program))


def _contiguous_or_empty(program: Program, _invert: bool) -> Tiles:
    return _isolating((Group(program, 1, UNBOUNDED),), _gap(program))


def looks_ahead(program: Program) -> bool:
    """Whether a program looks at what it does not take."""
    nodes = [node for branch in program for node in branch]
    return any(isinstance(node, NotAhead) or (isinstance(node, Group) and looks_ahead(node.branches)) for node in nodes)


_Rule = Callable[[Program, bool], Tiles]

_WITHOUT_EMPTY_MATCHES: dict[SplitBehavior, _Rule] = {
    "Isolated": _isolated,
    "Removed": _removed,
    "MergedWithPrevious": _merged_with_previous,
    "MergedWithNext": _merged_with_next,
    "Contiguous": _contiguous,
}
_WITH_EMPTY_MATCHES: dict[SplitBehavior, _Rule] = {
    "Isolated": _isolated_or_empty,
    "MergedWithPrevious": _with_previous_or_empty,
    "MergedWithNext": _with_next_or_empty,
    "Contiguous": _contiguous_or_empty,
}
