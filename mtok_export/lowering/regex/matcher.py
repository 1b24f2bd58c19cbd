"""The engine's byte matcher and what its Split does with the matches, for finding texts on which it goes wrong."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce

from mtok_export.format.spec import SplitBehavior
from mtok_export.lowering.regex.fold import EVERYTHING, fold
from mtok_export.lowering.regex.program import GROUP_CAP, Branch, Chars, NotAhead, Program, may_be_empty
from mtok_export.lowering.regex.reading import goes_wide, read
from mtok_export.lowering.regex.translation import SplitStep

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""What the ByteLevel pre-tokenizer splits with, in Hugging Face and in the engine."""


def _match(text: bytes, at: int, branch: Branch, index: int) -> int:
    """Where the rest of a branch ends when it is matched from ``at``; -1 where it does not match."""
    for place in range(index, len(branch)):  # a loop, not a recursion, over what can match in one way alone
        node = branch[place]
        if isinstance(node, NotAhead):
            if first_match(text, at, node.branches) >= 0:
                return -1
        elif isinstance(node, Chars) and node.low == node.high == 1:
            if at == len(text) or not node.mask >> text[at] & 1:
                return -1
            at += 1
        else:
            return _repeated(text, at, branch, place)
    return at


def _repeated(text: bytes, at: int, branch: Branch, index: int) -> int:
    node = branch[index]
    assert not isinstance(node, NotAhead)
    places = [at]
    if isinstance(node, Chars):
        most = len(text) - at if node.high is None else node.high
        while len(places) <= most and places[-1] < len(text) and node.mask >> text[places[-1]] & 1:
            places.append(places[-1] + 1)
    else:
        most = GROUP_CAP if node.high is None else node.high
        while len(places) <= most and (end := first_match(text, places[-1], node.branches)) > places[-1]:
            places.append(end)
    for place in reversed(places[node.low :]):
        end = _match(text, place, branch, index + 1)
        if end >= 0:
            return end
    return -1


def first_match(text: bytes, at: int, program: Program) -> int:
    """The end of the first branch that matches at ``at``; -1 where none does."""
    for branch in program:
        end = _match(text, at, branch, 0)
        if end >= 0:
            return end
    return -1


@lru_cache(maxsize=64)
def _program(pattern: str) -> tuple[tuple[int, Branch], ...]:
    """The branches that a pattern is read as, each with the symbols at which it is worth trying."""
    program = read(pattern).program or read(GPT2_PATTERN).program
    return tuple((_starts(branch), branch) for branch in program)


def _starts(branch: Branch) -> int:
    """The symbols before which a branch may match, possibly too many."""
    mask = 0
    for node in branch:
        if isinstance(node, NotAhead):
            continue
        if isinstance(node, Chars):
            mask |= node.mask
        else:
            mask = reduce(int.__or__, map(_starts, node.branches), mask)
        if node.low > 0 and (isinstance(node, Chars) or not any(map(may_be_empty, node.branches))):
            return mask
    return EVERYTHING


class _StandIns(dict[int, int]):
    """Characters of Latin-1 for those beyond ASCII that stand in a pattern, one by one, and one for all others."""

    def __missing__(self, code: int) -> int:
        return code if code < 0x80 else 0xFF


def _stand_ins(pattern: str) -> Mapping[int, int]:
    """What to put in place of characters in a pattern and its texts: Python takes long to compile others than Latin-1.

    Empty where the pattern holds too many characters, or ranges of them.
    """
    beyond = sorted(char for char in set(pattern) if not char.isascii())
    if len(beyond) > 0x7F or re.search("-[^\\0-\\x7f]|[^\\0-\\x7f]-", pattern):
        return {}
    return _StandIns((ord(char), 0x80 + number) for number, char in enumerate(beyond))


@lru_cache(maxsize=64)
def _wide(pattern: str) -> tuple[re.Pattern[str], Mapping[int, int]]:
    """A pattern of the wide matcher, and what to put in place of characters of the texts that it is to search."""
    stand_ins = _stand_ins(pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of "||" in a class, which may come to mean something
        return re.compile(pattern.translate(stand_ins), re.ASCII), stand_ins


def find_all(text: str, pattern: str) -> Iterator[tuple[int, int]]:
    """The matches of a pattern, as the engine finds them."""
    if goes_wide(pattern):
        wide, stand_ins = _wide(pattern)
        yield from (found.span() for found in wide.finditer(text.translate(stand_ins)))
        return
    program, folded, at = _program(pattern), fold(text), 0
    while at < len(text):
        end = -1
        for starts, branch in program:
            if starts >> folded[at] & 1:
                end = _match(folded, at, branch, 0)
                if end >= 0:
                    break
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _segments(text: str, step: SplitStep) -> Iterator[tuple[str, bool]]:
    done = 0
    for start, end in find_all(text, step.pattern):
        if start > done:
            yield text[done:start], step.invert
        yield text[start:end], not step.invert
        done = end
    if done < len(text):
        yield text[done:], step.invert


def _split(text: str, step: SplitStep) -> list[str]:
    pieces: list[str] = []
    for piece, is_match in _segments(text, step):
        if step.behavior is SplitBehavior.MERGED_WITH_PREVIOUS and is_match and pieces:
            pieces[-1] += piece
        elif piece and not (is_match and step.behavior is SplitBehavior.REMOVED):
            pieces.append(piece)
    return pieces


def split(text: str, steps: Sequence[SplitStep]) -> tuple[str, ...]:
    """The pieces that the engine's Splits leave of a text, one after another."""
    pieces = [text] if text else []
    for step in steps:
        pieces = [part for piece in pieces for part in _split(piece, step)]
    return tuple(pieces)
