"""Canonical composition and ordering as literal replacements, worked out by asking the ``tokenizers`` library.

The engine replaces literal text and looks up single code points; it cannot compose.  But which neighbours compose,
and to what, is a finite list: base and mark to a composite, composite and mark to another composite, jamo to syllables.
So is the list of pairs of marks that stand in the wrong order.  Written out as replacements in the right order they do
what NFC does, up to stacks of marks that need more than one exchange.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from operator import add

from mtok_export import facts
from mtok_export.lowering.asking import asked
from mtok_export.records import dataclass

TABLE = "composition"
"""The module of ``facts``."""

Normalize = Callable[[str], str]
Rules = tuple[tuple[str, str], ...]
"""Literal patterns with what replaces them, to be applied one after another."""

_DECOMPOSING = (range(0xC0, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x20000), range(0x2F800, 0x2FA20))
_MARKS = (range(0x300, 0x3400), range(0xA000, 0xAC00), range(0xD7A4, 0xD800), range(0xFB1E, 0x20000))
"""Where characters with a decomposition, and marks, are looked for.  The ideographs and syllables that are left out are
neither, which Unicode promises for ever (its stability policy); syllables are looked at by themselves.
"""

_LEADING, _VOWELS, _TRAILING = (
    "".join(map(chr, codes)) for codes in (range(0x1100, 0x1113), range(0x1161, 0x1176), range(0x11A8, 0x11C3))
)
_SYLLABLE = 0xAC00
_YPOGEGRAMMENI = "\u0345"
"""The mark with the highest combining class, 240: in canonical order every other mark stands in front of it."""

MARK_BLOCKS = (
    (0x0483, 0x0487),
    (0x0591, 0x05C7),
    (0x0610, 0x06ED),
    (0x0711, 0x074A),
    (0x07EB, 0x07F3),
    (0x0900, 0x0DFF),
    (0x0E31, 0x0EFF),
    (0x302A, 0x309A),
)
"""Marks of one block that stand together in real text.  Of the block U+0300-U+036F only those that compose are paired,
and pairs from different blocks are left out: each pair costs the engine a search of the text.
"""


@dataclass(frozen=True)
class Composition:
    """The rules, and the characters that they are about.

    ``exchanges`` put marks in order, ``pairs`` compose letters (marks below and above change places for it, and change
    back); ``marks`` is every code point with a combining class, ``partners`` every code point that composes with the
    one before it.
    """

    exchanges: Rules
    pairs: Rules
    marks: tuple[int, ...]
    partners: tuple[int, ...]


@lru_cache(maxsize=1)
def canonical_composition() -> Composition:
    """What the library's NFC does to neighbours."""
    data = facts.stored(TABLE)
    exchanged, pairs, marks, partners = (ask() if data is None else data).decode("utf-8").split("\n")
    first, second, parts = exchanged[::2], exchanged[1::2], pairs.split("\t")
    return Composition(
        exchanges=tuple(zip(map(add, first, second), map(add, second, first), strict=True)),
        pairs=tuple(zip(parts[::2], parts[1::2], strict=True)),
        marks=tuple(map(ord, marks)),
        partners=tuple(map(ord, partners)),
    )


def ask() -> bytes:
    """The composition of the installed library, for ``facts``.

    Returns:
        Four lines of UTF-8: the patterns of the exchanges, which are turned round; patterns and contents of the pairs,
        in turn; the marks; the partners.
    """
    from tokenizers import normalizers

    nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str
    letters = dict(_primary(nfc, nfd))
    partners = frozenset(ord(pattern[1]) for pattern in (*letters, *dict(syllables())))
    marks = tuple(_marks(nfd))
    lines = (
        "".join(pattern for pattern, _ in _exchanges(marks, partners, nfd)),
        "\t".join(chain.from_iterable(_pairs(letters, nfc, nfd))),
        "".join(map(chr, marks)),
        "".join(map(chr, sorted(partners))),
    )
    return "\n".join(lines).encode("utf-8")


