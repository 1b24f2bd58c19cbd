"""The ByteLevel normalizer: the engine maps bytes in its pre-tokenizer alone."""

from __future__ import annotations

from dataclasses import replace

from mtok_export.source.pipeline import (
    ByteLevelNormalizer,
    ByteLevelPreTokenizer,
    Normalizer,
    NormalizerSequence,
    Pipeline,
)

_BYTES = ByteLevelPreTokenizer(add_prefix_space=False, trim_offsets=False, use_regex=False)


def move_byte_level(pipeline: Pipeline) -> Pipeline:
    """A final ByteLevel normalizer made a pre-tokenizer, where none follows that would see the difference."""
    normalizer = pipeline.normalizer
    if pipeline.pre_tokenizer is not None:
        return pipeline
    if isinstance(normalizer, ByteLevelNormalizer):
        return replace(pipeline, normalizer=None, pre_tokenizer=_BYTES)
    if isinstance(normalizer, NormalizerSequence) and isinstance(_last(normalizer), ByteLevelNormalizer):
        return replace(pipeline, normalizer=NormalizerSequence(normalizer.normalizers[:-1]), pre_tokenizer=_BYTES)
    return pipeline


def _last(sequence: NormalizerSequence) -> Normalizer | None:
    return sequence.normalizers[-1] if sequence.normalizers else None
