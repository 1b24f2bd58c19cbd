"""Sorting the entries of a vocabulary, of which there may be hundreds of thousands."""

from __future__ import annotations

from collections.abc import Sequence


def in_order(tokens: Sequence[str]) -> list[int]:
    """The positions of strings in the order of their UTF-8 bytes, which is that of Python's strings.

    Equal strings stay in the order in which they stand.  Sorting positions by string takes a third of the time of
    sorting tuples.
    """
    return sorted(range(len(tokens)), key=tokens.__getitem__)
