"""Where a match of a pattern can end: answers about all texts at once, from small automata.

The engine takes the first end that a group finds and never comes back for another.  That is right where there is only
one end, or where the first is the only one that what follows can go on from.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mtok_export.lowering.regex.analysis import has_type, lengths
from mtok_export.lowering.regex.ir import Alt, Atomic, Edge, Ir, Look, One, Repeat, Seq
from mtok_export.records import dataclass

MAX_STATES = 400
MAX_SUBSETS = 3_000


class _TooLargeError(Exception):
    """The automaton would not stay small."""


class _Nfa:
    """States by number: a set of symbols and a successor, or successors without a symbol, in order; 0 is the end."""

    def __init__(self) -> None:
        self.masks: list[int] = [0]
        self.successors: list[tuple[int, ...]] = [()]

    def add(self, mask: int, successors: tuple[int, ...]) -> int:
        """A new state."""
        if len(self.masks) >= MAX_STATES:
            raise _TooLargeError
        self.masks.append(mask)
        self.successors.append(successors)
        return len(self.masks) - 1

    def compile(self, ir: Ir, then: int) -> int:
        """The state from which ``ir`` and then ``then`` are matched; look-arounds are taken to hold."""
        if isinstance(ir, One):
            return self.add(ir.mask, (then,)) if ir.mask else self.add(0, ())
        if isinstance(ir, (Look, Edge)):
            return then
        if isinstance(ir, Atomic):
            return self.compile(ir.body, then)
        if isinstance(ir, Seq):
            for item in reversed(ir.items):
                then = self.compile(item, then)
            return then
        if isinstance(ir, Alt):
            return self.add(0, tuple(self.compile(option, then) for option in ir.options))
        return self._repeat(ir, then)

    def _repeat(self, ir: Repeat, then: int) -> int:
        if ir.high is None:
            loop = self.add(0, ())
            body = self.compile(ir.body, loop)
            self.successors[loop] = (body, then) if ir.greedy else (then, body)
            start = loop
        else:
            start = then
            for _ in range(ir.high - ir.low):
                body = self.compile(ir.body, start)
                start = self.add(0, (body, then) if ir.greedy else (then, body))
        for _ in range(ir.low):
            start = self.compile(ir.body, start)
        return start

    def closure(self, states: Iterator[int] | tuple[int, ...]) -> tuple[int, ...]:
        """The end and the states that take a character, reached without one, in order of preference."""
        found: list[int] = []
        seen: set[int] = set()
        stack = [*reversed(tuple(states))]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            if state == 0 or self.masks[state]:
                found.append(state)
            else:
                stack.extend(reversed(self.successors[state]))
        return tuple(found)

    def step(self, states: tuple[int, ...], symbol: int) -> tuple[int, ...]:
        """After one more symbol (given as a mask of one or more that no state tells apart)."""
        return self.closure(tuple(self.successors[state][0] for state in states if self.masks[state] & symbol))

    def reachable(self, start: int) -> Iterator[tuple[int, ...]]:
        """Every ordered set of states that some text leads to."""
        first = self.closure((start,))
        seen, queue = {first}, [first]
        while queue:
            states = queue.pop()
            yield states
            for symbol in _atoms([self.masks[state] for state in states]):
                following = self.step(states, symbol)
                if following and following not in seen:
                    if len(seen) >= MAX_SUBSETS:
                        raise _TooLargeError
                    seen.add(following)
                    queue.append(following)


def _atoms(masks: list[int]) -> list[int]:
    """The parts that the sets cut each other into."""
    parts: list[int] = []
    for mask in masks:
        cut: list[int] = []
        left = mask
        for part in parts:
            cut += [piece for piece in (part & left, part & ~left) if piece]
            left &= ~part
        parts = [*cut, left] if left else cut
    return parts


@dataclass(frozen=True)
class Ends:
    """Where matches of a pattern can end.

    ``longer`` are the symbols with which a longer match can go on where a shorter one ends; none means that from each
    place there is only one end.  ``longest_first`` says whether the match that is tried first is always the longest.
    """

    longer: int
    longest_first: bool


@lru_cache(maxsize=1024)
def ends(ir: Ir) -> Ends | None:
    """What is known about the ends of a pattern; ``None`` where the automaton would be too large to tell."""
    low, high = lengths(ir)
    if low == high:
        return Ends(0, longest_first=True)
    nfa = _Nfa()
    longer, ordered = 0, not has_type(ir, (Look, Edge, Atomic))
    try:
        for states in nfa.reachable(nfa.compile(ir, 0)):
            if 0 in states:
                place = states.index(0)
                ordered = ordered and place == len(states) - 1
                for state in states:
                    longer |= nfa.masks[state]
    except _TooLargeError:
        return None
    return Ends(longer, ordered)


def single_end(ir: Ir) -> bool:
    """Whether from any place of any text there is at most one end of a match."""
    known = ends(ir)
    return known is not None and known.longer == 0


def followers(ir: Ir, width: int) -> tuple[int, ...] | None:
    """For each of ``width`` symbols, the symbols that can follow it inside a match; possibly too many, never too few.

    Returns:
        ``None`` where the automaton would be too large.
    """
    nfa = _Nfa()
    found = [0] * width
    try:
        nfa.compile(ir, 0)
    except _TooLargeError:
        return None
    for state, mask in enumerate(nfa.masks):
        if not mask:
            continue
        following = 0
        for successor in nfa.closure(nfa.successors[state]):
            following |= nfa.masks[successor]
        for symbol in range(width):
            if mask >> symbol & 1:
                found[symbol] |= following
    return tuple(found)
