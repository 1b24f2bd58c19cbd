"""Entries of a BPE model that merging their own characters does not produce: ``ignore_merges`` alone finds them.

The library could be asked for each entry, but half a million merges take it half a second.  Here nearly all entries
are settled for all tokens of one length at once.

Let a merge of rank *k* make the token *T* of *l* and *r*, both of which are produced from their own characters.  Their
merging goes on side by side within *T*, each as if it were alone, and ends with *(l, r)*, which becomes *T*; unless a
merge *(x, y)* across the border between them comes first, of a symbol *x* at the end of *l* and *y* at the start of
*r*.  Let no merge in the making of *l* and *r* have a lower rank than those which made its parts (the making is
*orderly*).  Then ranks are points in time: *x* is there from the rank that makes it to the one that uses it, so is *y*,
and walking back from *(l, r)*, always to the state before the later one of the two was made, passes all pairs that are
ever side by side.  *(x, y)*, of rank *q*, is merged if *q* comes before *x* is used, and not after *y* is used: of
equal pairs the leftmost is the first to be merged.  So *T* is produced if some merge is orderly and no pair on its way
interferes; what is left is merged one by one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mtok_export.format.model import Merges
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.pipeline import BPE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Keys = NDArray[np.int64]

_NEVER = (1 << 31) - 1
"""A rank after all others."""

_MAX_HOLES = 1_000_000
"""More ids without a token than real vocabularies have."""

_FILTER_BITS = 22
"""The size of the table that says which pairs are surely no merge; few bits would let too many through."""


def unreachable_entries(model: BPE) -> tuple[str, ...]:
    """Entries of a model with ignore_merges that its merges do not produce, in the order of the vocabulary.

    An entry with a character that is no entry itself cannot be produced either.
    """
    merges = model.merges
    simple = not model.continuing_subword_prefix and not model.end_of_word_suffix
    if not isinstance(merges, MergeTable) or not merges or not merges.is_distinct or not simple:
        return _asked(model)
    if max(model.vocab.values()) > len(model.vocab) + _MAX_HOLES:  # the columns by id would be large
        return _asked(model)
    lost = _Production(model.vocab, merges).lost()
    return tuple([token for token, id_ in model.vocab.items() if id_ in lost])


def _asked(model: BPE) -> tuple[str, ...]:
    """The same from the library, with ignore_merges off: for merges of odd kinds."""
    from tokenizers import models

    # Given as they are: a list of all these pairs would be one copy more.
    tokens_of = models.BPE(vocab=model.vocab, merges=model.merges, ignore_merges=False).tokenize
    # Ids are compared, since the strings that the library gives for an id of several change from run to run.  A single
    # token may be made of some characters and not all of them: the others are no entries then.
    return tuple(
        [
            token
            for token, id_ in model.vocab.items()
            if len(token) > 1
            and ([made.id for made in tokens_of(token)] != [id_] or any(char not in model.vocab for char in token))
        ]
    )


class _Production:
    """Which tokens are produced, by id; found for one length after another.

    Those in ``orderly`` are made as above, by the merge of the rank ``made`` (-1 for a single character) from ``left``
    and ``right``; those in ``odd`` are made in some other way.
    """

    def __init__(self, vocab: dict[str, int], merges: MergeTable) -> None:
        import numpy as np

        self.np = np
        self.vocab = vocab
        self.parts = [np.frombuffer(column, np.int32) for column in (merges.left, merges.right)]
        self.results = np.frombuffer(merges.results, np.int32)
        self.sorted = Merges(*merges.sorted_columns)
        left, right, self.ranks = (np.frombuffer(column, np.int32) for column in merges.sorted_columns)
        self.keys = self._keys(left, right)
        self.may_be = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
        self.may_be[self._slots(*self.parts)] = True
        size = max(vocab.values()) + 1
        self.tokens = list(vocab)
        ids = np.fromiter(vocab.values(), np.int32, len(vocab))
        self.places = np.zeros(size, dtype=np.int32)
        self.places[ids] = np.arange(len(vocab), dtype=np.int32)
        self.lengths = np.zeros(size, dtype=np.int32)
        self.lengths[ids] = np.fromiter(map(len, vocab), np.int32, len(vocab))
        self.orderly = self.lengths == 1
        self.odd = np.zeros(size, dtype=np.bool_)
        self.made = np.full(size, -1, dtype=np.int32)
        self.left = np.arange(size, dtype=np.int32)
        self.right = self.left.copy()
        self.merges = merges
        self.known_ranks: dict[tuple[int, int], int] = {}

    def lost(self) -> frozenset[int]:
        """The ids of tokens of several characters that are not produced."""
        self._go_through_lengths()
        return frozenset(self.np.flatnonzero((self.lengths > 1) & ~self.orderly & ~self.odd).tolist())

    def _go_through_lengths(self) -> None:
        """Take the merges by the length of what they make, so that all about the parts is known."""
        np = self.np
        lengths = self.lengths[self.results]
        order = np.argsort(lengths, kind="stable")
        for ranks in np.split(order.astype(np.int32), np.flatnonzero(np.diff(lengths[order])) + 1):
            left, right = (column[ranks] for column in self.parts)
            orderly = self.orderly[left] & self.orderly[right] & (ranks > self.made[left]) & (ranks > self.made[right])
            good = self._undisturbed(ranks[orderly])
            tokens = self.results[good]
            self.orderly[tokens], self.made[tokens] = True, good
            self.left[tokens], self.right[tokens] = (column[good] for column in self.parts)
            produced = self.orderly | self.odd
            unsure = self.results[ranks[~orderly & produced[left] & produced[right]]]
            for id_ in set(unsure[~self.orderly[unsure]].tolist()):
                self.odd[id_] = self._is_produced(id_)

    def _undisturbed(self, ranks: Ids) -> Ids:
        """Of some orderly merges those in the making of which no other merge crosses the border."""
        np = self.np
        x, y = (column[ranks] for column in self.parts)
        x_used = np.full(len(ranks), _NEVER, dtype=np.int32)
        y_used = x_used.copy()
        good = np.ones(len(ranks), dtype=np.bool_)
        at = np.arange(len(ranks))
        while len(at):
            x_made, y_made = self.made[x], self.made[y]
            later = x_made > y_made
            x, x_used = np.where(later, self.right[x], x), np.where(later, x_made, x_used)
            y, y_used = np.where(later, y, self.left[y]), np.where(later, y_used, y_made)
            rank = self._ranks_of(x, y)
            crossed = (rank < x_used) & (rank <= y_used)
            good[at[crossed]] = False
            on = ~crossed & ((self.made[x] >= 0) | (self.made[y] >= 0))
            at, x, y, x_used, y_used = (column[on] for column in (at, x, y, x_used, y_used))
        undisturbed: Ids = ranks[good]
        return undisturbed

    def _ranks_of(self, left: Ids, right: Ids) -> Ids:
        np = self.np
        ranks: Ids = np.full(len(left), _NEVER, dtype=np.int32)
        some = np.flatnonzero(self.may_be[self._slots(left, right)])
        keys = self._keys(left[some], right[some])
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = self.keys[places] == keys
        ranks[some[found]] = self.ranks[places[found]]
        return ranks

    def _slots(self, left: Ids, right: Ids) -> Ids:
        """Where the table of pairs says whether a pair may be a merge."""
        slots: Keys = self._keys(left, right) * 0x1E3779B97F4A7C15 >> 64 - 1 - _FILTER_BITS
        return slots & (1 << _FILTER_BITS) - 1

    def _keys(self, left: Ids, right: Ids) -> Keys:
        keys: Keys = left.astype(self.np.int64) << 32 | right
        return keys

    def _is_produced(self, id_: int) -> bool:
        """Merge the characters of a token one by one."""
        found = [self.vocab.get(char) for char in self.tokens[self.places[id_]]]
        ids = [char_id for char_id in found if char_id is not None]
        while len(ids) == len(found) > 1:
            rank, place = min((self._rank_of(*pair), place) for place, pair in enumerate(pairwise(ids)))
            if rank == _NEVER:
                break
            ids[place : place + 2] = [self.merges.results[rank]]
            found.pop()
        return ids == [id_]

    def _rank_of(self, left: int, right: int) -> int:
        pair = left, right
        if pair not in self.known_ranks:
            rank = self.sorted.rank_of(left, right)
            self.known_ranks[pair] = _NEVER if rank is None else rank
        return self.known_ranks[pair]
