"""The engine's regular expressions: a small byte matcher that runs on folded text.

A text is folded to one byte per code point (ASCII as it is, the rest to its class), the pattern is parsed leniently,
and a backtracking matcher runs over the bytes.  What the parser makes of syntax that it does not know is part of the
model: nothing here is an error.  Groups are atomic: a group returns its first matching branch and is never re-entered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mtok_export import characters as unicode
from mtok_export.engine.model.text import seen
from mtok_export.errors import EngineError

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MAX_GROUP_REPETITIONS = 10_000

_ALL = frozenset(range(256))
_UPPER, _LOWER, _DIGITS = frozenset(range(65, 91)), frozenset(range(97, 123)), frozenset(range(48, 58))
_LETTER = _UPPER | _LOWER | {unicode.FoldedClass.LETTER}
_NUMBER = _DIGITS | {unicode.FoldedClass.NUMBER}
_SPACE = frozenset(map(ord, unicode.ASCII_WHITE_SPACE)) | {unicode.FoldedClass.SPACE}
_WORD = _LETTER | _NUMBER | {ord("_")}
_PROPERTIES: dict[str, frozenset[int]] = {
    "L": _LETTER,
    "N": _NUMBER,
    "M": frozenset({unicode.FoldedClass.MARK}),
    "P": frozenset(map(ord, unicode.ASCII_PUNCTUATION)) | {unicode.FoldedClass.PUNCTUATION},
    "S": frozenset(map(ord, unicode.ASCII_SYMBOLS)) | {unicode.FoldedClass.SYMBOL},
    "Z": _SPACE,
}
_SHORTHANDS: dict[str, frozenset[int]] = {
    "s": _SPACE,
    "S": _ALL - _SPACE,
    "d": _NUMBER,
    "D": _ALL - _NUMBER,
    "w": _WORD,
    "W": _ALL - _WORD,
    **{name: frozenset({ord(char)}) for name, char in zip("rntfv", "\r\n\t\f\v", strict=True)},
}
_UNSUPPORTED_ESCAPES = frozenset("bBAZ123456789")


def fold(text: str) -> bytes:
    """One byte per code point."""
    return bytes(map(_folded, text))


def _folded(char: str) -> int:
    return ord(char) if char < "\x80" else int(unicode.folded_class(seen(char)))


@dataclass
class Node:
    """A set of bytes, a group, or a negative look-ahead, with its quantifier (``most`` of None: unlimited)."""

    bytes_: frozenset[int] = frozenset()
    branches: list[list[Node]] | None = None
    look_ahead: bool = False
    least: int = 1
    most: int | None = 1


class Parser:
    """The engine's pattern parser, with all that it does in silence."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.ignore_case = False
        self.supported = True

    def peek(self) -> str:
        """The next character; an empty string at the end."""
        return self.pattern[self.at : self.at + 1]

    def next(self) -> str:
        """Take the next character."""
        char = self.peek()
        self.at += len(char)
        return char

    def parse(self) -> list[list[Node]]:
        """The top-level branches that are supported; what follows a stray ``)`` is never read."""
        kept: list[list[Node]] = []
        while True:
            self.supported = True
            branch = self.branch()
            if self.supported:
                kept.append(branch)
            if self.peek() != "|":
                return kept
            self.next()

    def alternatives(self) -> list[list[Node]]:
        """The branches of a group."""
        found = [self.branch()]
        while self.peek() == "|":
            self.next()
            found.append(self.branch())
        return found

    def branch(self) -> list[Node]:
        """Atoms with their quantifiers."""
        nodes: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            node = self.atom()
            self.quantifier(node)
            nodes.append(node)
        return nodes

    def atom(self) -> Node:
        """A group, a class, an escape, a dot or a literal."""
        char = self.peek()
        if char == "(":
            return self.group()
        if char == "[":
            return self.class_()
        if char == "\\":
            return Node(self.escape())
        self.next()
        if char == ".":
            return Node(_ALL - {ord("\n")})
        return Node(self.literal(char) if char < "\x80" else frozenset({_folded(char)}))

    def literal(self, char: str) -> frozenset[int]:
        """An ASCII literal, in both cases under (?i."""
        if self.ignore_case and char.isalpha():
            return frozenset({ord(char.lower()), ord(char.upper())})
        return frozenset({ord(char)})

    def quantifier(self, node: Node) -> None:
        """Read a quantifier; a lazy mark is skipped."""
        char = self.peek()
        simple: dict[str, tuple[int, int | None]] = {"+": (1, None), "*": (0, None), "?": (0, 1)}
        if char in simple and char:
            self.next()
            node.least, node.most = simple[char]
        elif char == "{":
            self.next()
            node.least = self.number() or 0
            node.most = node.least
            if self.peek() == ",":
                self.next()
                node.most = self.number()
            if self.peek() == "}":
                self.next()
        else:
            return
        if self.peek() == "?":
            self.next()

    def number(self) -> int | None:
        """Digits, if there are any."""
        digits = ""
        while self.peek() and self.peek() in "0123456789":
            digits += self.next()
        if digits and int(digits) > 0x7FFF_FFFF:
            raise EngineError(f"the engine dies of the count {digits} in the pattern {self.pattern!r}")
        return int(digits) if digits else None

    def group(self) -> Node:
        """``(...)``, ``(?!...)``, ``(?flags:...)``; other kinds are dropped with their branch or misread."""
        self.next()
        outer = self.ignore_case
        if self.peek() == "?":
            self.next()
            if self.peek() == "!":
                self.next()
                return self.close(Node(branches=self.alternatives(), look_ahead=True))
            if self.peek() in ("=", "<"):
                return self.skip_group()
            while self.peek() not in ("", ":", ")"):
                self.ignore_case = self.ignore_case or self.peek() == "i"
                self.next()
            if self.peek() == ":":
                self.next()
        node = self.close(Node(branches=self.alternatives()))
        self.ignore_case = outer
        return node

    def close(self, node: Node) -> Node:
        """Take the closing parenthesis, if it is there."""
        if self.peek() == ")":
            self.next()
        return node

    def skip_group(self) -> Node:
        """A positive look-ahead, a look-behind or a named group: read past; the whole top-level branch is dropped."""
        self.supported = False
        depth = 1
        while self.peek() and depth:
            depth += {"(": 1, ")": -1}.get(self.next(), 0)
        return Node()

    def escape(self) -> frozenset[int]:
        """An escape, as the set of bytes it stands for."""
        self.next()
        char = self.next()
        if char in ("p", "P"):
            return self.property_(negated=char == "P")
        if char in _SHORTHANDS:
            return _SHORTHANDS[char]
        if char == "x":
            if self.at + 1 >= len(self.pattern.encode("utf-8")) or not self.pattern[self.at + 1 : self.at + 2]:
                return frozenset()
            return frozenset({(_hex(self.next()) * 16 + _hex(self.next())) & 0xFF})
        if char in _UNSUPPORTED_ESCAPES and char:
            self.supported = False
        if char >= "\x80":
            raise EngineError(
                f"an escaped character beyond ASCII in {self.pattern!r} is read byte by byte: not modelled"
            )
        return self.literal(char) if char else frozenset({0})

    def property_(self, *, negated: bool) -> frozenset[int]:
        r"""``\p{X}``: the first letter alone counts, an unknown one is the empty set; without a brace it is nothing."""
        if self.peek() != "{":
            return frozenset()
        self.next()
        name = ""
        while self.peek() not in ("", "}"):
            name += self.next()
        if self.peek() == "}":
            self.next()
        found = _PROPERTIES.get(name[:1], frozenset())
        return _ALL - found if negated else found

    def class_(self) -> Node:
        """``[...]``: no nesting, no intersections; a range of characters beyond ASCII is a range of their classes."""
        self.next()
        negated = self.peek() == "^"
        if negated:
            self.next()
        members: set[int] = set()
        if self.peek() == "]":
            members.add(ord(self.next()))
        while self.peek() not in ("", "]"):
            if self.peek() == "\\":
                members |= self.escape()
            else:
                members |= self.class_item()
        if self.peek() == "]":
            self.next()
        return Node(_ALL - members if negated else frozenset(members))

    def class_item(self) -> frozenset[int]:
        """A character or a range in a class."""
        first = self.next()
        follows = self.pattern[self.at + 1 : self.at + 2]
        if self.peek() != "-" or follows in ("", "]"):
            return self.literal(first) if first < "\x80" else frozenset({_folded(first)})
        self.next()
        if first >= "\x80" or (self.peek() != "\\" and self.peek() >= "\x80"):
            return _between(_folded(first), _folded(self.next()))
        if self.peek() == "\\":
            self.next()
            last = self.next()
            last = {"n": "\n", "r": "\r", "t": "\t"}.get(last, last)
        else:
            last = self.next()
        codes = range(ord(first), ord(last) + 1)
        return frozenset(byte for code in codes for byte in self.literal(chr(code)))


