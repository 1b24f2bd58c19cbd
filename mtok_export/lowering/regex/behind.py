r"""Look-behind, word boundaries and line starts, where the pattern itself says which character stands before them.

The engine cannot look back.  But in ``\w+(?<!_)`` the character before the assertion is the last one that ``\w+``
took, so the condition can be moved into it: ``\w*[^\W_]``.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtok_export.lowering.regex.analysis import lengths
from mtok_export.lowering.regex.build import RefusedError
from mtok_export.lowering.regex.charset import ALL_CHARS, NO_CHARS, CharSet
from mtok_export.lowering.regex.ir import (
    Alt,
    Atomic,
    Edge,
    EdgeKind,
    Ir,
    Look,
    One,
    Repeat,
    Seq,
    alt,
    children,
    items_of,
    one,
    options_of,
    repeat,
    seq,
)
from mtok_export.records import dataclass


@dataclass(frozen=True)
class Condition:
    """One way in which an assertion can hold: the character before is in ``before``, and then ``after`` holds."""

    before: CharSet
    after: tuple[Ir, ...] = ()


def looks_back(ir: Ir) -> bool:
    """Whether anything in a pattern depends on the text before it."""
    if isinstance(ir, Edge) or (isinstance(ir, Look) and ir.behind):
        return True
    return any(map(looks_back, children(ir)))


def conditions(ir: Ir) -> tuple[Condition, ...] | None:
    """An assertion as conditions on the character before it, of which at most one holds for a given character.

    Args:
        ir: a pattern that takes no character.

    Returns:
        ``None`` where the assertion is of another kind.  A condition on the start of the text is left out: there is a
        character before.
    """
    if isinstance(ir, Edge):
        return () if ir.kind is EdgeKind.TEXT_START else None
    if isinstance(ir, Look):
        if not ir.behind:
            return None if looks_back(ir.body) else (Condition(ALL_CHARS, (ir,)),)
        chars = _one_of(ir.body)
        return None if chars is None else (Condition(~chars if ir.negated else chars),)
    if isinstance(ir, Seq):
        return _joined(ir.items)
    if isinstance(ir, Alt):
        parts = [conditions(option) for option in ir.options]
        return None if None in parts else tuple(found for part in parts if part for found in part)
    return None


def _joined(items: Sequence[Ir]) -> tuple[Condition, ...] | None:
    joined: tuple[Condition, ...] = (Condition(ALL_CHARS),)
    for item in items:
        part = conditions(item)
        if part is None:
            return None
        joined = tuple(
            Condition(left.before & right.before, left.after + right.after)
            for left in joined
            for right in part
            if left.before & right.before
        )
    return joined


def _one_of(ir: Ir) -> CharSet | None:
    chars = NO_CHARS
    for option in options_of(ir):
        if not isinstance(option, One):
            return None
        chars = chars | option.chars
    return chars


def resolve(ir: Ir) -> Ir:
    """The same pattern without anything that looks back.

    Raises:
        RefusedError: an assertion stands where the character before it is not the pattern's own.
    """
    return _resolve(ir, None)


def _resolve(ir: Ir, previous: CharSet | None) -> Ir:
    """``previous`` holds whatever may stand before ``ir``; ``None`` if that is text that the pattern has not taken."""
    if not looks_back(ir):
        return ir
    if isinstance(ir, Seq):
        return _resolve_items(ir.items, previous)
    if isinstance(ir, Alt) and conditions(ir) is None:
        return Alt(tuple(_resolve(option, previous) for option in ir.options))
    if isinstance(ir, Repeat):
        before = last_of(ir.body, previous)
        inside = None if previous is None or before is None else previous | before
        return repeat(_resolve(ir.body, inside), ir.low, ir.high, greedy=ir.greedy)
    if isinstance(ir, Atomic):
        return Atomic(_resolve(ir.body, previous))
    if isinstance(ir, Look) and not ir.behind:
        return Look(_resolve(ir.body, previous), behind=False, negated=ir.negated)
    if conditions(ir) is None:
        raise RefusedError("the engine cannot look at more than the last character of the text before (or at \\G)")
    return _resolve_items((ir,), previous)


def _resolve_items(items: Sequence[Ir], previous: CharSet | None) -> Ir:
    done: tuple[Ir, ...] = ()
    for item in items:
        found = conditions(item) if looks_back(item) else None
        if found is None:
            done += items_of(_resolve(item, previous))
        else:
            decided = _decided(found, previous)
            done = items_of(_restricted(done, found)) if decided is None else (*done, *items_of(decided))
        previous = last_of(done[-1], previous) if done else previous
    return seq(done)


def _decided(found: tuple[Condition, ...], previous: CharSet | None) -> Ir | None:
    """The assertion where what may stand before it decides each condition; ``None`` where it does not."""
    if previous is None:
        return None
    possible = [each for each in found if previous & each.before]
    if any(previous - each.before for each in possible):
        return None
    return alt(seq(each.after) for each in possible)


def last_of(ir: Ir, previous: CharSet | None) -> CharSet | None:
    """What may stand before whatever follows ``ir``, if ``previous`` may stand before it; ``None`` is not known."""
    if isinstance(ir, One):
        return ir.chars
    if isinstance(ir, (Look, Edge)):
        return previous
    if isinstance(ir, Atomic):
        return last_of(ir.body, previous)
    if isinstance(ir, Seq):
        for item in ir.items:
            previous = last_of(item, previous)
        return previous
    if isinstance(ir, Repeat):
        return _either([last_of(ir.body, previous), *([previous] if ir.low == 0 else [])])
    return _either([last_of(option, previous) for option in ir.options])


def _either(sets: Sequence[CharSet | None]) -> CharSet | None:
    union = NO_CHARS
    for chars in sets:
        if chars is None:
            return None
        union = union | chars
    return union


def _restricted(items: tuple[Ir, ...], found: tuple[Condition, ...]) -> Ir:
    """``items`` with the last character that they take fulfilling one of the conditions."""
    if not items:
        raise RefusedError("the engine cannot look at the text before a match (look-behind, \\b, \\B, ^, \\A, \\G)")
    before, last = items[:-1], items[-1]
    if isinstance(last, One):
        return seq([*before, _restricted_one(last, found)])
    if isinstance(last, Look):
        return seq([*items_of(_restricted(before, found)), last])
    if isinstance(last, Repeat):
        return _restricted_repeat(before, last, found)
    if isinstance(last, Alt):
        return seq([*before, Alt(tuple(_restricted(items_of(option), found) for option in last.options))])
    raise RefusedError("the engine cannot look back into an atomic group")


def _restricted_one(last: One, found: tuple[Condition, ...]) -> Ir:
    return alt(seq([one(last.chars & each.before), *each.after]) for each in found if last.chars & each.before)


def _restricted_repeat(before: tuple[Ir, ...], last: Repeat, found: tuple[Condition, ...]) -> Ir:
    """All rounds but the last as they are; without any round, the condition falls on what stands before."""
    fewer = repeat(last.body, max(last.low - 1, 0), None if last.high is None else last.high - 1, greedy=last.greedy)
    some = seq([fewer, *items_of(_restricted(items_of(last.body), found))])
    if last.low > 0:
        return seq([*before, some])
    none = _restricted(before, found)
    if not _single_ended(before):
        raise RefusedError("the engine cannot look back past a part that may be missing")
    options = [seq([*before, some]), none]
    return alt(options if last.greedy else reversed(options))


def _single_ended(items: tuple[Ir, ...]) -> bool:
    """Whether a choice between ways to go on may be made before ``items``: their length is fixed."""
    low, high = lengths(seq(items))
    return low == high
