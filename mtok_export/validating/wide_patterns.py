"""Patterns that the engine gives to ``std::wregex``: which of them it refuses, which is the end of the process.

The rules are those of ECMAScript as libstdc++ (the C++ library of the released wheels for Linux) reads it, each seen by
running the engine: what is no error there (``]``, ``}``, ``++``) is none here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_STATES = 100_000
"""libstdc++ refuses an automaton of more states; a counted repetition takes its states as often as it counts."""

DEEP = 1_000
"""A repetition that can run longer is deep: 1,000 characters were seen to work with a stack of 512 KiB, 2,000 not."""

_MAX_COUNT_DIGITS = 9
_CLASS_NAMES = frozenset(
    ("alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit")
) | {"d", "s", "w"}
_HEX = frozenset("0123456789abcdefABCDEF")


class _FaultError(Exception):
    """The pattern is refused."""


@dataclass
class _Parser:
    """Goes through a pattern once; knows what was refused, how many states it takes and which repetitions are deep."""

    pattern: str
    at: int = 0
    groups: int = 0
    open_groups: list[int] = field(default_factory=list)
    deep: list[str] = field(default_factory=list)

    def peek(self, size: int = 1) -> str:
        return self.pattern[self.at : self.at + size]

    def take(self, size: int = 1) -> str:
        taken = self.peek(size)
        self.at += size
        return taken

    def disjunction(self) -> int:
        states = self.alternative()
        while self.peek() == "|":
            self.take()
            states += 1 + self.alternative()
        return states

    def alternative(self) -> int:
        states = 0
        while self.peek() not in ("", "|", ")"):
            states += self.term()
        return states

    def term(self) -> int:
        start = self.at
        if self.peek() in ("^", "$") or self.peek(2) in (r"\b", r"\B"):
            self.take(2 if self.peek() == "\\" else 1)
            return 1
        if self.peek(3) in ("(?=", "(?!"):
            self.take(3)
            return 2 + self.closed(self.disjunction())
        states = self.atom()
        while self.peek() in ("*", "+", "?", "{") and self.peek():
            states = self.quantified(states, start)
        if states > MAX_STATES:
            raise _FaultError(f"{self.pattern[start : self.at][:40]!r} takes more than {MAX_STATES:,} states")
        return states

    def closed(self, states: int) -> int:
        if self.take() != ")":
            raise _FaultError("a group without an end")
        return states

    def atom(self) -> int:
        char = self.peek()
        if char == "(":
            return self.group()
        if char == "[":
            self.take()
            self.class_()
            return 1
        if char == "\\":
            self.take()
            self.escape()
            return 1
        if char in ("*", "+", "?", "{"):
            raise _FaultError(f"a repetition {char!r} of nothing")
        self.take()
        return 1

    def group(self) -> int:
        self.take()
        if self.peek() == "?":
            if self.peek(2) != "?:":
                raise _FaultError(f"the group {'(' + self.peek(3)!r}")
            self.take(2)
            return self.closed(self.disjunction())
        self.groups += 1
        self.open_groups.append(self.groups)
        states = self.closed(self.disjunction())
        self.open_groups.pop()
        return states + 2

    def escape(self) -> None:
        char = self.take()
        if not char:
            raise _FaultError("a backslash at the end")
        size = {"x": 2, "u": 4}.get(char, 0)
        if size:
            digits = self.take(size)
            if len(digits) < size or not _HEX.issuperset(digits):
                raise _FaultError(f"the escape \\{char} without {size} hexadecimal digits")
        elif char == "c":
            if not self.take():
                raise _FaultError("the escape '\\c' without a character")
        elif char in "123456789":
            number = int(char)
            if number > self.groups or number in self.open_groups:
                raise _FaultError(f"the back reference \\{char} to a group that is not closed before it")

    def class_(self) -> None:
        if self.peek() == "^":
            self.take()
        last: str | None = None
        while self.peek() != "]":
            if not self.peek():
                raise _FaultError("a class without an end")
            if self.peek() == "-" and last is not None and self.peek(2) != "-]":
                self.take()
                end = self.member()
                if end is None or end < last:
                    raise _FaultError(f"the range {last!r}-{end!r}" if end else "a range that ends with a class")
                last = None
            else:
                last = self.member()
        self.take()

    def member(self) -> str | None:
        """One member of a class: the character, or None where it is a class itself."""
        char = self.take()
        if not char:
            raise _FaultError("a class without an end")
        if char == "[" and self.peek() in (":", "=", "."):
            return self.named(self.take())
        if char != "\\":
            return char
        char = self.peek()
        self.escape()
        return None if char in "dDsSwW" else char

    def named(self, kind: str) -> str | None:
        end = self.pattern.find(kind + "]", self.at)
        if end < 0:
            raise _FaultError("a class without an end")
        name = self.pattern[self.at : end]
        self.at = end + 2
        if kind == ":" and name.lower() not in _CLASS_NAMES:
            raise _FaultError(f"the class name {'[:' + name + ':]'!r}")
        if kind != ":" and len(name) != 1:
            raise _FaultError(f"the collating element {name!r}")
        return None

    def quantified(self, states: int, start: int) -> int:
        sign = self.take()
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1), "{": (0, 0)}[sign]
        if sign == "{":
            least, most = self.counts()
        lazy = self.peek() == "?"
        if lazy:
            self.take()
        nested = any(inner in self.pattern[start : self.at] for inner in self.deep) and most != 1
        alone = lazy and self.at == len(self.pattern)
        if not alone and (most is None or most > DEEP or nested):
            self.deep.append(self.pattern[start : self.at])
        return states * max(1, least, most or 0) + 2

    def counts(self) -> tuple[int, int | None]:
        least = self.number()
        most: int | None = least
        if self.peek() == ",":
            self.take()
            most = None if self.peek() == "}" else self.number()
        if self.take() != "}":
            raise _FaultError("a brace that is no count")
        if most is not None and most < least:
            raise _FaultError(f"the count {{{least},{most}}}")
        return least, most

    def number(self) -> int:
        start = self.at
        while self.peek().isdigit():
            self.take()
        digits = self.pattern[start : self.at]
        if not digits:
            raise _FaultError("a brace that is no count")
        if len(digits) > _MAX_COUNT_DIGITS:
            raise _FaultError(f"the count {digits}")
        return int(digits)


def _parsed(pattern: str) -> _Parser:
    parser = _Parser(pattern)
    parser.disjunction()
    if parser.at < len(pattern):
        raise _FaultError("a closing parenthesis without an opening one")
    return parser


def fault(pattern: str) -> str | None:
    """What ``std::wregex`` refuses in a pattern, in words; None for a pattern that it takes."""
    try:
        _parsed(pattern)
    except _FaultError as refused:
        return str(refused)
    except RecursionError:
        return "groups that nest too deep"
    return None


def deep_repetitions(pattern: str) -> tuple[str, ...]:
    """The repetitions of a pattern without a fault that can run over many characters."""
    return tuple(dict.fromkeys(_parsed(pattern).deep))
