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

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mtok_export.source.merge_table import MergeTable
from mtok_export.source.pipeline import BPE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

_NEVER = (1 << 31) - 1
"""A rank after all others."""

_MAX_HOLES = 1_000_000
"""More ids without a token than real vocabularies have."""

_FEW = 100
"""Fewer merges than this go through a loop in less time than through some dozens of calls of numpy."""

_FILTER_BITS = 20
"""The size of the table of lowest ranks; few bits would let too many pairs through that are no merge, or not yet."""


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
    return _Production(model.vocab, merges).lost()


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

        from mtok_export.byte_strings import MIX

        self.np = np
        self.mix = MIX
        self.vocab = vocab
        self.parts = [np.frombuffer(column, np.int32).astype(np.int64) for column in (merges.left, merges.right)]
        self.results = np.frombuffer(merges.results, np.int32)
        left, right, self.ranks = (np.frombuffer(column, np.int32) for column in merges.sorted_columns)
        self.keys = self._keys(left.astype(np.int64), right.astype(np.int64))
        sorted_keys: Any = self.keys
        self.sorted_keys: memoryview[int] = memoryview(sorted_keys)  # for a key alone
        self.lowest = np.full(1 << _FILTER_BITS, _NEVER, dtype=np.int32)
        np.minimum.at(self.lowest, self._slots(*self.parts), np.arange(len(merges), dtype=np.int32))
        size = max(vocab.values()) + 1
        self.tokens = list(vocab)
        ids = np.fromiter(vocab.values(), np.int32, len(vocab))
        self.places = np.zeros(size, dtype=np.int32)
        self.places[ids] = np.arange(len(vocab), dtype=np.int32)
        self.lengths = np.zeros(size, dtype=np.int32)
        self.lengths[ids] = np.fromiter(map(len, vocab), np.int32, len(vocab))
        self.orderly = self.lengths == 1
        self.odd = np.zeros(size, dtype=np.bool_)
        self.made = np.full(size, -1, dtype=np.int64)
        self.left = np.arange(size, dtype=np.int64)
        self.right = self.left.copy()
        self.merges = merges
        self.known_ranks: dict[int, int] = {}

    def lost(self) -> tuple[str, ...]:
        """The tokens of several characters that are not produced, in the order of the vocabulary."""
        self._go_through_lengths()
        places = self.places[(self.lengths > 1) & ~self.orderly & ~self.odd]
        return tuple([self.tokens[place] for place in sorted(places.tolist())])

    def _go_through_lengths(self) -> None:
        """Take the merges by the length of what they make, so that all about the parts is known."""
        np = self.np
        lengths = self.lengths[self.results]
        short = lengths.max(initial=0) < 1 << 16  # numbers of 16 bits are sorted without comparing them
        order = np.argsort(lengths.astype(np.uint16) if short else lengths, kind="stable")
        for ranks in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
            if len(ranks) < _FEW:
                self._one_by_one(ranks.tolist())
                continue
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

    def _one_by_one(self, ranks: list[int]) -> None:
        """The same for so few merges of one length that a loop over them is quicker."""
        # As memoryviews, of which one number is taken out in a fraction of the time that an array of numpy takes.
        columns: tuple[Any, ...] = (self.orderly, self.odd, self.made, self.left, self.right, *self.parts, self.results)
        views: list[Any] = [memoryview(column) for column in columns]
        orderly, odd, made, left, right, firsts, seconds, results = views
        unsure = set()
        for rank in ranks:
            x, y, token = firsts[rank], seconds[rank], results[rank]
            if orderly[token]:
                continue
            if not (orderly[x] and orderly[y] and rank > made[x] and rank > made[y]):
                if (orderly[x] or odd[x]) and (orderly[y] or odd[y]):
                    unsure.add(token)
                continue
            x_used = y_used = _NEVER
            while made[x] >= 0 or made[y] >= 0:
                if made[x] > made[y]:
                    x, x_used = right[x], made[x]
                else:
                    y, y_used = left[y], made[y]
                crossing = self._rank_of(x, y)
                if crossing < x_used and crossing <= y_used:
                    break
            else:
                orderly[token], made[token] = True, rank
                left[token], right[token] = firsts[rank], seconds[rank]
        for token in unsure:
            if not orderly[token]:
                odd[token] = self._is_produced(token)

    def _undisturbed(self, ranks: Ids) -> Ids:
        """Of some orderly merges those in the making of which no other merge crosses the border."""
        np = self.np
        x, y = (column[ranks] for column in self.parts)
        x_used = np.full(len(ranks), _NEVER)
        y_used = x_used.copy()
        good = np.ones(len(ranks), dtype=np.bool_)
        at = np.arange(len(ranks))
        while len(at):
            x_made, y_made = self.made[x], self.made[y]
            later = x_made > y_made
            x, x_used = np.where(later, self.right[x], x), np.where(later, x_made, x_used)
            y, y_used = np.where(later, y, self.left[y]), np.where(later, y_used, y_made)
            in_time = np.minimum(x_used - 1, y_used)
            crossed = self._in_time(x, y, in_time)
            good[at[crossed]] = False
            on = (self.made[x] >= 0) | (self.made[y] >= 0)
            on[crossed] = False
            at, x, y, x_used, y_used = (column[on] for column in (at, x, y, x_used, y_used))
        undisturbed: Ids = ranks[good]
        return undisturbed

    def _in_time(self, left: Ids, right: Ids, last: Ids) -> Ids:
        """The places of those pairs that are merges of no higher rank than ``last`` says for each."""
        np = self.np
        lowest = self.lowest[self._slots(left, right)]
        maybe: Ids = np.flatnonzero(lowest <= last)
        rank, left, right = lowest[maybe], left[maybe], right[maybe]
        sure = (self.parts[0][rank] == left) & (self.parts[1][rank] == right)
        others = np.flatnonzero(~sure)
        if not len(others):
            return maybe
        keys = self._keys(left[others], right[others])
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        sure[others] = (self.keys[found] == keys) & (self.ranks[found] <= last[maybe[others]])
        crossed: Ids = maybe[sure]
        return crossed

    def _slots(self, left: Ids, right: Ids) -> Ids:
        """Where the table of pairs says which is the lowest rank that a pair may have."""
        mixed = self._keys(left, right).view(self.np.uint64) * self.mix
        slots: Ids = (mixed >> self.np.uint64(64 - _FILTER_BITS)).view(self.np.int64)
        return slots

    def _keys(self, left: Ids, right: Ids) -> Ids:
        keys: Ids = left << 32 | right
        return keys

    def _is_produced(self, id_: int) -> bool:
        """Merge the characters of a token one by one."""
        found = [self.vocab.get(char) for char in self.tokens[self.places[id_]]]
        ids = [char_id for char_id in found if char_id is not None]
        if len(ids) < len(found):
            return False
        ranks = [self._rank_of(*pair) for pair in pairwise(ids)]
        while ranks and (rank := min(ranks)) != _NEVER:
            place = ranks.index(rank)
            ids[place : place + 2] = [self.merges.results[rank]]
            del ranks[place]
            for beside in range(max(place - 1, 0), min(place + 1, len(ranks))):
                ranks[beside] = self._rank_of(ids[beside], ids[beside + 1])
        return ids == [id_]

    def _rank_of(self, left: int, right: int) -> int:
        key = left << 32 | right
        rank = self.known_ranks.get(key)
        if rank is None:
            place = bisect_left(self.sorted_keys, key)
            is_merge = place < len(self.sorted_keys) and self.sorted_keys[place] == key
            rank = self.known_ranks[key] = int(self.ranks[place]) if is_merge else _NEVER
        return rank
