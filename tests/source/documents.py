"""Small ``tokenizer.json`` documents for the tests, as Python objects."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

Json = dict[str, Any]

BPE: Json = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
WORD_PIECE: Json = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
    "vocab": {"[UNK]": 0, "a": 1, "##b": 2},
}
WORD_LEVEL: Json = {"type": "WordLevel", "unk_token": "<unk>", "vocab": {"<unk>": 0, "a": 1}}
UNIGRAM: Json = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.5]], "byte_fallback": False}

BYTE_LEVEL: Json = {"add_prefix_space": False, "trim_offsets": False, "use_regex": False}
METASPACE: Json = {"replacement": "_", "prepend_scheme": "first", "split": False}
TEMPLATE: Json = {
    "single": [{"SpecialToken": {"id": "a", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"a": {"id": "a", "ids": [0], "tokens": ["a"]}},
}

CHARSMAP = base64.b64encode(struct.pack("<I", 1024) + bytes(1024) + b"x\0").decode()
"""A character map that says nothing about any character: a trie of zeros and one replacement."""

COMPONENTS: dict[str, dict[str, Json]] = {
    "normalizer": {
        "BertNormalizer": {
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": False,
        },
        "Strip": {"strip_left": True, "strip_right": False},
        "StripAccents": {},
        "NFC": {},
        "NFD": {},
        "NFKC": {},
        "NFKD": {},
        "Sequence": {"normalizers": [{"type": "NFC"}]},
        "Lowercase": {},
        "Nmt": {},
        "Precompiled": {"precompiled_charsmap": CHARSMAP},
        "Replace": {"pattern": {"String": "a"}, "content": "b"},
        "Prepend": {"prepend": "x"},
        "ByteLevel": {},
    },
    "pre_tokenizer": {
        "BertPreTokenizer": {},
        "ByteLevel": BYTE_LEVEL,
        "CharDelimiterSplit": {"delimiter": "x"},
        "Metaspace": METASPACE,
        "Whitespace": {},
        "Sequence": {"pretokenizers": [{"type": "Whitespace"}]},
        "Split": {"pattern": {"Regex": "a+"}, "behavior": "Isolated", "invert": True},
        "Punctuation": {"behavior": "Removed"},
        "WhitespaceSplit": {},
        "Digits": {"individual_digits": True},
        "UnicodeScripts": {},
        "FixedLength": {"length": 7},
    },
    "post_processor": {
        "RobertaProcessing": {"sep": ["b", 1], "cls": ["a", 0], "trim_offsets": False, "add_prefix_space": True},
        "BertProcessing": {"sep": ["b", 1], "cls": ["a", 0]},
        "ByteLevel": BYTE_LEVEL,
        "TemplateProcessing": TEMPLATE,
        "Sequence": {"processors": [{"type": "ByteLevel", **BYTE_LEVEL}]},
    },
    "decoder": {
        "BPEDecoder": {"suffix": "x"},
        "ByteLevel": BYTE_LEVEL,
        "WordPiece": {"prefix": "##", "cleanup": False},
        "Metaspace": METASPACE,
        "CTC": {"pad_token": "p", "word_delimiter_token": "w", "cleanup": False},
        "Sequence": {"decoders": [{"type": "Fuse"}]},
        "Replace": {"pattern": {"String": "a"}, "content": "b"},
        "Fuse": {},
        "Strip": {"content": "x", "start": 1, "stop": 2},
        "ByteFallback": {},
    },
    "model": {
        "BPE": {
            "dropout": 0.5,
            "unk_token": "a",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": "x",
            "fuse_unk": True,
            "byte_fallback": True,
            "ignore_merges": True,
            "vocab": {"a": 0, "b": 1, "ab": 2},
            "merges": [["a", "b"]],
        },
        "WordPiece": {key: value for key, value in WORD_PIECE.items() if key != "type"},
        "WordLevel": {key: value for key, value in WORD_LEVEL.items() if key != "type"},
        "Unigram": {key: value for key, value in UNIGRAM.items() if key != "type"},
    },
}
"""Every type of every slot, with all of its fields."""

TRUNCATION: Json = {"direction": "Left", "max_length": 5, "strategy": "OnlyFirst", "stride": 1}
PADDING: Json = {
    "strategy": {"Fixed": 5},
    "direction": "Left",
    "pad_to_multiple_of": 8,
    "pad_id": 1,
    "pad_type_id": 2,
    "pad_token": "p",
}


def component(slot: str, name: str, **changes: Any) -> Json:
    """A component with all of its fields, some of them changed."""
    return {"type": name, **COMPONENTS[slot][name], **changes}


def added_token(content: str, token_id: int, **flags: Any) -> Json:
    """An added token."""
    defaults = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {"id": token_id, "content": content, **defaults, **flags}


def document(**slots: Any) -> Json:
    """A whole document: a small BPE and nothing else, with some slots changed."""
    empty = dict.fromkeys(("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return {"version": "1.0", **empty, "added_tokens": [], "model": BPE, **slots}


def encoded(value: Any) -> bytes:
    """The text of a document."""
    return json.dumps(value).encode()
