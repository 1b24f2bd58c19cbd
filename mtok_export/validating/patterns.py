"""The patterns of Split: those that the process dies of, and those that are read otherwise than they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mtok_export.engine.model.folding import GPT2_PATTERN, Node, Parser
from mtok_export.engine.model.wide import goes_wide
from mtok_export.errors import EngineError
from mtok_export.places import Located, Places
from mtok_export.shown import counted, listed, visible
from mtok_export.validating import wide_patterns
from mtok_export.validating.finding import Finding, Findings, Severity

MAX_DEPTH = 1_000
"""How deep groups may nest, and how many atoms a branch may have.  The engine calls itself for each of them; 1,000 was
seen to work with a stack of 512 KiB, 5,000 to die."""


def pattern_findings(_places: Places, at: Located) -> Findings:
    """What is wrong with the pattern of a Split."""
    pattern = at.record.pattern
    read = _wide if goes_wide(pattern) else _folded
    for note in read(pattern):
        severity = Severity.ERROR if note.kills else Severity.WARNING
        what = f"{note.what} in the pattern {visible(pattern, 80)}"
        yield Finding(severity, note.code, f"{at.path}.pattern", at.start, what, note.why, note.fix)


@dataclass(frozen=True)
class Note:
    """One thing about a pattern; ``kills`` where it ends the process or makes the result a matter of luck."""

    code: str
    what: str
    why: str
    fix: str
    kills: bool = False


# --- std::wregex ------------------------------------------------------------------------------------------------------


def _wide(pattern: str) -> Iterator[Note]:
    what = "a character beyond ASCII"
    fault = wide_patterns.fault(pattern)
    if fault is not None:
        why = "such a pattern, if without \\p{, goes to std::wregex, which ends the process at the first text"
        yield Note("pattern-kills", f"{fault}, and {what},", why, "write it without that syntax", kills=True)
        return
    for repetition in wide_patterns.deep_repetitions(pattern):
        yield Note(
            "pattern-recursion",
            f"the repetition {visible(repetition, 40)}",
            "std::wregex calls itself for each character of a run: 3,000 of them end a process with a stack of "
            "512 KiB, 40,000 one with 8 MiB",
            "split by one character at a time: [^C](?=[C]) and [C](?![C]), both MERGED_WITH_PREVIOUS",
            kills=True,
        )


# --- the engine's own matcher -----------------------------------------------------------------------------------------

_LITERALS = {"^": "the caret", "$": "the dollar sign"}
_READ_AS_LETTER = frozenset("zhRHGXKQEuUCoNcgka")
_PROPERTIES = frozenset({"L", "N", "M", "P", "S", "Z", "Letter", "Number", "Mark", "Punctuation", "Symbol"})
_SHORTEST_LONG_PROPERTY = 2


class _Listener(Parser):
    """The engine's parser, which notes what it does in silence."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.misread: dict[str, dict[str, None]] = {}
        self.dropped: list[str] = []
        self.branches = 0
        self.depth = self.deepest = 0

    def note(self, start: int, why: str) -> None:
        """Remember how the syntax that started at ``start`` is read."""
        self.misread.setdefault(why, {})[self.pattern[start : self.at]] = None

    def parse(self) -> list[list[Node]]:
        """Parse, and note what follows a stray parenthesis."""
        kept = super().parse()
        if self.at < len(self.pattern):
            start, self.at = self.at, len(self.pattern)
            self.note(start, "a closing parenthesis without an opening one ends the pattern there")
        return kept

    def branch(self) -> list[Node]:
        """Parse a branch; a top-level one may be dropped."""
        start, top = self.at, self.depth == 0
        nodes = super().branch()
        self.deepest = max(self.deepest, len(nodes))
        if top:
            self.branches += 1
            if not self.supported:
                self.dropped.append(self.pattern[start : self.at])
        return nodes

    def atom(self) -> Node:
        """Parse an atom; an anchor is none to the engine."""
        start, char = self.at, self.peek()
        node = super().atom()
        if char in _LITERALS:
            self.note(start, f"{_LITERALS[char]} is a literal character")
        return node

    def quantifier(self, node: Node) -> None:
        """Parse a quantifier; note a lazy or possessive mark, and a brace without numbers."""
        start = self.at
        super().quantifier(node)
        read = self.pattern[start : self.at]
        if read.startswith("{") and not (read.rstrip("?").endswith("}") and read[1:2].isdigit()):
            self.note(start, "a brace always starts a count, here {0} or without an end")
        elif len(read) > 1 and read.endswith("?"):
            self.note(start, "the lazy mark is ignored")
        if read and self.peek() == "+":
            self.at += 1
            self.note(start, "the possessive mark is a literal +")
            self.at -= 1

    def group(self) -> Node:
        """Parse a group; note the kinds that are taken for something else."""
        start = self.at
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        node = super().group()
        self.depth -= 1
        head = self.pattern[start : start + 4]
        if head.startswith("(?"):
            colon = self.pattern[start:].partition(":")[0][2:]
            if head[2:3] not in ("!", "=", "<", ":") and not (colon.isalpha() and colon.isascii() and ")" not in colon):
                self.note(start, "such a group is empty, or its flags are lost")
            elif head[2:3].isalpha() and set(colon) != {"i"}:
                self.note(start, "of the flags, i alone is known")
        return node

    def escape(self) -> frozenset[int]:
        """Parse an escape; note those that mean something else elsewhere."""
        start, char = self.at, self.pattern[self.at + 1 : self.at + 2]
        found = super().escape()
        if char in ("p", "P"):
            self._property(start)
        elif char == "x" and not self.pattern[start + 2 : start + 4].isalnum():
            self.note(start, "\\x takes the two characters behind it, whatever they are")
        elif char in _READ_AS_LETTER:
            self.note(start, f"it is the letter {char}")
        return found

    def _property(self, start: int) -> None:
        read = self.pattern[start : self.at]
        name = read[3:].rstrip("}")
        if "{" not in read:
            self.note(start, "without a brace it matches nothing")
        elif name[:1] not in _PROPERTIES:
            self.note(start, "the property is not known: it is an empty set" if read[1] == "p" else "it is every byte")
        elif len(name) >= _SHORTEST_LONG_PROPERTY and name not in _PROPERTIES:
            self.note(start, "of a property the first letter alone counts")

    def class_(self) -> Node:
        """Parse a class; note nesting and intersections, which are read as members."""
        start = self.at
        node = super().class_()
        read = self.pattern[start : self.at]
        if "[" in read[1:].replace("\\[", ""):
            self.note(start, "a bracket inside a class is a member, and the first closing one ends the class")
        elif "&&" in read:
            self.note(start, "&& is a member of the class, not an intersection")
        if any(char >= "\x80" for char in read):
            self.note(start, "a character beyond ASCII stands for its whole class (letters, numbers, ...)")
        return node


