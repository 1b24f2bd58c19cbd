"""Sentencepiece character maps: which texts a map may know, so that it need not be asked about all others.

A map is ``[u32 size of the trie in bytes][trie][strings]``.  The trie is a double array of u32 units over the UTF-8
bytes of the keys.  Of a unit, bits 0-7 are the byte that leads to it, bit 8 says that a key ends with it, and bits
10-30 are its offset, in steps of 256 where bit 9 is set.  A unit's place XOR its offset XOR a byte is the place of the
unit to which the byte leads, if that says so itself.  What becomes of a known text is left to ``tokenizers`` to say.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator

from mtok_export.lowering.unicode_tables import ASKED

_SIZE = struct.Struct("<I")
_LABEL = 1 << 31 | 0xFF
"""A unit that holds a value has bit 31 set, and no byte leads to it."""

_ENDS_KEY = 1 << 8
_FAR = 1 << 9
_BLOCK, _PART = 64, 64 * 64
"""Characters whose UTF-8 differs in its last byte alone, or in the last two."""


class CharacterMap:
    """The trie of a map.

    Args:
        charsmap: the whole map, as the library has accepted it.
    """

    def __init__(self, charsmap: bytes) -> None:
        (size,) = _SIZE.unpack_from(charsmap)
        units = array("I", charsmap[_SIZE.size : _SIZE.size + size // 4 * 4])
        if sys.byteorder == "big":
            units.byteswap()
        self._units = units

    def may_know(self, text: bytes) -> bool:
        """Whether a key may begin with a text, or the text with a key.

        In a damaged trie it may where a search leaves the trie, of which the library dies.
        """
        units = self._units
        if not units:
            return True
        unit, place = units[0], 0
        for byte in text:
            place ^= (unit >> 10) << ((unit & _FAR) >> 6) ^ byte
            if place >= len(units):
                return True
            unit = units[place]
            if unit & _LABEL != byte:
                return False
            if unit & _ENDS_KEY:
                return True
        return True

    def code_points(self) -> Iterator[int]:
        """The code points of ``ASKED`` that the map may know, and others that share their first bytes."""
        for first, last in ASKED:
            for part in range(first, last + 1, _PART):
                if self.may_know(chr(part).encode("utf-8")[:-2]):
                    for start in range(part, min(part + _PART, last + 1), _BLOCK):
                        if self.may_know(chr(start).encode("utf-8")[:-1]):
                            yield from range(start, start + _BLOCK)
