r"""Patterns of tiktoken (Rust's ``fancy-regex``) in the words of Oniguruma, which ``tokenizer.json`` uses.

Both know ``\p{L}``, ``(?i:...)``, ``(?!...)``, ``&&`` in classes and the possessive ``?+ *+ ++``.  Not the same are:

- ``{m,n}+`` is possessive in Rust, and a repetition of a repetition in Oniguruma: it becomes ``(?>...{m,n})``;
- ``^`` and ``$`` are the ends of the text in Rust, and those of any line in Oniguruma: they become ``\A`` and ``\z``;
- ``\pL`` is short for ``\p{L}`` in Rust alone, and ``\u{61}`` is ``\x{61}``;
- flags other than ``i`` have other letters, and ``--``, ``~~`` and ``[:alpha:]`` in classes another meaning: refused.
"""

from __future__ import annotations

import re

from mtok_export.errors import SourceError

_COUNTS = re.compile(r"\{\d+(?:,\d*)?\}")
_FLAGS = re.compile(r"\(\?([A-Za-z-]+)[:)]")
_ENDS = {"^": r"\A", "$": r"\z"}
_WITH_BRACES = "pPxu"
"""Escapes whose argument may stand in braces, as in ``\\p{L}``."""

_CLASS_TROUBLE = ("--", "~~", "[:")


def to_oniguruma(pattern: str, where: str) -> str:
    """The same pattern for Oniguruma.

    Args:
        pattern: a ``pat_str`` of tiktoken.
        where: what messages call its place.

    Raises:
        SourceError: for what has no counterpart, or is no pattern.
    """
    if not pattern:
        raise SourceError("the pattern is empty", where=where)
    return _Translation(pattern, where).run()


class _Translation:
    def __init__(self, pattern: str, where: str) -> None:
        self.pattern = pattern
        self.where = where
        self.at = 0
        self.out: list[str] = []
        self.atom = 0
        """Where in ``out`` the latest atom begins, which a quantifier repeats."""
        self.open: list[int] = []
        """Where in ``out`` the groups begin that are open."""

    def run(self) -> str:
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            step = _STEPS.get(char)
            if step is not None:
                step(self)
            else:
                self._atom(_ENDS.get(char, char), 1)
        if self.open:
            raise self._error("a group is not closed", len(self.pattern))
        return "".join(self.out)

    def _error(self, problem: str, at: int | None = None) -> SourceError:
        place = self.at if at is None else at
        return SourceError(f"{problem} at character {place} of the pattern {self.pattern!r}", where=self.where)

    def _atom(self, text: str, length: int) -> None:
        self.atom = len(self.out)
        self.out.append(text)
        self.at += length

    def escape(self) -> None:
        text = self._escaped()
        self._atom(text, 0)

    def _escaped(self) -> str:
        """One escape, read; the position is then behind it."""
        pair = self.pattern[self.at : self.at + 2]
        if len(pair) < 2:
            raise self._error("a backslash stands at the end,")
        self.at += 2
        following = self.pattern[self.at : self.at + 1]
        if pair in (r"\p", r"\P") and following.isascii() and following.isalpha():
            self.at += 1
            return f"{pair}{{{following}}}"
        if pair[1] in _WITH_BRACES and following == "{":
            start = self.at
            self.at = self.pattern.find("}", start) + 1
            if not self.at:
                raise self._error("a brace is not closed", start)
            return (r"\x" if pair == r"\u" else pair) + self.pattern[start : self.at]
        return pair

    def char_class(self) -> None:
        start, depth = self.at, 0
        text = []
        while True:
            char = self.pattern[self.at : self.at + 1]
            if not char:
                raise self._error("a class is not closed", start)
            if self.pattern.startswith(_CLASS_TROUBLE, self.at):
                trouble = self.pattern[self.at : self.at + 2]
                raise self._error(f"{trouble!r} in a class means something else to the tokenizers library,")
            if char == "\\":
                text.append(self._escaped())
                continue
            depth += (char == "[") - (char == "]")
            text.append(char)
            self.at += 1
            if depth == 0:
                break
        self._atom("".join(text), 0)

    def group(self) -> None:
        flags = _FLAGS.match(self.pattern, self.at)
        if flags is not None and set(flags[1]) - {"i", "-"}:
            raise self._error(f"the flags {flags[1]!r} mean something else to the tokenizers library,")
        self.open.append(len(self.out))
        head = re.compile(r"\((?:\?(?:[i-]*:|>|<?[=!]))?").match(self.pattern, self.at)
        assert head is not None
        self.out.append(head[0])
        self.at = head.end()

    def close(self) -> None:
        if not self.open:
            raise self._error("a parenthesis closes nothing")
        self._atom(")", 1)
        self.atom = self.open.pop()

    def quantifier(self) -> None:
        """One of ``? * + {m,n}`` with what follows it: ``?`` for lazy, ``+`` for possessive."""
        counts = _COUNTS.match(self.pattern, self.at)
        if counts is None:
            return self._atom(self.pattern[self.at], 1) if self.pattern[self.at] == "{" else self._simple()
        self.at = counts.end()
        self.out.append(counts[0])
        if self.pattern.startswith("+", self.at):
            self.at += 1
            self.out.insert(self.atom, "(?>")
            self.out.append(")")
        elif self.pattern.startswith("?", self.at):
            if "," not in counts[0]:
                raise self._error(f"{counts[0]}? means something else to the tokenizers library,")
            self.at += 1
            self.out.append("?")
        return None

    def _simple(self) -> None:
        end = self.at + (2 if self.pattern[self.at + 1 : self.at + 2] in ("?", "+") else 1)
        self.out.append(self.pattern[self.at : end])
        self.at = end


_STEPS = {
    "\\": _Translation.escape,
    "[": _Translation.char_class,
    "(": _Translation.group,
    ")": _Translation.close,
    "?": _Translation.quantifier,
    "*": _Translation.quantifier,
    "+": _Translation.quantifier,
    "{": _Translation.quantifier,
}
