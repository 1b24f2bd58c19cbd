"""The ``tokenizers`` library as the judge: what it accepts, and what it makes of it."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any

import tokenizers

from mtok_export.errors import SourceError
from mtok_export.source import Pipeline, load_pipeline, pipeline
from mtok_export.source.merge_table import MergeTable

TYPE_NAMES: dict[type, str] = {
    pipeline.StripNormalizer: "Strip",
    pipeline.ReplaceNormalizer: "Replace",
    pipeline.ByteLevelNormalizer: "ByteLevel",
    pipeline.NormalizerSequence: "Sequence",
    pipeline.ByteLevelPreTokenizer: "ByteLevel",
    pipeline.PreTokenizerSequence: "Sequence",
    pipeline.ByteLevelProcessing: "ByteLevel",
    pipeline.PostProcessorSequence: "Sequence",
    pipeline.ByteLevelDecoder: "ByteLevel",
    pipeline.WordPieceDecoder: "WordPiece",
    pipeline.MetaspaceDecoder: "Metaspace",
    pipeline.ReplaceDecoder: "Replace",
    pipeline.StripDecoder: "Strip",
    pipeline.DecoderSequence: "Sequence",
}
"""The classes that are not called as in the JSON."""


def load(text: bytes | str) -> tokenizers.Tokenizer | None:
    """The library's tokenizer, or ``None`` when it refuses the text (with an error or with a panic)."""
    try:
        return tokenizers.Tokenizer.from_str(text if isinstance(text, str) else text.decode())
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic in Rust is none of Python's ordinary exceptions
        return None


def written_by_library(tokenizer: tokenizers.Tokenizer) -> dict[str, Any]:
    """The library's own writing of a tokenizer: all defaults filled in."""
    written: dict[str, Any] = json.loads(tokenizer.to_str())
    return written


def written_by_us(source: Pipeline) -> dict[str, Any]:
    """A pipeline in the form in which the library would write it."""
    slots = {
        slot: _dump(getattr(source, slot)) for slot in ("normalizer", "pre_tokenizer", "post_processor", "decoder")
    }
    tokens = [{field.name: getattr(token, field.name) for field in fields(token)} for token in source.added_tokens]
    return {
        "version": "1.0",
        "truncation": None if source.truncation is None else vars(source.truncation),
        "padding": _dump_padding(source.padding),
        "added_tokens": sorted(tokens, key=lambda token: token["id"]),
        **slots,
        "model": _dump(source.model),
    }


def rounded_by_library(value: float) -> float:
    """A score as the library reads it: its JSON parser rounds twice, so that every fourth one is off by a last bit.

    The digits become an integer, that a floating point number, and that is divided by a power of ten.
    """
    digits, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = digits.partition(".")
    power = int(exponent or 0) - len(fraction)
    mantissa = float(int(whole + fraction))
    magnitude = mantissa * 10.0**power if power >= 0 else mantissa / 10.0**-power
    return math.copysign(magnitude, value)


def _dump_padding(padding: pipeline.Padding | None) -> dict[str, Any] | None:
    if padding is None:
        return None
    values = dict(vars(padding))
    fixed = values.pop("fixed")
    return {"strategy": "BatchLongest" if fixed is None else {"Fixed": fixed}, **values}


def _dump(value: Any) -> Any:
    if isinstance(value, (tuple, MergeTable)):
        return [_dump(item) for item in value]
    if isinstance(value, (pipeline.StringPattern, pipeline.RegexPattern)):
        return {"String" if isinstance(value, pipeline.StringPattern) else "Regex": value.text}
    if isinstance(value, (pipeline.TemplateSequence, pipeline.TemplateSpecialToken)):
        return {type(value).__name__.removeprefix("Template"): vars(value)}
    if isinstance(value, pipeline.Unigram):
        vocab = [[text, rounded_by_library(score)] for text, score in value.vocab]
        return {"type": "Unigram", "unk_id": value.unk_id, "vocab": vocab, "byte_fallback": value.byte_fallback}
    if isinstance(value, pipeline.TemplateProcessing):
        return {
            "type": "TemplateProcessing",
            "single": _dump(value.single),
            "pair": _dump(value.pair),
            "special_tokens": {
                token.id: {"id": token.id, "ids": list(token.ids), "tokens": list(token.tokens)}
                for token in value.special_tokens
            },
        }
    if not hasattr(value, "__dataclass_fields__"):
        return value
    members = {field.name: _dump(getattr(value, field.name)) for field in fields(value)}
    return {"type": TYPE_NAMES.get(type(value), type(value).__name__), **members}


def difference(text: bytes) -> str | None:
    """How our reading of a document differs from the library's; ``None`` when it does not.

    Both may refuse it; when both accept it, what they make of it must be the same.
    """
    theirs = load(text)
    try:
        ours, _ = load_pipeline(text, "tokenizer.json")
    except SourceError as error:
        return None if theirs is None else f"only we refuse it: {error}"
    if theirs is None:
        return f"only the library refuses it; we read {ours}"
    if written_by_us(ours) != written_by_library(theirs):
        return f"we read\n{written_by_us(ours)}\nthe library\n{written_by_library(theirs)}"
    return None