def _pairs(letters: dict[str, str], nfc: Normalize, nfd: Normalize) -> Rules:
    """The replacements that compose letters; ``letters`` are those with a composite of their own."""
    lifted = tuple(_lifted(letters, nfd))
    low = {pattern[0] for pattern, _ in lifted}
    below = {pair: whole for pair, whole in letters.items() if pair[0].isascii() and pair[1] in low}
    below |= {pair: whole for pair, whole in letters.items() if pair[0] in below.values()}
    letters = letters | dict(_after_composites(letters, nfc))
    wholes = list(letters.values())
    depth = dict(zip(wholes, map(len, asked(nfd, wholes)), strict=True))

    def by_depth(rule: tuple[str, str]) -> tuple[int, tuple[str, str]]:
        return depth[rule[1]], rule

    return (
        *lifted,
        *sorted(letters.items(), key=by_depth),
        *((content, pattern) for pattern, content in lifted),
        *sorted(below.items(), key=by_depth),
    )


def _primary(nfc: Normalize, nfd: Normalize) -> Iterator[tuple[str, str]]:
    """Two code points and the composite that they make."""
    chars = [chr(code) for codes in _DECOMPOSING for code in codes]
    found = [(char, parts) for char, parts in zip(chars, asked(nfd, chars), strict=True) if char != parts]
    composed = asked(nfc, [char for char, _ in found])
    found = [pair for pair, whole in zip(found, composed, strict=True) if pair[0] == whole]
    firsts = asked(nfc, [parts[:-1] for _, parts in found])
    pairs = [first + parts[-1] for first, (_, parts) in zip(firsts, found, strict=True)]
    for pair, whole, (char, _) in zip(pairs, asked(nfc, pairs), found, strict=True):
        if len(pair) == 2 and whole == char:
            yield pair, char


def syllables() -> Iterator[tuple[str, str]]:
    """Two jamo, or a syllable and a jamo, and the syllable that they make, shorter ones first.

    Syllables stand in the order of their jamo, which Unicode promises for ever, so nobody has to be asked.
    """
    pairs = list(map("".join, product(_LEADING, _VOWELS)))
    closed = list(map(chr, range(_SYLLABLE, _SYLLABLE + len(pairs) * (len(_TRAILING) + 1))))
    open_ones = closed[:: len(_TRAILING) + 1]
    del closed[:: len(_TRAILING) + 1]
    return chain(
        zip(pairs, open_ones, strict=True), zip(map("".join, product(open_ones, _TRAILING)), closed, strict=True)
    )


def _after_composites(letters: dict[str, str], nfc: Normalize) -> Iterator[tuple[str, str]]:
    """A composite and a mark that belongs further in: the mark moves, and may compose."""
    marks = sorted({pair[1] for pair in letters})
    pairs = [composite + mark for composite in sorted(set(letters.values())) for mark in marks]
    for pair, made in zip(pairs, asked(nfc, pairs), strict=True):
        if made != pair and pair not in letters:
            yield pair, made


def _lifted(letters: dict[str, str], nfd: Normalize) -> Iterator[tuple[str, str]]:
    """A mark below and a mark above, with the latter first, so that it stands behind the letter that it composes with.

    What that makes of the letter takes in the mark below by a rule of its own, or leaves it where it belongs.
    """
    marks = sorted({pair[1] for pair in letters if pair[0].isascii()})
    yield from sorted((in_order, out_of_order) for out_of_order, in_order in _exchanged(marks, nfd))


def _marks(nfd: Normalize) -> Iterator[int]:
    """Every code point with a combining class: it moves in front of the mark that must stand last."""
    chars = [chr(code) for codes in _MARKS for code in codes]
    for char, ordered in zip(chars, asked(nfd, [_YPOGEGRAMMENI + char for char in chars]), strict=True):
        if char == _YPOGEGRAMMENI or ordered[-1:] == _YPOGEGRAMMENI:
            yield ord(char)


def _exchanges(marks: tuple[int, ...], partners: frozenset[int], nfd: Normalize) -> Iterator[tuple[str, str]]:
    """Two marks of one block in the wrong order, and in the right one."""
    blocks = [[code for code in marks if first <= code <= last] for first, last in MARK_BLOCKS]
    blocks.append([code for code in marks if 0x0300 <= code <= 0x036F and code in partners])
    for block in blocks:
        yield from _exchanged(list(map(chr, block)), nfd)


def _exchanged(marks: Sequence[str], nfd: Normalize) -> Iterator[tuple[str, str]]:
    """The pairs of some marks that stand in the wrong order, and in the right one."""
    pairs = [one + other for one in marks for other in marks if one != other]
    for pair, ordered in zip(pairs, asked(nfd, pairs), strict=True):
        if ordered == pair[::-1]:
            yield pair, ordered
