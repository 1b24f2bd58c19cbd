"""The model section: the vocabulary and what is looked up in it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.format import model
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.spec import MAX_RANK
from mtok_export.shown import counted, listed, visible
from mtok_export.validating.finding import Findings, error, warning
from mtok_export.validating.subject import Subject

if TYPE_CHECKING:
    IntArray = array[int]

BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))


def model_findings(subject: Subject) -> Findings:
    """The vocabulary, then what the kind of model needs."""
    yield from _vocab(subject)
    yield from _RULES[type(subject.file.model)](subject)


def _vocab(subject: Subject) -> Findings:
    tokens, ids = subject.file.model.vocab.tokens, subject.file.model.vocab.ids
    places, size = subject.places, subject.size
    index = _first_out_of_order(tokens)
    if index is not None:
        yield error(
            "vocab-order",
            f"model.vocab[{index}]",
            places.vocab_entry(index),
            f"{visible(tokens[index])} stands behind {visible(tokens[index - 1])}",
            "the engine searches the vocabulary by bisection, so look-ups miss",
            "sort the entries by the bytes of their strings",
        )
    beyond = [index for index, id_ in enumerate(ids) if id_ >= size]
    if beyond:
        yield error(
            "id-beyond-vocab",
            f"model.vocab[{beyond[0]}]",
            places.vocab_entry(beyond[0]),
            f"{counted(len(beyond), 'id')} not below the vocab size {size:,}, first {ids[beyond[0]]} of "
            f"{visible(tokens[beyond[0]])}",
            "the engine writes past the end of an array: it may die at once, later, or not at all",
            "give every id up to the highest an entry, if only one with an empty string",
        )


# --- BPE --------------------------------------------------------------------------------------------------------------


def _bpe(subject: Subject) -> Findings:
    record = subject.file.model
    assert isinstance(record, model.Bpe)
    yield from _merge_order(subject, record.merges)
    yield from _merge_ids(subject, record.merges)
    yield from _dead_merges(subject, record.merges)
    yield from _missing_symbols(subject, record)


def _merge_order(subject: Subject, merges: model.Merges) -> Findings:
    keys = [left << 32 | right for left, right in zip(merges.left, merges.right, strict=True)]
    index = _first_out_of_order(keys)
    if index is not None:
        pair, before = ((merges.left[at], merges.right[at]) for at in (index, index - 1))
        yield error(
            "merge-order",
            f"model.merges[{index}]",
            subject.places.merge(index),
            f"the pair {pair} stands behind {before}",
            "the engine searches the merges by bisection, so look-ups miss",
            "sort the merges by left id, then by right id",
        )
    again = next((index for index in range(1, len(keys)) if keys[index] == keys[index - 1]), None)
    if again is not None:
        yield error(
            "merge-twice",
            f"model.merges[{again}]",
            subject.places.merge(again),
            f"the pair {(merges.left[again], merges.right[again])} has two ranks",
            "which of them counts depends on the search",
            "keep the lower rank",
        )
    late = [index for index, rank in enumerate(merges.rank) if rank > MAX_RANK]
    if late:
        yield error(
            "merge-rank",
            f"model.merges[{late[0]}]",
            subject.places.merge(late[0]),
            f"{counted(len(late), 'rank')} over {MAX_RANK:,}, first {merges.rank[late[0]]}",
            "a pair with such a rank never merges",
            "number the ranks from 0",
        )


def _merge_ids(subject: Subject, merges: model.Merges) -> Findings:
    for side, column in (("left", merges.left), ("right", merges.right)):
        index = next((index for index, id_ in enumerate(column) if id_ >= subject.size), None)
        if index is not None:
            yield error(
                "merge-beyond-vocab",
                f"model.merges[{index}]",
                subject.places.merge(index),
                f"the {side} id {column[index]} is not below the vocab size {subject.size:,}",
                "no symbol has this id, so the pair never merges",
                "write the merge with the ids of its two entries",
            )


def _dead_merges(subject: Subject, merges: model.Merges) -> Findings:
    """A merge joins the strings of its two ids and looks the result up."""
    entries, known = subject.entries, subject.first_ids
    dead = [
        index
        for index, (left, right) in enumerate(zip(merges.left, merges.right, strict=True))
        if entries.get(left, "") + entries.get(right, "") not in known
    ]
    if dead:
        pairs = [
            f"{visible(entries.get(merges.left[at], ''), 20)} + {visible(entries.get(merges.right[at], ''), 20)}"
            for at in dead[:3]
        ]
        yield error(
            "merge-without-entry",
            f"model.merges[{dead[0]}]",
            subject.places.merge(dead[0]),
            f"{counted(len(dead), 'merge')} whose result has no entry: {listed(pairs, len(dead))}",
            "when such a pair is next, the engine ends the piece there and leaves all other pairs unmerged",
            "add the entry, or leave the merge out",
        )


def _missing_symbols(subject: Subject, record: model.Bpe) -> Findings:
    """A character without an entry becomes its byte pieces, and without those it vanishes."""
    byte_level = record.byte_level or any(
        isinstance(at.record, p.ByteLevel) for at in subject.places.trees["pre_tokenizer"].walk()
    )
    wanted = list(BYTE_TO_CHAR.values()) if byte_level else list(BYTE_PIECES)
    missing = [piece for piece in wanted if piece not in subject.first_ids]
    if not missing or (not byte_level and len(missing) == len(wanted) and not record.byte_fallback):
        return
    kind = "byte characters" if byte_level else "byte pieces"
    why = f"{'bytes' if byte_level else 'characters'} that need them vanish from the text"
    what = f"{len(missing)} of the 256 {kind} have no entry: {listed(map(visible, missing))}"
    yield warning("missing-bytes", "model.vocab", subject.places.section("model"), what, why, "add the entries")


# --- WordPiece --------------------------------------------------------------------------------------------------------


def _word_piece(subject: Subject) -> Findings:
    record, start = subject.file.model, subject.places.section("model")
    assert isinstance(record, model.WordPiece)
    if record.unk_token not in subject.first_ids:
        what = f"the unk token {visible(record.unk_token)} has no entry"
        why = "a word that is not covered gives the id -1"
        yield error("unk-without-entry", "model.unk_token", start, what, why, "add the entry to the vocabulary")
    if record.max_chars == 0:
        what, why = "max_chars is 0", "every word is longer, so every word is unknown"
        yield error("max-chars", "model.max_chars", start, what, why, "usual is 100")


# --- Unigram ----------------------------------------------------------------------------------------------------------


def _unigram(subject: Subject) -> Findings:
    record, start = subject.file.model, subject.places.section("model")
    assert isinstance(record, model.Unigram)
    odd = next((index for index, score in enumerate(record.scores) if not isfinite(score)), None)
    if odd is not None:
        yield error(
            "score",
            f"model.vocab[{odd}]",
            subject.places.vocab_entry(odd),
            f"the score of {visible(record.vocab.tokens[odd])} is {record.scores[odd]}",
            "sums with it compare with nothing, or beat everything",
            "write a finite score",
        )
    if record.unk_id not in subject.entries:
        what = f"unk_id is {record.unk_id}, which no entry has"
        why = "an unknown stretch gives an id that decodes to nothing"
        yield warning("unk-without-entry", "model.unk_id", start, what, why, "give it the id of the unk token")
    if record.byte_fallback:
        yield from _byte_pieces(subject, record)


def _byte_pieces(subject: Subject, record: model.Unigram) -> Findings:
    start = subject.places.section("model")
    missing = [piece for piece in BYTE_PIECES if piece not in subject.first_ids]
    if missing:
        yield error(
            "missing-byte-pieces",
            "model.byte_fallback",
            start,
            f"it is set, but {counted(len(missing), 'byte piece')} of 256 have no entry: {listed(missing)}",
            "the engine reads in front of an array when it needs one",
            "add the entries, or clear the flag",
        )
    # A piece of one byte is taken for a byte piece only where no entry has its text, so ASCII is safe.
    scores = dict(zip(record.vocab.tokens, record.scores, strict=True))
    bytes_ = [scores.get(piece, float("-inf")) for piece in BYTE_PIECES]
    beaten = [
        token
        for token, score in scores.items()
        if len(token) == 1 and not token.isascii() and sum(map(bytes_.__getitem__, token.encode())) > score
    ]
    if beaten:
        yield error(
            "byte-piece-score",
            "model.vocab",
            start,
            f"the byte pieces score higher than {counted(len(beaten), 'entry', 'entries')} of one character: "
            + listed(map(visible, beaten)),
            "byte pieces compete with their score inside of characters, so they stand in place of those characters",
            "give the byte pieces scores so low that they never win",
        )


_RULES: dict[type[Any], Callable[[Subject], Findings]] = {
    model.Bpe: _bpe,
    model.WordPiece: _word_piece,
    model.Unigram: _unigram,
}


def _first_out_of_order(values: Sequence[Any]) -> int | None:
    """The index of the first value that is below the one before it; equal ones may stand side by side."""
    return next((index for index, (one, other) in enumerate(pairwise(values), 1) if one > other), None)
