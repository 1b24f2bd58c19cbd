"""A list of words as one program of the byte matcher: the smallest automaton that accepts them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from mtok_export.lowering.regex.program import Branch, Chars, Group, Program

Edges = tuple[tuple[str, int], ...]
END = 0


def word_list(words: Sequence[str]) -> Program:
    """A program that matches one of some words.

    Args:
        words: of ASCII, none of them the beginning of another.
    """
    states: dict[Edges, int] = {}
    root = _state(sorted(set(words)), 0, states)
    edges = {state: found for found, state in states.items()}
    known: dict[int, Program] = {END: ((),)}
    for state in sorted(edges):  # a state has a higher number than those that it leads to
        known[state] = _branches(edges[state], known)
    return known[root]


def _state(words: Sequence[str], depth: int, states: dict[Edges, int]) -> int:
    """The number of the state in which the rest of each of these words is accepted."""
    if len(words[0]) == depth:
        return END
    groups = groupby(words, key=itemgetter(depth))
    edges = tuple((char, _state(list(group), depth + 1, states)) for char, group in groups)
    return states.setdefault(edges, len(states) + 1)


def _branches(edges: Edges, known: dict[int, Program]) -> Program:
    masks: dict[int, int] = {}
    for char, state in edges:
        masks[state] = masks.get(state, 0) | 1 << ord(char)
    return tuple((Chars(mask), *_rest(known[state])) for state, mask in masks.items())


def _rest(program: Program) -> Branch:
    return program[0] if len(program) == 1 else (Group(program),)
