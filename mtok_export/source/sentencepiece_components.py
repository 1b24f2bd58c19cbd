"""The normalizer, pre-tokenizer and decoder that do what sentencepiece does round its model.

sentencepiece puts a space in front of a text, maps characters, collapses runs of spaces and drops those at both ends,
and writes U+2581 for each space that is left; the model sees the text as a whole, and takes a U+2581 that was in it for
a space.  Here a space is put in front first, so that collapsing drops those that the text starts with.
"""

from __future__ import annotations

import base64
from typing import Any

from mtok_export.source.conversion import PieceType
from mtok_export.source.documents import split
from mtok_export.source.sentencepiece_proto import ModelType, SentencePieceModel

Json = dict[str, Any]

_LAST_SPACES = r" +(?![\s\S])"

_WORDS = " *[^ ]+| +"
"""Each word with the spaces in front of it."""

_MARKER = "\U0010ff3c"
"""Stands in front of a text while the spaces behind it are dropped: a private character that no text has."""


def normalizer_and_pre_tokenizer(model: SentencePieceModel) -> tuple[Json | None, Json | None]:
    """The two components, either of them ``None`` where it has nothing to do."""
    normalizers, pre_tokenizers = _steps(model)
    return _sequence("normalizers", normalizers), _sequence("pretokenizers", pre_tokenizers)


def _steps(model: SentencePieceModel) -> tuple[list[Json], list[Json]]:
    cuts = model.type is ModelType.BPE and _words_stay_apart(model)
    late = model.escape_whitespaces and (cuts or model.remove_extra_whitespaces)
    prefix = " " if late or model.charsmap else model.space
    normalizers: list[Json] = [{"type": "Prepend", "prepend": prefix}] if model.add_dummy_prefix else []
    pre_tokenizers: list[Json] = []
    if model.charsmap:
        charsmap = base64.b64encode(model.charsmap).decode("ascii")
        normalizers.append({"type": "Precompiled", "precompiled_charsmap": charsmap})
    if model.remove_extra_whitespaces:
        if not model.add_dummy_prefix:
            normalizers.append({"type": "Prepend", "prepend": _MARKER})
        normalizers.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
        if not model.add_dummy_prefix:
            normalizers += [_literal(f"{_MARKER} ", ""), _literal(_MARKER, "")]
        pre_tokenizers.append(split(_LAST_SPACES, "Removed"))
    if cuts:
        pre_tokenizers.append(split(_WORDS))
    if late:
        normalizers.append(_literal(model.space, " "))
        pre_tokenizers.append(
            {"type": "Metaspace", "replacement": model.space, "prepend_scheme": "never", "split": False}
        )
    elif model.escape_whitespaces:
        normalizers.append(_literal(" ", model.space))
    return normalizers, pre_tokenizers


def _words_stay_apart(model: SentencePieceModel) -> bool:
    """Whether no piece reaches from one word to the next, so that words can be handled one by one.

    A long text is then no long search for the next merge, which takes the engine a time that grows with its square.
    """
    if not model.escape_whitespaces:
        return False
    space = model.space
    kinds = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED)
    return not any(space in piece.piece.lstrip(space) for piece in model.pieces if piece.type in kinds)


def decoder(model: SentencePieceModel) -> Json:
    """The decoder: spaces and bytes back, and the dummy prefix off."""
    decoders: list[Json] = [_literal(model.space, " ")] if model.escape_whitespaces else []
    if model.byte_fallback:
        decoders.append({"type": "ByteFallback"})
    decoders.append({"type": "Fuse"})
    if model.add_dummy_prefix:
        decoders.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return {"type": "Sequence", "decoders": decoders}


def _sequence(key: str, steps: list[Json]) -> Json | None:
    if len(steps) < 2:
        return steps[0] if steps else None
    return {"type": "Sequence", key: steps}


def _literal(text: str, content: str) -> Json:
    return {"type": "Replace", "pattern": {"String": text}, "content": content}
