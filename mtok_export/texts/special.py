"""Texts made from a tokenizer's own added tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

MOST_TOKENS = 40
"""From so many tokens texts are made at the most; with more of them, every n-th is taken."""

MOST_TEXTS = 300


def _chosen(contents: Sequence[str]) -> tuple[str, ...]:
    """At most ``MOST_TOKENS`` different contents, spread evenly, the first and the last among them."""
    different = [content for content in dict.fromkeys(contents) if content]
    count = len(different)
    if count <= MOST_TOKENS:
        return tuple(different)
    return tuple(different[place * (count - 1) // (MOST_TOKENS - 1)] for place in range(MOST_TOKENS))


def _around(content: str) -> tuple[str, ...]:
    """The places in which one token is looked for, the telling ones first."""
    return (
        content,
        f"before{content}after",
        f"a {content} b",
        f"  {content}  ",
        f"x\n{content}\n\ny",
        content * 2,
        content[:-1] or f"{content}.",
        f"{content.upper()} {content.lower()}" if content.upper() != content else content.swapcase(),
        f"é{content}日{content}",
        f"{content[1:]}{content}",
        f"\t{content}\u00a0{content} ",
    )


def _together(contents: Sequence[str]) -> tuple[str, ...]:
    """Neighbours next to each other, and all of them in one text."""
    pairs = [left + right for left, right in pairwise(contents)]
    return (*pairs[:20], " ".join(contents), "".join(reversed(contents)))


def special_texts(contents: Sequence[str]) -> tuple[str, ...]:
    """Texts that hold added tokens: alone, in text, with spaces around, doubled, adjacent, cut short, in other case.

    Args:
        contents: the contents of the added tokens, in their order.

    Returns:
        Below 300 different texts, the same for the same contents; none for no contents.
    """
    chosen = _chosen(contents)
    if not chosen:
        return ()
    together = _together(chosen)
    by_place = zip(*(_around(content) for content in chosen), strict=True)
    texts = dict.fromkeys([*together, *(text for texts in by_place for text in texts)])
    return tuple(texts)[: MOST_TEXTS - 1]
