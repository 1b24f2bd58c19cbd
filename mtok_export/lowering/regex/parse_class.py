"""Bracketed classes of Oniguruma: ranges, nesting, ``&&``, POSIX names."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import cast

from mtok_export.lowering.regex.ast import (
    CharClass,
    ClassItem,
    ClassRange,
    Exotic,
    Flags,
    Literal,
    Posix,
    Property,
    Shorthand,
)
from mtok_export.lowering.regex.escapes import SHORTHAND_LETTERS, Cursor, escaped_char

POSIX_NAMES = frozenset(
    {"alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph"}
    | {"lower", "print", "punct", "space", "upper", "word", "xdigit"}
)
_POSIX = r"\[:(\^?)([A-Za-z]*):\]"
MAX_DEPTH = 100


class _State(Enum):
    """What a hyphen would mean here."""

    START = auto()  # literal
    VALUE = auto()  # a range from the character before it
    SET = auto()  # an error, or a literal at the end
    RANGE_DONE = auto()  # literal


class _Operand:
    def __init__(self) -> None:
        self.items: list[ClassItem] = []
        self.state = _State.START


def shorthand(letter: str, flags: Flags, start: int, end: int) -> Shorthand:
    r"""The node for ``\d`` and its like."""
    low = letter.lower()
    assert low in ("d", "h", "s", "w")
    return Shorthand(low, letter.isupper(), flags, (start, end))  # type: ignore[arg-type]


def parse_property(cursor: Cursor, flags: Flags, start: int) -> Property:
    r"""Read a property from just after ``\p`` or ``\P``, at its brace."""
    negated = cursor.pattern[cursor.at - 1] == "P"
    cursor.next()
    if cursor.take("^"):
        negated = not negated
    end = cursor.pattern.find("}", cursor.at)
    if end < 0:
        raise cursor.fail("a property name without its closing brace")
    name = cursor.pattern[cursor.at : end]
    cursor.at = end + 1
    return Property(name, negated, flags, (start, cursor.at))


class ClassParser:
    """Reads one class from its opening bracket on."""

    def __init__(self, cursor: Cursor, flags: Flags, depth: int = 0) -> None:
        self.cursor = cursor
        self.flags = flags
        self.depth = depth
        self.exotic: str | None = None

    def parse(self) -> CharClass | Exotic:
        """The class, or the name of something in it that is not supported.

        Raises:
            RegexSyntaxError: Oniguruma would not compile the class.
        """
        start = self.cursor.at
        found = self._class()
        span = (start, self.cursor.at)
        return Exotic(self.exotic, span) if self.exotic is not None else found

    def _class(self) -> CharClass:
        cursor, start = self.cursor, self.cursor.at
        if self.depth > MAX_DEPTH:
            raise cursor.fail("classes nested too deeply")
        cursor.next()
        negated = cursor.take("^")
        operands = [_Operand()]
        if cursor.peek() == "]":
            if not self._closes_later():
                raise cursor.fail("an empty class")
            self._value(operands[-1], self._char("]", cursor.at))
        while True:
            char = cursor.peek()
            if not char:
                raise cursor.fail("a class without its closing bracket")
            if cursor.take("]"):
                break
            if cursor.take("&&"):
                operands.append(_Operand())
            elif char == "[":
                self._bracket(operands[-1])
            elif char == "-":
                self._hyphen(operands[-1])
            else:
                self._member(operands[-1])
        parts = tuple(tuple(operand.items) for operand in operands)
        return CharClass(negated, parts, self.flags, (start, cursor.at))

    def _closes_later(self) -> bool:
        """Whether another ``]`` follows the one here (escapes skipped): only then is this one a member."""
        at = self.cursor.at + 1
        while at < len(self.cursor.pattern):
            if self.cursor.pattern[at] == "]":
                return True
            at += 2 if self.cursor.pattern[at] == "\\" else 1
        return False

    def _char(self, char: str, start: int) -> Literal:
        self.cursor.at += len(char)
        return Literal(ord(char), self.flags, (start, self.cursor.at))

    def _value(self, operand: _Operand, literal: Literal) -> None:
        operand.items.append(literal)
        operand.state = _State.VALUE

    def _bracket(self, operand: _Operand) -> None:
        cursor, start = self.cursor, self.cursor.at
        posix = re.compile(_POSIX).match(cursor.pattern, start)
        if posix:
            if posix[2] not in POSIX_NAMES:
                raise cursor.fail(f"no such POSIX class: {posix[2]!r}")
            cursor.at = posix.end()
            operand.items.append(Posix(posix[2], bool(posix[1]), self.flags, (start, cursor.at)))
            operand.state = _State.SET
        else:
            self.depth += 1
            operand.items.append(self._class())
            self.depth -= 1
            operand.state = _State.START

    def _member(self, operand: _Operand) -> None:
        item = self._item()
        if isinstance(item, Literal):
            self._value(operand, item)
        else:
            operand.items.append(item)
            operand.state = _State.SET

    def _item(self) -> ClassItem:
        cursor, start = self.cursor, self.cursor.at
        if not cursor.take("\\"):
            return self._char(cursor.peek(), start)
        char = cursor.peek()
        if char and char in SHORTHAND_LETTERS:
            cursor.next()
            return shorthand(char, self.flags, start, cursor.at)
        if char in ("p", "P") and cursor.peek(1) == "{":
            cursor.next()
            return parse_property(cursor, self.flags, start)
        if cursor.take("b"):
            return Literal(0x08, self.flags, (start, cursor.at))
        code = escaped_char(cursor)
        if isinstance(code, str):
            self.exotic = code
            code = 0
        return Literal(code, self.flags, (start, cursor.at))

    def _hyphen(self, operand: _Operand) -> None:
        cursor = self.cursor
        after = cursor.peek(1)
        if after == "]" or operand.state in (_State.START, _State.RANGE_DONE):
            literal = self._char("-", cursor.at)
            if operand.state is _State.RANGE_DONE:
                operand.items.append(literal)  # and no range starts at it
                operand.state = _State.SET if after != "]" else operand.state
                return
            self._value(operand, literal)
            return
        if operand.state is _State.SET and not cursor.pattern.startswith("-&&", cursor.at):
            raise cursor.fail("a hyphen after a set, which can start no range")
        cursor.next()
        if cursor.pattern.startswith("&&", cursor.at):
            operand.items.append(Literal(ord("-"), self.flags))
            return
        self._range(operand)

    def _range(self, operand: _Operand) -> None:
        cursor = self.cursor
        low = cast(Literal, operand.items.pop())
        if not cursor.peek():
            raise cursor.fail("a class without its closing bracket")
        if cursor.peek() == "[":
            self._bracket(operand)  # Oniguruma drops both the start of the range and its hyphen
            return
        high = self._item()
        if not isinstance(high, Literal):
            raise cursor.fail("a set where a range should end")
        if low.code > high.code:
            raise cursor.fail(f"an empty range, {low.code:#x} to {high.code:#x}")
        operand.items.append(ClassRange(low.code, high.code))
        operand.state = _State.RANGE_DONE
