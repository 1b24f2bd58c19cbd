"""What the engine makes of a pattern's text.

Its parser knows a part of the syntax, takes everything else for something, and complains about almost nothing.  All
that is modelled here, because it decides whether a pattern can be left as it stands.
"""

from __future__ import annotations

from mtok_export.lowering.regex.fold import EVERYTHING, SYMBOLS, fold_char
from mtok_export.lowering.regex.program import (
    ANY_BUT_NEWLINE,
    LETTERS,
    MARKS,
    NUMBERS,
    PUNCTUATION,
    SPACES,
    SYMBOL_SET,
    WORD,
    Branch,
    Chars,
    Group,
    Node,
    NotAhead,
    Program,
    mask_of,
)
from mtok_export.records import dataclass

MAX_INT = 2_147_483_647
_PROPERTIES = {"L": LETTERS, "N": NUMBERS, "M": MARKS, "P": PUNCTUATION, "S": SYMBOL_SET, "Z": SPACES}
_SETS = {
    "s": SPACES,
    "S": EVERYTHING & ~SPACES,
    "d": NUMBERS,
    "D": EVERYTHING & ~NUMBERS,
    "w": WORD,
    "W": EVERYTHING & ~WORD,
    **{name: mask_of(char) for name, char in zip("rntfv", "\r\n\t\f\v", strict=True)},
}
_DROPPED_ESCAPES = frozenset("bBAZ123456789")
_RANGE_END_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_HEX = {char: int(char, 16) for char in "0123456789abcdefABCDEF"}


class UnreadableError(Exception):
    """A pattern that ends the engine's process when it is read."""


@dataclass(frozen=True)
class Reading:
    """The program that the engine runs for a pattern.

    ``spans`` says where in the pattern each branch stands; ``dropped`` counts the branches that the engine skips with a
    printed warning (with none left, it runs the GPT-2 pattern); ``ignored`` is what stands after a stray parenthesis.
    """

    program: Program
    spans: tuple[tuple[int, int], ...]
    dropped: int
    ignored: str


def goes_wide(pattern: str) -> bool:
    """Whether the engine hands a pattern to ``std::wregex`` instead."""
    return not pattern.isascii() and r"\p{" not in pattern and r"\P{" not in pattern


