"""Merges: from pairs of strings in order of rank to sorted columns of ids."""

from __future__ import annotations

from array import array

from mtok_export.format.model import Merges
from mtok_export.source.merge_table import MergeTable
from mtok_export.source.pipeline import BPE


def lower_merges(model: BPE) -> Merges:
    """The merges sorted by ``left << 32 | right``; of a pair that stands twice the later rank counts."""
    if isinstance(model.merges, MergeTable) and model.merges.is_distinct:
        left, right, rank = model.merges.sorted_columns
        return Merges(left, right, rank)
    vocab = model.vocab
    rank_of = {(vocab[left] << 32) | vocab[right]: rank for rank, (left, right) in enumerate(model.merges)}
    keys = sorted(rank_of)
    return Merges(
        left=array("I", [key >> 32 for key in keys]),
        right=array("I", [key & 0xFFFF_FFFF for key in keys]),
        rank=array("I", map(rank_of.__getitem__, keys)),
    )
