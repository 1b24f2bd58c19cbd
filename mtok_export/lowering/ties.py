"""An example of a tie in a Unigram model: a run of one character with two best segmentations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RUNS = "-=.0123456789*_#!?aeow"
"""Characters that texts hold in runs."""

LONGEST = 12


def tie_example(ids: Mapping[str, int], scores: Sequence[float], replacement: str = "\u2581") -> str | None:
    """A text on which it matters which of two segmentations of the same score is taken.

    Args:
        ids: the id of each piece.
        scores: the score of each id.
        replacement: what a tokenizer puts in front of a text, where it is a piece.
    """
    front = replacement if replacement in ids else ""
    for char in RUNS:
        for length in range(3, LONGEST if char in ids else 0):
            text = front + char * length
            if _best(text, ids, scores, longer=True) != _best(text, ids, scores, longer=False):
                return char * length
    return None


def _best(text: str, ids: Mapping[str, int], scores: Sequence[float], *, longer: bool) -> list[int]:
    """The best segmentation; of equal ones that with the longer (or the shorter) last piece at each place."""
    totals, origins = [0.0], [0]
    for end in range(1, len(text) + 1):
        starts = [start for start in range(end) if text[start:end] in ids]
        sums = {start: totals[start] + scores[ids[text[start:end]]] for start in starts}
        best = max(sums.values(), default=float("-inf"))
        winners = [start for start, total in sums.items() if total == best]
        origins.append((min(winners) if longer else max(winners)) if winners else end - 1)
        totals.append(best)
    cuts = [len(text)]
    while cuts[-1]:
        cuts.append(origins[cuts[-1]])
    return cuts
