"""Byte strings with ranks, as tiktoken and tekken have them, into the byte-level BPE that gives the same ids.

tiktoken joins, again and again, the two neighbours whose bytes together have the lowest rank, of equals the leftmost.
A list of merges says the same with one pair for each entry: the pair that is left when the entry's own bytes are joined
by the ranks of the others.  No other pair of neighbours ever makes that entry: what happens between its two ends is the
same within a longer text, as long as nothing is joined across them.  Entries that their bytes do not lead to are found
in one case alone, when a whole pre-token is looked up before anything is joined; ``ignore_merges`` says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.errors import SourceError
from mtok_export.source.documents import bpe
from mtok_export.source.json_values import paused_gc, quote
from mtok_export.source.settings import Notice

Ranks = Mapping[bytes, int]

_NO_RANK = 1 << 62


@dataclass(frozen=True)
class RankedModel:
    """A model of ``tokenizer.json``, and what is worth saying about it."""

    model: dict[str, Any] = field(repr=False)
    notices: tuple[Notice, ...]


def to_chars(data: bytes) -> str:
    """Bytes in the byte alphabet."""
    return data.decode("latin-1").translate(BYTE_TO_CHAR)


def check_single_bytes(ranks: Ranks, name: str) -> None:
    """Complain about a byte without a rank: tiktoken panics at the first text that holds it.

    Raises:
        SourceError: with the first such byte.
    """
    missing = [byte for byte in range(256) if bytes((byte,)) not in ranks]
    if missing:
        problem = f"{len(missing)} of the 256 bytes have no rank, the first is 0x{missing[0]:02x}"
        raise SourceError(problem, where=name, hint="the file seems to be cut off, or is no file of ranks")


def last_pair(entry: bytes, ranks: Ranks) -> tuple[bytes, bytes] | None:
    """The two parts of which an entry of two bytes or more is joined last; ``None`` where there is no way to it."""
    rank_of = ranks.get
    cuts = list(range(len(entry) + 1))
    pairs = [rank_of(entry[i : i + 2], _NO_RANK) for i in range(len(entry) - 1)]
    while len(pairs) > 1:
        lowest = min(pairs)
        if lowest == _NO_RANK:
            return None
        i = pairs.index(lowest)
        del cuts[i + 1], pairs[i]
        if i < len(pairs):
            pairs[i] = rank_of(entry[cuts[i] : cuts[i + 2]], _NO_RANK)
        if i:
            pairs[i - 1] = rank_of(entry[cuts[i - 1] : cuts[i + 1]], _NO_RANK)
    return entry[: cuts[1]], entry[cuts[1] :]


def ranked_model(ranks: Ranks, where: str, *, first_id: int = 0, reserved: Collection[str] = ()) -> RankedModel:
    """The BPE model of ``tokenizer.json`` for ranks.

    Args:
        ranks: byte string -> rank; no two with one rank.
        where: what notices call the place of the ranks.
        first_id: the id of rank 0.
        reserved: contents of special tokens.  An entry that spells one of them cannot stand in the vocab beside it, and
            is never used either: the special token is found in the text before.

    Returns:
        The model: every entry in the order of its rank, the merges likewise.  An empty entry is left out: no text
        leads to its id, which stands for nothing.
    """
    with paused_gc():
        ordered = sorted(ranks, key=ranks.__getitem__)
        chars = {entry: to_chars(entry) for entry in ordered}
        dropped = {entry for content in reserved if (entry := content.encode()) in ranks and chars[entry] == content}
        merges: list[list[str]] = []
        unreached = 0
        for entry in ordered:
            if len(entry) < 2 or entry in dropped:
                continue
            pair = last_pair(entry, ranks)
            if pair is None:
                unreached += 1
            elif dropped.isdisjoint(pair):
                merges.append([chars[pair[0]], chars[pair[1]]])
        vocab = {chars[entry]: first_id + ranks[entry] for entry in ordered if entry and entry not in dropped}
    model = bpe(vocab, merges, ignore_merges=unreached > 0)
    return RankedModel(model, tuple(_dropped_notice(dropped, where)))


def _dropped_notice(dropped: Collection[bytes], where: str) -> list[Notice]:
    if not dropped:
        return []
    example = quote(min(dropped).decode())
    problem = f"{len(dropped)} entries spell a special token, such as {example}"
    return [Notice(where, f"{problem}; the special token is found before them, so they are left out")]