def _folded(pattern: str) -> Iterator[Note]:
    listener = _Listener(pattern)
    try:
        kept = listener.parse()
    except EngineError as error:
        kills = "dies" in error.message
        fix = "write a smaller count" if kills else "write the class that is meant"
        yield Note("pattern-kills" if kills else "pattern-misread", "a construct", error.message, fix, kills=kills)
        return
    except RecursionError:
        listener.deepest, kept = len(pattern), [[]]
    if listener.deepest > MAX_DEPTH:
        why = f"the engine calls itself for each level and atom; over {MAX_DEPTH:,} of them a small stack is too small"
        yield Note("pattern-kills", f"{listener.deepest:,} levels or atoms", why, "split the pattern up", kills=True)
    yield from _dropped(listener, kept)
    for why, syntaxes in listener.misread.items():
        what = ", ".join(visible(syntax, 40) for syntax in syntaxes)
        yield Note("pattern-misread", what, why, "write what is meant in the engine's syntax")


def _dropped(listener: _Listener, kept: list[list[Node]]) -> Iterator[Note]:
    if not listener.dropped:
        return
    branches = listed(visible(branch, 40) for branch in listener.dropped)
    unsupported = "\\b \\B \\A \\Z, \\1 to \\9, (?= and (?< are not supported"
    if kept:
        what = f"{counted(len(listener.dropped), 'branch', 'branches')} of {listener.branches} ({branches})"
        why = f"{unsupported}: the whole branch is left out, with a warning on stdout"
        yield Note("pattern-branch-dropped", what, why, "write the branch without them")
    else:
        what = f"no branch that is supported ({branches})"
        why = (
            f"{unsupported}: nothing is split, unless the process has used the GPT-2 pattern "
            f"{visible(GPT2_PATTERN[:20])}... before, which stands in then (in engines after 3.6.1 always)"
        )
        yield Note("pattern-dropped", what, why, "write the pattern without them", kills=True)
