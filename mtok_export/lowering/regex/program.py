"""Patterns as the engine's byte matcher runs them, and how to write them down for it.

A program is a list of branches, tried in order; a branch is a list of nodes.  Only counts of ``Chars`` and of whole
``Group`` repetitions are ever taken back; a group keeps the first branch that matches, a repetition that takes nothing
is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from mtok_export.characters import FoldedClass
from mtok_export.lowering.regex.fold import CLASS_BITS, EVERYTHING, SYMBOLS
from mtok_export.records import dataclass

UNBOUNDED = 2_147_483_647
"""An upper bound no text reaches.  Without any, the engine stops repeating a group after 10,000 times."""

GROUP_CAP = 10_000


@dataclass(frozen=True)
class Chars:
    """``low`` to ``high`` (``None``: unbounded) symbols of a set."""

    mask: int
    low: int = 1
    high: int | None = 1


@dataclass(frozen=True)
class Group:
    """A group; ``high`` of ``None`` is ``GROUP_CAP``."""

    branches: Program
    low: int = 1
    high: int | None = 1


@dataclass(frozen=True)
class NotAhead:
    """Negative look-ahead."""

    branches: Program


Node = Chars | Group | NotAhead
Branch = tuple[Node, ...]
Program = tuple[Branch, ...]

NOTHING: Program = ((Chars(0),),)
"""A program that matches nowhere."""


def may_be_empty(branch: Branch) -> bool:
    """Whether a branch can match without taking a symbol."""
    return all(isinstance(node, NotAhead) or node.low == 0 for node in branch)


def takes_nothing(branch: Branch) -> bool:
    """Whether a branch only ever matches without taking a symbol."""
    return all(isinstance(node, NotAhead) for node in branch)


def never_fails(branch: Branch) -> bool:
    """Whether a branch matches everywhere."""
    return all(not isinstance(node, NotAhead) and node.low == 0 for node in branch)


def size(program: Program) -> int:
    """How many nodes a program has."""
    return sum(1 + (0 if isinstance(node, Chars) else size(node.branches)) for branch in program for node in branch)


def without_caps(program: Program) -> Program:
    """The same program with groups that repeat without end."""
    return tuple(tuple(map(_without_cap, branch)) for branch in program)


def _without_cap(node: Node) -> Node:
    if isinstance(node, Chars):
        return node
    branches = without_caps(node.branches)
    if isinstance(node, NotAhead):
        return NotAhead(branches)
    return Group(branches, node.low, UNBOUNDED if node.high is None else node.high)


# --- writing ----------------------------------------------------------------------------------------------------------

_SPACE_CODES = "\t\n\v\f\r "
_PUNCTUATION = "!\"#%&'()*,-./:;?@[\\]_{}"
_ASCII_SYMBOLS = "$+<=>^`|~"


def mask_of(text: str) -> int:
    """The set of the characters of an ASCII text."""
    mask = 0
    for char in text:
        mask |= 1 << ord(char)
    return mask


_UPPER = mask_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = mask_of("abcdefghijklmnopqrstuvwxyz")
_DIGITS = mask_of("0123456789")

LETTERS = _UPPER | _LOWER | 1 << FoldedClass.LETTER
NUMBERS = _DIGITS | 1 << FoldedClass.NUMBER
SPACES = mask_of(_SPACE_CODES) | 1 << FoldedClass.SPACE
MARKS = 1 << FoldedClass.MARK
PUNCTUATION = mask_of(_PUNCTUATION) | 1 << FoldedClass.PUNCTUATION
SYMBOL_SET = mask_of(_ASCII_SYMBOLS) | 1 << FoldedClass.SYMBOL
WORD = LETTERS | NUMBERS | mask_of("_")
ANY_BUT_NEWLINE = EVERYTHING & ~mask_of("\n")

NAMED_SETS: dict[str, int] = {
    r"\p{L}": LETTERS,
    r"\p{N}": NUMBERS,
    r"\s": SPACES,
    r"\p{P}": PUNCTUATION,
    r"\p{S}": SYMBOL_SET,
}
"""What the engine has a name for, and what helps to write sets down; a name for the marks alone is no shorter."""

_RUNS = (_UPPER, _LOWER, _DIGITS)
_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f", "\v": r"\v"}
_SPECIAL = frozenset("\\.|()[{*+?")
_SPECIAL_IN_CLASS = frozenset("\\]^-")


Names = Mapping[int, str]
"""How to write certain sets."""


def write_program(program: Program, names: Names = MappingProxyType({})) -> str:
    """The pattern that the engine reads as ``program``: ASCII, so that it never goes to the wide matcher.

    Args:
        program: what it is to do.
        names: atoms, in ASCII, that the engine reads as certain sets; the others are written afresh.
    """
    return "|".join(write_branch(branch, names) for branch in program)


def write_branch(branch: Branch, names: Names = MappingProxyType({})) -> str:
    """One branch as text."""
    return "".join(_write_node(node, names) for node in branch)


def _write_node(node: Node, names: Names) -> str:
    if isinstance(node, NotAhead):
        return f"(?!{write_program(node.branches, names)})"
    if isinstance(node, Chars):
        text = names.get(node.mask) or write_set(node.mask)
    else:
        text = f"(?:{write_program(node.branches, names)})"
    return text + _quantifier(node.low, node.high)


def _quantifier(low: int, high: int | None) -> str:
    if high is None:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    if low == high:
        return "" if low == 1 else f"{{{low}}}"
    return "?" if (low, high) == (0, 1) else f"{{{low},{high}}}"


@lru_cache(maxsize=256)
def write_set(mask: int) -> str:
    """A set of symbols as an atom."""
    if mask == EVERYTHING:
        return r"[\s\S]"
    if mask == 0:
        return r"[^\s\S]"
    if mask == ANY_BUT_NEWLINE:
        return "."
    for name, named in NAMED_SETS.items():
        if mask == named:
            return name
        if mask == EVERYTHING & ~named:
            return name.upper() if name == r"\s" else name.replace("p", "P", 1)
    if mask & (mask - 1) == 0:
        return _write_char(mask.bit_length() - 1, _SPECIAL)
    plain, negated = _write_members(mask), _write_members(EVERYTHING & ~mask)
    return f"[{plain}]" if len(plain) <= len(negated) + 1 else f"[^{negated}]"


def _write_char(code: int, special: frozenset[str]) -> str:
    char = chr(code)
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not char.isprintable():
        return f"\\x{code:02x}"
    return "\\" + char if char in special else char


def _write_members(mask: int) -> str:
    parts: list[str] = []
    for name, named in NAMED_SETS.items():
        if named & ~mask == 0 and mask & named:
            parts.append(name)
            mask &= ~named
    return "".join(parts + _write_rest(mask))


def _write_rest(mask: int) -> list[str]:
    parts: list[str] = []
    code = 0
    while code < SYMBOLS:
        if not mask >> code & 1:
            code += 1
            continue
        end = code
        while _same_run(code, end + 1) and mask >> (end + 1) & 1:
            end += 1
        if end - code > 1:
            parts.append(f"{chr(code)}-{chr(end)}")
            code = end + 1
        else:
            parts.append(_write_char(code, _SPECIAL_IN_CLASS))
            code += 1
    return parts


def _same_run(code: int, other: int) -> bool:
    """Ranges are written between letters or between digits alone: nothing in them can be misread."""
    return any(run >> code & 1 and run >> other & 1 for run in _RUNS)


def class_bits(mask: int) -> int:
    """The classes beyond ASCII that a set holds."""
    return mask & CLASS_BITS
