"""Builds the character map of a ``Precompiled`` normalizer: small, but with every kind of entry that real ones have.

The layout is that of sentencepiece: ``[u32 size of the trie in bytes][trie][strings, each ended by a zero byte]``.  The
trie is a double array of u32 units over the UTF-8 bytes of the keys:

- bits 0-7: the byte that leads to this unit; bit 8: a value follows; bits 10-31: what to XOR with the unit's own place
  to get the base of its children;
- a child is at ``base ^ byte``, the value of a key at its last unit's ``base ^ 0``, with bit 31 set.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

HAS_VALUE = 1 << 8
IS_VALUE = 1 << 31
OFFSET_SHIFT = 10
OFFSET_LIMIT = 1 << 21


@dataclass
class Node:
    children: dict[int, Node] = field(default_factory=dict)
    value: int | None = None


def trie(entries: dict[bytes, int]) -> Node:
    root = Node()
    for key, value in entries.items():
        node = root
        for byte in key:
            node = node.children.setdefault(byte, Node())
        node.value = value
    return root


class DoubleArray:
    """Places the nodes one after another, each at the first base where all its children find room."""

    def __init__(self, root: Node) -> None:
        self.units: dict[int, int] = {0: 0}
        self._bases: set[int] = set()
        self._place(root, 0)

    def _place(self, node: Node, place: int) -> None:
        labels = ([0] if node.value is not None else []) + sorted(node.children)
        base = 1
        while base in self._bases or any(base ^ label in self.units for label in labels):
            base += 1
        self._bases.add(base)
        assert place ^ base < OFFSET_LIMIT, "too many entries for the short form of an offset"
        self.units[place] |= (place ^ base) << OFFSET_SHIFT | (HAS_VALUE if node.value is not None else 0)
        if node.value is not None:
            self.units[base] = node.value | IS_VALUE
        for byte in sorted(node.children):
            self.units[base ^ byte] = byte
        for byte in sorted(node.children):
            self._place(node.children[byte], base ^ byte)

    def encode(self) -> bytes:
        # A search reads the unit at any place it can compute, so the array has whole blocks of 256.
        size = (max(max(self.units), max(self._bases)) // 256 + 1) * 256
        return struct.pack(f"<{size}I", *(self.units.get(place, 0) for place in range(size)))


def charsmap(mapping: dict[str, str]) -> bytes:
    """The bytes for a mapping of strings (one or a few code points) to strings, the empty one included."""
    strings = bytearray()
    entries: dict[bytes, int] = {}
    for key, value in sorted(mapping.items()):
        entries[key.encode()] = len(strings)
        strings += value.encode() + b"\0"
    array = DoubleArray(trie(entries)).encode()
    return struct.pack("<I", len(array)) + array + bytes(strings)


MAPPING: dict[str, str] = {
    **{chr(0xFF01 + n): chr(0x21 + n) for n in range(94)},  # fullwidth forms
    **dict.fromkeys("\t\n\r\xa0\u2003\u3000", " "),
    **dict.fromkeys("\xad\u200b\ufeff\x01\x7f", ""),
    **{chr(0x2460 + n): str(n + 1) for n in range(9)},  # circled digits
    "\ufb01": "fi",
    "\ufb03": "ffi",
    "\u00bd": "1\u20442",
    "\u00b2": "2",
    "\u2122": "TM",
    "\u2026": "...",
    "\u0132": "IJ",
    "\uff76": "\u30ab",
    "e\u0301": "\u00e9",  # two code points that become one
    "a\u0308": "\u00e4",
    "\uff76\uff9e": "\u30ac",  # never found: `tokenizers` looks up graphemes of five bytes at most
    "\u1112\u1161\u11ab": "\ud55c",  # likewise
    "\u212b": "\u00c5",
    "\u33a5": "m3",
    "\U0001d400": "A",
}
