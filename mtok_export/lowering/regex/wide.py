r"""The engine's other matcher: ``std::wregex``, exact to the code point, for patterns that it can run safely.

A pattern with a character beyond ASCII and without ``\p{`` goes there.  Every round of a loop costs it stack, so a run
of a few thousand characters ends the process; no loop without an end is ever handed to it here.  A run of one set is
cut out by patterns that look at two or three neighbouring characters alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from mtok_export.format.spec import MAX_STRING_BYTES
from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex.analysis import has_type, lengths
from mtok_export.lowering.regex.behind import conditions, looks_back
from mtok_export.lowering.regex.charset import ALL_CHARS, MAX_CODE_POINT, CharSet, Range
from mtok_export.lowering.regex.ir import (
    Alt,
    Atomic,
    Edge,
    Ir,
    Look,
    One,
    Repeat,
    Seq,
    alt,
    children,
    options_of,
    repeat,
    seq,
)
from mtok_export.lowering.regex.reading import goes_wide
from mtok_export.lowering.regex.translation import SplitStep
from mtok_export.source.pipeline import SplitBehavior

MAX_LENGTH = 1_000
"""So many characters a pattern may take or look at; the stack that it needs grows with them."""

MAX_RUNS = 4

_MERGED = EngineBehavior.MERGED_WITH_PREVIOUS
_SPECIAL = frozenset("\\^$.|?*+()[]{}")
_SPECIAL_IN_CLASS = frozenset("\\^-[]")
_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f", "\v": r"\v"}
_NOWHERE = chr(MAX_CODE_POINT)

_PLAIN = r"(?:[^\\\[\]\-&^]|&(?!&))"
_CLASS = rf"\[\^?(?:\\[\\\[\]^\-nrtfv]|{_PLAIN}(?:-{_PLAIN})?)+\]"
_COUNT = r"(?:\?|\{\d+(?:,\d+)?\})(?![?+*{])"
_ENDLESS_COUNT = r"(?:[?*+]|\{\d+(?:,\d*)?\})(?![?+*{])"


@lru_cache(maxsize=3)
def _alike(count: str) -> re.Pattern[str]:
    """Escaped metacharacters, classes of characters and ranges, groups, look-ahead, counts, and characters."""
    metacharacter = r"\\[\\.\[\]{}()*+?^$|/\-]"
    return re.compile(
        rf"(?:{metacharacter}|\\[nrtfv]|{_CLASS}|\(\?[:=!]|\((?!\?)|\)|{count}|\||[^\\\[\]{{}}()*+?^$|.])*"
    )


_ANY_COUNT = r"(?:[?*+]|\{\d+(?:,\d*)?\})\??(?![?+*{])"


def reads_alike(pattern: str, *, endless: bool = False) -> bool:
    """Whether a pattern goes to the wide matcher and means there what it means to Oniguruma.

    Args:
        pattern: a pattern that Oniguruma compiles.
        endless: whether loops without an end may be in it.
    """
    count = _ENDLESS_COUNT if endless else _COUNT
    return goes_wide(pattern) and _alike(count).fullmatch(pattern) is not None


@lru_cache(maxsize=64)
def is_modelled(pattern: str) -> bool:
    """Whether Python's ``re`` reads a pattern as the wide matcher does; everything that is written here is so."""
    return _alike(_ANY_COUNT).fullmatch(pattern) is not None


def is_finite(ir: Ir) -> bool:
    """Whether a pattern looks at a bounded number of characters, forward alone, and is sayable in ECMAScript."""
    if looks_back(ir) or has_type(ir, (Atomic, Edge)):
        return False
    return _reach(ir) <= MAX_LENGTH


def _reach(ir: Ir) -> int:
    """An upper bound of the states that matching goes through; beyond ``MAX_LENGTH`` where there is none."""
    if isinstance(ir, One):
        return 1
    if isinstance(ir, Repeat):
        return MAX_LENGTH + 1 if ir.high is None else _reach(ir.body) * ir.high
    return min(sum(map(_reach, children(ir))), MAX_LENGTH + 1)


# --- writing ----------------------------------------------------------------------------------------------------------


