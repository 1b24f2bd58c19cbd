"""What the engine makes of a pattern that is passed on as it stands: said construct by construct."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mtok_export.lowering.regex import ast
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.fold import approximate
from mtok_export.lowering.regex.parse import children
from mtok_export.lowering.regex.program import GROUP_CAP, Chars
from mtok_export.lowering.regex.reading import UnreadableError, goes_wide, read
from mtok_export.lowering.regex.spelling import reads_as
from mtok_export.lowering.regex.translation import RegexLimit
from mtok_export.lowering.regex.wide import reads_alike
from mtok_export.lowering.regex.wregex_syntax import fault, loops
from mtok_export.report import Fidelity

ENDLESS = RegexLimit(
    "std::wregex takes stack for every round of a loop: a long run ends the process",
    bound="runs of up to 2,000 characters (on a stack of 512 KiB)",
    fidelity=Fidelity.BOUNDED,
)

CAPPED = RegexLimit("a group stops repeating", bound=f"{GROUP_CAP:,} repetitions of a group", fidelity=Fidelity.BOUNDED)

EMPTY_MATCHES = RegexLimit("Hugging Face cuts at empty matches too, the engine pays no heed to them")
NEIGHBOURS = RegexLimit("of neighbouring matches the engine joins all to one piece, Hugging Face only the first")
REGROUPED = RegexLimit("a group keeps the first of its branches that matches, and is never entered again")


def plain_refusals(pattern: str) -> tuple[str, ...]:
    """Why a pattern must not reach the engine: it would end the process, or be undefined."""
    if goes_wide(pattern):
        wrong = fault(pattern)
        return () if wrong is None else (f"std::wregex, to which the engine hands it, cannot read it: {wrong}",)
    try:
        reading = read(pattern)
    except UnreadableError as error:
        return (f"the engine dies of it: {error}",)
    if not reading.program:
        return ("the engine knows no branch of it, and then reads memory that is no longer its own",)
    return ()


def wide_limits(pattern: str) -> tuple[RegexLimit, ...]:
    """What changes when a pattern is read as ECMAScript."""
    limits = (ENDLESS,) if loops(pattern) else ()
    if reads_alike(pattern, endless=True):
        return limits
    return (RegexLimit("the engine reads it as ECMAScript (std::wregex)"), *limits)


def misread(node: ast.Node, pattern: str, spellings: Mapping[CharSet, str]) -> tuple[RegexLimit, ...]:
    """What the engine's byte matcher takes for something else in a pattern.

    Args:
        node: the syntax tree of the pattern.
        pattern: its text.
        spellings: how the pattern writes its sets.

    Returns:
        Nothing where every part is read right by itself.
    """
    reasons = dict.fromkeys(_reasons(node, pattern))
    for chars, spelling in spellings.items():
        if not reads_as(spelling, ((Chars(approximate(chars)),),)):
            shown = spelling if spelling.isprintable() else repr(spelling)
            reasons.setdefault(f"{shown} is another set in the engine")
    return tuple(map(RegexLimit, reasons))


def _reasons(node: ast.Node, pattern: str) -> Iterator[str]:
    rule = _MISREAD.get(type(node))
    reason = None if rule is None else rule(node, pattern[slice(*node.span)])
    if reason is not None:
        yield reason
    for child in children(node):
        yield from _reasons(child, pattern)


def _repeat(node: ast.Repeat, text: str) -> str | None:
    if node.mode is ast.Mode.POSSESSIVE:
        return f"the possessive mark of {text} is read as a literal +"
    return f"the lazy mark of {text} is ignored" if node.mode is ast.Mode.LAZY else None


def _group(node: ast.Group, text: str) -> str | None:
    known = (ast.GroupKind.CAPTURE, ast.GroupKind.PLAIN)
    if node.kind in known or (node.kind is ast.GroupKind.OPTION and text.startswith("(?i:")):
        return None
    return f"{text}: such a group is not known"


def _look(node: ast.Look, text: str) -> str | None:
    return None if node.negated and not node.behind else f"{text}: the branch that holds it is dropped"


def _anchor(node: ast.Anchor, text: str) -> str:
    dropped = node.kind.value in (r"\b", r"\B", r"\A", r"\Z")
    return f"{text}: the branch that holds it is dropped" if dropped else f"{text} is read as a literal"


_MISREAD: dict[type, Callable[[Any, str], str | None]] = {
    ast.Repeat: _repeat,
    ast.Group: _group,
    ast.Look: _look,
    ast.Anchor: _anchor,
    ast.Newline: lambda _, text: f"{text} is read as a literal",
    ast.Exotic: lambda node, text: f"{text}: {node.what} is not known",
}
"""Nodes that can be misread; what a set is taken for is asked of the reader instead."""