def _between(one: int, other: int) -> frozenset[int]:
    return frozenset(range(min(one, other), max(one, other) + 1))


def _hex(char: str) -> int:
    return int(char, 16) if char in "0123456789abcdefABCDEF" and char else 0


Match = Callable[[bytes, int], int]
"""Given folded text and a position, where the match ends, or -1."""


def _compile_branches(branches: list[list[Node]]) -> Match:
    matches = [_compile(branch, 0) for branch in branches]

    def match(text: bytes, at: int) -> int:
        for one in matches:
            end = one(text, at)
            if end >= 0:
                return end
        return -1

    return match


def _compile(nodes: list[Node], index: int) -> Match:
    """The matcher of a branch from one node on."""
    if index >= len(nodes):
        return lambda _text, at: at
    node, rest = nodes[index], _compile(nodes, index + 1)
    if node.look_ahead:
        ahead = _compile_branches(node.branches or [[]])
        return lambda text, at: -1 if ahead(text, at) >= 0 else rest(text, at)
    if node.branches is not None:
        return _group(node, rest)
    return _set(node, rest)


def _set(node: Node, rest: Match) -> Match:
    """As many bytes of the set as there are, then fewer."""
    members = b"".join(re.escape(bytes((byte,))) for byte in sorted(node.bytes_))
    most = "" if node.most is None else str(node.most)
    run = re.compile(b"[" + members + b"]{0," + most.encode() + b"}") if members else None
    least = node.least

    def match(text: bytes, at: int) -> int:
        found = run.match(text, at) if run else None
        furthest = found.end() if found else at
        for end in range(furthest, at + least - 1, -1):
            matched = rest(text, end)
            if matched >= 0:
                return matched
        return -1

    return match


