"""How a pipeline decodes, against what the engine makes of its rows."""

from __future__ import annotations

from mtok_export.byte_alphabet import is_spelled, to_bytes
from mtok_export.legacy.components import decoders
from mtok_export.legacy.losses import SHOWN, WHOLE, Losses, Part, only
from mtok_export.legacy.spec import META
from mtok_export.report import Effect
from mtok_export.source.pipeline import (
    BPE,
    ByteFallback,
    ByteLevelDecoder,
    Decoder,
    Fuse,
    MetaspaceDecoder,
    Pipeline,
    ReplaceDecoder,
    StringPattern,
    StripDecoder,
)
from mtok_export.source.settings import Source

_TO_SPACE = ReplaceDecoder(StringPattern(META), " ")


def limit_decoder(pipeline: Pipeline, losses: Losses, *, byte_level: bool) -> None:
    """Name what the engine's decoding leaves out, the dummy prefix apart.

    Args:
        pipeline: the pipeline.
        losses: gets the limits.
        byte_level: whether rows stand for bytes, and not for text with U+2581.
    """
    known = _is_bytes if byte_level else _is_spaces
    for part, decoder in decoders(pipeline):
        if known(decoder):
            losses.became(part, "what the engine does with every row")
        else:
            losses.limit(part, "the engine has nothing like it for text files: it is left out", aspects=SHOWN)
            losses.became(part, "nothing")
        if isinstance(decoder, ByteLevelDecoder):
            _limit_read_as_bytes(pipeline, part, losses)
    if pipeline.decoder is None:
        none = Part("$.decoder", "none")
        losses.limit(none, "tokenizers puts a space between all tokens, the engine joins them", aspects=SHOWN)


def _limit_read_as_bytes(pipeline: Pipeline, part: Part, losses: Losses) -> None:
    """Name the added tokens whose characters tokenizers takes for bytes in decoding."""
    contents = [token.content for token in pipeline.added_tokens]
    odd = [text for text in contents if is_spelled(text) and to_bytes(text) != text.encode("utf-8")]
    if odd:
        losses.limit(
            part,
            f"the engine shows {len(odd):,} added tokens as they are, tokenizers takes their characters for bytes",
            example=odd[0],
            aspects=SHOWN,
            characters=only(text[0] for text in odd),
        )


def limit_leading_space(pipeline: Pipeline, losses: Losses) -> None:
    """Name the space that the engine keeps in front of a text, where the pipeline drops it."""
    for part, decoder in decoders(pipeline):
        if _drops_prefix(decoder):
            losses.limit(
                part,
                "the engine keeps the space in front of a text",
                example="a",
                aspects=SHOWN,
                effect=Effect.LEADING_SPACE,
            )


def limit_clean_up(source: Source, losses: Losses) -> None:
    """Name the tidying that transformers does with decoded text, but never with that of a BPE model."""
    if source.settings.clean_up_tokenization_spaces and not isinstance(source.pipeline.model, BPE):
        part = Part("tokenizer_config.json: $.clean_up_tokenization_spaces", "clean-up")
        losses.limit(part, "the engine does not tidy what a text file decodes to", example="a .", aspects=WHOLE)


def _is_bytes(decoder: Decoder) -> bool:
    return isinstance(decoder, (ByteLevelDecoder, Fuse))


def _is_spaces(decoder: Decoder) -> bool:
    if isinstance(decoder, MetaspaceDecoder):
        return decoder.replacement == META
    return decoder == _TO_SPACE or isinstance(decoder, (ByteFallback, Fuse)) or _drops_prefix(decoder)


def _drops_prefix(decoder: Decoder) -> bool:
    if isinstance(decoder, MetaspaceDecoder):
        return decoder.prepend_scheme != "never"
    return isinstance(decoder, StripDecoder) and decoder.content == " " and decoder.start == 1 and not decoder.stop
