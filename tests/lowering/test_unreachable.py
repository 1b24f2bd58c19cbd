from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.lowering.unreachable import _asked, unreachable_entries
from mtok_export.source.json_values import JsonObject
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.models import load_model
from mtok_export.source.pipeline import BPE

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


def test_ids_far_beyond() -> None:
    far = model(["ab", "abc", "cabba"], 0, stride=4_000_000)
    assert unreachable_entries(far) == ("cabba",)


def test_what_no_merge_makes() -> None:
    assert unreachable_entries(model(["ab", "cabba"], 0)) == ("cabba",)
    assert unreachable_entries(model([], 0)) == ()
