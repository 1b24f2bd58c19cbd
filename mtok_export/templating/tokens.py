"""A chat template cut into tokens the way the engine's Jinja subset cuts it.

The engine knows no ``{%+``, no number but a row of digits, no operator longer than ``==``, and ``}}`` always closes a
``{{``, even inside braces.  White space around tags makes no difference here and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from mtok_export.records import dataclass


class Kind(Enum):
    """What a token is."""

    TEXT = "text"
    PRINT = "{{"
    PRINT_END = "}}"
    TAG = "{%"
    TAG_END = "%}"
    NAME = "name"
    STRING = "string"
    NUMBER = "number"
    OPERATOR = "operator"
    PUNCTUATION = "punctuation"
    END = "end"


@dataclass(frozen=True)
class Token:
    """One token from character ``start`` up to ``end``; ``value`` is a string's content, else the characters."""

    kind: Kind
    value: str
    start: int
    end: int


_OPENING = re.compile(r"\{\{|\{%|\{#")
_ENDS = {Kind.PRINT: "}}", Kind.TAG: "%}"}
_END_KINDS = {Kind.PRINT: Kind.PRINT_END, Kind.TAG: Kind.TAG_END}
_INSIDE = re.compile(
    r"""
    (?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<NUMBER>[0-9]+)
    | (?P<STRING>'(?:\\.|[^'\\])*(?:'|\\?\Z) | "(?:\\.|[^"\\])*(?:"|\\?\Z))
    | (?P<PUNCTUATION>[\[\](){}:.,])
    | (?P<OPERATOR>[=!<>]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(r"[ \t\n\v\f\r]*")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def tokens(template: str) -> Iterator[Token]:
    """The tokens of a template, the last of kind END."""
    at = 0
    while at < len(template):
        opening = _OPENING.search(template, at)
        if opening is None:
            yield Token(Kind.TEXT, template[at:], at, len(template))
            break
        if opening.start() > at:
            yield Token(Kind.TEXT, template[at : opening.start()], at, opening.start())
        at = opening.end()
        if opening[0] == "{#":
            end = template.find("#}", at)
            at = len(template) if end < 0 else end + 2
            continue
        kind = Kind(opening[0])
        at += template.startswith("-", at)
        yield Token(kind, opening[0], opening.start(), at)
        for token in _inside(template, at, kind):
            yield token
            at = token.end
    yield Token(Kind.END, "", len(template), len(template))


def _inside(template: str, at: int, kind: Kind) -> Iterator[Token]:
    """The tokens behind ``{{`` or ``{%``, the closing one included."""
    while True:
        space = _SPACE.match(template, at)
        at = space.end() if space else at
        for closing in ("-" + _ENDS[kind], _ENDS[kind]):
            if template.startswith(closing, at):
                yield Token(_END_KINDS[kind], closing, at, at + len(closing))
                return
        found = _INSIDE.match(template, at)
        if found is None:
            return
        name = str(found.lastgroup)
        value = _unescaped(found[0]) if name == "STRING" else found[0]
        yield Token(Kind[name], value, at, found.end())
        at = found.end()


def _unescaped(literal: str) -> str:
    """The content of a string literal: of an escape that the engine does not know the character behind it."""
    body = literal[1:-1] if len(literal) > 1 and literal.endswith(literal[0]) else literal[1:]
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), body, flags=re.DOTALL)
