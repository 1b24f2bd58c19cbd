"""Entries of the vocabulary that make added tokens stream as they should.

Streaming looks at the vocabulary entry of an id and at nothing else, and added tokens are found by their content, not
by their entry.  So the entry is free to say what streaming shows: nothing for special tokens, the content for others,
in the byte alphabet where the file is byte-level.  A special token that streams to nothing is also left out of the
engine's first, slow and greedy search, and its ``lstrip`` and ``rstrip`` are honoured.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from mtok_export.byte_alphabet import CHAR_TO_BYTE, to_chars
from mtok_export.format import decoder as decoder_ops
from mtok_export.format import model as ops
from mtok_export.lowering.decoder import leaves
from mtok_export.source.merge_table import Merge, MergeTable
from mtok_export.source.pipeline import BPE, AddedToken, Pipeline

T = TypeVar("T")


def show_added_tokens(model: ops.Model, decoder: decoder_ops.Decoder, pipeline: Pipeline) -> ops.Model:
    """The model with entries that stream as they should; ids and what the model finds in a text stay as they are."""
    kinds = tuple(leaves(decoder))
    if any(isinstance(kind, decoder_ops.WordPiece) for kind in kinds):
        return model  # an empty entry streams as a space there, and would be found at every space of a text
    byte_level = any(isinstance(kind, decoder_ops.ByteLevel) for kind in kinds)
    wanted = {token.id: _wanted(token, byte_level) for token in pipeline.added_tokens if token.content}
    entries = _Entries(model, wanted)
    changing = {id_: text for id_, text in wanted.items() if entries.shown.get(id_) != text}
    if not changing:
        return model
    needed = _needed({entries.shown[id_] for id_ in changing if id_ in entries.shown}, model, pipeline)
    for id_, text in sorted(changing.items()):
        old = entries.shown.get(id_)
        if old is None:
            if text:
                entries.add(id_, text)
        elif old not in needed and id_ not in entries.aliased:
            entries.rewrite(id_, text)
    return entries.build()


def _wanted(token: AddedToken, byte_level: bool) -> str:
    if token.special:
        return ""
    if byte_level and not CHAR_TO_BYTE.keys() >= set(token.content):
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
    found.update(left + right for left, right in _merges_into(merged, pipeline.model))
    return frozenset(found)


def _merges_into(strings: frozenset[str], model: BPE) -> Iterator[Merge]:
    """The merges whose result is one of some strings."""
    merges: Iterable[Merge] = model.merges
    if isinstance(model.merges, MergeTable):  # then most of them need not be made into strings to be left out
        starts = {string[:end] for string in strings for end in range(1, len(string))}
        first = frozenset(model.vocab[start] for start in starts if start in model.vocab)
        merges = map(model.merges.__getitem__, [i for i, id_ in enumerate(model.merges.left) if id_ in first])
    return (merge for merge in merges if "".join(merge) in strings)


class _Entries:
    """The vocabulary, with the entries that streaming sees for some ids."""

    def __init__(self, model: ops.Model, wanted: Container[int]) -> None:
        self.model = model
        self.shown: dict[int, str] = {}
        """The string that streaming sees: of several entries of an id, the last."""
        self.aliased: set[int] = set()
        """The ids with several entries."""
        self.rewritten: dict[int, str] = {}
        self.added: list[tuple[str, int, float]] = []
        self._rows: dict[int, int] = {}
        for row, id_ in enumerate(model.vocab.ids):
            if id_ in wanted:
                if id_ in self.shown:
                    self.aliased.add(id_)
                self.shown[id_] = model.vocab.tokens[row]
                self._rows[id_] = row

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
        steps = _steps(vocab.tokens, [text for text, _, _ in new], sorted(self._rows[id_] for id_ in self.rewritten))
        columns = ops.Vocab(
            tuple(_woven(vocab.tokens, [text for text, _, _ in new], steps)),
            array("I", _woven(vocab.ids, [id_ for _, id_, _ in new], steps)),
        )
        if not isinstance(model, ops.Unigram):
            return replace(model, vocab=columns)
        woven = _woven(scores, [score for _, _, score in new], steps)
        return replace(model, vocab=columns, scores=array("d", woven))

    def _fill_holes(self) -> None:
        ids = self.model.vocab.ids
        top = max(max(ids, default=-1), max((id_ for _, id_, _ in self.added), default=-1)) + 1
        if top > len(ids) + len(self.added):
            used = {*ids, *(id_ for _, id_, _ in self.added)}
            self.added += [("", hole, 0.0) for hole in range(top) if hole not in used]


def _steps(old: Sequence[str], new: Sequence[str], gone: Sequence[int]) -> list[tuple[int, int]]:
    """How sorted strings without some rows and with new ones (sorted too) stay sorted, without sorting them again.

    Returns:
        Pairs of a row before which something happens, and what: the number of the new string that goes there, or, when
        that is ``len(new)``, that the row goes.
    """
    return sorted([*((bisect_right(old, text), i) for i, text in enumerate(new)), *((row, len(new)) for row in gone)])


def _woven(column: Sequence[T], new: Sequence[T], steps: Iterable[tuple[int, int]]) -> list[T]:
    """A column with the steps of ``_steps`` done to it."""
    result: list[T] = []
    start = 0
    for row, i in steps:
        result += column[start:row]
        start = row
        if i < len(new):
            result.append(new[i])
        else:
            start += 1
    result += column[start:]
    return result
