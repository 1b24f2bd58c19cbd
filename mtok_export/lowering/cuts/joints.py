"""Which characters a model can hold side by side in one token, read off its section of the file."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import Any

from mtok_export.format.model import Bpe, Merges, Vocab
from mtok_export.packed_tokens import PackedTokens
from mtok_export.records import dataclass

FIRST_BYTES = (*range(0x80), *range(0xC2, 0xF5))
"""The bytes that a character can start with in UTF-8."""

MANY = 250_000
"""So many merges are looked through by numpy, which has sorted them too (and packed the tokens)."""

_BITS = 21
"""A code point has so many."""

_BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in range(0x100))
_FIRST_BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in FIRST_BYTES)


@dataclass(frozen=True)
class Joints:
    """What can stand side by side in one token.

    ``pairs`` are the last character of a merge's left part and the first of its right one.  ``known``, where it is not
    ``None``, are the characters that are entries: then nothing may be cut beside any other.
    """

    pairs: frozenset[tuple[str, str]]
    known: frozenset[str] | None


def joints_of(model: Bpe) -> Joints | None:
    """The joints of a model.

    Returns:
        ``None`` where they cannot be told from the entries: the model sees bytes, or a merge takes an id that has
        several strings.
    """
    if model.byte_level:
        return None
    vocab, merges = model.vocab, model.merges
    aliased = _aliased(vocab)
    if not _apart(aliased, merges):
        return None
    return Joints(_pairs(vocab, merges), _known(vocab) if _is_loose(vocab, merges) else None)


def _pairs(vocab: Vocab, merges: Merges) -> frozenset[tuple[str, str]]:
    """The bigrams of the merges.  An empty entry is no part of a token; here it stands for U+0000."""
    size = max(vocab.ids, default=-1) + 1
    if isinstance(vocab.tokens, PackedTokens) and len(merges) >= MANY:
        return _pairs_by_numpy(vocab.tokens, vocab.ids, merges, size)
    of_first, of_last = ["\0"] * size, ["\0"] * size
    empty = bisect_right(vocab.tokens, "")  # the entries are sorted
    for token, id_ in zip(vocab.tokens[empty:], vocab.ids[empty:], strict=True):
        of_first[id_], of_last[id_] = token[0], token[-1]
    return frozenset(zip(map(of_last.__getitem__, merges.left), map(of_first.__getitem__, merges.right), strict=True))


def _pairs_by_numpy(tokens: PackedTokens, ids: array[int], merges: Merges, size: int) -> frozenset[tuple[str, str]]:
    """The same for very many, from the bytes of the tokens."""
    import numpy as np

    codes = np.frombuffer(tokens.raw.decode().encode("utf-32-le"), dtype="<u4")
    ends = np.flatnonzero(codes == 0)
    starts = np.append(0, ends + 1)[:-1]
    filled = np.flatnonzero(ends > starts)
    places = np.asarray(ids)[filled]

    def by_id(chars: Any) -> Any:
        column = np.zeros(size, dtype=np.uint64)
        column[places] = codes[chars[filled]]
        return column

    of_first, of_last = by_id(starts), by_id(ends - 1)
    pairs = of_last[np.asarray(merges.left)] << np.uint64(_BITS) | of_first[np.asarray(merges.right)]
    low = (1 << _BITS) - 1
    return frozenset((chr(pair >> _BITS), chr(pair & low)) for pair in np.unique(pairs).tolist())


def _known(vocab: Vocab) -> frozenset[str]:
    return frozenset(token for token in vocab.tokens if len(token) == 1)


def _apart(ids: frozenset[int], merges: Merges) -> bool:
    """Whether no merge takes one of some ids."""
    if not ids:
        return True
    if len(merges) < MANY:
        return ids.isdisjoint(merges.left) and ids.isdisjoint(merges.right)
    import numpy as np

    wanted = np.fromiter(ids, dtype=np.uint32)
    return not (np.isin(wanted, merges.left).any() or np.isin(wanted, merges.right).any())


def _aliased(vocab: Vocab) -> frozenset[int]:
    """The ids that have several strings, empty ones apart: an empty string is never found in a text."""
    if _is_distinct(vocab.ids):
        return frozenset()
    string: dict[int, str] = {}
    entries = zip(vocab.tokens, vocab.ids, strict=True)
    return frozenset(id_ for token, id_ in entries if token and string.setdefault(id_, token) != token)


def _is_distinct(ids: array[int]) -> bool:
    """Whether no id stands there twice: each is marked as seen, at half the cost of a set."""
    seen = bytearray(max(ids, default=-1) + 1)
    for id_ in ids:
        seen[id_] = 1
    return seen.count(1) == len(ids)


def _is_loose(vocab: Vocab, merges: Merges) -> bool:
    """Whether a character without an entry may vanish, or be merged by way of its bytes."""
    ids = {piece: id_ for piece in _BYTE_PIECES if (id_ := vocab.id_of(piece)) is not None}
    return not (ids.keys() >= _FIRST_BYTE_PIECES and _apart(frozenset(ids.values()), merges))