def write(ir: Ir) -> str:
    """A finite pattern in ECMAScript syntax, with a character beyond ASCII in it."""
    text = _write(ir)
    return text if goes_wide(text) else f"(?!{_NOWHERE})(?:{text})"


def _write(ir: Ir) -> str:
    return _WRITERS[type(ir)](ir)


def _write_repeat(ir: Repeat) -> str:
    body = _write(ir.body) if isinstance(ir.body, One) else f"(?:{_write(ir.body)})"
    count = f"{{{ir.low}}}" if ir.low == ir.high else f"{{{ir.low},{ir.high}}}"
    return body + count + ("" if ir.greedy or ir.low == ir.high else "?")


def _write_alt(ir: Alt) -> str:
    return f"(?:{'|'.join(map(_write, ir.options))})" if ir.options else f"(?!{_NOWHERE}){_NOWHERE}"


def _write_one(ir: One) -> str:
    return write_class(ir.chars)


_WRITERS: dict[type, Callable[[Any], str]] = {
    One: _write_one,
    Seq: lambda ir: "".join(map(_write, ir.items)),
    Alt: _write_alt,
    Repeat: _write_repeat,
    Look: lambda ir: f"(?{'!' if ir.negated else '='}{_write(ir.body)})",
}


@lru_cache(maxsize=128)
def write_class(chars: CharSet) -> str:
    """A set of characters as an atom."""
    if not chars:
        return f"(?!{_NOWHERE}){_NOWHERE}"
    if len(chars) == 1:
        return _write_char(chars.first(), _SPECIAL)
    if not ~chars:
        return f"(?:{_NOWHERE}|[^{_NOWHERE}])"
    plain, negated = _members(chars.ranges), _members((~chars).ranges)
    return f"[{plain}]" if len(plain) <= len(negated) else f"[^{negated}]"


def _members(ranges: Iterable[Range]) -> str:
    parts: list[str] = []
    for low, high in ranges:
        if low < 0x80:
            parts += _range(max(low, 1), high)
        elif high - low < 2:
            parts += (chr(low), chr(high))[: high - low + 1]
        else:
            parts.append(f"{chr(low)}-{chr(high)}")
    return "".join(parts)


def _range(low: int, high: int) -> Iterable[str]:
    """Ranges start and end at letters, digits or beyond ASCII; the rest is written one by one."""
    while low <= high:
        end = min(high, _run_end(low))
        if end - low < 2:
            yield from (_write_char(code, _SPECIAL_IN_CLASS) for code in range(low, end + 1))
        else:
            yield f"{chr(low)}-{chr(end)}"
        low = end + 1


def _run_end(code: int) -> int:
    for start, end in ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A), (0x80, MAX_CODE_POINT)):
        if start <= code <= end:
            return end
    return code


def _write_char(code: int, special: frozenset[str]) -> str:
    char = chr(code)
    return _ESCAPES.get(char, "\\" + char if char in special else char)


# --- cuts -------------------------------------------------------------------------------------------------------------


def cut_steps(ir: Ir) -> tuple[SplitStep, ...] | None:
    """Steps for a pattern of cuts: each cut between a character of one set and one of another.

    Returns:
        ``None`` where it is something else, or where such places may be neighbours (the engine would join the pieces).
    """
    found = conditions(ir) if lengths(ir) == (0, 0) and looks_back(ir) else None
    if found is None:
        return None
    made: list[SplitStep] = []
    for each in found:
        after = _sole_character(each.after)
        if after is None or after & each.before:
            return None
        if after and each.before:
            made.append(_cut(each.before, after))
    return tuple(made)


def _sole_character(after: tuple[Ir, ...]) -> CharSet | None:
    """The characters that may follow; what holds at the end of the text alone is left out: no cut is needed there."""
    chars = ALL_CHARS
    for look in after:
        if not isinstance(look, Look) or look.behind or not isinstance(look.body, One):
            return None
        chars = chars & (~look.body.chars if look.negated else look.body.chars)
    return chars


# --- steps ------------------------------------------------------------------------------------------------------------


