"""Small GGUF files, written with the package gguf."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf

from tests.sentencepiece_models import proto_of

T = gguf.TokenType


def write(
    path: Path, fields: Mapping[str, Any], others: Mapping[str, tuple[Any, gguf.GGUFValueType]] | None = None
) -> Path:
    """A file with these fields and no weights; the keys are names of methods of ``GGUFWriter`` without ``add_``.

    ``others`` are fields by their names in the file, each with its type.
    """
    writer = gguf.GGUFWriter(path, "llama")
    for name, value in fields.items():
        if value is not None:
            getattr(writer, f"add_{name}")(value)
    for name, (value, kind) in (others or {}).items():
        writer.add_key_value(name, value, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def of_document(document: Mapping[str, Any], pre: str | None, **fields: Any) -> dict[str, Any]:
    """The fields for a byte-level BPE in the form of ``tokenizer.json``, as the converters of llama.cpp write them."""
    model = document["model"]
    added = {token["id"]: token for token in document["added_tokens"]}
    tokens = {token_id: token for token, token_id in model["vocab"].items()}
    tokens.update({token_id: token["content"] for token_id, token in added.items()})
    ids = range(max(tokens) + 1)
    types = {token_id: T.CONTROL if token["special"] else T.USER_DEFINED for token_id, token in added.items()}
    return {
        "tokenizer_model": "gpt2",
        "tokenizer_pre": pre,
        "token_list": [tokens.get(token_id, f"[PAD{token_id}]") for token_id in ids],
        "token_types": [types.get(token_id, T.NORMAL if token_id in tokens else T.UNUSED) for token_id in ids],
        "token_merges": [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]],
        **fields,
    }


def of_sentencepiece(data: bytes, **fields: Any) -> dict[str, Any]:
    """The fields for a sentencepiece model."""
    pieces = proto_of(data).pieces
    return {
        "tokenizer_model": "llama",
        "tokenizer_pre": "default",
        "token_list": [piece.piece for piece in pieces],
        "token_scores": [piece.score for piece in pieces],
        "token_types": [piece.type for piece in pieces],
        **fields,
    }
