"""What the engine's Jinja subset reads in a template: each tag, its expressions, and what it leaves unread.

The engine's parser never fails: of an expression it takes what it knows and skips the rest of the tag.  Only in a list
or a dict it insists on the closing bracket, and a token that it does not know there keeps it busy until the memory is
full.

Expressions are trees of tuples, the first member of which says what it is; ``from_jinja`` makes the same of what
Jinja reads, so that the two compare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mtok_export.templating.tokens import Kind, Token, tokens

Tree = tuple[Any, ...]
NOTHING: Tree = ("const", "")
"""What the engine puts where it finds no expression."""

_MAX_DIGITS = 18
"""Longer numbers do not fit the engine's integers; what they become does not matter here."""

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_CONSTANTS = {"true": True, "false": False, "none": None}


@dataclass
class Tag:
    """One tag or print: its first word ("" for ``{{``), its characters, the expressions read, and what was skipped."""

    word: str
    start: int
    end: int = 0
    trees: list[Tree] = field(default_factory=list)
    unread: str = ""


@dataclass(frozen=True)
class Reading:
    """A whole template as the engine reads it.

    ``endless`` is where its parser never gets on; ``too_deep`` is where this one gives up on nested brackets.
    """

    tags: tuple[Tag, ...]
    endless: int | None = None
    too_deep: int | None = None


class _EndlessError(Exception):
    """The engine would try the same token for ever."""


def read_template(template: str) -> Reading:
    """Read a template as the engine does."""
    parser = _Parser(template)
    try:
        parser.run()
    except _EndlessError:
        return Reading(tuple(parser.tags), endless=parser.peek().start)
    except RecursionError:
        return Reading(tuple(parser.tags), too_deep=parser.peek().start)
    return Reading(tuple(parser.tags))