def steps(ir: Ir, behavior: SplitBehavior, invert: bool, raw: str) -> tuple[SplitStep, ...] | None:
    """Splits of the wide matcher that do exactly what one Split of Hugging Face does.

    Args:
        ir: the pattern.
        behavior: as tokenizer.json names it.
        invert: whether matches and gaps change places.
        raw: the pattern's text, kept where the wide matcher reads it alike.

    Returns:
        ``None`` where there are none that are safe on every text.
    """
    ir = _without_lazy_end(ir)
    found = _run_steps(ir, behavior, invert)
    if found is None:
        found = _finite_steps(ir, behavior, invert, raw)
    if found is None or any(len(step.pattern.encode()) > MAX_STRING_BYTES for step in found):
        return None
    return found


def _without_lazy_end(ir: Ir) -> Ir:
    """A lazy quantifier that nothing follows takes the least it can."""
    if isinstance(ir, Repeat) and not ir.greedy:
        return repeat(ir.body, ir.low, ir.low)
    if isinstance(ir, Seq) and ir.items:
        return seq([*ir.items[:-1], _without_lazy_end(ir.items[-1])])
    return alt(map(_without_lazy_end, ir.options)) if isinstance(ir, Alt) and ir.options else ir


def _finite_steps(ir: Ir, behavior: SplitBehavior, invert: bool, raw: str) -> tuple[SplitStep, ...] | None:
    engine = _FINITE.get((behavior, invert))
    if engine is None or not is_finite(ir) or lengths(ir)[0] == 0:
        return None
    return (SplitStep(raw if reads_alike(raw) else write(ir), *engine),)


_FINITE: dict[tuple[SplitBehavior, bool], tuple[bool, EngineBehavior]] = {
    ("Isolated", False): (False, EngineBehavior.ISOLATED),
    ("Isolated", True): (True, EngineBehavior.ISOLATED),
    ("Removed", False): (False, EngineBehavior.REMOVED),
    ("Removed", True): (True, EngineBehavior.REMOVED),
    ("MergedWithNext", False): (True, _MERGED),
    ("MergedWithPrevious", True): (True, _MERGED),
}
"""The others put neighbouring matches together, which takes a loop."""


def _step(pattern: str, behavior: EngineBehavior) -> SplitStep:
    return SplitStep(pattern if goes_wide(pattern) else f"(?!{_NOWHERE})(?:{pattern})", invert=False, behavior=behavior)


def cut_where(places: Iterable[tuple[CharSet, CharSet]]) -> SplitStep:
    """Cut between neighbours: one of the first set, then one of the second.  No two such places may be neighbours."""
    return _step("|".join(f"{write_class(left)}(?={write_class(right)})" for left, right in places), _MERGED)


def cut_unless(before: CharSet, after: CharSet) -> SplitStep:
    """Cut behind a character of the first set, unless one of the second follows; of neighbouring places at the last."""
    return _step(f"{write_class(before)}(?!{write_class(after)})", _MERGED)


def near_steps(ir: Ir, behavior: SplitBehavior, invert: bool, raw: str) -> tuple[SplitStep, ...] | None:
    """What comes nearest where ``steps`` has nothing: a match joins what is before it, other matches included."""
    joins = (behavior, invert) in (("MergedWithPrevious", False), ("MergedWithNext", True))
    if not joins or not is_finite(ir) or lengths(ir)[0] == 0:
        return None
    return (SplitStep(raw if reads_alike(raw) else write(ir), invert=False, behavior=_MERGED),)


def merging_step(pattern: str) -> SplitStep:
    """A pattern of ours whose matches end where the text is to be cut; no match may follow another directly."""
    return _step(pattern, _MERGED)


def _cut(before: CharSet, *after: CharSet) -> SplitStep:
    """Cut where a character of ``before`` is followed by these; no two such places may be neighbours."""
    window = "".join(map(write_class, after))
    return _step(f"{write_class(before)}(?={window})", _MERGED)


def _cut_after_run(chars: CharSet) -> SplitStep:
    """Cut at the end of every run of a set (at the end of the text too, where it does nothing)."""
    return _step(f"{write_class(chars)}(?!{write_class(chars)})", _MERGED)


