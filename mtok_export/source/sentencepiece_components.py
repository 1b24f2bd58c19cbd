"""The normalizer, pre-tokenizer and decoder that do what sentencepiece does round its model.

sentencepiece puts a space in front of a text, maps characters, collapses runs of spaces and drops those at both ends,
and writes U+2581 for each space that is left; the model sees the text as a whole, and takes a U+2581 that was in it for
a space.  Here a space is put in front first, so that collapsing drops those that the text starts with.
"""

from __future__ import annotations

import base64
from typing import Any

from mtok_export.source.conversion import PieceType, ScoredPiece
from mtok_export.source.documents import split
from mtok_export.source.sentencepiece_proto import ModelType, SentencePieceModel

Json = dict[str, Any]

_LAST_SPACES = r" +(?![\s\S])"

_SPECIAL = frozenset("\\.^$|()[]{}*+?")

_MARKER = "\U0010ff3c"
"""Stands in front of a text while the spaces behind it are dropped: a private character that no text has."""


def normalizer_and_pre_tokenizer(model: SentencePieceModel) -> tuple[Json | None, Json | None]:
    """The two components, either of them ``None`` where it has nothing to do."""
    normalizers, pre_tokenizers = _steps(model)
    return _sequence("normalizers", normalizers), _sequence("pretokenizers", pre_tokenizers)


def _steps(model: SentencePieceModel) -> tuple[list[Json], list[Json]]:
    late = model.escape_whitespaces and model.remove_extra_whitespaces
    prefix = " " if late or model.charsmap else model.space
    normalizers: list[Json] = [{"type": "Prepend", "prepend": prefix}] if model.add_dummy_prefix else []
    isolated = [piece.piece for piece in model.pieces if is_isolated(piece, model)]
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
    if isolated:
        pre_tokenizers.append(split(_alternatives(isolated)))
    if late:
        normalizers.append(_literal(model.space, " "))
        pre_tokenizers.append(
            {"type": "Metaspace", "replacement": model.space, "prepend_scheme": "never", "split": False}
        )
    elif model.escape_whitespaces:
        normalizers.append(_literal(" ", model.space))
    return normalizers, pre_tokenizers


# --- user-defined pieces ----------------------------------------------------------------------------------------------


def is_cut_out(piece: ScoredPiece, model: SentencePieceModel) -> bool:
    """Whether a user-defined piece becomes an added token, which is found in the text as it is given.

    Where nothing is put in front of a text or taken off it, that is the same as isolating the piece.
    """
    if not _needs_finding(piece, model) or model.space in piece.piece:
        return False
    return model.cuts_out_user_defined or not (model.add_dummy_prefix or model.remove_extra_whitespaces)


def is_isolated(piece: ScoredPiece, model: SentencePieceModel) -> bool:
    """Whether a user-defined piece is found behind the normalizer, as sentencepiece does it.

    One that holds a space is not found where spaces are escaped only after that.
    """
    if not _needs_finding(piece, model) or is_cut_out(piece, model):
        return False
    return model.space not in piece.piece or not model.remove_extra_whitespaces


def _needs_finding(piece: ScoredPiece, model: SentencePieceModel) -> bool:
    """A single character needs none, since nothing is merged with it; in a Unigram model the score does it."""
    return model.type is ModelType.BPE and piece.type is PieceType.USER_DEFINED and len(piece.piece) > 1


def _alternatives(contents: list[str]) -> str:
    """A pattern that matches one of the contents, the longest that fits."""
    escaped = ("".join(f"\\{char}" if char in _SPECIAL else char for char in text) for text in contents)
    return "|".join(sorted(escaped, key=len, reverse=True))


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
