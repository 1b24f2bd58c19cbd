"""The normalizers of ``tokenizer.json``."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from mtok_export.source.components import Rule, load_component, rule
from mtok_export.source.json_values import JsonObject
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    ByteLevelNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    NormalizerSequence,
    Precompiled,
    Prepend,
    ReplaceNormalizer,
    StripAccents,
    StripNormalizer,
)
from mtok_export.source.shared_parts import load_pattern


def load_normalizer(source: JsonObject) -> Normalizer:
    """Read one normalizer; raises ``SourceError``."""
    return load_component(source, NORMALIZERS, "normalizer")


def _bert(source: JsonObject) -> Normalizer:
    return BertNormalizer(
        clean_text=source.boolean("clean_text"),
        handle_chinese_chars=source.boolean("handle_chinese_chars"),
        strip_accents=source.optional_boolean("strip_accents"),
        lowercase=source.boolean("lowercase"),
    )


def _strip(source: JsonObject) -> Normalizer:
    return StripNormalizer(strip_left=source.boolean("strip_left"), strip_right=source.boolean("strip_right"))


def _precompiled(source: JsonObject) -> Normalizer:
    """The base64 text of: trie size in bytes (u32, little endian), trie (u32 units), replacement strings (UTF-8).

    The ``tokenizers`` library checks the base64, the length and the strings; a trie that is empty or no whole number of
    units it loads as well, to die on the first text, so that is an error here.
    """
    text = source.string("precompiled_charsmap")
    bare = text.rstrip("=")
    padding = "=" * (-len(bare) % 4)
    try:
        data = base64.b64decode(bare + padding, validate=True)
    except (binascii.Error, ValueError):
        data = None
    canonical = data is not None and base64.b64encode(data).decode() == bare + padding
    if data is None or not canonical or text not in (bare, bare + padding):
        raise source.error("precompiled_charsmap", "this is not base64 text")
    trie_size = int.from_bytes(data[:4], "little")
    if len(data) < 4 or trie_size > len(data) - 4 or trie_size == 0 or trie_size % 4:
        problem = f"a trie of {trie_size} bytes does not fit into a character map of {len(data)} bytes"
        raise source.error("precompiled_charsmap", f"{problem} (the size must be a multiple of 4, above 0)")
    try:
        data[4 + trie_size :].decode()
    except UnicodeDecodeError as error:
        offset = 4 + trie_size + error.start
        raise source.error("precompiled_charsmap", f"byte {offset} of the character map is not UTF-8") from None
    return Precompiled(bare + padding)


def _replace(source: JsonObject) -> Normalizer:
    return ReplaceNormalizer(load_pattern(source), source.string("content"))


def _sequence(source: JsonObject) -> Normalizer:
    return NormalizerSequence(tuple([load_normalizer(item) for item in source.objects("normalizers")]))


NORMALIZERS: Mapping[str, Rule[Normalizer]] = {
    "BertNormalizer": rule(_bert, "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"),
    "Strip": rule(_strip, "strip_left", "strip_right"),
    "StripAccents": rule(lambda _: StripAccents()),
    "NFC": rule(lambda _: NFC()),
    "NFD": rule(lambda _: NFD()),
    "NFKC": rule(lambda _: NFKC()),
    "NFKD": rule(lambda _: NFKD()),
    "Sequence": rule(_sequence, "normalizers"),
    "Lowercase": rule(lambda _: Lowercase()),
    "Nmt": rule(lambda _: Nmt()),
    "Precompiled": rule(_precompiled, "precompiled_charsmap"),
    "Replace": rule(_replace, "pattern", "content"),
    "Prepend": rule(lambda source: Prepend(source.string("prepend")), "prepend"),
    "ByteLevel": rule(lambda _: ByteLevelNormalizer()),
}
