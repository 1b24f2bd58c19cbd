"""Entries for added tokens, on hand-made models."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace

import pytest

from mtok_export.format import decoder as decoder_ops
from mtok_export.format import model as ops
from mtok_export.lowering.merges import lower_merges
from mtok_export.lowering.shown import entries_of, show_added_tokens
from mtok_export.source.documents import bpe, document
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.pipeline import BPE, AddedToken, Pipeline
from mtok_export.source.tokenizer_json import load_pipeline

VOCAB = {"a": 0, "b": 1, "ab": 2, "c": 3, "abc": 4, "bc": 5, "<x>": 6, "<y>": 7}
MERGES = (("a", "b"), ("b", "c"), ("ab", "c"))


def added(id_: int, content: str, *, special: bool = True) -> AddedToken:
    return AddedToken(id_, content, special=special, single_word=False, lstrip=False, rstrip=False, normalized=False)


def pipeline_of(*tokens: AddedToken, as_pairs: bool = False) -> Pipeline:
    text = json.dumps(document(bpe(VOCAB, MERGES)))
    pipeline, _ = load_pipeline(text.encode(), "tokenizer.json")
    assert isinstance(pipeline.model, BPE) and isinstance(pipeline.model.merges, MergeTable)
    model = replace(pipeline.model, merges=MERGES) if as_pairs else pipeline.model
    return replace(pipeline, model=model, added_tokens=tokens)


def shown(pipeline: Pipeline) -> dict[str, int]:
    """The entries after ``show_added_tokens``, those with a text."""
    assert isinstance(pipeline.model, BPE)
    tokens = sorted(VOCAB)
    vocab = ops.Vocab(tuple(tokens), array("I", [VOCAB[token] for token in tokens]))
    model = ops.Bpe(vocab, lower_merges(pipeline.model), byte_fallback=False, byte_level=False)
    made, entries = show_added_tokens(model, decoder_ops.Fuse(), pipeline)
    assert list(made.vocab.tokens) == sorted(made.vocab.tokens)
    assert sorted(made.vocab.ids) == list(range(len(made.vocab)))
    ids = {token.id for token in pipeline.added_tokens}
    assert {id_: entries[id_] for id_ in ids} == entries_of(made.vocab, ids)
    return {token: id_ for token, id_ in zip(made.vocab.tokens, made.vocab.ids, strict=True) if token}


@pytest.mark.parametrize("as_pairs", [False, True])
def test_what_merges_need_stays(as_pairs: bool) -> None:
    kept = [added(VOCAB[content], content) for content in ("a", "ab", "abc", "bc")]
    assert shown(pipeline_of(*kept, as_pairs=as_pairs)) == VOCAB
    gone = [added(6, "<x>"), added(7, "<y>")]
    found = shown(pipeline_of(*kept, *gone, as_pairs=as_pairs))
    assert found == {token: id_ for token, id_ in VOCAB.items() if "<" not in token}


def test_another_text_and_new_ids() -> None:
    tokens = (added(6, "<z>", special=False), added(9, "<w>", special=False), added(11, "<v>", special=False))
    old = {token: id_ for token, id_ in VOCAB.items() if id_ != 6}
    assert shown(pipeline_of(*tokens)) == {**old, "<z>": 6, "<w>": 9, "<v>": 11}
