"""Byte-pair encoding of short texts, as the engine does it with a model section."""

from __future__ import annotations

from itertools import pairwise

from mtok_export.format.model import Bpe


def symbols_of(text: str, model: Bpe) -> tuple[str, ...] | None:
    """What is left of a text when nothing more can be merged; ``None`` where a character is no entry."""
    symbols = list(text)
    ids = [model.vocab.id_of(char) for char in symbols]
    while True:
        best: tuple[int, int] | None = None
        for place, (left, right) in enumerate(pairwise(ids)):
            if left is None or right is None:
                return None
            rank = model.merges.rank_of(left, right)
            if rank is not None and (best is None or rank < best[0]):
                best = rank, place
        if best is None:
            return tuple(symbols) if None not in ids else None
        place = best[1]
        symbols[place : place + 2] = ["".join(symbols[place : place + 2])]
        ids[place : place + 2] = [model.vocab.id_of(symbols[place])]
