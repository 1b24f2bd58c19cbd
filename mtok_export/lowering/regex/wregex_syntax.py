"""Which patterns ``std::wregex`` (libstdc++, ECMAScript) can read: one that it cannot ends the engine's process.

What libraries differ in (a set as the end of a range, ``[[:name:]]``) counts as a fault.
"""

from __future__ import annotations

import re

_HEX = r"[0-9a-fA-F]+"
_COUNT = r"\{(\d+)(?:(,)(\d*))?\}"
_CLASS_ESCAPES = frozenset("dDsSwW")
MAX_STATES = 100_000
"""More than so many states raise an error in libstdc++."""


class _FaultError(Exception):
    """The reason why a pattern cannot be read."""


def fault(pattern: str) -> str | None:
    """Why ``std::wregex`` cannot read a pattern; ``None`` if it can."""
    try:
        _Checker(pattern).check()
    except _FaultError as error:
        return str(error)
    return None


def loops(pattern: str) -> bool:
    """Whether a readable pattern holds a repetition without an end."""
    checker = _Checker(pattern)
    checker.check()
    return checker.loops


class _Checker:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups = 0
        self.closed = 0
        self.loops = False
        self.states = 0

    def check(self) -> None:
        self._alternatives()
        if self._peek():
            raise _FaultError(f"{self._peek()!r} at character {self.at}")

    def _peek(self, ahead: int = 0) -> str:
        return self.pattern[self.at + ahead : self.at + ahead + 1]

    def _take(self, text: str) -> bool:
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def _alternatives(self) -> None:
        self._sequence()
        while self._take("|"):
            self._sequence()

    def _sequence(self) -> None:
        while self._peek() not in ("", "|", ")"):
            before = self.states
            if self._atom():
                while self._quantifier(self.states - before):
                    pass

    def _quantifier(self, size: int) -> bool:
        copies: int
        if self._peek() in tuple("*+?"):
            self.loops = self.loops or self._peek() != "?"
            self.at += 1
            copies = 2
        elif self._peek() == "{":
            copies = self._count()
        else:
            return False
        self._take("?")
        self.states += size * max(copies - 1, 0)
        if self.states > MAX_STATES:
            raise _FaultError(f"counts that make more than {MAX_STATES:,} states")
        return True

    def _count(self) -> int:
        found = re.compile(_COUNT).match(self.pattern, self.at)
        if found is None:
            raise _FaultError(f"a brace at character {self.at} that holds no count")
        self.at = found.end()
        low = int(found[1])
        high = low if found[2] is None else int(found[3]) if found[3] else None
        if high is not None and high < low:
            raise _FaultError(f"a count from {low} to {high}")
        self.loops = self.loops or high is None
        return low + 2 if high is None else high + 1

    def _atom(self) -> bool:
        """Read an atom or an assertion; whether a quantifier may follow."""
        self.states += 2
        char = self._peek()
        if char == "(":
            return self._group()
        if char == "[":
            self._class()
            return True
        self.at += 1
        if char == "\\":
            return self._escape(in_class=False)
        if char in "*+?{":
            raise _FaultError(f"{char!r} at character {self.at - 1} with nothing to repeat")
        return char not in "^$"

    def _group(self) -> bool:
        assertion = self._take("(?=") or self._take("(?!")
        capture = False
        if not assertion and not self._take("(?:"):
            self.at += 1
            if self._peek() == "?":
                raise _FaultError(f"a group of an unknown kind at character {self.at - 1}")
            capture = True
            self.groups += 1
        self._alternatives()
        if not self._take(")"):
            raise _FaultError("a parenthesis that is never closed")
        self.closed += capture
        return not assertion

    def _escape(self, *, in_class: bool) -> bool:
        char = self._peek()
        if not char:
            raise _FaultError("a backslash at the end")
        self.at += 1
        if in_class and char == "B":
            raise _FaultError("\\B in a class")
        if char in "xu":
            length = 2 if char == "x" else 4
            if not re.fullmatch(_HEX, self.pattern[self.at : self.at + length]) or len(self.pattern) < self.at + length:
                raise _FaultError(f"\\{char} without {length} hexadecimal digits")
            self.at += length
        elif char == "c":
            if not self._peek():
                raise _FaultError("\\c at the end")
            self.at += 1
        elif char in tuple("123456789"):
            self._reference(char, in_class=in_class)
        return in_class or char not in "bB"

    def _reference(self, number: str, *, in_class: bool) -> None:
        while self._peek().isascii() and self._peek().isdigit():
            number += self._peek()
            self.at += 1
        if in_class or int(number) > self.closed:
            raise _FaultError(f"a reference to group {number}")

    def _class(self) -> None:
        self.at += 1
        self._take("^")
        while not self._take("]"):
            low = self._member()
            if self._peek() == "-" and self._peek(1) != "]":
                self.at += 1
                high = self._member()
                if low is None or high is None or high < low:
                    raise _FaultError(f"a range that ends at character {self.at}")

    def _member(self) -> str | None:
        """A character of a class; ``None`` for a set or one that is written as a number."""
        char = self._peek()
        if not char:
            raise _FaultError("a class that is never closed")
        if char == "[" and self._peek(1) in (".", ":", "="):
            raise _FaultError("a named class")
        self.at += 1
        if char != "\\":
            return char
        start = self._peek()
        self._escape(in_class=True)
        if start in _CLASS_ESCAPES or start in "xuc0":
            return None
        return {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "b": "\b"}.get(start, start)
