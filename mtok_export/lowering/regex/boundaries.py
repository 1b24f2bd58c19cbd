r"""Patterns that take no character and only say where to cut, such as ``(?<=[a-z])(?=[A-Z])`` or ``\b``.

The engine pays no heed to empty matches, and cannot look back.  But the cuts fall after characters that can be named,
so a pattern for the pieces between them says the same: as long as no cut follows, take a character; then take one more.
"""

from __future__ import annotations

from mtok_export.lowering.regex.analysis import lengths
from mtok_export.lowering.regex.behind import Condition, conditions, looks_back, resolve
from mtok_export.lowering.regex.charset import NO_CHARS, CharSet
from mtok_export.lowering.regex.ir import ANYTHING, Ir, ahead, alt, one, repeat, seq


def pieces_between(ir: Ir) -> Ir | None:
    """A pattern for the pieces that a pattern of cuts leaves.

    Args:
        ir: the pattern as it stands in the tokenizer.

    Returns:
        ``None`` where it is no pattern of cuts, or where a cut depends on more than one character before it.
    """
    if lengths(ir) != (0, 0) or not looks_back(ir):
        return None
    found = conditions(ir)
    if found is None:
        return None
    going_on = [_uncut(chars, found) for chars in _parts(found)]
    return seq([repeat(alt(going_on), 0, None), ANYTHING])


def _parts(found: tuple[Condition, ...]) -> tuple[CharSet, ...]:
    """All characters, by which of the conditions they fulfil."""
    parts: list[CharSet] = [ANYTHING.chars]
    for condition in found:
        cut = [piece for part in parts for piece in (part & condition.before, part - condition.before)]
        parts = [piece for piece in cut if piece]
    return tuple(parts)


def _uncut(chars: CharSet, found: tuple[Condition, ...]) -> Ir:
    """A character of a part with no cut after it."""
    cuts = [resolve(seq(each.after)) for each in found if chars & each.before != NO_CHARS]
    return seq([one(chars), *(ahead(cut, negated=True) for cut in cuts)])
