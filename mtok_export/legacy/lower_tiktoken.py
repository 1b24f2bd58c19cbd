"""To type 1: the bytes of every token.

The engine takes the longest token that fits at each place, over the whole text; ranks and patterns are not in the file.
Its search looks one byte beyond the end of a text, where it finds a zero: a token with a zero byte behind another byte
makes it run out of the text and die.  A token without bytes is found where nothing else is, for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mtok_export.byte_alphabet import to_bytes
from mtok_export.format.header import Header
from mtok_export.legacy.components import is_byte_level
from mtok_export.legacy.decoding import limit_decoder, limit_leading_space
from mtok_export.legacy.entries import MODEL, entries_of, limit_bpe_options, special_ids
from mtok_export.legacy.losses import IDS, SHOWN, Losses, Part, only
from mtok_export.legacy.spec import META
from mtok_export.legacy.tiktoken import TiktokenFile
from mtok_export.source.pipeline import BPE, Pipeline, Unigram
from mtok_export.source.settings import Source

NEVER_FOUND = b"\xff" * 8
"""In the place of nothing, where the single bytes are not all there: no text holds it."""

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


def lower_tiktoken(source: Source, losses: Losses) -> TiktokenFile:
    """The file, its header without stop and prefix ids."""
    pipeline = source.pipeline
    part = Part(MODEL, type(pipeline.model).__name__)
    if not isinstance(pipeline.model, (BPE, Unigram)):
        losses.refuse(part, "type TIKTOKEN holds tokens that are bytes of a text; type BERT holds WordPiece")
        return TiktokenFile(Header(), ())
    entries = entries_of(pipeline, losses)
    as_bytes = _spelling(pipeline)
    tokens = [b""] * entries.size
    for id_, text in entries.model.items():
        if id_ < entries.size:
            tokens[id_] = as_bytes(text)
    for id_, token in entries.added.items():
        if id_ < entries.size:
            tokens[id_] = token.content.encode("utf-8")
    _drop_zeros(tokens, part, losses)
    _fill(tokens, part, losses)
    if not is_byte_level(pipeline) and _has_unknown(pipeline.model):
        losses.limit(part, "the unknown token is shown", aspects=SHOWN)
    specials = special_ids(entries, tokens.__getitem__, losses)
    limit_leading_space(pipeline, losses)
    limit_bpe_options(pipeline.model, part, losses)
    limit_decoder(pipeline, losses, byte_level=is_byte_level(pipeline))
    losses.limit(part, "the engine takes the longest token that fits at each place: no merges, no pattern, no splits")
    losses.became(part, f"{len(tokens):,} tokens as bytes")
    return TiktokenFile(Header(special_ids=specials), tuple(tokens))


def _spelling(pipeline: Pipeline) -> Callable[[str], bytes]:
    """How an entry of the vocabulary stands for bytes."""
    if is_byte_level(pipeline):
        return to_bytes
    return _with_spaces


def _with_spaces(text: str) -> bytes:
    byte = _BYTE.fullmatch(text)
    return bytes((int(byte[1], 16),)) if byte else text.replace(META, " ").encode("utf-8")


def _has_unknown(model: BPE | Unigram) -> bool:
    return (model.unk_id if isinstance(model, Unigram) else model.unk_token) is not None


def _drop_zeros(tokens: list[bytes], part: Part, losses: Losses) -> None:
    """Empty the tokens that would make the engine run out of a text."""
    found = [id_ for id_, token in enumerate(tokens) if b"\0" in token[1:]]
    if found:
        losses.limit(
            part,
            f"{len(found):,} tokens with a zero byte behind another have an empty row, first {tokens[found[0]]!r}: "
            "the engine would run on behind the end of a text and die",
            example=tokens[found[0]].decode("utf-8", "replace"),
            aspects=(*IDS, *SHOWN),
            characters=only("\0"),
        )
    for id_ in found:
        tokens[id_] = b""


def _fill(tokens: list[bytes], part: Part, losses: Losses) -> None:
    """Make empty rows harmless, and name the bytes that no token stands for."""
    known = {token for token in tokens if len(token) == 1}
    missing = [byte for byte in range(256) if bytes((byte,)) not in known]
    if not missing:
        return
    losses.limit(part, f"bytes that no token starts with vanish: {len(missing)} of 256 are no token of their own")
    for id_, token in enumerate(tokens):
        if not token:
            tokens[id_] = NEVER_FOUND
