"""To type 0: pieces with scores.

The engine merges, the highest score first and the leftmost of equals, any two neighbours whose joined string is a
NORMAL piece.  That is what the sentencepiece library does for a BPE model; a Unigram model is treated the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mtok_export.format.header import Header
from mtok_export.legacy.components import normalizers
from mtok_export.legacy.decoding import limit_decoder, limit_leading_space
from mtok_export.legacy.entries import ADDED_TOKENS, MODEL, Entries, entries_of, limit_bpe_options, special_ids
from mtok_export.legacy.losses import IDS, SHOWN, WHOLE, Losses, Part, all_but, only
from mtok_export.legacy.sentencepiece import Piece, PieceType, SentencePieceFile
from mtok_export.legacy.shown import shown_piece
from mtok_export.legacy.spaces import limit_spaces
from mtok_export.legacy.spec import META
from mtok_export.source.pipeline import BPE, Pipeline, Prepend, ReplaceNormalizer, Unigram
from mtok_export.source.settings import Source

BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in range(256))
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_HOLE = Piece(b"", 0.0, PieceType.UNUSED)
_META = META.encode("utf-8")


def lower_sentencepiece(source: Source, losses: Losses) -> SentencePieceFile:
    """The file, its header without stop and prefix ids."""
    pipeline = source.pipeline
    model = pipeline.model
    part = Part(MODEL, type(model).__name__)
    if not isinstance(model, (BPE, Unigram)):
        losses.refuse(part, "type SENTENCEPIECE holds BPE and Unigram models; type BERT holds WordPiece")
        return SentencePieceFile(Header(), ())
    entries = entries_of(pipeline, losses)
    rows = _rows(source, model, entries, part, losses)
    _unknown_row(rows, part, losses)
    limit_bpe_options(model, part, losses)
    normal = [row.piece.decode("utf-8", "replace") for row in rows if row.type is PieceType.NORMAL]
    limit_spaces(pipeline, normal, losses)
    _limit_unknown_characters(rows, pipeline, part, losses)
    _limit_shown(rows, part, losses)
    limit_decoder(pipeline, losses, byte_level=False)
    limit_leading_space(pipeline, losses)
    specials = special_ids(entries, lambda id_: shown_piece(rows[id_].piece), losses)
    if source.pieces:
        _limit_restart(entries, losses)
    losses.became(part, f"{len(rows):,} pieces, {len(normal):,} of them NORMAL")
    return SentencePieceFile(Header(special_ids=specials), tuple(rows))


# --- rows -------------------------------------------------------------------------------------------------------------


def _rows(source: Source, model: BPE | Unigram, entries: Entries, part: Part, losses: Losses) -> list[Piece]:
    """A row for every id."""
    if isinstance(model, Unigram):
        losses.limit(part, "the engine looks for no best path through the pieces: it merges neighbours by their scores")
    if source.pieces:
        found = [Piece(piece.piece.encode("utf-8"), piece.score, piece.type) for piece in source.pieces]
    elif isinstance(model, Unigram):
        found = list(_unigram_rows(model))
    else:
        found = _bpe_rows(model, entries, _scores(model, part, losses))
    rows = found + [_HOLE] * (entries.size - len(found))
    for id_, token in entries.added.items():
        content = token.content.encode("utf-8")
        if id_ >= len(rows) or (shown_piece(content) != content and rows[id_].piece == content):
            continue  # it cannot be in the special list, but perhaps merging finds it
        if rows[id_].piece != content or rows[id_].type in (PieceType.NORMAL, PieceType.UNUSED):
            rows[id_] = Piece(content, 0.0, PieceType.CONTROL if token.special else PieceType.USER_DEFINED)
    return rows


def _type_of(text: str, byte_fallback: bool) -> PieceType:
    return PieceType.BYTE if byte_fallback and _BYTE.fullmatch(text) else PieceType.NORMAL


def _unigram_rows(model: Unigram) -> Iterator[Piece]:
    last = {text: id_ for id_, (text, _) in enumerate(model.vocab)}
    for id_, (text, score) in enumerate(model.vocab):
        if last[text] != id_:  # tokenizers finds the last of equal pieces, the engine would find the first
            yield _HOLE
            continue
        kind = PieceType.UNKNOWN if id_ == model.unk_id else _type_of(text, model.byte_fallback)
        yield Piece(text.encode("utf-8"), score, kind)


def _bpe_rows(model: BPE, entries: Entries, scores: dict[str, float]) -> list[Piece]:
    strings = (entries.model.get(id_) for id_ in range(entries.size))
    return [_HOLE if text is None else _bpe_row(text, model, scores) for text in strings]


def _bpe_row(text: str, model: BPE, scores: dict[str, float]) -> Piece:
    """A row; a string that no merge makes must not be found by the engine, which merges by strings."""
    kind = PieceType.UNKNOWN if text == model.unk_token else _type_of(text, model.byte_fallback)
    if kind is PieceType.NORMAL and len(text) > 1 and text not in scores:
        kind = PieceType.UNUSED
    return Piece(text.encode("utf-8"), scores.get(text, 0.0), kind)


def _scores(model: BPE, part: Part, losses: Losses) -> dict[str, float]:
    """Minus the rank of the first merge that makes a string; what one score for each string loses is named."""
    scores: dict[str, float] = {}
    last: dict[str, int] = {}
    split: list[str] = []
    for rank, (left, right) in enumerate(model.merges):
        made = left + right
        if made in scores and last[made] != rank - 1:
            split.append(made)
        scores.setdefault(made, 0.0 - rank)
        last[made] = rank
    if split:
        losses.limit(
            part,
            f"{len(set(split)):,} strings come from several merges with others between, first {split[0]!r}: the engine "
            "has one score for each string",
            example=_as_text(split[0]),
        )
    missing = _merges_without_rank(model, scores)
    if missing:
        left, right = missing[0]
        losses.limit(
            part,
            f"the engine merges by strings: {len(missing):,} pairs make a token but are no merges, first "
            f"{left!r} and {right!r}",
            example=_as_text(left + right),
        )
    return scores


def _merges_without_rank(model: BPE, scores: dict[str, float]) -> list[tuple[str, str]]:
    """Pairs of strings that can stand beside each other and make a string, but that are no merge."""
    known = set(model.merges)
    symbols = scores.keys() | {text for text in model.vocab if len(text) == 1}
    return [
        (made[:cut], made[cut:])
        for made in scores
        for cut in range(1, len(made))
        if made[:cut] in symbols and made[cut:] in symbols and (made[:cut], made[cut:]) not in known
    ]


def _as_text(piece: str) -> str:
    return piece.removeprefix(META).replace(META, " ")


def _unknown_row(rows: list[Piece], part: Part, losses: Losses) -> None:
    """Make sure that there is an UNKNOWN row: without one the engine takes the id 0 for it."""
    if any(row.type is PieceType.UNKNOWN for row in rows):
        return
    texts = {row.piece for row in rows}
    if not texts >= {text.encode("ascii") for text in BYTE_PIECES}:
        losses.refuse(part, "there is neither an unknown token nor a piece for each of the 256 bytes")
    rows.append(Piece(b"", 0.0, PieceType.UNKNOWN))
    losses.became(part, "an empty UNKNOWN piece behind the others, which no text gives")


# --- limits -----------------------------------------------------------------------------------------------------------


def _limit_unknown_characters(rows: list[Piece], pipeline: Pipeline, part: Part, losses: Losses) -> None:
    texts = {row.piece.decode("utf-8", "replace") for row in rows}
    changed = any(not isinstance(each, (Prepend, ReplaceNormalizer)) for _, each in normalizers(pipeline))
    unknown = all_but([*(text for text in texts if len(text) == 1), " "])
    characters = None if changed else unknown  # characters that a text gets from a normalizer may be unknown, too
    example = chr(unknown[-1][1])
    missing = BYTE_PIECES - texts
    assert isinstance(pipeline.model, (BPE, Unigram))
    if not missing and not pipeline.model.byte_fallback:
        losses.limit(
            part,
            "the engine gives the bytes of an unknown character, tokenizers the unknown token",
            characters=characters,
        )
    elif missing:
        losses.limit(
            part,
            "the engine gives the unknown token once for every byte of an unknown character, and shows it",
            example=example,
            aspects=(*IDS, *SHOWN),
            characters=characters,
        )
    if len(missing) < len(BYTE_PIECES):
        losses.limit(
            part,
            "the engine's whole decoding shows bytes as <0xNN>; its streaming shows them right",
            example=example,
            aspects=WHOLE,
            characters=characters,
        )


def _limit_shown(rows: Iterable[Piece], part: Part, losses: Losses) -> None:
    """Name the pieces that the engine does not show as tokenizers does."""
    odd = [row for row in rows if shown_piece(row.piece) != row.piece.replace(_META, b" ")]
    if odd:
        piece = odd[0].piece.decode("utf-8", "replace")
        losses.limit(
            part,
            f"of the U+2581 in a piece the engine turns the first alone into a space, and drops what follows it where "
            f"something stands in front: {len(odd):,} pieces, first {piece!r}",
            example=_as_text(piece) if piece.strip(META) else "a" + " " * len(piece) + "b",
            aspects=SHOWN,
            characters=only(f" {META}"),
        )


def _limit_restart(entries: Entries, losses: Losses) -> None:
    contents = [token.content for token in entries.added.values() if token.content]
    if contents:
        losses.limit(
            ADDED_TOKENS,
            f"the engine puts {META!r} in front of what follows a special token, as sentencepiece does not",
            example=f"a{contents[0]}b",
            characters=only(content[0] for content in contents),
        )
