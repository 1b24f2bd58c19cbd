"""The text of a translated pattern: as much as possible of the original, as the engine reads it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mtok_export.lowering.regex import ast
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.fold import approximate
from mtok_export.lowering.regex.normal import normal
from mtok_export.lowering.regex.program import Chars, Program, without_caps, write_branch
from mtok_export.lowering.regex.reading import UnreadableError, goes_wide, read


def reads_as(text: str, program: Program, *, uncapped: bool = False) -> bool:
    """Whether the engine's byte matcher reads a text as a program (given in its normal shape), and all of it.

    With ``uncapped``, groups may stop repeating after 10,000 rounds where the program does not.
    """
    return _meaning(text, uncapped) == program


@lru_cache(maxsize=256)
def _meaning(text: str, uncapped: bool) -> Program | None:
    """The program, in its normal shape, that the byte matcher reads a text as; ``None`` where that is not all of it."""
    if goes_wide(text):
        return None
    try:
        reading = read(text)
    except UnreadableError:
        return None
    if reading.dropped or reading.ignored:
        return None
    return normal(without_caps(reading.program) if uncapped else reading.program)


def set_names(spellings: Mapping[CharSet, str]) -> dict[int, str]:
    """How the pattern writes its sets, where the engine reads that right."""
    names: dict[int, str] = {}
    for chars, spelling in spellings.items():
        mask = approximate(chars)
        if spelling.isascii() and not spelling.startswith("(") and reads_as(spelling, ((Chars(mask),),)):
            names.setdefault(mask, spelling)
    return names


def write(program: Program, pattern: str, node: ast.Node | None, names: Mapping[int, str]) -> str:
    """A pattern that the engine reads as ``program``.

    Args:
        program: in its normal shape.
        pattern: the original, which is kept where it reads so, as a whole or branch by branch.
        node: its syntax tree, if there is one.
        names: from ``set_names``.
    """
    if reads_as(pattern, program):
        return pattern
    kept = _branches(pattern, node)
    branches: list[str] = []
    place = 0
    while place < len(program):
        found = (
            (text, size)
            for text in kept
            for size in (1, *range(len(program) - place, 1, -1))
            if reads_as(text, program[place : place + size])
        )
        source, taken = next(found, (None, 1))
        branches.append(write_branch(program[place], names) if source is None else source)
        place += taken
    return "|".join(branches)


def _branches(pattern: str, node: ast.Node | None) -> tuple[str, ...]:
    if not isinstance(node, ast.Alternation):
        return ()
    return tuple(pattern[slice(*branch.span)] for branch in node.branches)
