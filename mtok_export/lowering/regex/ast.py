"""The syntax tree of a pattern, as Oniguruma reads it; ``tokenizers`` compiles with ONIG_SYNTAX_ONIGURUMA.

Options such as ``(?i)`` are resolved while parsing: every node whose meaning depends on them carries its ``flags``.
``span`` is where the node stands in the pattern (start and end in characters); it does not take part in comparisons.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Literal as OneOf

from mtok_export.records import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Flags:
    """Options in force: ``i``, ``m``, ``x``, and the ones that confine words, digits, spaces, POSIX names to ASCII."""

    ignore_case: bool = False
    dot_all: bool = False
    extended: bool = False
    ascii_word: bool = False
    ascii_digit: bool = False
    ascii_space: bool = False
    ascii_posix: bool = False


NO_FLAGS = Flags()


@dataclass(frozen=True)
class Literal:
    """One character."""

    code: int
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class AnyChar:
    r"""``.``, ``\N`` (never a newline) or ``\O`` (always)."""

    newline: bool
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Shorthand:
    r"""``\d``, ``\h`` (hexadecimal digits), ``\s``, ``\w`` and their negations."""

    letter: OneOf["d", "h", "s", "w"]
    negated: bool
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Property:
    r"""``\p{name}``, ``\P{name}``, ``\p{^name}``; the name as it is written."""

    name: str
    negated: bool
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Posix:
    """``[:name:]`` or ``[:^name:]`` inside a class."""

    name: str
    negated: bool
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class ClassRange:
    """``low-high`` inside a class, both included."""

    low: int
    high: int


@dataclass(frozen=True)
class CharClass:
    """A bracketed class: the intersection (``&&``) of ``operands``, each the union of its items."""

    negated: bool
    operands: tuple[tuple[ClassItem, ...], ...]
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


ClassItem = Literal | ClassRange | Shorthand | Property | Posix | CharClass


@dataclass(frozen=True)
class Newline:
    r"""``\R``: a line end of any kind, CR LF as one, never split."""

    span: Span = field(default=(0, 0), compare=False, repr=False)


class AnchorKind(Enum):
    """Assertions that are one token."""

    LINE_START = "^"
    LINE_END = "$"
    TEXT_START = r"\A"
    TEXT_END = r"\z"
    TEXT_END_OR_NEWLINE = r"\Z"
    WORD_BOUNDARY = r"\b"
    NOT_WORD_BOUNDARY = r"\B"
    SEARCH_START = r"\G"


@dataclass(frozen=True)
class Anchor:
    """A place in the text that takes no character."""

    kind: AnchorKind
    flags: Flags = NO_FLAGS
    span: Span = field(default=(0, 0), compare=False, repr=False)


class GroupKind(Enum):
    """What parentheses do besides grouping."""

    CAPTURE = "("
    PLAIN = "(?:"
    NAMED = "(?<name>"
    ATOMIC = "(?>"
    OPTION = "(?i:"
    OPTION_TO_END = "(?i)"


@dataclass(frozen=True)
class Group:
    """A group; ``name`` is that of a named one."""

    kind: GroupKind
    body: Node
    name: str | None = None
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Look:
    """Look-ahead or look-behind."""

    body: Node
    behind: bool
    negated: bool
    span: Span = field(default=(0, 0), compare=False, repr=False)


class Mode(Enum):
    """In which order a quantifier tries its counts, and whether it ever goes back."""

    GREEDY = ""
    LAZY = "?"
    POSSESSIVE = "+"


@dataclass(frozen=True)
class Repeat:
    """A quantifier; ``high`` of ``None`` is unbounded."""

    body: Node
    low: int
    high: int | None
    mode: Mode
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Sequence:
    """One after another; empty for the empty pattern."""

    items: tuple[Node, ...]
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Alternation:
    """Branches, tried in order."""

    branches: tuple[Node, ...]
    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Exotic:
    """Syntax that Oniguruma knows and that has no counterpart anywhere else: ``what`` names it."""

    what: str
    span: Span = field(default=(0, 0), compare=False, repr=False)


Node = (
    Literal
    | AnyChar
    | Shorthand
    | Property
    | CharClass
    | Newline
    | Anchor
    | Group
    | Look
    | Repeat
    | Sequence
    | Alternation
    | Exotic
)