def _group(node: Node, rest: Match) -> Match:
    """Repetitions of the group, then fewer of them; an empty repetition ends the count."""
    inner = _compile_branches(node.branches or [[]])
    most = MAX_GROUP_REPETITIONS if node.most is None else node.most

    def match(text: bytes, at: int) -> int:
        ends = [at]
        while len(ends) - 1 < most:
            end = inner(text, ends[-1])
            if end <= ends[-1]:
                break
            ends.append(end)
        for count in range(len(ends) - 1, node.least - 1, -1):
            matched = rest(text, ends[count])
            if matched >= 0:
                return matched
        return -1

    return match


class Patterns:
    """The compiled patterns of one process of the engine.

    Of a pattern that has no supported branch, released engines find nothing, unless the GPT-2 pattern has been compiled
    before; ``falls_back`` says that the GPT-2 pattern stands in in any case, as in the source after 3.6.1.
    """

    def __init__(self, *, falls_back: bool) -> None:
        self._falls_back = falls_back
        self._known: dict[str, Match] = {}

    def compile(self, pattern: str) -> Match:
        """The matcher of a pattern, kept for the life of the process."""
        found = self._known.get(pattern)
        if found is None:
            branches = Parser(pattern).parse()
            if not branches and (self._falls_back or GPT2_PATTERN in self._known):
                found = self.compile(GPT2_PATTERN)
            else:
                found = _compile_branches(branches)
            self._known[pattern] = found
        return found

    def find_all(self, text: str, pattern: str) -> Iterable[tuple[int, int]]:
        """The matches from left to right as (start, end) in code points; empty ones are not matches."""
        match, folded = self.compile(pattern), fold(text)
        at = 0
        while at < len(folded):
            end = match(folded, at)
            if end > at:
                yield at, end
                at = end
            else:
                at += 1
