"""Models: vocabulary and merges into the columns of the file, and what the engine does otherwise with them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mtok_export.byte_alphabet import CHAR_TO_BYTE, is_spelled, to_bytes
from mtok_export.format import model as ops
from mtok_export.format.spec import MAX_ID, MAX_STRING_BYTES
from mtok_export.lowering.findings import Place
from mtok_export.lowering.merges import lower_merges
from mtok_export.lowering.options import Options
from mtok_export.lowering.ordering import sorted_entries
from mtok_export.lowering.ties import tie_example
from mtok_export.lowering.unicode_tables import NO_WHITE_SPACE
from mtok_export.lowering.unreachable import unreachable_entries
from mtok_export.packed_tokens import PackedTokens, chained
from mtok_export.report import Aspect, Effect
from mtok_export.source.pipeline import BPE, AddedToken, Model, Pipeline, Unigram, WordLevel, WordPiece
from mtok_export.source.scored_vocab import ScoredVocab
from mtok_export.source.vocabulary import counts_up

LONGEST_EXAMPLE = 1_000
"""No example text is longer than about this many characters."""

MAX_HOLES = 1_000_000
"""Ids without a token that are filled with empty entries; real vocabularies have some hundreds at the most."""

BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))

UNK_PENALTY = 10.0
"""An unknown character costs this much more than the worst piece in the tokenizers library (``kUnkPenalty``)."""

LONGEST_DECOMPOSITION = 4
"""So many characters NFD makes of one at the most."""

WORD_LEVEL_PREFIX = "\U0010ffff"
"""Stands in front of no entry, so that a WordPiece model finds whole words alone."""


class ModelLowering:
    """Rules for the model of one pipeline; ``byte_level`` says that the model only sees the byte alphabet."""

    def __init__(self, pipeline: Pipeline, options: Options, *, byte_level: bool) -> None:
        self.pipeline = pipeline
        self.options = options
        self.byte_level = byte_level

    def lower(self, place: Place) -> ops.Model:
        """The model section; what it changes and what cannot be said is recorded at ``place``."""
        model = self.pipeline.model
        return _RULES[type(model)](self, model, place)

    # --- vocabulary -----------------------------------------------------------------------------------------------

    def _vocab(self, entries: Mapping[str, int], aliases: Iterable[tuple[str, int]], place: Place) -> ops.Vocab:
        """Sorted columns; ids that no entry has are filled with empty strings, so that every id is below the count.

        The order of Python's strings is that of their UTF-8 bytes.  Empty entries decode to nothing and are never found
        in encoding, which is what a missing id means.
        """
        aliases = tuple(aliases)
        tokens = (*entries, *(token for token, _ in aliases)) if aliases else entries
        ids = array("I", entries.values()) + array("I", [id_ for _, id_ in aliases])
        holes = self._holes(entries, ids, place)
        in_order, ids_in_order = sorted_entries(tokens, ids)
        self._refuse_long(tokens, in_order, place)
        in_file = chained([("",) * len(holes), in_order]) if holes else in_order
        return ops.Vocab(in_file, array("I", holes) + ids_in_order)

    def _holes(self, entries: Mapping[str, int], ids: array[int], place: Place) -> list[int]:
        """The ids below the highest one that no entry has; also names those that several have."""
        if counts_up(ids):  # as those of nearly all do
            return []
        used = set(ids)
        top = max(used, default=-1) + 1
        if len(used) < len(ids):
            self._limit_shared_ids(entries, place)
        if top - len(used) > MAX_HOLES:
            self._refuse_holes(top, len(used), place)
            return []
        holes = sorted(set(range(top)) - used) if top > len(ids) else []
        if holes:
            place.became(f"vocabulary of {len(used):,} ids and {len(holes):,} empty entries for ids without a token")
        return holes

    @staticmethod
    def _limit_shared_ids(entries: Mapping[str, int], place: Place) -> None:
        """Name ids that several entries of the source have; the aliases of the lowering are meant to share one."""
        counts = Counter(entries.values())
        shared = sorted(token for token, id_ in entries.items() if counts[id_] > 1)
        if shared:
            place.limit(
                f"{len(shared):,} entries share an id with another: the engine shows the one of them that sorts last, "
                "tokenizers another",
                example=shared[0],
                aspects=(Aspect.STREAMING, Aspect.DECODING),
            )

    @staticmethod
    def _refuse_holes(top: int, used: int, place: Place) -> None:
        place.refuse(
            f"the highest id is {top - 1:,} and {used:,} ids have a token: the engine needs an entry for every id, and "
            f"of those without a token there may be {MAX_HOLES:,}"
        )

    @staticmethod
    def _refuse_long(tokens: Iterable[str], in_order: Iterable[str], place: Place) -> None:
        """Name the entries that are too long, in their order; packed ones are not."""
        if isinstance(in_order, PackedTokens) or max(map(len, tokens), default=0) * 4 <= MAX_STRING_BYTES:
            return
        for token in in_order:
            size = len(token.encode("utf-8"))
            if size > MAX_STRING_BYTES:
                place.refuse(
                    f"the entry {token[:20]!r}... has {size:,} bytes, and a string can have {MAX_STRING_BYTES:,}"
                )

    def _beyond(self, size: int) -> tuple[AddedToken, ...]:
        """Added tokens whose id the model's own vocabulary does not reach."""
        return tuple(token for token in self.pipeline.added_tokens if token.id >= size)

    # --- BPE ------------------------------------------------------------------------------------------------------

    def _bpe(self, model: BPE, place: Place) -> ops.Model:
        if model.continuing_subword_prefix:
            place.refuse(f"the engine's BPE has no continuing_subword_prefix ({model.continuing_subword_prefix!r})")
        if model.end_of_word_suffix:
            place.refuse(f"the engine's BPE has no end_of_word_suffix ({model.end_of_word_suffix!r})")
        if model.dropout:
            place.limit(
                f"the engine never leaves out merges; dropout is {model.dropout}", example="any text of several merges"
            )
        if model.ignore_merges:
            self._limit_ignore_merges(model, place)
        byte_pieces = [piece for piece in BYTE_PIECES if piece in model.vocab]
        aliases = self._unknown_aliases(model, len(byte_pieces))
        self._limit_unknown(model, place, len(byte_pieces), aliases=len(aliases))
        place.became("Bpe")
        return ops.Bpe(
            self._vocab(model.vocab, aliases, place),
            lower_merges(model),
            byte_fallback=model.byte_fallback and len(byte_pieces) == len(BYTE_PIECES),
            byte_level=False,
        )

    def _limit_ignore_merges(self, model: BPE, place: Place) -> None:
        lost = unreachable_entries(model)
        if lost:
            texts = [self._text(entry) for entry in lost]
            place.limit(
                f"the engine has no ignore_merges: {len(lost):,} entries that no merges reach come out in parts",
                example=min(texts, key=lambda text: (not text.isascii(), len(text), text)),
                holds=sorted(set(texts)),
            )

    def _text(self, entry: str) -> str:
        """What an entry stands for in a text; bytes that are a part of a character are left out."""
        if not self.byte_level or not is_spelled(entry):
            return entry
        return to_bytes(entry).decode("utf-8", "ignore")

    def _unknown_aliases(self, model: BPE, byte_pieces: int) -> list[tuple[str, int]]:
        """Entries that make the engine give the unknown token for a character that the vocabulary lacks.

        The engine then looks for a ``<0xNN>`` entry for each of its bytes and leaves out those that it lacks.  With
        entries for the first byte of a character alone, all under the unknown token's id, it gives that id once.
        """
        unk = model.unk_token
        if not self.options.faithful or unk is None or unk not in model.vocab or byte_pieces or unk < BYTE_PIECES[0xF4]:
            return []
        if self.byte_level and all(char in model.vocab for char in CHAR_TO_BYTE):
            return []
        return [(BYTE_PIECES[byte], model.vocab[unk]) for byte in (*range(0x80), *range(0xC2, 0xF5))]

    def _limit_unknown(self, model: BPE, place: Place, byte_pieces: int, *, aliases: int) -> None:
        """Name what happens to a character that the vocabulary lacks."""
        if self.byte_level and all(char in model.vocab for char in CHAR_TO_BYTE):
            return
        if aliases:
            if model.fuse_unk:
                place.limit(
                    f"each character that the vocabulary lacks gives {model.unk_token!r}; tokenizers gives one a run",
                    example=(_lacking(model.vocab) or "") * 2,
                )
            return
        complete = byte_pieces == len(BYTE_PIECES)
        if model.byte_fallback and complete:
            return
        if byte_pieces and not model.byte_fallback:
            place.limit("the engine falls back to the <0xNN> entries of the vocabulary although byte_fallback is off")
        elif byte_pieces:
            place.limit(
                f"only {byte_pieces} of {len(BYTE_PIECES)} byte pieces exist: where tokenizers gives "
                f"the unknown token for a "
                "character, the engine gives those of its bytes that exist"
            )
        if model.unk_token is not None and model.unk_token not in model.vocab:
            place.limit(
                f"a character that the vocabulary lacks vanishes; tokenizers refuses the text, as {model.unk_token!r} "
                "is no entry",
                example=_lacking(model.vocab),
            )
        elif model.unk_token is not None:
            fused = ", once for a run of them" if model.fuse_unk else ""
            place.limit(
                f"a character that the vocabulary lacks vanishes; tokenizers gives {model.unk_token!r}{fused}",
                example=_lacking(model.vocab),
            )

    # --- WordPiece and WordLevel ----------------------------------------------------------------------------------

    def _word_piece(self, model: WordPiece, place: Place) -> ops.Model:
        if model.unk_token not in model.vocab:
            place.refuse(f"unk_token {model.unk_token!r} is not in the vocabulary, and the engine would give the id -1")
        limit = self._max_bytes(model.max_input_chars_per_word, place)
        place.became("WordPiece")
        return ops.WordPiece(
            self._vocab(model.vocab, self._added_beyond(model.vocab), place),
            model.unk_token,
            model.continuing_subword_prefix,
            limit,
        )

    def _max_bytes(self, characters: int, place: Place) -> int:
        """The engine's limit for a word counts bytes: of a character that takes four of them, in a faithful file."""
        if not self.options.faithful:
            place.limit(
                f"max_input_chars_per_word counts bytes in the engine: a word of up to {characters} characters and "
                f"more than {characters} bytes becomes the unknown token",
                example="\u0915" * (characters // 3 + 1) if characters <= LONGEST_EXAMPLE else None,
            )
            return min(characters, MAX_ID)
        place.limit(
            "max_input_chars_per_word counts bytes in the engine and is set to four for each character: a longer word "
            "is the unknown token in tokenizers, but is cut into pieces by the engine unless it has more bytes",
            bound=f"words of up to {characters} characters",
            characters=NO_WHITE_SPACE,
            run=characters // LONGEST_DECOMPOSITION + 1,
            example="a" * (characters + 1) if characters <= LONGEST_EXAMPLE else None,
        )
        return min(characters * 4, MAX_ID)

    def _word_level(self, model: WordLevel, place: Place) -> ops.Model:
        if model.unk_token not in model.vocab:
            place.refuse(f"unk_token {model.unk_token!r} is not in the vocabulary, and the engine would give the id -1")
        if any(token.startswith(WORD_LEVEL_PREFIX) for token in model.vocab):
            place.refuse("an entry starts with U+10FFFF, which has to stay free to keep words whole")
        longest = max((len(token.encode("utf-8")) for token in model.vocab), default=0)
        place.became("WordPiece that finds whole words alone")
        vocab = self._vocab(model.vocab, self._added_beyond(model.vocab), place)
        return ops.WordPiece(vocab, model.unk_token, WORD_LEVEL_PREFIX, longest)

    def _added_beyond(self, vocab: dict[str, int]) -> list[tuple[str, int]]:
        """The added tokens beyond the vocabulary: the engine takes an unknown id for the unknown token."""
        size = max(vocab.values(), default=-1) + 1
        return [(token.content, token.id) for token in self._beyond(size) if token.content not in vocab]

    # --- Unigram --------------------------------------------------------------------------------------------------

    def _unigram(self, model: Unigram, place: Place) -> ops.Model:
        vocab = ScoredVocab.of(model.vocab)
        winner = vocab.ids
        if len(winner) < len(vocab):
            place.limit(
                f"{len(vocab) - len(winner)} pieces stand in the vocabulary more than once; the last one is used"
            )
        lowest = min(vocab.scores, default=0.0)
        byte_fallback = model.byte_fallback and all(piece in winner for piece in BYTE_PIECES)
        rows = _UnigramRows(vocab)
        beyond = self._beyond(len(vocab))
        top = max((token.id for token in beyond), default=len(vocab) - 1) + 1
        scores = vocab.scores + array("d", bytes(8 * (top - len(vocab))))
        for token in beyond:
            rows.add(token.content, token.id)
            # Never the best way: its text is found before the model runs.
            scores[token.id] = lowest * 1000 - UNK_PENALTY
        for hole in sorted(set(range(len(vocab), top)).difference(token.id for token in beyond)):
            rows.add("", hole)
        unk_id = top if model.unk_id is None else model.unk_id
        if model.unk_id is None:
            rows.add("", unk_id)
            scores.append(0.0)
            self._limit_no_unknown(model, unk_id, place)
        if self.options.faithful:
            scores[unk_id] = lowest - UNK_PENALTY
            if byte_fallback:
                for id_, score in _byte_scores(winner, scores, lowest - UNK_PENALTY).items():
                    scores[id_] = score
        self._limit_unigram(model, place, byte_fallback)
        columns = rows.sorted()
        self._refuse_long(rows.tokens, columns.tokens, place)
        place.became("Unigram")
        return ops.Unigram(columns, array("d", map(scores.__getitem__, columns.ids)), unk_id, byte_fallback)

    @staticmethod
    def _limit_no_unknown(model: Unigram, unk_id: int, place: Place) -> None:
        place.limit(
            "unk_id is null: tokenizers refuses a text with a character that no piece holds, the engine gives the id "
            f"{unk_id}, which no token has",
            example=_lacking({piece: 0 for piece, _ in model.vocab}),
        )

    def _limit_unigram(self, model: Unigram, place: Place, byte_fallback: bool) -> None:
        place.limit(
            "where two segmentations have the same score, the engine takes the one with the shorter "
            "last piece, tokenizers the one with the longer",
            example=_tie_example(model),
            effect=Effect.SAME_SCORE,
        )
        place.limit(
            "the engine uses the unknown token only where no piece reaches; tokenizers weighs it "
            "against every segmentation",
            effect=Effect.UNKNOWN,
        )
        if model.byte_fallback and not byte_fallback:
            place.limit(
                "byte_fallback is off, since some of the 256 byte pieces are missing: a character "
                "gives the unknown token even "
                "where the pieces of its own bytes exist"
            )
        if byte_fallback and self.options.faithful:
            place.limit(
                "a byte piece that a text spells out, such as <0x41>, is found at the cost of an unknown character",
                example="<0x41>",
                characters=((ord("<"), ord("<")),),
            )
        elif byte_fallback:
            place.limit(
                "byte pieces compete with the score that they have in the file, which may beat that of real pieces"
            )
        if not self.options.faithful:
            place.limit("the unknown token has the score of the file; tokenizers uses the lowest score less 10")


class _UnigramRows:
    """The entries of a Unigram model before they are sorted.

    Of equal tokens the engine finds the first.  So the pieces that tokenizers uses come in front, and stay there.
    """

    def __init__(self, vocab: ScoredVocab) -> None:
        self.tokens = list(vocab.pieces)
        self.ids = array("I", range(len(vocab)))
        if len(vocab.ids) < len(vocab):
            self.ids = array("I", sorted(self.ids, key=lambda id_: vocab.ids[vocab.pieces[id_]] != id_))
            self.tokens = [vocab.pieces[id_] for id_ in self.ids]

    def add(self, token: str, id_: int) -> None:
        """One more entry, behind those that are there."""
        self.tokens.append(token)
        self.ids.append(id_)

    def sorted(self) -> ops.Vocab:
        """The columns of the file."""
        return ops.Vocab(*sorted_entries(self.tokens, self.ids))


def _byte_scores(winner: Mapping[str, int], scores: Sequence[float], unknown: float) -> dict[int, float]:
    """The scores of the byte pieces, with which the bytes of a character cost together what an unknown character does.

    A byte that continues a character keeps the score of the file, where they all have one; the first byte, which says
    how many follow, makes up for it.
    """
    stated = {scores[winner[piece]] for piece in BYTE_PIECES[0x80:0xC0]}
    following = stated.pop() if len(stated) == 1 else 0.0
    lengths = [1] * 0x80 + [0] * 0x40 + [2] * 0x20 + [3] * 0x10 + [4] * 0x10
    return {
        winner[piece]: following if length == 0 else unknown - (length - 1) * following
        for piece, length in zip(BYTE_PIECES, lengths, strict=True)
    }


def _tie_example(model: Unigram) -> str | None:
    vocab = ScoredVocab.of(model.vocab)
    return tie_example(vocab.ids, vocab.scores)


def _lacking(vocab: dict[str, Any]) -> str | None:
    """A printable character that no entry is, for an example; the first of a fixed list that fits."""
    return next((char for char in "\u0416\u4e2d\u0e01\u2603\U0001f600\U00013080\u00a4" if char not in vocab), None)


_RULES: dict[type[Model], Callable[[ModelLowering, Any, Place], ops.Model]] = {
    BPE: ModelLowering._bpe,
    Unigram: ModelLowering._unigram,
    WordLevel: ModelLowering._word_level,
    WordPiece: ModelLowering._word_piece,
}
