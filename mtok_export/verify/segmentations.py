"""Two segmentations of one text by a Unigram model: whether what differs is what the limits on such models say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose

from mtok_export.report import Effect
from mtok_export.source.pipeline import Model, Unigram
from mtok_export.verify.windows import first_difference

IdsEffect = Callable[[Sequence[int], Sequence[int]], "Effect | None"]
"""What makes up the whole difference between right ids and those found, where that has a name."""

ROUNDING = 1e-9
"""Relative; the two sides add the same scores in another order."""


def ids_effect(model: Model) -> IdsEffect:
    """What differences of ids can be for a model."""
    return _UnigramEffect(model) if isinstance(model, Unigram) else no_effect


def no_effect(_right: Sequence[int], _found: Sequence[int]) -> Effect | None:
    """For models whose differences have no names of their own."""
    return None


class _UnigramEffect:
    def __init__(self, model: Unigram) -> None:
        self.vocab = model.vocab
        self.unk_id = model.unk_id

    def __call__(self, right: Sequence[int], found: Sequence[int]) -> Effect | None:
        right, found = _without_common_ends(right, found)
        if not right or not found:
            return None
        if right.count(self.unk_id) == found.count(self.unk_id):
            parts = list(zip(self._between_unknown(right), self._between_unknown(found), strict=True))
            tied = all(isclose(self._sum(one), self._sum(other), rel_tol=ROUNDING) for one, other in parts)
            same = all(self._text(one) == self._text(other) for one, other in parts)
            return Effect.SAME_SCORE if tied and same else None
        if self.unk_id in right and self.unk_id in found:
            return None
        # The side without the unknown token tells the text, of which that token must stand for a part.
        holed, whole = (right, found) if self.unk_id in right else (found, right)
        texts = [self._text(part) for part in self._between_unknown(holed)]
        return Effect.UNKNOWN if _stand_in_order(texts, self._text(whole)) else None

    def _between_unknown(self, ids: Sequence[int]) -> list[list[int]]:
        parts: list[list[int]] = [[]]
        for id_ in ids:
            if id_ == self.unk_id:
                parts.append([])
            else:
                parts[-1].append(id_)
        return parts

    def _text(self, ids: Sequence[int]) -> str:
        return "".join(self.vocab[id_][0] if id_ < len(self.vocab) else f"<{id_}>" for id_ in ids)

    def _sum(self, ids: Sequence[int]) -> float:
        """What the pieces cost together; an id beyond them is an added token, which costs nothing."""
        return sum(self.vocab[id_][1] for id_ in ids if id_ < len(self.vocab))


def _stand_in_order(parts: Sequence[str], text: str) -> bool:
    """Whether a text is these parts with something between each two."""
    first, *between, last = parts
    if not text.startswith(first):
        return False
    at = len(first)
    for part in between:
        at = text.find(part, at + 1)
        if at < 0:
            return False
        at += len(part)
    return text.endswith(last) and len(text) - len(last) > at


def _without_common_ends(right: Sequence[int], found: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    start = first_difference(right, found)
    right, found = right[start:], found[start:]
    end = first_difference(right[::-1], found[::-1])
    return right[: len(right) - end], found[: len(found) - end]
