"""A pattern as plain regular-expression operators over sets of characters: what is left of the syntax tree.

No flags, no groups for their own sake, no spellings.  The meaning is Oniguruma's: branches and counts are tried in
order, the first way through wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from mtok_export.lowering.regex.charset import ALL_CHARS, CharSet
from mtok_export.lowering.regex.fold import EVERYTHING, approximate
from mtok_export.records import dataclass


@dataclass(frozen=True)
class One:
    """One character of a set; ``mask`` is the set of symbols that comes nearest to it in the engine."""

    chars: CharSet
    mask: int


@dataclass(frozen=True)
class Seq:
    """One after another."""

    items: tuple[Ir, ...]


@dataclass(frozen=True)
class Alt:
    """Options in order; none at all never matches."""

    options: tuple[Ir, ...]


@dataclass(frozen=True)
class Repeat:
    """From ``low`` to ``high`` times (``None``: unbounded), more first if ``greedy``."""

    body: Ir
    low: int
    high: int | None
    greedy: bool = True


@dataclass(frozen=True)
class Atomic:
    """The first way through ``body``, which is never taken back."""

    body: Ir


@dataclass(frozen=True)
class Look:
    """Whether ``body`` matches from here on (or, ``behind``, up to here)."""

    body: Ir
    behind: bool
    negated: bool


class EdgeKind(Enum):
    """Places that only the text before them tells."""

    TEXT_START = "the start of the text"
    SEARCH_START = "the end of the last match"


@dataclass(frozen=True)
class Edge:
    """A place in the text."""

    kind: EdgeKind


Ir = One | Seq | Alt | Repeat | Atomic | Look | Edge

EMPTY = Seq(())
NEVER = Alt(())


def one(chars: CharSet) -> One:
    """One character of a set."""
    return One(chars, approximate(chars))


ANYTHING = One(ALL_CHARS, EVERYTHING)


def seq(items: Iterable[Ir]) -> Ir:
    """A sequence, flattened."""
    flat: list[Ir] = []
    for item in items:
        flat += item.items if isinstance(item, Seq) else [item]
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(options: Iterable[Ir]) -> Ir:
    """Options, flattened."""
    flat: list[Ir] = []
    for option in options:
        flat += option.options if isinstance(option, Alt) else [option]
    return flat[0] if len(flat) == 1 else Alt(tuple(flat))


def repeat(body: Ir, low: int, high: int | None, *, greedy: bool = True) -> Ir:
    """A repetition, simplified where it is none."""
    if (low, high) == (1, 1):
        return body
    return EMPTY if high == 0 or body == EMPTY else Repeat(body, low, high, greedy)


def ahead(body: Ir, *, negated: bool = False) -> Look:
    """A look-ahead."""
    return Look(body, behind=False, negated=negated)


def items_of(ir: Ir) -> tuple[Ir, ...]:
    """The items of a sequence; anything else is a sequence of itself."""
    return ir.items if isinstance(ir, Seq) else (ir,)


def options_of(ir: Ir) -> tuple[Ir, ...]:
    """The options of an alternation; anything else is the only one."""
    return ir.options if isinstance(ir, Alt) else (ir,)


def children(ir: Ir) -> tuple[Ir, ...]:
    """The operands of an operator."""
    if isinstance(ir, Seq):
        return ir.items
    if isinstance(ir, Alt):
        return ir.options
    if isinstance(ir, (Repeat, Atomic, Look)):
        return (ir.body,)
    return ()


def sets_of(ir: Ir) -> frozenset[One]:
    """Every set of characters in a pattern."""
    if isinstance(ir, One):
        return frozenset({ir})
    return frozenset().union(*(sets_of(child) for child in children(ir)))


def sole_set(ir: Ir) -> One | None:
    """The set of a pattern that takes characters of one set and does nothing else."""
    inner = ir.body if isinstance(ir, Repeat) else ir
    return inner if isinstance(inner, One) else None


def is_run(ir: Ir) -> bool:
    """Whether a pattern takes all there is of one set: no match can follow another directly."""
    return isinstance(ir, Repeat) and isinstance(ir.body, One) and ir.low > 0 and ir.high is None and ir.greedy
