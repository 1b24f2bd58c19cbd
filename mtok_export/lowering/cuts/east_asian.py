"""Cuts in Chinese and Japanese, which is written without spaces: to the byte matcher, a text of nothing but letters.

A vocabulary joins few of the pairs that they could make: in Gemma 3, 8,000 of 3,000,000 pairs of ideographs.  The wide
matcher can tell them apart, but no pattern of reasonable size knows each pair.  So one set of characters stands in
front of a cut, and another, everything that is ever joined to one of them, keeps the text together behind it.  The
larger the first set, the larger the second: characters are added as long as there is more to gain than to lose.  How
often a character is met in texts is guessed by the number of its partners.

A match is the character in front of the cut.  It joins what is before it, and matches that follow each other directly
become one piece: some cuts are lost that way, and none is made where there should be none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Set

from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.spec import MAX_STRING_BYTES
from mtok_export.lowering.cuts.joints import Joints
from mtok_export.lowering.regex.charset import CharSet

EAST_ASIAN = CharSet.of(
    ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFD)),
)
"""The blocks of ideographs, kana and their punctuation."""

_FIRST = chr(EAST_ASIAN.ranges[0][0])

MIN_PAIRS = 256
"""With fewer pairs than this there are few merges in such a text, and it takes no long time as it is."""

Partners = Mapping[str, Set[str]]


def east_asian_splits(joints: Joints, replacement: str | None) -> tuple[ops.Split, ...]:
    """The record that cuts between East Asian characters; none where there is little to gain.

    Args:
        joints: what the model can join.
        replacement: what a space of the text is to the model.
    """
    partners: dict[str, set[str]] = defaultdict(set)
    for left, right in joints.pairs:
        if left >= _FIRST and ord(left) in EAST_ASIAN:
            partners[left].add(right)
    if joints.known is not None or sum(map(len, partners.values())) < MIN_PAIRS:
        return ()
    before, kept = _sets(partners)
    if replacement is not None and replacement in kept:
        kept |= {" "}
    apart = EAST_ASIAN - CharSet.of_text(partners.keys() - before)
    from mtok_export.lowering.regex.wide import cut_unless  # with much else that few tokenizers need

    step = cut_unless(apart, CharSet.of_text(kept))
    if len(step.pattern.encode()) > MAX_STRING_BYTES:
        return ()
    return (ops.Split(step.pattern, step.invert, step.behavior),)


def _sets(partners: Partners) -> tuple[set[str], set[str]]:
    """Characters to cut behind, and those in front of which nothing is cut then."""
    weight = Counter({left: 1 + len(rights) for left, rights in partners.items()})
    for rights in partners.values():
        weight.update(rights)
    before: set[str] = set()
    kept: set[str] = set()
    cut, free = 0, sum(weight.values())
    cost = {left: sum(map(weight.__getitem__, rights)) for left, rights in partners.items()}
    for left in sorted(partners, key=lambda left: (cost[left] / weight[left], left)):
        lost = sum(map(weight.__getitem__, partners[left] - kept))
        if (cut + weight[left]) * (free - lost) > cut * free:
            before.add(left)
            kept |= partners[left]
            cut, free = cut + weight[left], free - lost
    return before, kept
