"""The models of ``tokenizer.json``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from mtok_export.source.components import check_fields
from mtok_export.source.json_values import U64_MAX, JsonObject, quote, wrong_type
from mtok_export.source.merges import load_merges
from mtok_export.source.pipeline import BPE, Model, Unigram, WordLevel, WordPiece
from mtok_export.source.scored_vocab import ScoredVocab
from mtok_export.source.settings import Notice
from mtok_export.source.vocabulary import load_id_vocab, load_scored_vocab

Loaded = tuple[Model, Collection[int]]
"""A model, and the ids of its vocab: a range where none is left out."""

Load = Callable[[JsonObject, bytes, "list[Notice]"], Loaded]


def load_model(source: JsonObject, data: bytes, notices: list[Notice]) -> Loaded:
    """Read the model.

    Args:
        source: the model's object.
        data: the text of the whole file.
        notices: gets what is odd but harmless.

    Returns:
        The model, and the ids of its vocab: a range where none is left out.

    Raises:
        SourceError: for whatever is wrong in it.
    """
    name = source.string("type") if "type" in source.items else _infer_type(source)
    if name not in MODELS:
        raise source.error("type", f"{quote(name)} is no model type; known are {', '.join(MODELS)}")
    fields, load = MODELS[name]
    check_fields(source, fields | {"type"}, "model", name)
    return load(source, data, notices)


def model_ids(model: Model) -> Mapping[str, int]:
    """The token -> id mapping of a model as the ``tokenizers`` library has it.  Not to be changed."""
    if isinstance(model, Unigram):
        return ScoredVocab.of(model.vocab).ids
    return model.vocab


def model_size(model: Model) -> int:
    """The number of entries of a model's vocab: the first id that a new added token gets."""
    return len(model.vocab)


def _infer_type(source: JsonObject) -> str:
    """The type of a model without one (files from before 2021): the library tries the types in this order."""
    vocab = source.value("vocab")
    if isinstance(vocab, list):
        return "Unigram"
    if not isinstance(vocab, dict):
        raise wrong_type(vocab, "an object or an array", source.at("vocab"))
    if "merges" in source.items:
        return "BPE"
    if {"continuing_subword_prefix", "max_input_chars_per_word"} <= source.items.keys():
        return "WordPiece"
    if "unk_token" in source.items:
        return "WordLevel"
    raise source.error(None, 'the field "type" is missing, and the other fields fit no model type')


def _bpe(source: JsonObject, data: bytes, notices: list[Notice]) -> Loaded:
    dropout = source.items.get("dropout")
    if dropout is not None:
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)):
            raise wrong_type(dropout, "a number", source.at("dropout"))
        if not 0 <= dropout <= 1:
            raise source.error("dropout", f"{dropout} is out of range; from 0 to 1 is allowed")
    vocab, ids = load_id_vocab(source, data, notices)
    prefix = source.optional_string("continuing_subword_prefix")
    model = BPE(
        vocab=vocab,
        merges=load_merges(source, vocab, prefix or "", notices, shared_ids=len(ids) < len(vocab)),
        dropout=None if dropout is None else float(dropout),
        unk_token=source.optional_string("unk_token"),
        continuing_subword_prefix=prefix,
        end_of_word_suffix=source.optional_string("end_of_word_suffix"),
        fuse_unk=source.optional_boolean("fuse_unk") or False,
        byte_fallback=source.optional_boolean("byte_fallback") or False,
        ignore_merges=source.optional_boolean("ignore_merges") or False,
    )
    return model, ids


def _word_piece(source: JsonObject, data: bytes, notices: list[Notice]) -> Loaded:
    vocab, ids = load_id_vocab(source, data, notices)
    model = WordPiece(
        vocab=vocab,
        unk_token=source.string("unk_token"),
        continuing_subword_prefix=source.string("continuing_subword_prefix"),
        max_input_chars_per_word=source.unsigned("max_input_chars_per_word", limit=U64_MAX),
    )
    return model, ids


def _word_level(source: JsonObject, data: bytes, notices: list[Notice]) -> Loaded:
    vocab, ids = load_id_vocab(source, data, notices)
    return WordLevel(vocab=vocab, unk_token=source.string("unk_token")), ids


def _unigram(source: JsonObject, _data: bytes, notices: list[Notice]) -> Loaded:
    vocab = load_scored_vocab(source, notices)
    unk_id = source.optional_unsigned("unk_id", limit=U64_MAX)
    if unk_id is not None and unk_id >= len(vocab):
        raise source.error("unk_id", f"{unk_id} is out of range; the vocab has {len(vocab)} pieces")
    model = Unigram(vocab=vocab, unk_id=unk_id, byte_fallback=source.boolean("byte_fallback", default=False))
    return model, range(len(vocab))


MODELS: Mapping[str, tuple[frozenset[str], Load]] = {
    "BPE": (
        frozenset(
            (
                "dropout",
                "unk_token",
                "continuing_subword_prefix",
                "end_of_word_suffix",
                "fuse_unk",
                "byte_fallback",
                "ignore_merges",
                "vocab",
                "merges",
            )
        ),
        _bpe,
    ),
    "WordPiece": (
        frozenset(("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab")),
        _word_piece,
    ),
    "WordLevel": (frozenset(("unk_token", "vocab")), _word_level),
    "Unigram": (frozenset(("unk_id", "vocab", "byte_fallback")), _unigram),
}
