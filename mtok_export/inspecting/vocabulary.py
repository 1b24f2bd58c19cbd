"""Figures about the vocabulary and the merges."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mtok_export.byte_alphabet import to_bytes
from mtok_export.format import MtokFile, model
from mtok_export.format import pre_tokenizer as p
from mtok_export.inspecting.scripts import script_of
from mtok_export.places import children_of

if TYPE_CHECKING:
    IntArray = array[int]

BYTE_PIECE = re.compile(r"<0x[0-9A-F]{2}>")
LONGEST = 5
"""So many of the longest entries are shown."""

_META = "\u2581"
_LENGTH_STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 32)


def is_byte_level(file: MtokFile) -> bool:
    """Whether the entries of the vocabulary stand in the characters of the byte alphabet."""
    return (isinstance(file.model, model.Bpe) and file.model.byte_level) or _has_byte_level(file.pre_tokenizer)


def _has_byte_level(record: p.PreTokenizer) -> bool:
    return isinstance(record, p.ByteLevel) or any(map(_has_byte_level, children_of(record) or ()))


def entry_text(entry: str, *, byte_level: bool) -> str:
    """The text that an entry stands for; bytes that are no UTF-8 come out as lone surrogates."""
    if not byte_level:
        return entry.replace(_META, " ")
    data = to_bytes(entry)
    return data.decode("utf-8", "surrogateescape")


def kind_of(text: str) -> str:
    """What an entry is made of: a script, "mixed scripts", or what holds no letter."""
    if not text:
        return "empty"
    if BYTE_PIECE.fullmatch(text):
        return "byte pieces"
    scripts = {script for char in text if (script := script_of(char)) is not None}
    if len(scripts) == 1:
        return scripts.pop()
    if scripts:
        return "mixed scripts"
    if any("\udc80" <= char <= "\udcff" for char in text):
        return "parts of characters"
    if text.isspace():
        return "white space"
    if any(map(str.isdecimal, text)) and all(char.isdecimal() or char.isspace() for char in text):
        return "digits"
    return "punctuation and symbols"


def vocabulary(file: MtokFile) -> dict[str, Any]:
    """Figures about the vocabulary, as plain JSON values."""
    vocab = file.model.vocab
    byte_level = is_byte_level(file)
    prefix = file.model.continuing_subword_prefix if isinstance(file.model, model.WordPiece) else ""
    texts = [entry_text(token.removeprefix(prefix), byte_level=byte_level) for token in vocab.tokens]
    per_id = Counter(vocab.ids)
    per_token = Counter(token for token in vocab.tokens if token)
    size = len(vocab)
    longest = sorted(zip(map(len, texts), texts, vocab.ids, strict=True), reverse=True)[:LONGEST]
    return {
        "entries": size,
        "highest_id": max(per_id, default=None),
        "ids_without_entry": size - sum(id_ < size for id_ in per_id),
        "ids_beyond": sum(id_ >= size for id_ in per_id),
        "empty_entries": sum(not token for token in vocab.tokens),
        "ids_with_several_entries": sum(count > 1 for count in per_id.values()),
        "strings_with_several_entries": sum(count > 1 for count in per_token.values()),
        "byte_level": byte_level,
        "byte_pieces": sum(BYTE_PIECE.fullmatch(token) is not None for token in vocab.tokens),
        "characters": _lengths(map(len, texts)),
        "kinds": dict(Counter(map(kind_of, texts)).most_common()),
        "longest": [{"id": id_, "text": json_text(text), "characters": length} for length, text, id_ in longest],
    }


def json_text(text: str) -> str:
    """A text that JSON can hold: bytes that are no UTF-8 stand as a backslash, x and two digits."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _lengths(values: Iterable[int]) -> dict[str, Any]:
    counts = Counter(value for value in values if value)
    total = sum(counts.values())
    if not total:
        return {"shortest": None, "mean": None, "longest": None, "up_to": {}}
    steps = [step for step in _LENGTH_STEPS if step < max(counts)] + [max(counts)]
    return {
        "shortest": min(counts),
        "mean": round(sum(value * count for value, count in counts.items()) / total, 2),
        "longest": max(counts),
        "up_to": {str(step): sum(count for value, count in counts.items() if value <= step) for step in steps},
    }


# --- models -----------------------------------------------------------------------------------------------------------


def model_figures(file: MtokFile) -> dict[str, Any]:
    """The parameters of the model, and figures about its merges or scores, as plain JSON values."""
    return _FIGURES[type(file.model)](file.model)


def _bpe(record: model.Bpe) -> dict[str, Any]:
    ranks = record.merges.rank
    highest = max(ranks, default=None)
    return {
        "kind": "BPE",
        "byte_fallback": record.byte_fallback,
        "byte_level": record.byte_level,
        "merges": len(ranks),
        "highest_rank": highest,
        "ranks_left_out": 0 if highest is None else highest + 1 - len(set(ranks)),
        "ids_that_merge": len(set(record.merges.left) | set(record.merges.right)),
    }


def _word_piece(record: model.WordPiece) -> dict[str, Any]:
    prefix = record.continuing_subword_prefix
    continuing = sum(token.startswith(prefix) for token in record.vocab.tokens) if prefix else 0
    return {
        "kind": "WordPiece",
        "unk_token": record.unk_token,
        "continuing_subword_prefix": prefix,
        "max_chars": record.max_chars,
        "continuing_entries": continuing,
    }


def _unigram(record: model.Unigram) -> dict[str, Any]:
    return {
        "kind": "Unigram",
        "unk_id": record.unk_id,
        "byte_fallback": record.byte_fallback,
        "lowest_score": min(record.scores, default=None),
        "highest_score": max(record.scores, default=None),
        "entries_with_score_0": sum(score == 0 for score in record.scores),
    }


_FIGURES: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
    model.Bpe: _bpe,
    model.WordPiece: _word_piece,
    model.Unigram: _unigram,
}
