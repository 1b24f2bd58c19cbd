"""What a pipeline does to a text before its model sees it, as far as the text formats care."""

from __future__ import annotations

from collections.abc import Iterator

from mtok_export.legacy.losses import Part
from mtok_export.source.pipeline import (
    ByteLevelNormalizer,
    ByteLevelPreTokenizer,
    Decoder,
    DecoderSequence,
    Normalizer,
    NormalizerSequence,
    Pipeline,
    PreTokenizer,
    PreTokenizerSequence,
)


def normalizers(pipeline: Pipeline) -> tuple[tuple[Part, Normalizer], ...]:
    """The normalizers in the order in which they run, sequences opened."""
    return tuple(_normalizers(pipeline.normalizer, "$.normalizer"))


def _normalizers(normalizer: Normalizer | None, path: str) -> Iterator[tuple[Part, Normalizer]]:
    if isinstance(normalizer, NormalizerSequence):
        for index, child in enumerate(normalizer.normalizers):
            yield from _normalizers(child, f"{path}.normalizers[{index}]")
    elif normalizer is not None:
        yield Part(path, type(normalizer).__name__), normalizer


def pre_tokenizers(pipeline: Pipeline) -> tuple[tuple[Part, PreTokenizer], ...]:
    """The pre-tokenizers in the order in which they run, sequences opened."""
    return tuple(_pre_tokenizers(pipeline.pre_tokenizer, "$.pre_tokenizer"))


def _pre_tokenizers(pre_tokenizer: PreTokenizer | None, path: str) -> Iterator[tuple[Part, PreTokenizer]]:
    if isinstance(pre_tokenizer, PreTokenizerSequence):
        for index, child in enumerate(pre_tokenizer.pretokenizers):
            yield from _pre_tokenizers(child, f"{path}.pretokenizers[{index}]")
    elif pre_tokenizer is not None:
        yield Part(path, type(pre_tokenizer).__name__), pre_tokenizer


def decoders(pipeline: Pipeline) -> tuple[tuple[Part, Decoder], ...]:
    """The decoders in the order in which they run, sequences opened."""
    return tuple(_decoders(pipeline.decoder, "$.decoder"))


def _decoders(decoder: Decoder | None, path: str) -> Iterator[tuple[Part, Decoder]]:
    if isinstance(decoder, DecoderSequence):
        for index, child in enumerate(decoder.decoders):
            yield from _decoders(child, f"{path}.decoders[{index}]")
    elif decoder is not None:
        yield Part(path, type(decoder).__name__), decoder


def is_byte_level(pipeline: Pipeline) -> bool:
    """Whether the model sees bytes as characters of the byte alphabet."""
    parts = (*normalizers(pipeline), *pre_tokenizers(pipeline))
    return any(isinstance(part, (ByteLevelNormalizer, ByteLevelPreTokenizer)) for _, part in parts)
