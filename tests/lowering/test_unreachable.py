from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.lowering.unreachable import _asked, unreachable_entries
from mtok_export.source.json_values import JsonObject
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.models import load_model
from mtok_export.source.pipeline import BPE

module = importlib.import_module("mtok_export.lowering.unreachable")


@pytest.fixture(autouse=True, scope="module", params=[(0, 1), (0, 20), (1 << 30, 20)], ids=str)
def bounds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whether merges of one length are taken in rows or one by one, and a table of few ranks or of many."""
    few, bits = request.param
    with mock.patch.multiple(module, _FEW=few, _FILTER_BITS=bits):
        yield


WORDS = st.lists(st.text("abc", min_size=2, max_size=9), unique=True, max_size=14)


def model(words: list[str], seed: int, *, stride: int = 1, orderly: bool = False) -> BPE:
    """All merges between some words and letters: in any order, or in that of the words' ids, as of tiktoken's ranks."""
    numbers = random.Random(seed)
    tokens = ["a", "b", "c", *words]
    vocab = {token: id_ * stride for id_, token in enumerate(tokens)}
    merges = [
        [word[:at], word[at:]] for word in words for at in range(1, len(word)) if {word[:at], word[at:]} <= vocab.keys()
    ]
    if not orderly:
        numbers.shuffle(merges)
    return loaded(vocab, merges)


def loaded(vocab: dict[str, int], merges: list[list[str]]) -> BPE:
    source = {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": True}
    found, _ = load_model(JsonObject(source, ("model",)), b"", [])
    assert isinstance(found, BPE)
    return found


@given(WORDS, st.integers(0, 1 << 16), st.sampled_from((1, 3)), st.booleans())
def test_the_library_produces_the_others(words: list[str], seed: int, stride: int, orderly: bool) -> None:
    bpe = model(words, seed, stride=stride, orderly=orderly)
    assert isinstance(bpe.merges, MergeTable)
    assert unreachable_entries(bpe) == _asked(bpe)


@pytest.mark.parametrize("seed", range(4))
def test_runs_and_large_vocabularies(seed: int) -> None:
    """Equal pairs overlap in runs of one letter, where the leftmost comes first."""
    numbers = random.Random(seed)
    words = {"".join(numbers.choices("ab", k=numbers.randint(2, 7))) for _ in range(60)}
    words |= {"a" * length for length in (2, 3, 4, 6, 8, 12, 16)}
    ordered = sorted(words)
    numbers.shuffle(ordered)
    bpe = model(ordered, seed, orderly=seed % 2 == 0)
    lost = unreachable_entries(bpe)
    assert lost == _asked(bpe)
    assert lost


MODELS = {
    "used at the left": ("a a,aa aa", ""),
    "as early at the right": ("a a,b b,aa b,a aab", "aaab"),
    "as late as the left": ("b c,c b,cb cb", "cbcb"),
    "found by halving": ("aa a,a a,a aa,aaa aaa", ""),
    "another right part": ("a c,a ac", ""),
    "made at once": ("aa a,a a,aaa a,aa aa,aaaa aaaa,a aa,a aaa", "aaaaaaaa"),
    "made before its right part": ("aa aa,b ab,a b,ab aa,a a,bab b,aa bab,aa bbb", "aabab"),
    "the other way round": ("b a,a b,ab ab", "abab"),
    "made before its left part": ("aaaa a,a aaaa,aa aaaaa,a a,aaaaa aa,aa aa", "aaaaaaa"),
    "made later at the right": ("a aa,a a,aa a,aa aaa,aaa aa", ""),
    "not made in order": ("a aa,aa a,b a,ba aaa,a a", ""),
}
"""Merges in order of rank that one wrong comparison would misjudge, and what they do not produce, if anything."""


@pytest.mark.parametrize("name", MODELS)
def test_each_comparison_counts(name: str) -> None:
    listed, lost = MODELS[name]
    merges = [merge.split(" ") for merge in listed.split(",")]
    tokens = dict.fromkeys(("a", "b", "c", *(part for merge in merges for part in (*merge, "".join(merge)))))
    bpe = loaded({token: id_ for id_, token in enumerate(tokens)}, merges)
    assert unreachable_entries(bpe) == _asked(bpe)
    assert not lost or lost in unreachable_entries(bpe)


def test_ids_far_beyond() -> None:
    far = model(["ab", "abc", "cabba"], 0, stride=4_000_000)
    assert unreachable_entries(far) == ("cabba",)


def test_what_no_merge_makes() -> None:
    assert unreachable_entries(model(["ab", "cabba"], 0)) == ("cabba",)
    assert unreachable_entries(model([], 0)) == ()
