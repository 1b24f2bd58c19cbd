"""Texts on which a translation goes wrong: looked for, never made up."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from mtok_export.characters import FoldedClass
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.fold import CLASS_BITS, SYMBOLS, class_members

Differs = Callable[[str], bool]

MAX_TRIALS = 1_500
SAMPLE_SIZE = 300
MAX_SYMBOLS = 12
_SEED = 1

_TYPICAL = {
    FoldedClass.LETTER: "éÄ中",
    FoldedClass.NUMBER: "²",
    FoldedClass.SPACE: "\u3000",
    FoldedClass.OTHER: "\u200d",
    FoldedClass.MARK: "\u0301",
    FoldedClass.PUNCTUATION: "。",
    FoldedClass.SYMBOL: "€",
}
_PREFERRED = "ab1 A.B\n2'-_\t,xX"


@lru_cache(maxsize=16)
def alphabet(masks: tuple[int, ...]) -> str:
    """A few characters of each kind that a pattern tells apart, the plainest first."""
    kinds: dict[tuple[bool, ...], str] = {}
    candidates = [*_PREFERRED, *map(chr, range(0x20, SYMBOLS)), *"\r\v\f"]
    for char in candidates:
        kinds.setdefault(tuple(bool(mask >> ord(char) & 1) for mask in masks), char)
    found = "".join(kinds.values())[:MAX_SYMBOLS]
    classes = [folded for folded in FoldedClass if any((mask & CLASS_BITS) >> folded & 1 for mask in masks)]
    return found + "".join(_TYPICAL[folded][0] for folded in classes[:3])


def samples(chars: CharSet) -> str:
    """Some characters of a set: its first ones, and the typical ones of each class that are in it."""
    typical = [char for known in _TYPICAL.values() for char in known if ord(char) in chars]
    of_classes = [(chars & class_members(folded)) for folded in FoldedClass]
    firsts = [chr(found.first()) for found in of_classes if found]
    last = [chr(chars.ranges[-1][1])] if chars.ranges else []
    return "".join(dict.fromkeys([*typical, *firsts, *last]))[:6]


def find(differs: Differs, usual: str, special: str | None) -> str | None:
    """A text that shows a difference.

    Args:
        differs: whether Hugging Face and the engine split a text differently.
        usual: characters that the text may hold besides.
        special: characters of which it holds at least one; ``None`` where any text may show the difference.

    Returns:
        ``None`` where no text was found.
    """
    for trial, text in enumerate(_texts(usual, special)):
        if trial >= MAX_TRIALS:
            return None
        if differs(text):
            return text
    return None


def _texts(usual: str, special: str | None) -> Iterator[str]:
    chars = "".join(dict.fromkeys(usual + (special or "")))
    wanted = frozenset(special or chars)
    for length in (1, 2, 3):
        yield from _holding(product(chars, repeat=length), wanted)
    choice = random.Random(_SEED)
    while True:
        yield from _holding([choice.choices(chars, k=choice.randint(4, 9))], wanted)


def _holding(texts: Iterable[Sequence[str]], wanted: frozenset[str]) -> Iterator[str]:
    return ("".join(text) for text in texts if not wanted.isdisjoint(text))


def random_texts(chars: str) -> Iterator[str]:
    """Texts for comparing translations, the same ones every time."""
    choice = random.Random(_SEED)
    for _ in range(SAMPLE_SIZE):
        few = choice.sample(chars, min(len(chars), 5))
        yield "".join(choice.choices(few, k=choice.randint(2, 8)))