def read(pattern: str) -> Reading:
    """How the byte matcher reads a pattern.

    Raises:
        UnreadableError: reading it ends the process.
    """
    return _Reader(pattern).read()


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.ignore_case = False
        self.supported = True

    def read(self) -> Reading:
        branches: list[Branch] = []
        spans: list[tuple[int, int]] = []
        dropped = 0
        while True:
            self.supported, start = True, self.at
            branch = self._branch()
            if self.supported:
                branches.append(branch)
                spans.append((start, self.at))
            else:
                dropped += 1
            if not self._take("|"):
                return Reading(tuple(branches), tuple(spans), dropped, self.pattern[self.at :])

    def _peek(self, ahead: int = 0) -> str:
        return self.pattern[self.at + ahead : self.at + ahead + 1]

    def _next(self) -> str:
        char = self._peek()
        self.at += len(char)
        return char

    def _take(self, char: str) -> bool:
        if self._peek() == char:
            self.at += 1
            return True
        return False

    def _alternatives(self) -> Program:
        branches = [self._branch()]
        while self._take("|"):
            branches.append(self._branch())
        return tuple(branches)

    def _branch(self) -> Branch:
        nodes: list[Node] = []
        while self._peek() not in ("", "|", ")"):
            atom = self._atom()
            low, high = self._quantifier()
            if isinstance(atom, Chars):
                atom = Chars(atom.mask, low, high)
            elif isinstance(atom, Group):
                atom = Group(atom.branches, low, high)
            nodes.append(atom)
        return tuple(nodes)

    def _quantifier(self) -> tuple[int, int | None]:
        found: tuple[int, int | None] = (1, 1)
        for sign, bounds in (("+", (1, None)), ("*", (0, None)), ("?", (0, 1))):
            if self._take(sign):
                found = bounds
                break
        else:
            if not self._take("{"):
                return found
            found = self._interval()
        self._take("?")  # a lazy mark has no effect
        return found

    def _interval(self) -> tuple[int, int | None]:
        low = self._number() or 0
        high: int | None = low
        if self._take(","):
            high = self._number()
        self._take("}")
        return low, high

    def _number(self) -> int | None:
        start = self.at
        while self._peek() in tuple("0123456789"):
            self.at += 1
        digits = self.pattern[start : self.at]
        if digits and int(digits) > MAX_INT:
            raise UnreadableError(f"the count {digits} is larger than {MAX_INT:,}")
        return int(digits) if digits else None

    def _atom(self) -> Node:
        char = self._peek()
        if char == "(":
            return self._group()
        if char == "[":
            return Chars(self._class())
        if char == "\\":
            return Chars(self._escape())
        self._next()
        return Chars(ANY_BUT_NEWLINE if char == "." else self._literal(char))

    def _literal(self, char: str) -> int:
        if self.ignore_case and char.isascii() and char.isalpha():
            return mask_of(char.lower() + char.upper())
        return 1 << fold_char(char)

    def _escape(self) -> int:
        self._next()
        char = self._next()
        if char in ("p", "P") and char:
            return self._property(negated=char == "P")
        if char in _SETS:
            return _SETS[char]
        if char == "x":
            return self._hexadecimal()
        if char in _DROPPED_ESCAPES:
            self.supported = False
        if char > "\x7f":  # its bytes are read one by one from here on, and none of them is in a folded text
            return 0
        return self._literal(char) if char else 1

    def _property(self, *, negated: bool) -> int:
        if not self._take("{"):
            return 0
        name = ""
        while self._peek() not in ("", "}"):
            name += self._next()
        self._take("}")
        mask = _PROPERTIES.get(name[:1], 0)
        return EVERYTHING & ~mask if negated else mask

    def _hexadecimal(self) -> int:
        if self.at + 1 >= len(self.pattern):
            return 0
        value = _HEX.get(self._next(), 0) * 16 + _HEX.get(self._next(), 0)
        return 1 << value if value < SYMBOLS else 0

    def _class(self) -> int:
        self._next()
        negated = self._take("^")
        mask = 0
        if self._take("]"):
            mask |= mask_of("]")
        while self._peek() not in ("", "]"):
            mask |= self._escape() if self._peek() == "\\" else self._range(self._next())
        self._take("]")
        return EVERYTHING & ~mask if negated else mask

    def _range(self, low: str) -> int:
        if self._peek() != "-" or self._peek(1) in ("", "]"):
            return self._literal(low)
        self._next()
        if low.isascii() and self._take("\\"):
            high = self._next()
            high = _RANGE_END_ESCAPES.get(high, high) or "\0"
        else:
            high = self._next()
        if low.isascii() and high.isascii():
            mask = 0
            for code in range(ord(low), ord(high) + 1):
                mask |= self._literal(chr(code))
            return mask
        ends = sorted((fold_char(low), fold_char(high)))
        return sum(1 << code for code in range(ends[0], ends[1] + 1))

    def _group(self) -> Node:
        self._next()
        if not self._take("?"):
            return self._closed(Group(self._alternatives()))
        if self._take("!"):
            return self._closed(NotAhead(self._alternatives()))
        if self._peek() in ("=", "<"):
            self.supported = False
            self._skip_group()
            return Chars(0)
        outer = self.ignore_case
        while self._peek() not in ("", ":", ")"):
            self.ignore_case = self._next() == "i" or self.ignore_case
        self._take(":")
        group = Group(self._alternatives())
        self._take(")")
        self.ignore_case = outer
        return group

    def _closed(self, node: Node) -> Node:
        self._take(")")
        return node

    def _skip_group(self) -> None:
        depth = 1
        while depth and self._peek():
            depth += {"(": 1, ")": -1}.get(self._next(), 0)
