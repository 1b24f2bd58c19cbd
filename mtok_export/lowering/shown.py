"""Entries of the vocabulary that make added tokens stream as they should.

Streaming looks at the vocabulary entry of an id and at nothing else, and added tokens are found by their content, not
by their entry.  So the entry is free to say what streaming shows: nothing for special tokens, the content for others,
in the byte alphabet where the file is byte-level.  A special token that streams to nothing is also left out of the
engine's first, slow and greedy search, and its ``lstrip`` and ``rstrip`` are honoured.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mtok_export.byte_alphabet import CHAR_TO_BYTE, to_chars
from mtok_export.format import decoder as decoder_ops
from mtok_export.format import model as ops
from mtok_export.lowering.decoder import leaves
from mtok_export.source.pipeline import BPE, AddedToken, Pipeline

Row = tuple[str, bool, int, float]
"""An entry: its string, whether it was put in here (of equal strings the engine finds the first), its id, its score."""


def show_added_tokens(model: ops.Model, decoder: decoder_ops.Decoder, pipeline: Pipeline) -> ops.Model:
    """The model with entries that stream as they should; ids and what the model finds in a text stay as they are."""
    kinds = tuple(leaves(decoder))
    if any(isinstance(kind, decoder_ops.WordPiece) for kind in kinds):
        return model  # an empty entry streams as a space there, and would be found at every space of a text
    byte_level = any(isinstance(kind, decoder_ops.ByteLevel) for kind in kinds)
    entries = _Entries.of(model)
    wanted = {token.id: _wanted(token, byte_level) for token in pipeline.added_tokens if token.content}
    changing = {id_: text for id_, text in wanted.items() if entries.by_id.get(id_) != text}
    if not changing:
        return model
    needed = _needed({entries.by_id[id_] for id_ in changing if id_ in entries.by_id}, model, pipeline)
    for id_, text in sorted(changing.items()):
        old = entries.by_id.get(id_)
        if old is None:
            if text:
                entries.add(id_, text)
        elif old not in needed and old not in entries.aliased:
            entries.rewrite(id_, text)
    return entries.build(model)


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
    if merged:
        found.update(left + right for left, right in pipeline.model.merges if left + right in merged)
    return frozenset(found)


@dataclass
class _Entries:
    """The vocabulary as rows, with the entry that streaming sees for each id."""

    rows: list[Row]
    by_id: dict[int, str]
    aliased: frozenset[str]
    rewritten: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, model: ops.Model) -> _Entries:
        vocab = model.vocab
        scores = model.scores if isinstance(model, ops.Unigram) else [0.0] * len(vocab)
        rows = [(token, False, id_, score) for token, id_, score in zip(vocab.tokens, vocab.ids, scores, strict=True)]
        by_id: dict[int, str] = {}
        aliased = set()
        for token, _, id_, _ in rows:
            if id_ in by_id:
                aliased.add(token)
            by_id[id_] = token
        return cls(rows, by_id, frozenset(aliased))

    def add(self, id_: int, text: str) -> None:
        """An entry for an id that has none; its score keeps a Unigram model from ever choosing it."""
        self.rows.append((text, True, id_, -1e6))
        self.by_id[id_] = text

    def rewrite(self, id_: int, text: str) -> None:
        """Another string for an id."""
        self.rewritten[id_] = text
        self.by_id[id_] = text

    def build(self, model: ops.Model) -> ops.Model:
        """The model with these entries, holes in the ids filled."""
        top = max(self.by_id, default=-1) + 1
        if top > len(self.rows):
            self.rows += [("", True, hole, 0.0) for hole in range(top) if hole not in self.by_id]
        again = self.rewritten
        self.rows = [
            (again[id_], True, id_, score) if id_ in again else (token, new, id_, score)
            for token, new, id_, score in self.rows
        ]
        self.rows.sort(key=lambda row: row[:3])
        vocab = ops.Vocab(tuple(row[0] for row in self.rows), array("I", [row[2] for row in self.rows]))
        if isinstance(model, ops.Unigram):
            return replace(model, vocab=vocab, scores=array("d", [row[3] for row in self.rows]))
        return replace(model, vocab=vocab)
