"""Random files: everything the format can hold, whether or not an engine would like it."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import strategies as st

from mtok_export.format import MtokFile
from mtok_export.format import decoder as d
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.model import Bpe, Merges, Unigram, Vocab, WordPiece
from mtok_export.format.spec import MAX_CODE_POINT, MAX_ID, SplitBehavior
from mtok_export.format.tail import SequenceA, SpecialTokenId, Tail

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
flags = st.booleans()
ids = st.integers(0, MAX_ID)
table_entries = st.lists(st.tuples(st.integers(0, MAX_CODE_POINT), texts), max_size=4).map(tuple)


def tuples_of(records: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(records, max_size=3).map(tuple)


def columns(typecode: str, values: st.SearchStrategy[Any], size: int) -> st.SearchStrategy[Any]:
    return st.lists(values, min_size=size, max_size=size).map(lambda column: array(typecode, column))


headers = st.builds(Header, tuples_of(ids), tuples_of(ids), tuples_of(ids), flags)

normalizers = st.recursive(
    st.one_of(
        st.builds(n.NoNormalizer),
        st.builds(n.Nfkc),
        st.builds(n.Prepend, texts),
        st.builds(n.Replace, texts, texts),
        st.builds(n.Bert, flags, flags, flags, flags),
        st.builds(n.Table, table_entries),
        st.builds(n.BertTable, flags, flags, st.just(True), flags, table_entries),
        st.builds(n.BertTable, flags, flags, st.just(False), flags),
        st.builds(n.Strip, flags, flags),
    ),
    lambda records: st.builds(n.Sequence, tuples_of(records)),
    max_leaves=6,
)

pre_tokenizers = st.recursive(
    st.one_of(
        st.builds(p.NoPreTokenizer),
        st.builds(p.ByteLevel, flags),
        st.builds(p.Digits, flags),
        st.builds(p.Metaspace, texts, flags),
        st.builds(p.Split, texts, flags, st.sampled_from(SplitBehavior)),
        st.builds(p.Bert),
    ),
    lambda records: st.builds(p.Sequence, tuples_of(records)),
    max_leaves=6,
)

decoders = st.recursive(
    st.one_of(
        st.builds(d.ByteLevel),
        st.builds(d.ByteFallback),
        st.builds(d.Metaspace, texts, flags),
        st.builds(d.WordPiece, texts, flags),
        st.builds(d.Fuse),
        st.builds(d.Replace, texts, texts),
        st.builds(d.Strip, texts, ids, ids),
    ),
    lambda records: st.builds(d.Sequence, tuples_of(records)),
    max_leaves=6,
)


@st.composite
def vocabs(draw: st.DrawFn) -> Vocab:
    tokens = draw(st.lists(texts, max_size=8))
    return Vocab(tuple(tokens), draw(columns("I", ids, len(tokens))))


@st.composite
def merges(draw: st.DrawFn) -> Merges:
    size = draw(st.integers(0, 8))
    return Merges(*(draw(columns("I", ids, size)) for _ in range(3)))


@st.composite
def unigrams(draw: st.DrawFn) -> Unigram:
    vocab = draw(vocabs())
    scores = draw(columns("d", st.floats(allow_nan=False), len(vocab)))
    return Unigram(vocab, scores, draw(ids), draw(flags))


models = st.one_of(
    st.builds(Bpe, vocabs(), merges(), flags, flags),
    st.builds(WordPiece, vocabs(), texts, texts, ids),
    unigrams(),
)

added_tokens = tuples_of(st.builds(AddedToken, ids, flags, flags, flags, texts))


@st.composite
def tails(draw: st.DrawFn) -> Tail:
    steps = st.one_of(st.builds(SequenceA), st.builds(SpecialTokenId, ids))
    fields = [texts, texts, st.integers(0, 255), texts, tuples_of(steps), st.binary(max_size=3)]
    there = draw(st.integers(0, len(fields)))
    values: list[Any] = [draw(field) for field in fields[:there]]
    missing = [None] * (len(fields) - 1 - there)
    return Tail(*values, *missing)


files = st.builds(MtokFile, headers, normalizers, pre_tokenizers, models, decoders, added_tokens, tails())
