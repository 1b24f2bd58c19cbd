"""Operators to a program of the engine's matcher.

The engine never goes back into a group, so a choice is followed by the rest of its branch inside the group:
``(?:ab|a)c`` becomes ``(?:abc|ac)``.  Where that is not needed, because the first way through the group is the only one
that counts, the group stays as it is.  What cannot be proved equal is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mtok_export.lowering.regex.analysis import excluded_from_start, may_be_empty, never_fails, rest_never_fails
from mtok_export.lowering.regex.automaton import ends, single_end
from mtok_export.lowering.regex.build import RefusedError
from mtok_export.lowering.regex.ir import (
    EMPTY,
    NEVER,
    Alt,
    Atomic,
    Edge,
    Ir,
    Look,
    One,
    Repeat,
    Seq,
    ahead,
    alt,
    items_of,
    one,
    repeat,
    seq,
)
from mtok_export.lowering.regex.program import UNBOUNDED, Branch, Chars, Group, Node, NotAhead, Program
from mtok_export.lowering.regex.program import may_be_empty as branch_may_be_empty
from mtok_export.lowering.regex.program import never_fails as branch_never_fails

MAX_STEPS = 4_000
"""A pattern that needs more than this many steps to lower would be written out far too long."""

FEW = 4
"""So many optional rounds are written out one by one where a loop cannot be proved equal."""

Items = tuple[Ir, ...]


class _TooLongError(Exception):
    """Writing every choice out would make the program too long."""


class Lowering:
    """Lowers one pattern; ``unproved`` names what may differ from Oniguruma."""

    def __init__(self, expand: bool = True) -> None:
        self.expand = expand
        self.unproved: set[str] = set()
        self._steps = 0

    def program(self, ir: Ir) -> Program:
        """The program for a pattern that looks nowhere back.

        Raises:
            RefusedError: something in it cannot be said.
        """
        return self._branches(items_of(ir))

    def _branches(self, items: Items) -> Program:
        nodes: list[Node] = []
        place = 0
        while place < len(items) and isinstance(head := items[place], One):  # a loop: literals may be long
            if not head.mask:
                return ()
            nodes.append(Chars(head.mask))
            place += 1
        if place == len(items):
            return (tuple(nodes),)
        self._steps += 1
        if self.expand and self._steps > MAX_STEPS:
            raise _TooLongError
        tails = _trimmed(_RULES[type(items[place])](self, items[place], items[place + 1 :]))
        if not nodes or not tails:
            return tails
        return ((*nodes, *(tails[0] if len(tails) == 1 else final_group(tails))),)

    def _then(self, node: Node, rest: Items) -> Program:
        return self._joined((node,), rest)

    def _joined(self, nodes: Branch, rest: Items) -> Program:
        """Nodes and the ways to go on: for each count that the nodes try, all of them in order."""
        tails = self._branches(rest)
        if not tails:
            return ()
        return ((*nodes, *(tails[0] if len(tails) == 1 else final_group(tails))),)

    def _seq(self, head: Seq, rest: Items) -> Program:
        return self._branches(head.items + rest)

    # --- choices ------------------------------------------------------------------------------------------------------

    def _alt(self, head: Alt, rest: Items) -> Program:
        if rest and self._first_end_is_enough(head, rest):
            grouped = self._grouped(head, rest)
            if grouped is not None:
                return grouped
        if rest and not self.expand:
            self.unproved.add("a group keeps the first of its branches that matches, whatever follows")
            grouped = self._grouped(head, rest)
            return grouped if grouped is not None else self._then(Group(self._options(head, ()), 0, 1), rest)
        return self._options(head, rest)

    def _options(self, head: Alt, rest: Items) -> Program:
        return tuple(branch for option in head.options for branch in self._branches(items_of(option) + rest))

    def _grouped(self, head: Alt, rest: Items) -> Program | None:
        """The choice as a group of its own in front of ``rest``; a group that may take nothing is special."""
        branches = _trimmed(self._options(head, ()))
        if not branches:
            return ()
        if not any(map(branch_may_be_empty, branches)):
            return self._then(Group(branches), rest)
        if never_fails(head) and rest_never_fails(rest):
            return self._joined(final_group(branches), rest)
        return None

    def _first_end_is_enough(self, body: Ir, rest: Items) -> bool:
        """Whether, if anything comes of ``body`` and ``rest``, it comes of the first way through ``body``."""
        if rest_never_fails(rest) or single_end(body):
            return True
        known = ends(body)
        return known is not None and known.longest_first and excluded_from_start(known.longer, rest)

    # --- repetition ---------------------------------------------------------------------------------------------------

    def _repeat(self, head: Repeat, rest: Items) -> Program:
        head = _flattened(head)
        if head.low == head.high or head.greedy:
            return self._greedy(head, rest)
        return self._lazy(head, rest)

    def _greedy(self, head: Repeat, rest: Items) -> Program:
        if isinstance(head.body, One):
            if head.body.mask:
                return self._then(Chars(head.body.mask, head.low, head.high), rest)
            return () if head.low else self._branches(rest)
        if may_be_empty(head.body):
            return self._greedy_with_empty_rounds(head, rest)
        if self._rounds_are_kept(head, rest):
            return self._loop(head, rest)
        if self.expand and head.high is not None and head.high <= FEW:
            return self._branches((*[head.body] * head.low, _optional(head.body, head.high - head.low), *rest))
        self.unproved.add("a group that repeats keeps what each round took first, whatever follows")
        return self._loop(head, rest)

    def _loop(self, head: Repeat, rest: Items) -> Program:
        branches = self._branches(items_of(head.body))
        if not branches:
            return () if head.low else self._branches(rest)
        return self._then(Group(branches, head.low, UNBOUNDED if head.high is None else head.high), rest)

    def _rounds_are_kept(self, head: Repeat, rest: Items) -> bool:
        """Whether no round would ever have to end elsewhere than where it ends first."""
        if single_end(head.body) or (head.low <= 1 and rest_never_fails(rest)):
            return True
        known = ends(head.body)
        if known is None or not known.longest_first or not excluded_from_start(known.longer, (head.body,)):
            return False
        return rest_never_fails(rest) or excluded_from_start(known.longer, rest)

    def _greedy_with_empty_rounds(self, head: Repeat, rest: Items) -> Program:
        """A round that takes nothing ends the loop, in Oniguruma as in the engine, but the engine does not count it."""
        filled = _without_empty(head.body)
        if filled is not None:
            return self._branches((repeat(filled, 0, head.high), *rest))
        if not (never_fails(head.body) and rest_never_fails(rest)):
            self.unproved.add("a repeated group that can match without taking a character")
        high = UNBOUNDED if head.high is None else head.high
        return self._then(Group(self._branches(items_of(head.body)), 0, high), rest)

    def _lazy(self, head: Repeat, rest: Items) -> Program:
        least = repeat(head.body, head.low, head.low)
        if rest_never_fails(rest):
            return self._branches((*items_of(least), *rest))
        if isinstance(head.body, One) and excluded_from_start(head.body.mask, rest):
            return self._branches((repeat(head.body, head.low, head.high), *rest))
        more = None if head.high is None else head.high - head.low
        if isinstance(head.body, One) and isinstance(rest[0], One) and rest_never_fails(rest[1:]):
            others = one(head.body.chars - rest[0].chars)
            if others.mask & rest[0].mask == 0:
                return self._branches((*items_of(least), repeat(others, 0, more), *rest))
        if self.expand and more is not None and more <= FEW:
            return self._branches((*items_of(least), _optional(head.body, more, greedy=False), *rest))
        if may_be_empty(head.body) or not single_end(head.body):
            self.unproved.add("a lazy quantifier of a group")
        tempered = seq([ahead(seq(rest), negated=True), head.body])
        return self._branches((*items_of(least), repeat(tempered, 0, more), *rest))

    # --- atomic groups and look-ahead ---------------------------------------------------------------------------------

    def _atomic(self, head: Atomic, rest: Items) -> Program:
        body = head.body
        if self._first_end_is_enough(body, rest):
            return self._branches((*items_of(body), *rest))
        if isinstance(body, Repeat) and isinstance(body.body, One) and body.high is None and body.low == 0:
            return self._branches((body, ahead(body.body, negated=True), *rest))
        branches = self._branches(items_of(body))
        if not branches:
            return ()
        taken = self._then(Group(branches), rest)
        if not may_be_empty(body):
            return taken
        nothing: Branch = (NotAhead(((Group(branches),),)),)
        if not never_fails(body):
            nothing = (NotAhead(((NotAhead(branches),),)), *nothing)
        return (*taken, *((*nothing, *tail) for tail in self._branches(rest)))

    def _look(self, head: Look, rest: Items) -> Program:
        if head.behind:
            raise RefusedError("the engine cannot look at the text before a match")
        branches = self._branches(items_of(head.body))
        always, never = any(map(branch_never_fails, branches)), not branches
        if (never and head.negated) or (always and not head.negated):
            return self._branches(rest)
        if always or never:
            return ()
        absent = _not_ahead(branches)
        return self._then(absent if head.negated else _not_ahead(((absent,),)), rest)

    def _edge(self, head: Edge, _rest: Items) -> Program:
        raise RefusedError(f"the engine knows nothing of {head.kind.value}")


_RULES: dict[type, Callable[[Lowering, Any, Items], Program]] = {
    Seq: Lowering._seq,
    Alt: Lowering._alt,
    Repeat: Lowering._repeat,
    Atomic: Lowering._atomic,
    Look: Lowering._look,
    Edge: Lowering._edge,
}


def lower(ir: Ir) -> tuple[Program, tuple[str, ...]]:
    """The program for a pattern, and what of it is not proved to match as Oniguruma would.

    Raises:
        RefusedError: something in the pattern cannot be said.
    """
    lowering = Lowering()
    try:
        program = lowering.program(ir)
    except _TooLongError:
        lowering = Lowering(expand=False)
        program = lowering.program(ir)
    return program, tuple(sorted(lowering.unproved))


def _not_ahead(branches: Program) -> NotAhead:
    """Negative look-ahead; of three in a row, two cancel out."""
    inner = _sole_not_ahead(branches)
    innermost = None if inner is None else _sole_not_ahead(inner.branches)
    return NotAhead(branches) if innermost is None else innermost


def _sole_not_ahead(branches: Program) -> NotAhead | None:
    if len(branches) == 1 and len(branches[0]) == 1 and isinstance(branches[0][0], NotAhead):
        return branches[0][0]
    return None


def final_group(branches: Program) -> Branch:
    """Several ways to end a branch, as nodes: nothing follows, so the group may keep the first that matches."""
    branches = _trimmed(branches)
    if len(branches) == 1:
        return branches[0]
    if not any(map(branch_may_be_empty, branches)):
        return (Group(branches),)
    optional = Group(_without_empty_tail(branches), 0, 1)
    if any(map(branch_never_fails, branches)):
        return (optional,) if optional.branches else ()
    return (NotAhead(((NotAhead(branches),),)), optional)


def _trimmed(branches: Program) -> Program:
    """Without what stands behind a branch that always matches."""
    for place, branch in enumerate(branches):
        if branch_never_fails(branch):
            return branches[: place + 1]
    return branches


def _without_empty_tail(branches: Program) -> Program:
    return branches[:-1] if branches and not branches[-1] else branches


def _optional(body: Ir, most: int, *, greedy: bool = True) -> Ir:
    """Up to ``most`` times ``body``, written out."""
    ir: Ir = EMPTY
    for _ in range(most):
        options = [seq([body, ir]), EMPTY]
        ir = Alt(tuple(options if greedy else reversed(options)))
    return ir


def _flattened(head: Repeat) -> Repeat:
    """Repetitions of repetitions of one set as a single one, where the counts come in the same order."""
    inner = head.body
    if not (head.greedy and isinstance(inner, Repeat) and inner.greedy and isinstance(inner.body, One)):
        return head
    if inner.low > 1:
        return head
    high = None if inner.high is None or head.high is None else inner.high * head.high
    return Repeat(inner.body, inner.low * head.low, high)


def _without_empty(ir: Ir) -> Ir | None:
    """A pattern without its empty match, where that is unconditional and the last to be tried; else ``None``."""
    if not may_be_empty(ir):
        return ir
    if isinstance(ir, Repeat) and ir.greedy and ir.low == 0:
        body = _without_empty(ir.body)
        return None if body is None else repeat(body, 1, ir.high)
    if isinstance(ir, Alt) and ir.options and not any(map(may_be_empty, ir.options[:-1])):
        last = NEVER if ir.options[-1] == EMPTY else _without_empty(ir.options[-1])
        return None if last is None else alt([*ir.options[:-1], last])
    if isinstance(ir, Seq) and ir.items:
        head, tail = ir.items[0], seq(ir.items[1:])
        filled, rest = _without_empty(head), NEVER if tail == EMPTY else _without_empty(tail)
        return None if filled is None or rest is None else alt([seq([filled, tail]), rest])
    return None
