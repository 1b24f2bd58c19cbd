"""The pre-tokenizers of ``tokenizer.json``."""

from __future__ import annotations

from collections.abc import Mapping

from mtok_export.source.components import Rule, load_component, rule
from mtok_export.source.json_values import U64_MAX, JsonObject
from mtok_export.source.pipeline import (
    BertPreTokenizer,
    ByteLevelPreTokenizer,
    CharDelimiterSplit,
    Digits,
    FixedLength,
    Metaspace,
    PreTokenizer,
    PreTokenizerSequence,
    Punctuation,
    Split,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from mtok_export.source.shared_parts import (
    BEHAVIORS,
    BYTE_LEVEL_FIELDS,
    METASPACE_FIELDS,
    load_byte_level,
    load_metaspace,
    load_pattern,
)

DEFAULT_FIXED_LENGTH = 5
"""What ``FixedLength`` uses when ``length`` is missing."""


def load_pre_tokenizer(source: JsonObject) -> PreTokenizer:
    """Read one pre-tokenizer; raises ``SourceError``."""
    return load_component(source, PRE_TOKENIZERS, "pre_tokenizer")


def _split(source: JsonObject) -> PreTokenizer:
    return Split(load_pattern(source), source.choice("behavior", BEHAVIORS), source.boolean("invert"))


def _punctuation(source: JsonObject) -> PreTokenizer:
    return Punctuation(source.choice("behavior", BEHAVIORS, default="Isolated"))


def _fixed_length(source: JsonObject) -> PreTokenizer:
    return FixedLength(source.unsigned("length", default=DEFAULT_FIXED_LENGTH, limit=U64_MAX))


def _sequence(source: JsonObject) -> PreTokenizer:
    return PreTokenizerSequence(tuple([load_pre_tokenizer(item) for item in source.objects("pretokenizers")]))


PRE_TOKENIZERS: Mapping[str, Rule[PreTokenizer]] = {
    "BertPreTokenizer": rule(lambda _: BertPreTokenizer()),
    "ByteLevel": rule(lambda source: ByteLevelPreTokenizer(*load_byte_level(source)), *BYTE_LEVEL_FIELDS),
    "CharDelimiterSplit": rule(lambda source: CharDelimiterSplit(source.character("delimiter")), "delimiter"),
    "Metaspace": rule(lambda source: Metaspace(*load_metaspace(source)), *METASPACE_FIELDS),
    "Whitespace": rule(lambda _: Whitespace()),
    "Sequence": rule(_sequence, "pretokenizers"),
    "Split": rule(_split, "pattern", "behavior", "invert"),
    "Punctuation": rule(_punctuation, "behavior"),
    "WhitespaceSplit": rule(lambda _: WhitespaceSplit()),
    "Digits": rule(lambda source: Digits(source.boolean("individual_digits")), "individual_digits"),
    "UnicodeScripts": rule(lambda _: UnicodeScripts()),
    "FixedLength": rule(_fixed_length, "length"),
}
