"""Entries of the vocabulary that make added tokens stream as they should.

Streaming looks at the vocabulary entry of an id and at nothing else, and added tokens are found by their content, not
by their entry.  So the entry is free to say what streaming shows: nothing for special tokens, the content for others,
in the byte alphabet where the file is byte-level.  A special token that streams to nothing is also left out of the
engine's first, slow and greedy search, and its ``lstrip`` and ``rstrip`` are honoured.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import TypeVar

from mtok_export.byte_alphabet import is_spelled, to_chars
from mtok_export.format import decoder as decoder_ops
from mtok_export.format import model as ops
from mtok_export.lowering.decoder import leaves
from mtok_export.packed_tokens import PackedTokens, chained
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.pipeline import BPE, AddedToken, Pipeline

T = TypeVar("T")
Number = TypeVar("Number", int, float)


def entries_of(vocab: ops.Vocab, ids: Collection[int]) -> dict[int, str]:
    """The entries that streaming sees for some ids: of several of one id, the last."""
    return {vocab.ids[row]: vocab.tokens[row] for row in _rows_of(vocab, ids)}


def _rows_of(vocab: ops.Vocab, ids: Collection[int]) -> Iterable[int]:
    if isinstance(vocab.tokens, PackedTokens):
        return _rows_by_numpy(vocab.ids, ids)
    return compress(range(len(vocab)), map(ids.__contains__, vocab.ids))


def _rows_by_numpy(column: Sequence[int], ids: Collection[int]) -> Iterable[int]:
    import numpy as np

    rows: list[int] = np.flatnonzero(np.isin(np.asarray(column), list(ids))).tolist()
    return rows


def show_added_tokens(
    model: ops.Model, decoder: decoder_ops.Decoder, pipeline: Pipeline
) -> tuple[ops.Model, Mapping[int, str]]:
    """Give added tokens entries that stream as they should.

    Returns:
        The model with these entries; ids and what the model finds in a text stay as they are.  And what ``entries_of``
        would find in it for the added tokens.
    """
    kinds = tuple(leaves(decoder))
    ids = {token.id for token in pipeline.added_tokens}
    if any(isinstance(kind, decoder_ops.WordPiece) for kind in kinds):
        # An empty entry streams as a space there, and would be found at every space of a text.
        return model, entries_of(model.vocab, ids)
    byte_level = any(isinstance(kind, decoder_ops.ByteLevel) for kind in kinds)
    wanted = {token.id: _wanted(token, byte_level) for token in pipeline.added_tokens if token.content}
    entries = _Entries(model, ids)
    changing = {id_: text for id_, text in wanted.items() if entries.shown.get(id_) != text}
    if not changing:
        return model, entries.shown
    needed = _needed({entries.shown[id_] for id_ in changing if id_ in entries.shown}, model, pipeline)
    for id_, text in sorted(changing.items()):
        old = entries.shown.get(id_)
        if old is None:
            if text:
                entries.add(id_, text)
        elif old not in needed and id_ not in entries.aliased:
            entries.rewrite(id_, text)
    return entries.build(), entries.as_shown()


def _wanted(token: AddedToken, byte_level: bool) -> str:
    if token.special:
        return ""
    if byte_level and not is_spelled(token.content):
        return to_chars(token.content)
    return token.content


def _needed(strings: Iterable[str], model: ops.Model, pipeline: Pipeline) -> frozenset[str]:
    """Those of some entries that the model has to find: symbols, results of merges, the unknown token by its name."""
    if isinstance(model, ops.WordPiece):
        return frozenset({model.unk_token})
    if not isinstance(pipeline.model, BPE):
        return frozenset()
    found = {string for string in strings if len(string) == 1}
    merged = frozenset(strings) - found
    if merged:
        found.update(_merged(merged, model, pipeline.model))
    return frozenset(found)


def _merged(strings: frozenset[str], model: ops.Model, source: BPE) -> Iterator[str]:
    """Those of some strings that are the result of a merge."""
    if not isinstance(source.merges, MergeTable) or not isinstance(model, ops.Bpe):
        yield from strings.intersection(map("".join, source.merges))
        return
    id_of = source.vocab.get
    for string in strings:  # in which each merge would be two tokens side by side, of one id each
        for end in range(1, len(string)):
            left = id_of(string[:end])
            if left is None:
                continue
            right = id_of(string[end:])
            if right is not None and model.merges.rank_of(left, right) is not None:
                yield string


class _Entries:
    """The vocabulary, with the entries that streaming sees for some ids."""

    def __init__(self, model: ops.Model, ids: Collection[int]) -> None:
        self.model = model
        self.shown: dict[int, str] = {}
        """The string that streaming sees: of several entries of an id, the last."""
        self.aliased: set[int] = set()
        """The ids with several entries."""
        self.rewritten: dict[int, str] = {}
        self.added: list[tuple[str, int, float]] = []
        self._rows: dict[int, int] = {}
        for row in _rows_of(model.vocab, ids):
            id_ = model.vocab.ids[row]
            if id_ in self.shown:
                self.aliased.add(id_)
            self.shown[id_] = model.vocab.tokens[row]
            self._rows[id_] = row

    def as_shown(self) -> Mapping[int, str]:
        """The string that streaming sees for each id once the model is built."""
        return {**self.shown, **self.rewritten, **{id_: text for text, id_, _ in self.added}}

    def add(self, id_: int, text: str) -> None:
        """An entry for an id that has none; its score keeps a Unigram model from ever choosing it."""
        self.added.append((text, id_, -1e6))

    def rewrite(self, id_: int, text: str) -> None:
        """Another string for an id that has one entry."""
        self.rewritten[id_] = text

    def build(self) -> ops.Model:
        """The model with these entries, holes in the ids filled.

        New entries stand behind old ones with the same string: of equal strings the engine finds the first.
        """
        model = self.model
        vocab = model.vocab
        self._fill_holes()
        scores = model.scores if isinstance(model, ops.Unigram) else array("d", bytes(8 * len(vocab)))
        moved = [(text, id_, scores[self._rows[id_]]) for id_, text in self.rewritten.items()]
        new = sorted((*self.added, *moved))
        texts, new_ids, new_scores = ([row[0] for row in new], [row[1] for row in new], [row[2] for row in new])
        steps = _steps(vocab.tokens, texts, sorted(self._rows[id_] for id_ in self.rewritten))
        ids = _put_together(array("I"), _woven(vocab.ids, new_ids, steps))
        columns = ops.Vocab(chained(_woven(vocab.tokens, texts, steps)), ids)
        if not isinstance(model, ops.Unigram):
            return replace(model, vocab=columns)
        return replace(model, vocab=columns, scores=_put_together(array("d"), _woven(scores, new_scores, steps)))

    def _fill_holes(self) -> None:
        vocab = self.model.vocab
        added = [id_ for _, id_, _ in self.added]
        top = max(max(vocab.ids, default=-1), max(added, default=-1)) + 1
        if top > len(vocab) + len(added):
            free = _free_by_numpy if isinstance(vocab.tokens, PackedTokens) else _free
            self.added += [("", hole, 0.0) for hole in free(top, vocab.ids, added)]


def _free(top: int, *columns: Iterable[int]) -> Iterable[int]:
    """The ids below ``top`` that no column holds."""
    free = bytearray(b"\1") * top  # a set of so many numbers takes four times as long
    for id_ in chain.from_iterable(columns):
        free[id_] = 0
    return compress(range(top), free)


def _free_by_numpy(top: int, *columns: Sequence[int]) -> Iterable[int]:
    import numpy as np

    free = np.ones(top, dtype=np.bool_)
    for column in columns:
        free[np.asarray(column, dtype=np.int64)] = False
    left: list[int] = np.flatnonzero(free).tolist()
    return left


def _steps(old: Sequence[str], new: Sequence[str], gone: Sequence[int]) -> list[tuple[int, int]]:
    """How sorted strings without some rows and with new ones (sorted too) stay sorted, without sorting them again.

    Returns:
        Pairs of a row before which something happens, and what: the number of the new string that goes there, or, when
        that is ``len(new)``, that the row goes.
    """
    return sorted([*((bisect_right(old, text), i) for i, text in enumerate(new)), *((row, len(new)) for row in gone)])


def _woven(column: Sequence[T], new: Sequence[T], steps: Iterable[tuple[int, int]]) -> Iterator[Sequence[T]]:
    """A column with the steps of ``_steps`` done to it, in parts."""
    start = 0
    for row, i in steps:
        yield column[start:row]
        start = row
        if i < len(new):
            yield (new[i],)
        else:
            start += 1
    yield column[start:]


def _put_together(column: array[Number], parts: Iterable[Iterable[Number]]) -> array[Number]:
    for part in parts:
        column.extend(part)
    return column
