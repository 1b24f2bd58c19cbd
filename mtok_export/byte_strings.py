"""Hundreds of thousands of strings at once, by numpy: side by side in one text of bytes instead of as objects.

A string object costs more to make, to hash and to find in the memory than its few bytes cost to look at.  The largest
vocabularies, and merges of which there are more still, are therefore looked up and put in order by words of eight
bytes, for all strings in turn.  This module imports numpy, so it is imported where there are so many strings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD = 8
"""The bytes of a word."""

_MASKS = np.array([~((1 << 8 * (WORD - size)) - 1) & (1 << 64) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""Which bits of a word are those of its first 0, 1, 2, ... 8 bytes."""

MIX, _STEP = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xC2B2_AE3D_27D4_EB4F)
"""Odd numbers without a pattern, to mix bits with and to find other slots for those that collide."""

_HALF = np.uint64(32)
_MAX_ROUNDS = 64
"""Far more rounds than strings with different hashes need; what is still left over then is not found."""


class Text:
    """A text of bytes: ``as_bytes``, and the word that begins ``at_each_byte``; zeros follow the last one."""

    def __init__(self, raw: bytes) -> None:
        padded = raw + bytes(WORD)
        self.as_bytes = np.frombuffer(padded, dtype=np.uint8)
        self.at_each_byte: Any = np.ndarray((len(raw) + 1,), dtype=">u8", buffer=padded, strides=(1,))


class ByteStrings:
    """Some strings, each a stretch of one text.

    Args:
        text: the text.
        starts: the offset of the first byte of each string.
        ends: the offset behind the last one.
    """

    def __init__(self, text: Text, starts: Positions, ends: Positions) -> None:
        self.text = text
        self.starts = starts
        self.sizes = ends - starts

    def __len__(self) -> int:
        return len(self.starts)

    def words(self, at: int, which: Any = slice(None)) -> Words:
        """The eight bytes of strings from the byte ``at`` on, as numbers in their order.

        Where fewer are left, zeros follow; where none is, the word is zero.
        """
        left = np.minimum(self.sizes[which] - at, WORD)
        starts = self.starts[which] + at
        if at:  # and some may be shorter
            left = np.maximum(left, 0)
            starts = np.minimum(starts, len(self.text.at_each_byte) - 1)
        words: Words = self.text.at_each_byte[starts].astype(np.uint64) & _MASKS[left]
        return words

    def ascend(self) -> bool:
        """Whether none of them, by its bytes, comes after the next one; no string may hold a zero."""
        words = self.words(0)
        low, high = words[:-1], words[1:]
        at, alike = 0, np.arange(len(low))
        while not (low > high).any():
            # A string that ends within a word is followed by zeros: where both are alike in that, they are the same.
            at += WORD
            alike = alike[(low == high) & (self.sizes[alike] >= at)]
            if not len(alike):
                return True
            low, high = self.words(at, alike), self.words(at, alike + 1)
        return False

    def longer(self, size: int) -> list[Positions]:
        """The positions of strings of more bytes than ``size``, of more than ``size + 8``, and so on."""
        found: list[Positions] = []
        longer = np.flatnonzero(self.sizes > size)
        while len(longer):
            found.append(longer)
            size += WORD
            longer = longer[self.sizes[longer] > size]
        return found


class _Hashes:
    """A number for each string that seldom is that of another one; of strings with the same words but one it never is.

    ``rest`` has the positions of strings of several words, and their second, third, ... words.
    """

    def __init__(self, strings: ByteStrings) -> None:
        self.numbers = _mixed(strings.sizes.astype(np.uint64) ^ strings.words(0))
        self.rest: list[tuple[Positions, Words]] = []
        for turn, longer in enumerate(strings.longer(WORD), 1):
            words = strings.words(turn * WORD, longer)
            self.numbers[longer] = _mixed(self.numbers[longer] ^ words)
            self.rest.append((longer, words))


def _mixed(words: Words) -> Words:
    """Different words for different words."""
    words = words * MIX
    words ^= words >> _HALF
    return words


class StringTable:
    """Finds strings among others.

    A string has one slot, by some bits of its hash.  Of several with the same slot one has it, and the others go to a
    smaller table by other bits of theirs, and so on until none is left over.  Of strings with the same hash, which is
    one chance in many millions, only one is found.

    Args:
        strings: what is to be found.
    """

    def __init__(self, strings: ByteStrings) -> None:
        self._strings = strings
        self._longest = strings.sizes.max(initial=0)
        self._hashes = _Hashes(strings).numbers
        self._rounds: list[tuple[np.uint64, NDArray[np.int32]]] = []
        rest, keys = np.arange(len(strings), dtype=np.int32), self._hashes
        while len(rest) and len(self._rounds) < _MAX_ROUNDS:
            bits = len(rest).bit_length() + 1
            shift = np.uint64(64 - bits)
            slots = (keys >> shift).astype(np.int64)
            table = np.zeros(1 << bits, dtype=np.int32)
            table[slots] = rest
            self._rounds.append((shift, table))
            left_over = table[slots] != rest
            rest, keys = rest[left_over], keys[left_over] * _STEP

    def positions(self, wanted: ByteStrings) -> Positions | None:
        """The position of each wanted string in the table; ``None`` where one is not found."""
        if not len(wanted):
            return np.zeros(0, dtype=np.int64)
        if wanted.sizes.max() > self._longest:
            return None
        hashes = _Hashes(wanted)
        found = np.zeros(len(wanted), dtype=np.int64)
        rest, keys = np.arange(len(wanted)), hashes.numbers
        for shift, table in self._rounds:
            candidates = table[(keys >> shift).astype(np.int64)]
            found[rest] = candidates
            missed = np.flatnonzero(self._hashes[candidates] != hashes.numbers[rest])
            if not len(missed):
                return found if self._are(found, wanted, hashes) else None
            rest, keys = rest[missed], keys[missed] * _STEP
        return None

    def _are(self, found: Positions, wanted: ByteStrings, hashes: _Hashes) -> bool:
        """Whether strings of equal hashes are equal: their sizes and all words but the first, which then is so too."""
        if (self._strings.sizes[found] != wanted.sizes).any():
            return False
        return all(
            bool((self._strings.words(turn * WORD, found[longer]) == words).all())
            for turn, (longer, words) in enumerate(hashes.rest, 1)
        )
