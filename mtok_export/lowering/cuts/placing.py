"""Where cuts go: between what a file does to a text anyhow and what its model sees.

The cuts are made while spaces are still spaces.  Where the normalizer ends by replacing them, as in Llama 2, that is
left to a Metaspace op behind the cuts, which replaces the same spaces by the same character.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mtok_export.format import model as models
from mtok_export.format import normalizer as normalizers
from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.added_tokens import AddedToken
from mtok_export.lowering.cuts.added_runs import searched
from mtok_export.lowering.cuts.east_asian import east_asian_splits
from mtok_export.lowering.cuts.folded import Relation, relation_of
from mtok_export.lowering.cuts.joints import Joints, joints_of
from mtok_export.lowering.cuts.pattern import coarse, cutting_split, isolating_split
from mtok_export.lowering.cuts.spelled_tokens import Taught, teach
from mtok_export.lowering.findings import Place
from mtok_export.lowering.regex.fold import EVERYTHING
from mtok_export.records import dataclass

Normalizers = tuple[normalizers.Normalizer, ...]
PreTokenizers = tuple[ops.PreTokenizer, ...]


@dataclass(frozen=True)
class Front:
    """The model, and the sections that come before it."""

    normalizer: normalizers.Normalizer
    pre_tokenizer: ops.PreTokenizer
    model: models.Model
    added_tokens: tuple[AddedToken, ...]


def cut_apart(front: Front, place: Place) -> Front:
    """Sections that give the model shorter pieces, and search for fewer tokens, and give every text the same ids.

    Args:
        front: the sections as they were lowered.
        place: where to say what was done.

    Returns:
        The sections; as they were where the model is none of BPE, or where other pre-tokenizers split for it.
    """
    model = front.model
    records = _flat(front.pre_tokenizer)
    joints = joints_of(model) if isinstance(model, models.Bpe) and _has_gap(records) else None
    if joints is None or not isinstance(model, models.Bpe):
        return front
    steps = _steps(front.normalizer)
    gap = _gap(steps, records)
    relation = coarse(relation_of(joints, gap.replacement))
    tokens = searched(front.added_tokens, model, joints, steps, records)
    taught = teach(tokens, model, relation, steps, records)
    splits = _splits(joints, relation, gap.replacement, taught)
    if splits:
        place.became("Split where no merge crosses")
        front = replace(front, normalizer=_normalizer(gap.normalizers), pre_tokenizer=_pre_tokenizer(gap, splits))
    if len(tokens) < len(front.added_tokens):
        left_out = len(front.added_tokens) - len(tokens)
        place.became(f"{left_out:,} added tokens, runs of one character, left to the merges, which yield them too")
    if taught is None:
        return replace(front, added_tokens=tokens)
    place.became(f"{len(tokens) - len(taught.searched):,} added tokens as pieces, and merges for them")
    return replace(front, added_tokens=taught.searched, model=taught.model)


def _splits(
    joints: Joints, relation: Relation, replacement: str | None, taught: Taught | None
) -> tuple[ops.Split, ...]:
    """The records that cut; none where they would cut nowhere."""
    if all(row == EVERYTHING for row in relation):
        return ()
    whole = () if taught is None else taught.pieces
    tokens = (isolating_split(whole),) if whole else ()
    # The wide matcher goes before the other: each run of it has its price, so it had better see the text as a whole.
    return (*tokens, *east_asian_splits(joints, replacement), cutting_split(relation, whole))


@dataclass(frozen=True)
class _Gap:
    """What stands in front of the cuts, and what the model sees for a space (``None``: a space)."""

    normalizers: Normalizers
    before: PreTokenizers
    replacement: str | None


def _has_gap(records: PreTokenizers) -> bool:
    """Whether nothing splits before the model, but for a Metaspace at the end."""
    return not records or (isinstance(records[-1], ops.Metaspace) and len(records[-1].replacement) == 1)


def _gap(steps: Normalizers, records: PreTokenizers) -> _Gap:
    if not records:
        return _behind_normalizer(steps)
    *before, last = records
    assert isinstance(last, ops.Metaspace), "as _has_gap sees to"
    leading = (ops.Metaspace(" ", add_prefix_space=True),) if last.add_prefix_space else ()
    return _Gap(steps, (*before, *leading), last.replacement)


def _behind_normalizer(steps: Normalizers) -> _Gap:
    """Take the last replacement of spaces out of the normalizer, with nothing but Prepends behind it."""
    at = len(steps)
    while at and isinstance(steps[at - 1], normalizers.Prepend):
        at -= 1
    spaces = steps[at - 1] if at else None
    if not isinstance(spaces, normalizers.Replace) or spaces.pattern != " " or len(spaces.content) != 1:
        return _Gap(steps, (), None)
    prepends = steps[at:]
    if any(" " in step.prepend for step in prepends if isinstance(step, normalizers.Prepend)):
        return _Gap(steps, (), None)
    rest = (*steps[: at - 1], *prepends)
    return _Gap(tuple(_with_spaces(step, spaces.content) for step in rest), (), spaces.content)


def _with_spaces(step: normalizers.Normalizer, replacement: str) -> normalizers.Normalizer:
    """A Prepend of what spaces become may as well put a space there, to be cut off as other spaces are."""
    if isinstance(step, normalizers.Prepend) and step.prepend == replacement:
        return normalizers.Prepend(" ")
    return step


def _steps(normalizer: normalizers.Normalizer) -> Normalizers:
    if isinstance(normalizer, normalizers.Sequence):
        return tuple(step for child in normalizer.normalizers for step in _steps(child))
    return () if isinstance(normalizer, normalizers.NoNormalizer) else (normalizer,)


def _flat(pre_tokenizer: ops.PreTokenizer) -> PreTokenizers:
    if isinstance(pre_tokenizer, ops.Sequence):
        return tuple(record for child in pre_tokenizer.pre_tokenizers for record in _flat(child))
    return () if isinstance(pre_tokenizer, ops.NoPreTokenizer) else (pre_tokenizer,)


def _normalizer(steps: Sequence[normalizers.Normalizer]) -> normalizers.Normalizer:
    if not steps:
        return normalizers.NoNormalizer()
    return steps[0] if len(steps) == 1 else normalizers.Sequence(tuple(steps))


def _pre_tokenizer(gap: _Gap, splits: Iterable[ops.Split]) -> ops.PreTokenizer:
    after = () if gap.replacement is None else (ops.Metaspace(gap.replacement, add_prefix_space=False),)
    records = (*gap.before, *splits, *after)
    return records[0] if len(records) == 1 else ops.Sequence(records)
