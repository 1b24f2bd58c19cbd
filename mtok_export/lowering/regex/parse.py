"""A parser of Oniguruma's syntax as ``tokenizers`` uses it: pattern text to syntax tree.

Held against the library itself by tests: what it compiles is read here, what it refuses is refused.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mtok_export.lowering.regex.ast import (
    NO_FLAGS,
    Alternation,
    Anchor,
    AnchorKind,
    AnyChar,
    Exotic,
    Flags,
    Group,
    GroupKind,
    Literal,
    Look,
    Mode,
    Newline,
    Node,
    Repeat,
    Sequence,
)
from mtok_export.lowering.regex.escapes import SHORTHAND_LETTERS, Cursor, escaped_char
from mtok_export.lowering.regex.parse_class import MAX_DEPTH, ClassParser, parse_property, shorthand

MAX_REPEAT = 100_000
_INTERVAL = r"\{(\d*)(?:(,)(\d*))?\}"
_NAME = r"[^\W\d]\w*"
_ANCHORS = {kind.value: kind for kind in AnchorKind}
_FLAG_FIELDS = {
    "i": "ignore_case",
    "m": "dot_all",
    "x": "extended",
    "W": "ascii_word",
    "D": "ascii_digit",
    "S": "ascii_space",
}
_POSIX_FLAGS = ("ascii_word", "ascii_digit", "ascii_space", "ascii_posix")
_WHOLE_PATTERN_FLAGS = frozenset("ICL")
_EXOTIC_ESCAPES = {
    "K": r"\K (keep)",
    "X": r"\X (a grapheme cluster)",
    "y": r"\y (a text segment boundary)",
    "Y": r"\Y (no text segment boundary)",
}
_EXOTIC_GROUPS = {"~": "an absent operator (?~...)", "(": "a condition (?(...)...)", "{": "a callout (?{...})"}
_LOOKS = {"=": (False, False), "!": (False, True), "<=": (True, False), "<!": (True, True)}
_TEXT_ENDS = (AnchorKind.TEXT_END, AnchorKind.TEXT_END_OR_NEWLINE)


def parse(pattern: str) -> Node:
    """The syntax tree of a pattern.

    Args:
        pattern: a regular expression as it stands in ``tokenizer.json``.

    Raises:
        RegexSyntaxError: Oniguruma would not compile it.
    """
    return _Parser(pattern).parse()


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.cursor = Cursor(pattern)
        self.flags = NO_FLAGS
        self.depth = 0
        self.groups = 0
        self.named = False
        self.references: list[tuple[int, int]] = []

    def parse(self) -> Node:
        node = self._alternation()
        if self.cursor.peek():
            raise self.cursor.fail("an unmatched closing parenthesis")
        for number, position in self.references:
            self.cursor.at = position
            if self.named:
                raise self.cursor.fail("a reference by number beside named groups")
            if number > self.groups:
                raise self.cursor.fail(f"a reference to group {number}, which does not exist")
        return node

    def _alternation(self) -> Node:
        start, flags = self.cursor.at, self.flags
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.cursor.fail("groups nested too deeply")
        branches = [self._sequence()]
        while self.cursor.take("|"):
            branches.append(self._sequence())
        self.depth -= 1
        self.flags = flags
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches), (start, self.cursor.at))

    def _sequence(self) -> Node:
        start = self.cursor.at
        items: list[Node] = []
        while True:
            self._skip_ignored()
            if self.cursor.peek() in ("", "|", ")"):
                break
            item = self._atom()
            repeated = self._quantified(item)
            items.append(repeated)
        return items[0] if len(items) == 1 else Sequence(tuple(items), (start, self.cursor.at))

    def _skip_ignored(self) -> None:
        """Comments, and white space in extended mode."""
        cursor = self.cursor
        while True:
            if cursor.take("(?#"):
                self._skip_comment()
            elif self.flags.extended and cursor.peek() in tuple(" \t\n\v\f\r"):
                cursor.next()
            elif self.flags.extended and cursor.peek() == "#":
                end = cursor.pattern.find("\n", cursor.at)
                cursor.at = len(cursor.pattern) if end < 0 else end + 1
            else:
                return

    def _skip_comment(self) -> None:
        while not self.cursor.take(")"):
            if not self.cursor.peek():
                raise self.cursor.fail("a comment without its closing parenthesis")
            self.cursor.at += 2 if self.cursor.peek() == "\\" else 1

    # --- quantifiers --------------------------------------------------------------------------------------------------

    def _quantified(self, item: Node) -> Node:
        start = item.span[0]
        while True:
            self._skip_ignored()
            found = self._quantifier()
            if found is None:
                return item
            if _is_assertion(item):
                raise self.cursor.fail("a quantifier after an assertion")
            if isinstance(item, Group) and item.kind is GroupKind.OPTION_TO_END:
                raise self.cursor.fail("a quantifier with nothing to repeat")
            low, high, mode = found
            item = Repeat(item, low, high, mode, (start, self.cursor.at))

    def _quantifier(self) -> tuple[int, int | None, Mode] | None:
        cursor = self.cursor
        for sign, low, high in (("?", 0, 1), ("*", 0, None), ("+", 1, None)):
            if cursor.take(sign):
                mode = Mode.LAZY if cursor.take("?") else Mode.POSSESSIVE if cursor.take("+") else Mode.GREEDY
                return low, high, mode
        return self._interval()

    def _interval(self) -> tuple[int, int | None, Mode] | None:
        """``{m,n}``: a following ``+`` is a quantifier of its own, and so is ``?`` after ``{n}``."""
        found = self._count()
        if found is None:
            return None
        self.cursor.at = found.end()
        low = int(found[1] or 0)
        high = low if found[2] is None else int(found[3]) if found[3] else None
        if max(low, high or 0) > MAX_REPEAT:
            raise self.cursor.fail(f"a repeat of more than {MAX_REPEAT:,}")
        if high is not None and high < low:
            return high, low, Mode.POSSESSIVE
        lazy = found[2] is not None and self.cursor.take("?")
        return low, high, Mode.LAZY if lazy else Mode.GREEDY

    # --- atoms --------------------------------------------------------------------------------------------------------

    def _atom(self) -> Node:
        cursor, start = self.cursor, self.cursor.at
        char = cursor.peek()
        if char == "(":
            return self._group()
        if char == "[":
            return ClassParser(cursor, self.flags).parse()
        if char == "\\":
            cursor.next()
            return self._escape(start)
        if char in ("*", "+", "?") or self._count() is not None:
            raise cursor.fail("a quantifier with nothing to repeat")
        cursor.next()
        span = (start, cursor.at)
        if char == ".":
            return AnyChar(self.flags.dot_all, span)
        if char in ("^", "$"):
            return Anchor(_ANCHORS[char], self.flags, span)
        return Literal(ord(char), self.flags, span)

    def _count(self) -> re.Match[str] | None:
        """The count in braces that comes next."""
        if self.cursor.peek() != "{":
            return None
        found = re.compile(_INTERVAL).match(self.cursor.pattern, self.cursor.at)
        return found if found is not None and (found[1] or found[3]) else None

    def _escape(self, start: int) -> Node:
        cursor = self.cursor
        char = cursor.peek()
        if "\\" + char in _ANCHORS and char:
            cursor.next()
            return Anchor(_ANCHORS["\\" + char], self.flags, (start, cursor.at))
        if char and char in SHORTHAND_LETTERS:
            cursor.next()
            return shorthand(char, self.flags, start, cursor.at)
        if char in ("p", "P") and cursor.peek(1) == "{":
            cursor.next()
            return parse_property(cursor, self.flags, start)
        if char in ("N", "O"):
            cursor.next()
            return AnyChar(char == "O", (start, cursor.at))
        if cursor.take("R"):
            return Newline((start, cursor.at))
        if char in _EXOTIC_ESCAPES:
            cursor.next()
            return Exotic(_EXOTIC_ESCAPES[char], (start, cursor.at))
        if char in ("k", "g") and cursor.peek(1) in ("<", "'") and cursor.peek(1):
            return self._reference(start, char)
        if char in tuple("123456789"):
            reference = self._numbered_reference(start)
            if reference is not None:
                return reference
        code = escaped_char(cursor)
        span = (start, cursor.at)
        return Exotic(code, span) if isinstance(code, str) else Literal(code, self.flags, span)

    def _numbered_reference(self, start: int) -> Exotic | None:
        """A number up to 9, or of a group that stands before it; larger ones are octal."""
        cursor = self.cursor
        found = re.compile(r"\d+").match(cursor.pattern, cursor.at)
        assert found is not None
        number = int(found[0])
        if number > 9 and number > self.groups:
            return None
        self.references.append((number, start))
        cursor.at = found.end()
        return Exotic(f"a reference to group {number}", (start, cursor.at))

    def _reference(self, start: int, char: str) -> Exotic:
        cursor = self.cursor
        closing = {"<": ">", "'": "'"}[cursor.peek(1)]
        end = cursor.pattern.find(closing, cursor.at + 2)
        if end < 0:
            raise cursor.fail("a group name without its end")
        name = cursor.pattern[cursor.at + 2 : end]
        cursor.at = end + 1
        what = "a reference to group" if char == "k" else "a call of group"
        return Exotic(f"{what} {name!r}", (start, cursor.at))

    # --- groups -------------------------------------------------------------------------------------------------------

    def _group(self) -> Node:
        cursor, start = self.cursor, self.cursor.at
        cursor.next()
        if cursor.peek() == "*" and cursor.peek(1).isalpha():
            return self._exotic_group(start, "a callout (*NAME)")
        if not cursor.take("?"):
            self.groups += 1
            return self._body(start, GroupKind.CAPTURE)
        for sign, (behind, negated) in _LOOKS.items():
            if cursor.take(sign):
                group = self._body(start, GroupKind.PLAIN)
                if behind and not _may_stand_behind(group.body, negated):
                    raise cursor.fail("something in a look-behind that cannot stand there")
                return Look(group.body, behind, negated, group.span)
        if cursor.take(":"):
            return self._body(start, GroupKind.PLAIN)
        if cursor.take(">"):
            return self._body(start, GroupKind.ATOMIC)
        if cursor.peek() in ("<", "'") and cursor.peek():
            return self._named(start)
        if cursor.peek() in _EXOTIC_GROUPS:
            return self._exotic_group(start, _EXOTIC_GROUPS[cursor.peek()])
        return self._options(start)

    def _body(self, start: int, kind: GroupKind, name: str | None = None) -> Group:
        body = self._alternation()
        if not self.cursor.take(")"):
            raise self.cursor.fail("a group without its closing parenthesis")
        return Group(kind, body, name, (start, self.cursor.at))

    def _named(self, start: int) -> Group:
        cursor = self.cursor
        closing = {"<": ">", "'": "'"}[cursor.next()]
        end = cursor.pattern.find(closing, cursor.at)
        name = cursor.pattern[cursor.at : end] if end >= 0 else ""
        if not re.fullmatch(_NAME, name):
            raise cursor.fail(f"not a group name: {name!r}")
        cursor.at = end + 1
        self.groups += 1
        self.named = True
        return self._body(start, GroupKind.NAMED, name)

    def _exotic_group(self, start: int, what: str) -> Exotic:
        """Skip to the closing parenthesis; what stands inside is not looked at."""
        depth = 1
        while depth:
            char = self.cursor.next()
            if not char:
                raise self.cursor.fail("a group without its closing parenthesis")
            if char == "\\":
                self.cursor.next()
            depth += {"(": 1, ")": -1}.get(char, 0)
        return Exotic(what, (start, self.cursor.at))

    def _options(self, start: int) -> Node:
        """``(?i-m:...)``, or ``(?i)`` up to the end of the enclosing group, branches included."""
        cursor = self.cursor
        outer, flags, on = self.flags, self.flags, True
        while cursor.peek() not in (":", ")"):
            char = cursor.next()
            if char == "-" and on:
                on = False
            elif char == "y" and on and cursor.peek() == "{":
                return self._exotic_group(start, "a text segment mode (?y{...})")
            elif char in _WHOLE_PATTERN_FLAGS and char and on and start == 0:
                return self._exotic_group(start, f"the option {char}")
            else:
                flags = self._with_flag(flags, char, on)
        if cursor.at == start + 2:
            raise cursor.fail("an option group without options")
        self.flags = flags
        if cursor.take(":"):
            group = self._body(start, GroupKind.OPTION)
            self.flags = outer
            return group
        cursor.next()
        body = self._alternation()
        self.flags = outer
        return Group(GroupKind.OPTION_TO_END, body, None, (start, cursor.at))

    def _with_flag(self, flags: Flags, char: str, on: bool) -> Flags:
        if char == "P":
            return replace(flags, **dict.fromkeys(_POSIX_FLAGS, on))
        if char not in _FLAG_FIELDS:
            raise self.cursor.fail(f"no such option: {char!r}" if char else "an option group without its end")
        return replace(flags, **{_FLAG_FIELDS[char]: on})


def _is_assertion(node: Node) -> bool:
    """What Oniguruma allows no quantifier after."""
    if isinstance(node, (Anchor, Look)):
        return True
    if isinstance(node, Group):
        return node.kind is GroupKind.PLAIN and _is_assertion(node.body)
    return isinstance(node, Alternation) and any(map(_is_assertion, node.branches))


def _may_stand_behind(node: Node, negated: bool) -> bool:
    """Whether a look-behind (negative or not) may hold ``node``."""
    if isinstance(node, Anchor):
        return node.kind not in _TEXT_ENDS
    if isinstance(node, Look) and (not node.behind or (node.negated and not negated)):
        return False
    if isinstance(node, Group) and negated and node.kind in (GroupKind.CAPTURE, GroupKind.NAMED):
        return False
    return all(_may_stand_behind(child, negated) for child in children(node))


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node."""
    if isinstance(node, Sequence):
        return node.items
    if isinstance(node, Alternation):
        return node.branches
    if isinstance(node, (Group, Look, Repeat)):
        return (node.body,)
    return ()
