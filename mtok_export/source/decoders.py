"""The decoders of ``tokenizer.json``."""

from __future__ import annotations

from collections.abc import Mapping

from mtok_export.source.components import Rule, load_component, rule
from mtok_export.source.json_values import U64_MAX, JsonObject
from mtok_export.source.pipeline import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    Decoder,
    DecoderSequence,
    Fuse,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
    WordPieceDecoder,
)
from mtok_export.source.shared_parts import (
    BYTE_LEVEL_FIELDS,
    METASPACE_FIELDS,
    load_byte_level,
    load_metaspace,
    load_pattern,
)


def load_decoder(source: JsonObject) -> Decoder:
    """Read one decoder; raises ``SourceError``."""
    return load_component(source, DECODERS, "decoder")


def _word_piece(source: JsonObject) -> Decoder:
    return WordPieceDecoder(source.string("prefix"), source.boolean("cleanup"))


def _ctc(source: JsonObject) -> Decoder:
    return CTC(source.string("pad_token"), source.string("word_delimiter_token"), source.boolean("cleanup"))


def _replace(source: JsonObject) -> Decoder:
    return ReplaceDecoder(load_pattern(source), source.string("content"))


def _strip(source: JsonObject) -> Decoder:
    start, stop = source.unsigned("start", limit=U64_MAX), source.unsigned("stop", limit=U64_MAX)
    return StripDecoder(source.character("content"), start, stop)


def _sequence(source: JsonObject) -> Decoder:
    return DecoderSequence(tuple([load_decoder(item) for item in source.objects("decoders")]))


DECODERS: Mapping[str, Rule[Decoder]] = {
    "BPEDecoder": rule(lambda source: BPEDecoder(source.string("suffix")), "suffix"),
    "ByteLevel": rule(lambda source: ByteLevelDecoder(*load_byte_level(source)), *BYTE_LEVEL_FIELDS),
    "WordPiece": rule(_word_piece, "prefix", "cleanup"),
    "Metaspace": rule(lambda source: MetaspaceDecoder(*load_metaspace(source)), *METASPACE_FIELDS),
    "CTC": rule(_ctc, "pad_token", "word_delimiter_token", "cleanup"),
    "Sequence": rule(_sequence, "decoders"),
    "Replace": rule(_replace, "pattern", "content"),
    "Fuse": rule(lambda _: Fuse()),
    "Strip": rule(_strip, "content", "start", "stop"),
    "ByteFallback": rule(lambda _: ByteFallback()),
}
