"""The model section: vocabulary and how it is applied."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from mtok_export.format.columns import (
    ID_BYTES,
    LENGTH_BYTES,
    MERGE_BYTES,
    SCORE_BYTES,
    decode_merges,
    decode_scored_vocab,
    decode_vocab,
    encode_merges,
    encode_vocab,
)
from mtok_export.format.spec import ModelOp
from mtok_export.format.wire import Reader, Writer
from mtok_export.packed_tokens import PackedTokens
from mtok_export.records import dataclass

if TYPE_CHECKING:
    IntArray = array[int]
    FloatArray = array[float]


@dataclass(frozen=True)
class Vocab:
    """Parallel columns, sorted by the UTF-8 bytes of the token (for valid text that is the order of its code points).

    ``tokens`` is a tuple, or ``PackedTokens`` where there are very many; ``ids`` is an ``array("I")``.  Several entries
    may share an id: decoding sees the one that sorts last.  Several may share a token too: encoding finds the first of
    them.
    """

    tokens: Sequence[str]
    ids: IntArray

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"Vocab({len(self)} entries)"

    def id_of(self, token: str) -> int | None:
        """The id under which the engine finds a token, of equal ones the first, by halving; ``None`` without one."""
        tokens = self.tokens
        place = tokens.place_of(token) if isinstance(tokens, PackedTokens) else bisect_left(tokens, token)
        return self.ids[place] if place < len(self) and tokens[place] == token else None


@dataclass(frozen=True)
class Merges:
    """Parallel columns of ``array("I")``, sorted by ``left << 32 | right``; a lower rank merges first."""

    left: IntArray
    right: IntArray
    rank: IntArray

    def __len__(self) -> int:
        return len(self.rank)

    def __repr__(self) -> str:
        return f"Merges({len(self)} pairs)"

    def rank_of(self, left: int, right: int) -> int | None:
        """The rank of a pair, found by halving; ``None`` where it is no merge."""
        start = bisect_left(self.left, left)
        end = bisect_right(self.left, left, start)
        place = bisect_left(self.right, right, start, end)
        return self.rank[place] if place < end and self.right[place] == right else None


@dataclass(frozen=True)
class Bpe:
    """Byte-pair encoding.  The engine does not read ``byte_fallback``; with ``byte_level`` it maps bytes itself."""

    vocab: Vocab
    merges: Merges
    byte_fallback: bool
    byte_level: bool


@dataclass(frozen=True)
class WordPiece:
    """Longest match; ``max_chars`` counts bytes."""

    vocab: Vocab
    unk_token: str
    continuing_subword_prefix: str
    max_chars: int


@dataclass(frozen=True)
class Unigram:
    """Viterbi search over bytes; ``scores`` is an ``array("d")``, parallel to the vocabulary."""

    vocab: Vocab
    scores: FloatArray = field(repr=False)
    unk_id: int
    byte_fallback: bool


Model = Bpe | WordPiece | Unigram

_VOCAB_ENTRY = LENGTH_BYTES + ID_BYTES
_SCORED_ENTRY = _VOCAB_ENTRY + SCORE_BYTES


def _encode_bpe(model: Bpe, writer: Writer) -> None:
    writer.u8(ModelOp.BPE, "model op")
    writer.u32(len(model.vocab), "vocab size")
    writer.flag(model.byte_fallback, "byte fallback")
    writer.flag(model.byte_level, "byte level")
    writer.u32(len(model.merges), "number of merges")
    encode_vocab(writer, model.vocab.tokens, model.vocab.ids)
    encode_merges(writer, model.merges.left, model.merges.right, model.merges.rank)


def _decode_bpe(reader: Reader) -> Bpe:
    size = reader.count("vocab size", _VOCAB_ENTRY)
    byte_fallback = reader.flag("byte fallback")
    byte_level = reader.flag("byte level")
    merges = reader.count("number of merges", MERGE_BYTES)
    return Bpe(
        vocab=Vocab(*decode_vocab(reader, size)),
        merges=Merges(*decode_merges(reader, merges)),
        byte_fallback=byte_fallback,
        byte_level=byte_level,
    )


def _encode_word_piece(model: WordPiece, writer: Writer) -> None:
    writer.u8(ModelOp.WORDPIECE, "model op")
    writer.u32(len(model.vocab), "vocab size")
    writer.string(model.unk_token, "unk token")
    writer.string(model.continuing_subword_prefix, "continuing subword prefix")
    writer.u31(model.max_chars, "max chars")
    encode_vocab(writer, model.vocab.tokens, model.vocab.ids)


def _decode_word_piece(reader: Reader) -> WordPiece:
    size = reader.count("vocab size", _VOCAB_ENTRY)
    unk_token = reader.string("unk token")
    prefix = reader.string("continuing subword prefix")
    max_chars = reader.u31("max chars")
    return WordPiece(Vocab(*decode_vocab(reader, size)), unk_token, prefix, max_chars)


def _encode_unigram(model: Unigram, writer: Writer) -> None:
    writer.u8(ModelOp.UNIGRAM, "model op")
    writer.u32(len(model.vocab), "vocab size")
    writer.u31(model.unk_id, "unk id")
    writer.flag(model.byte_fallback, "byte fallback")
    encode_vocab(writer, model.vocab.tokens, model.vocab.ids, model.scores)


def _decode_unigram(reader: Reader) -> Unigram:
    size = reader.count("vocab size", _SCORED_ENTRY)
    unk_id = reader.u31("unk id")
    byte_fallback = reader.flag("byte fallback")
    tokens, ids, scores = decode_scored_vocab(reader, size)
    return Unigram(Vocab(tokens, ids), scores, unk_id, byte_fallback)


_ENCODERS: dict[type[Any], Callable[[Any, Writer], None]] = {
    Bpe: _encode_bpe,
    WordPiece: _encode_word_piece,
    Unigram: _encode_unigram,
}

_DECODERS: dict[ModelOp, Callable[[Reader], Model]] = {
    ModelOp.BPE: _decode_bpe,
    ModelOp.WORDPIECE: _decode_word_piece,
    ModelOp.UNIGRAM: _decode_unigram,
}


def encode_model(model: Model, writer: Writer) -> None:
    """Write the model with its vocabulary.

    Raises:
        FormatError: a value does not fit the format, or columns differ in length.
    """
    encode = _ENCODERS.get(type(model))
    if encode is None:
        raise writer.error(f"{type(model).__name__} is no model record")
    encode(model, writer)


def decode_model(reader: Reader) -> Model:
    """Read the model with its vocabulary.

    Raises:
        FormatError: unknown op, malformed value, a count beyond what is left, or the end of the file.
    """
    return _DECODERS[reader.op(ModelOp, "model")](reader)
