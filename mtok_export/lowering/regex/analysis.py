"""What can be said of a pattern without running it: lengths, first characters, whether it can fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce

from mtok_export.lowering.regex.ir import Alt, Atomic, Edge, Ir, Look, One, Repeat, Seq, children, seq

Lengths = tuple[int, int | None]


@lru_cache(maxsize=4096)
def lengths(ir: Ir) -> Lengths:
    """Bounds of the length of a match: at least, and at most (``None``: unbounded)."""
    if isinstance(ir, One):
        return 1, 1
    if isinstance(ir, (Look, Edge)):
        return 0, 0
    if isinstance(ir, Atomic):
        return lengths(ir.body)
    if isinstance(ir, Seq):
        parts = [lengths(item) for item in ir.items]
        most = [high for _, high in parts if high is not None]
        return sum(low for low, _ in parts), sum(most) if len(most) == len(parts) else None
    if isinstance(ir, Alt):
        parts = [lengths(option) for option in ir.options] or [(0, 0)]
        most = [high for _, high in parts if high is not None]
        return min(low for low, _ in parts), max(most) if len(most) == len(parts) else None
    low, high = lengths(ir.body)
    if high == 0:
        return 0, 0
    return low * ir.low, None if high is None or ir.high is None else high * ir.high


def may_be_empty(ir: Ir) -> bool:
    """Whether a match can take no character; what look-arounds demand is not looked at."""
    return lengths(ir)[0] == 0


@lru_cache(maxsize=4096)
def never_fails(ir: Ir) -> bool:
    """Whether there is a match at every place of every text."""
    if isinstance(ir, Seq):
        return all(map(never_fails, ir.items))
    if isinstance(ir, Alt):
        return any(map(never_fails, ir.options))
    if isinstance(ir, Repeat):
        return ir.low == 0 or never_fails(ir.body)
    return isinstance(ir, Atomic) and never_fails(ir.body)


@lru_cache(maxsize=4096)
def first(ir: Ir) -> int:
    """The symbols that a match can start with, as far as it takes any; possibly too many, never too few."""
    if isinstance(ir, One):
        return ir.mask
    if isinstance(ir, (Look, Edge)):
        return 0
    if isinstance(ir, Alt):
        return _union(map(first, ir.options))
    if isinstance(ir, Seq):
        mask = 0
        for item in ir.items:
            mask |= first(item)
            if not may_be_empty(item):
                break
        return mask
    return first(ir.body)


def _union(masks: Iterable[int]) -> int:
    return reduce(int.__or__, masks, 0)


def has_type(ir: Ir, kinds: type | tuple[type, ...]) -> bool:
    """Whether an operator of some kind stands anywhere in a pattern."""
    return isinstance(ir, kinds) or any(has_type(child, kinds) for child in children(ir))


def rest_never_fails(rest: Sequence[Ir]) -> bool:
    """Whether what is left of a branch matches everywhere."""
    return all(map(never_fails, rest))


def excluded_from_start(mask: int, rest: Sequence[Ir]) -> bool:
    """Whether ``rest`` takes at least one character, and none of ``mask`` first."""
    following = seq(rest)
    return not may_be_empty(following) and not first(following) & mask
