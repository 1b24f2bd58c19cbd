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


def unreachable_entries(model: BPE) -> tuple[str, ...]:
    """Entries of a model with ignore_merges that merging their own characters does not produce.

    The tokenizers library is asked, with ignore_merges off.  An entry with a character that is no entry itself cannot
    be produced either.
    """
    from tokenizers import models

    # Given as they are: a list of all these pairs would be one copy more.
    tokens_of = models.BPE(vocab=model.vocab, merges=model.merges, ignore_merges=False).tokenize
    produced = ((token, tokens_of(token)) for token in model.vocab if len(token) > 1)
    # A single token that is made of some characters and not all of them: the others are no entries.
    return tuple([token for token, made in produced if len(made) != 1 or made[0].value != token])
