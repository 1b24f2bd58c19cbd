"""Which characters a model can hold side by side in one token, read off its section of the file."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from mtok_export.format.model import Bpe, Merges, Vocab

FIRST_BYTES = (*range(0x80), *range(0xC2, 0xF5))
"""The bytes that a character can start with in UTF-8."""

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
    """The bigrams of the merges.  There may be half a million, so what is done for each is done in C."""
    size = max(vocab.ids, default=-1) + 1
    first, last = [""] * size, [""] * size
    for token, id_ in zip(vocab.tokens, vocab.ids, strict=True):
        if token:
            first[id_] = token[0]
            last[id_] = token[-1]
    pairs = set(zip(map(last.__getitem__, merges.left), map(first.__getitem__, merges.right), strict=True))
    return frozenset(pair for pair in pairs if "" not in pair)  # an entry that is empty now is no part of a token


def _known(vocab: Vocab) -> frozenset[str]:
    return frozenset(token for token in vocab.tokens if len(token) == 1)


def _apart(ids: frozenset[int], merges: Merges) -> bool:
    return not ids or (ids.isdisjoint(merges.left) and ids.isdisjoint(merges.right))


def _aliased(vocab: Vocab) -> frozenset[int]:
    """The ids that have several strings, empty ones apart: an empty string is never found in a text."""
    if len(set(vocab.ids)) == len(vocab):
        return frozenset()
    string: dict[int, str] = {}
    entries = zip(vocab.tokens, vocab.ids, strict=True)
    return frozenset(id_ for token, id_ in entries if token and string.setdefault(id_, token) != token)


def _is_loose(vocab: Vocab, merges: Merges) -> bool:
    """Whether a character without an entry may vanish, or be merged by way of its bytes."""
    ids = {piece: id_ for piece in _BYTE_PIECES if (id_ := id_of(vocab, piece)) is not None}
    return not (ids.keys() >= _FIRST_BYTE_PIECES and _apart(frozenset(ids.values()), merges))


def id_of(vocab: Vocab, token: str) -> int | None:
    """The id under which the engine finds a token; the entries are sorted, and of equal ones the first counts."""
    place = bisect_left(vocab.tokens, token)
    return vocab.ids[place] if place < len(vocab) and vocab.tokens[place] == token else None