class _Parser:
    def __init__(self, template: str) -> None:
        self.template = template
        self.tokens = list(tokens(template))
        self.at = 0
        self.tags: list[Tag] = []

    # --- tokens -------------------------------------------------------------------------------------------------------

    def peek(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.peek()
        if token.kind is not Kind.END:
            self.at += 1
        return token

    def sees(self, kind: Kind, *values: str) -> bool:
        token = self.peek()
        return token.kind is kind and (not values or token.value in values)

    def skip(self, kind: Kind, value: str) -> bool:
        found = self.sees(kind, value)
        if found:
            self.take()
        return found

    # --- tags ---------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        while not self.sees(Kind.END):
            token = self.take()
            if token.kind is Kind.PRINT:
                self.tags.append(Tag("", token.start))
                self.tags[-1].trees.append(self.expression())
                self.finish(Kind.PRINT_END)
            elif token.kind is Kind.TAG:
                self.tag(token)

    def tag(self, opening: Token) -> None:
        word = self.take()
        name = word.value if word.kind is Kind.NAME else ""
        self.tags.append(Tag(name or word.value, opening.start))
        rule = _TAGS.get(name)
        if rule is None:
            while not self.sees(Kind.END) and not self.sees(Kind.TAG_END):
                self.take()
        else:
            self.tags[-1].trees += rule(self)
        self.finish(Kind.TAG_END)

    def finish(self, closing: Kind) -> None:
        """Whatever stands before the closing mark is skipped."""
        start = self.peek().start
        while self.peek().kind not in (closing, Kind.END, Kind.TEXT, Kind.PRINT, Kind.TAG):
            self.take()
        tag = self.tags[-1]
        tag.unread = self.template[start : self.peek().start].strip()
        tag.end = self.take().end if self.sees(closing) else self.peek().start

    def for_(self) -> list[Tree]:
        names: list[Tree] = []
        while self.sees(Kind.NAME):
            names.append(("name", self.take().value))
            if not self.skip(Kind.PUNCTUATION, ","):
                break
        self.skip(Kind.NAME, "in")
        trees = [*names, self.expression(ternary=False)]
        if self.skip(Kind.NAME, "if"):
            trees.append(self.expression())
        return trees

    def condition(self) -> list[Tree]:
        return [self.expression()]

    def set_(self) -> list[Tree]:
        target = self.expression()
        self.skip(Kind.OPERATOR, "=")
        return [target, self.expression()]

    def macro(self) -> list[Tree]:
        names: list[Tree] = [("name", self.take().value)]
        if self.skip(Kind.PUNCTUATION, "("):
            while not self.sees(Kind.PUNCTUATION, ")"):
                if self.sees(Kind.NAME):
                    names.append(("name", self.take().value))
                    if self.skip(Kind.OPERATOR, "="):
                        self.expression()
                if not self.skip(Kind.PUNCTUATION, ","):
                    break
            self.skip(Kind.PUNCTUATION, ")")
        return names

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, *, ternary: bool = True) -> Tree:
        tree = self.words("or", self.and_)
        if ternary and self.skip(Kind.NAME, "if"):
            condition = self.words("or", self.and_)
            if self.skip(Kind.NAME, "else"):
                return ("if", condition, tree, self.expression())
        return tree

    def words(self, operator: str, operand: Callable[[], Tree]) -> Tree:
        tree = operand()
        while self.skip(Kind.NAME, operator):
            tree = ("binary", operator, tree, operand())
        return tree

    def and_(self) -> Tree:
        return self.words("and", self.not_)

    def not_(self) -> Tree:
        return ("not", self.not_()) if self.skip(Kind.NAME, "not") else self.comparison()

    def comparison(self) -> Tree:
        tree = self.sum()
        while self.sees(Kind.OPERATOR, *_COMPARISONS) or self.sees(Kind.NAME, "in", "is", "not"):
            operator = self.take().value
            if operator == "is":
                negated = self.skip(Kind.NAME, "not")
                tree = ("test", tree, self.take().value, ())
                tree = ("not", tree) if negated else tree
            elif operator == "not":
                if not self.skip(Kind.NAME, "in"):
                    break
                tree = ("binary", "not in", tree, self.sum())
            else:
                tree = ("binary", operator, tree, self.sum())
        return tree

    def sum(self) -> Tree:
        tree = self.filtered()
        while self.sees(Kind.OPERATOR, "+", "-", "~"):
            tree = ("binary", self.take().value, tree, self.filtered())
        return tree

    def filtered(self) -> Tree:
        tree = self.unary()
        while self.skip(Kind.OPERATOR, "|"):
            if self.sees(Kind.NAME):
                name = self.take().value
                arguments = self.arguments() if self.skip(Kind.PUNCTUATION, "(") else ((), ())
                tree = ("filter", tree, name, *arguments)
        return tree

    def unary(self) -> Tree:
        if self.sees(Kind.OPERATOR, "+", "-"):
            return ("unary", self.take().value, self.unary())
        return self.primary()

    def arguments(self, *, named: bool = True) -> tuple[Tree, Tree]:
        """Arguments up to a closing parenthesis: the unnamed, and the named as sorted pairs."""
        values: list[Tree] = []
        names: list[Tree] = []
        while not self.sees(Kind.PUNCTUATION, ")"):
            name = self.peek().value
            if named and self.sees(Kind.NAME) and self.tokens[self.at + 1].value == "=":
                self.at += 2
                names.append((name, self.expression()))
            else:
                values.append(self.expression())
            if not self.skip(Kind.PUNCTUATION, ","):
                break
        self.skip(Kind.PUNCTUATION, ")")
        return tuple(values), tuple(sorted(names, key=lambda pair: str(pair[0])))

    def primary(self) -> Tree:
        if self.skip(Kind.PUNCTUATION, "["):
            return ("list", self.members("]", self.expression))
        if self.skip(Kind.PUNCTUATION, "{"):
            return ("dict", self.members("}", self.pair))
        if self.sees(Kind.STRING):
            return ("const", self.take().value)
        if self.sees(Kind.NUMBER):
            return ("const", int(self.take().value[:_MAX_DIGITS]))
        if self.sees(Kind.NAME):
            return self.access()
        if self.skip(Kind.PUNCTUATION, "("):
            tree = self.expression()
            self.skip(Kind.PUNCTUATION, ")")
            return tree
        return NOTHING

    def members(self, closing: str, member: Callable[[], Tree]) -> tuple[Tree, ...]:
        """The members of a list or a dict; the engine goes on until the closing bracket comes."""
        found: list[Tree] = []
        while not self.sees(Kind.PUNCTUATION, closing):
            start = self.at
            found.append(member())
            self.skip(Kind.PUNCTUATION, ",")
            if self.at == start:
                raise _EndlessError
        self.take()
        return tuple(found)

    def pair(self) -> Tree:
        key = self.expression()
        self.skip(Kind.PUNCTUATION, ":")
        return (key, self.expression())

    def access(self) -> Tree:
        """A name with calls, attributes and subscripts; nothing but a name can have them."""
        name = self.take().value
        if name in _CONSTANTS:
            return ("const", _CONSTANTS[name])
        tree: Tree = ("name", name)
        if self.skip(Kind.PUNCTUATION, "("):
            tree = ("call", tree, *self.arguments())
        while self.sees(Kind.PUNCTUATION, "[", "."):
            if self.take().value == "[":
                tree = ("item", tree, self.subscript())
            elif self.sees(Kind.NAME):
                tree = ("attribute", tree, self.take().value)
                if self.skip(Kind.PUNCTUATION, "("):
                    tree = ("call", tree, *self.arguments(named=False))
        return tree

    def subscript(self) -> Tree:
        parts: list[Tree | None] = [None, None, None]
        colons = 0
        if not self.sees(Kind.PUNCTUATION, ":", "]"):
            parts[0] = self.expression()
        while colons < len(parts) - 1 and self.skip(Kind.PUNCTUATION, ":"):
            colons += 1
            if not self.sees(Kind.PUNCTUATION, ":", "]"):
                parts[colons] = self.expression()
        self.skip(Kind.PUNCTUATION, "]")
        return ("slice", *parts) if colons else parts[0] or NOTHING


_TAGS: dict[str, Callable[[_Parser], list[Tree]]] = {
    "for": _Parser.for_,
    "if": _Parser.condition,
    "elif": _Parser.condition,
    "set": _Parser.set_,
    "macro": _Parser.macro,
    "else": lambda _parser: [],
    "endif": lambda _parser: [],
    "endfor": lambda _parser: [],
    "endmacro": lambda _parser: [],
}
"""The tags that the engine knows, and what it reads in them."""

KNOWN_TAGS = frozenset(_TAGS)
