"""Differences between two segmentations by a Unigram model: ties, the unknown token, and everything else."""

from __future__ import annotations

import pytest

from mtok_export.report import Effect
from mtok_export.source.pipeline import Unigram, WordLevel
from mtok_export.verify.segmentations import ids_effect

VOCAB = (("<unk>", 0.0), ("a", -1.0), ("aa", -1.5), ("b", -3.0), ("ab", -4.0), ("ba", -4.1))
UNK, A, AA, B, AB, BA = range(len(VOCAB))


@pytest.mark.parametrize(
    ("right", "found", "effect"),
    [
        ([A, AA], [AA, A], Effect.SAME_SCORE),
        ([B, A, AA, B], [B, AA, A, B], Effect.SAME_SCORE),
        ([A, AA, UNK, AA, A], [AA, A, UNK, A, AA], Effect.SAME_SCORE),
        ([A, B], [AB], Effect.SAME_SCORE),
        ([B, A], [BA], None),  # the same text at another score
        ([A, B], [B, A], None),  # the same score, but another text
        ([UNK, B], [A, B], Effect.UNKNOWN),
        ([UNK, B], [AB], Effect.UNKNOWN),
        ([UNK, A], [AB], None),  # the unknown token cannot stand for a part of "ab" in front of "a"
        ([AA], [], None),
    ],
)
def test_what_differs_has_its_name(right: list[int], found: list[int], effect: Effect | None) -> None:
    assert ids_effect(Unigram(VOCAB, unk_id=UNK, byte_fallback=False))(right, found) is effect


def test_only_unigram_models_have_such_differences() -> None:
    assert ids_effect(WordLevel({"a": 0}, unk_token="a"))([0], [1]) is None
