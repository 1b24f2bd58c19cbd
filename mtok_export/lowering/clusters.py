"""What a sentencepiece character map makes of a letter with the marks behind it, as ``tokenizers`` asks it.

The library asks the map for a whole cluster where that has fewer than six bytes, and takes what the map says about the
shortest beginning of it that it knows: the rest of the cluster goes.  Other clusters go through the map one character
at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby

Wanted = Callable[[Sequence[str]], Sequence[str]]
"""What a run of normalizers makes of each of many texts."""

_MARKS_OF_MAPS = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05C7),
    (0x0610, 0x06ED),
    (0x0711, 0x074A),
    (0x07A6, 0x07F3),
)
"""The marks of two bytes: a map is asked for a whole cluster only where that has fewer than six bytes."""

_PROBES = "a\u0391\u0627"
"""A Latin, a Greek and an Arabic letter that compose: a mark beyond U+036F that none of them takes is left out."""

_LETTERS_OF_MAPS = (
    range(0x3C, 0x3F),
    range(0x41, 0x5B),
    range(0x61, 0x7B),
    range(0xC0, 0x0250),
    range(0x0386, 0x0530),
    range(0x0620, 0x06D6),
    range(0x1E00, 0x2000),
    range(0x2190, 0x22F0),
)


_IDEOGRAPH = "\u4e00"
_BEHIND_ASCII = (range(0x300, 0xD800), range(0xE000, 0x10000))
_JOINING = (range(0x300, 0x3400), range(0xA000, 0xAC00), range(0xD7A4, 0xD800), range(0xFB00, 0x10000))
"""Those of ``_BEHIND_ASCII`` that may join a cluster.  Ideographs, syllables and private characters only do so behind
one of the few characters that take in whatever follows, which an ideograph shows.
"""

_LETTERS_AT_ONCE = 64
"""Letters that are asked about with all marks at once, to have few calls and short lists."""


def marks_of_maps() -> Iterator[int]:
    """The code points of the marks that can stand in a cluster that a map is asked for as a whole."""
    return (code for first, last in _MARKS_OF_MAPS for code in range(first, last + 1))


def joined(wanted_of: Wanted) -> Iterator[int]:
    """The characters that a map drops behind one that it maps by itself.

    The map is asked for a whole cluster of fewer than six bytes and may answer for its first character alone.
    """
    first = list(map(chr, range(0xA0, 0x800)))
    base, alone = next(
        ((char, made) for char, made in zip(first, wanted_of(first), strict=True) if char != made), ("",) * 2
    )
    if not base:
        return
    stands_alone = wanted_of([base + _IDEOGRAPH])[0] != alone
    chars = [chr(code) for codes in (_JOINING if stands_alone else _BEHIND_ASCII) for code in codes]
    behind = wanted_of([base + char for char in chars])
    dropped = [char for char, together in zip(chars, behind, strict=True) if together == alone]
    for char, made in zip(dropped, wanted_of(dropped), strict=True):
        if made:
            yield ord(char)


def dropped_third(rules: Sequence[tuple[str, str]], wanted_of: Wanted) -> Iterator[str]:
    """The marks that a map drops behind an ASCII letter and a mark that it knows as one.

    Three such characters have fewer than six bytes, so that the map is asked for all of them, and answers for the two.
    """
    known = next((rule for rule in rules if rule[0][0].isascii()), None)
    if known is None:
        return
    pattern, content = known
    marks = list(map(chr, range(0x300, 0x800)))
    for mark, made in zip(marks, wanted_of([pattern + mark for mark in marks]), strict=True):
        if made == content:
            yield mark


def known_sequences(
    wanted_of: Wanted, may_know: Callable[[bytes], bool] = lambda _start: True
) -> Iterator[tuple[str, str]]:
    """Letter and mark that come out otherwise together than one by one, longest result of a letter last.

    Args:
        wanted_of: what the run makes of texts.
        may_know: whether a letter and a mark can come out otherwise whose UTF-8 begins with some bytes.
    """
    marks = list(map(chr, marks_of_maps()))
    probed = [wanted_of([letter + mark for mark in marks]) for letter in _PROBES]
    marks = [
        mark
        for mark, *made in zip(marks, *probed, strict=True)
        if made != [letter + mark for letter in _PROBES] or mark <= "\u036f"
    ]
    alone = dict(zip(marks, wanted_of(marks), strict=True))
    by_first_byte = [(byte, list(some)) for byte, some in groupby(marks, lambda mark: mark.encode("utf-8")[:1])]
    letters = [letter for letter in map(chr, chain.from_iterable(_LETTERS_OF_MAPS)) if may_know(letter.encode("utf-8"))]
    letters = [letter for letter, made in zip(letters, wanted_of(letters), strict=True) if letter == made]
    for some_letters in (letters[at : at + _LETTERS_AT_ONCE] for at in range(0, len(letters), _LETTERS_AT_ONCE)):
        pairs = [
            (letter, mark)
            for letter in some_letters
            for byte, some in by_first_byte
            if may_know(letter.encode("utf-8") + byte)
            for mark in some
        ]
        together = wanted_of(list(map("".join, pairs)))
        for (letter, mark), made in zip(pairs, together, strict=True):
            if made != letter + alone[mark]:
                yield letter + mark, made