def _remove(pattern: str) -> SplitStep:
    return _step(pattern, EngineBehavior.REMOVED)


def _run_steps(ir: Ir, behavior: SplitBehavior, invert: bool) -> tuple[SplitStep, ...] | None:
    if isinstance(ir, One):
        return _single_character(ir.chars, behavior, invert)
    runs = [_run_of(option) for option in options_of(ir)]
    if None in runs or not 0 < len(runs) <= MAX_RUNS:
        return None
    known = [run for run in runs if run is not None]
    if len(known) == 1:
        return _single_run(*known[0], behavior, invert)
    if any(prefix for prefix, _ in known) or not _disjoint([chars for _, chars in known]):
        return None
    return _several_runs([chars for _, chars in known], behavior, invert)


def _run_of(ir: Ir) -> tuple[CharSet, CharSet] | None:
    """``C+`` or ``A?C+``, with no character in both sets, as (A, C)."""
    if isinstance(ir, Repeat) and isinstance(ir.body, One) and (ir.low, ir.high, ir.greedy) == (1, None, True):
        return CharSet(), ir.body.chars
    if isinstance(ir, Seq) and len(ir.items) == 2:
        prefix, run = ir.items
        if isinstance(prefix, Repeat) and isinstance(prefix.body, One) and (prefix.low, prefix.high) == (0, 1):
            found = _run_of(run)
            if prefix.greedy and found is not None and not found[0] and found[1].isdisjoint(prefix.body.chars):
                return prefix.body.chars, found[1]
    return None


def _single_character(chars: CharSet, behavior: SplitBehavior, invert: bool) -> tuple[SplitStep, ...] | None:
    """Where single characters and runs of them differ: neighbours are joined, or kept apart."""
    if not chars or not ~chars:
        return None
    if behavior == "Contiguous":
        return _around(CharSet(), chars)
    if (behavior, invert) in _FINITE or behavior == "Removed":
        return None
    # A match joins the gap before it, the ones that follow it directly stand alone: cut after the first of several,
    # then after the last; the others are left in pieces of their own.
    after_first = f"{write_class(~chars)}{write_class(chars)}(?={write_class(chars)})"
    apart = f"{write_class(chars)}(?={write_class(chars)})"
    return _step(after_first, _MERGED), _cut(chars, ~chars), _step(apart, EngineBehavior.ISOLATED)


def _disjoint(sets: list[CharSet]) -> bool:
    return all(left.isdisjoint(right) for place, left in enumerate(sets) for right in sets[:place])


def _around(prefix: CharSet, run: CharSet) -> tuple[SplitStep, ...]:
    """Cuts at both ends of each run, an optional prefix included."""
    others = ~run
    if not others:
        return ()
    cuts = [_cut_after_run(run), _cut(others - prefix, run)]
    return tuple(cuts if not prefix else [*cuts, _cut(others, prefix, run)])


def _single_run(prefix: CharSet, run: CharSet, behavior: SplitBehavior, invert: bool) -> tuple[SplitStep, ...] | None:
    if not run:
        return None
    around = _around(prefix, run)
    taken = (write_class(prefix) + "{0,1}" if prefix else "") + write_class(run)
    if behavior == "Isolated" or (behavior == "Contiguous" and not prefix):
        return around
    if behavior == "Removed":
        if invert:
            left = f"{write_class(~run)}(?!{write_class(run)})" if prefix else write_class(~run)
            return (*around, _remove(left))
        return (*around, _remove(taken))
    if prefix:
        return None
    merges_before = (behavior == "MergedWithPrevious") != invert
    return around[:1] if merges_before else around[1:]


def _several_runs(sets: list[CharSet], behavior: SplitBehavior, invert: bool) -> tuple[SplitStep, ...] | None:
    everything = CharSet()
    for chars in sets:
        everything = everything | chars
    cuts = tuple(step for chars in sets for step in _around(CharSet(), chars))
    if behavior == "Isolated":
        return cuts
    if behavior == "Removed" and invert:
        return (*cuts, _remove(write_class(~everything))) if ~everything else cuts
    if behavior == "Removed":
        return (_remove(write_class(everything)),)
    return None
