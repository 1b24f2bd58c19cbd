"""Hundreds of thousands of tokens as one text of bytes, for as long as nobody looks at them one by one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from mtok_export.byte_strings import ByteStrings, Positions

_BLOCK = 1 << 12
"""Tokens that become strings at once: few enough to stay in the processor's cache."""

LONGEST = 1 << 10
"""More bytes than tokens of real vocabularies have.  One long token would be looked through word by word for each step
that all of them take at once.
"""

_ERRORS = "surrogatepass"
"""A string may hold a lone surrogate as long as it is not written."""


class PackedTokens(Sequence[str]):
    """A sequence of tokens, which become strings when they are looked at.

    Numpy finds where each begins, so it pays where numpy is imported anyway.

    Args:
        raw: the tokens as UTF-8, with a zero behind each.
    """

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    @classmethod
    def of(cls, tokens: Iterable[str], count: int) -> PackedTokens | None:
        """``count`` tokens; ``None`` where one of them holds a zero itself, or is very long."""
        packed = cls("\0".join((*tokens, "")).encode("utf-8", _ERRORS))
        return packed if len(packed) == count and packed.strings.sizes.max(initial=0) <= LONGEST else None

    @cached_property
    def strings(self) -> ByteStrings:
        """Where the bytes of each token are."""
        import numpy as np

        from mtok_export.byte_strings import ByteStrings, Text

        ends = np.flatnonzero(np.frombuffer(self.raw, dtype=np.uint8) == 0)
        return ByteStrings(Text(self.raw), np.append(0, ends + 1)[:-1], ends)

    def arranged(self, order: Positions) -> PackedTokens:
        """Those at some positions, in another order."""
        import numpy as np

        strings = self.strings
        parts = []
        for first in range(0, len(order), _BLOCK):
            block = order[first : first + _BLOCK]
            sizes = strings.sizes[block] + 1
            behind = np.cumsum(sizes)
            parts.append(
                strings.text.as_bytes[np.arange(behind[-1]) + np.repeat(strings.starts[block] + sizes - behind, sizes)]
            )
        return PackedTokens(b"".join(part.tobytes() for part in parts))

    @cached_property
    def _first_words(self) -> tuple[memoryview[int], ...]:
        from mtok_export.byte_strings import WORD

        columns: tuple[Any, ...] = tuple(self.strings.words(at) for at in (0, WORD))
        return tuple(map(memoryview, columns))

    def place_of(self, token: str) -> int:
        """Where a token stands, or would stand, among these, which must be sorted; of equal ones the first."""
        raw = token.encode("utf-8", _ERRORS)
        first, last = 0, len(self)
        for words in self._first_words:
            size = words.itemsize
            word, raw = int.from_bytes(raw[:size].ljust(size, b"\0"), "big"), raw[size:]
            first = bisect_left(words, word, first, last)
            last = bisect_right(words, word, first, last)
        return bisect_left(self, token, first, last)

    def __len__(self) -> int:
        return len(self.strings)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        strings = self.strings
        if not isinstance(index, slice):
            start = int(strings.starts[index])
            return self.raw[start : start + int(strings.sizes[index])].decode("utf-8", _ERRORS)
        first, last, step = index.indices(len(self))
        if step != 1:
            return tuple(self)[index]
        return PackedTokens(self.raw[self._offset(first) : self._offset(last)])

    def _offset(self, place: int) -> int:
        return int(self.strings.starts[place]) if place < len(self) else len(self.raw)

    def __iter__(self) -> Iterator[str]:
        for place in range(0, len(self), _BLOCK):
            raw = self.raw[self._offset(place) : self._offset(place + _BLOCK)]
            yield from raw[:-1].decode("utf-8", _ERRORS).split("\0")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedTokens):
            return self.raw == other.raw
        return tuple(self) == tuple(other) if isinstance(other, (tuple, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as for every sequence that is compared by what it holds

    def __repr__(self) -> str:
        return f"PackedTokens({len(self)} tokens)"


def chained(parts: Iterable[Sequence[str]]) -> Sequence[str]:
    """The tokens of several sequences in one, packed if one of them is."""
    parts = list(parts)
    if not any(isinstance(part, PackedTokens) for part in parts):
        return tuple(chain.from_iterable(parts))
    raw = []
    for part in parts:
        packed = part if isinstance(part, PackedTokens) else PackedTokens.of(part, len(part))
        if packed is None:
            return tuple(chain.from_iterable(parts))
        raw.append(packed.raw)
    return PackedTokens(b"".join(raw))
