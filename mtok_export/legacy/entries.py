"""A source's tokens by their ids, for files in which the id of a row is its position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mtok_export.legacy.components import normalizers
from mtok_export.legacy.losses import IDS, SHOWN, Losses, Part, only
from mtok_export.report import Aspect
from mtok_export.source.models import model_ids
from mtok_export.source.pipeline import BPE, AddedToken, Model, Pipeline

MAX_HOLES = 1_000_000
"""Ids without a token that get an empty row; real vocabularies have some hundreds at the most."""

MODEL = "$.model"
ADDED_TOKENS = Part("$.added_tokens", "AddedTokens")


@dataclass(frozen=True)
class Entries:
    """The strings of the model's vocabulary and the added tokens, both by id.

    ``size`` is the number of rows; ``normalizes`` says whether there is a normalizer.
    """

    model: dict[int, str]
    added: dict[int, AddedToken]
    size: int
    normalizes: bool = False


def entries_of(pipeline: Pipeline, losses: Losses) -> Entries:
    """The tokens of a pipeline by id; what a row per id cannot hold is recorded."""
    part = Part(MODEL, type(pipeline.model).__name__)
    by_id: dict[int, str] = {}
    lost: list[str] = []
    for token, id_ in model_ids(pipeline.model).items():
        if by_id.setdefault(id_, token) != token:
            lost.append(token)
    if lost:
        losses.limit(
            part,
            f"{len(lost):,} tokens share the id of another and have no row, first {lost[0]!r}",
            example=lost[0],
            characters=only(token[0] for token in lost if token),
        )
    added = {token.id: token for token in pipeline.added_tokens}
    used = by_id.keys() | added.keys()
    size = max(used, default=-1) + 1
    if size - len(used) > MAX_HOLES:
        losses.refuse(
            part,
            f"the highest id is {size - 1:,} and {len(used):,} ids have a token: a row is needed for every id, and of "
            f"those without a token there may be {MAX_HOLES:,}",
        )
        size = 0
    return Entries(by_id, added, size, normalizes=bool(normalizers(pipeline)))


def limit_bpe_options(model: Model, part: Part, losses: Losses) -> None:
    """Name the options of a BPE model that no text file can say."""
    if not isinstance(model, BPE):
        return
    for name in ("continuing_subword_prefix", "end_of_word_suffix", "dropout"):
        if getattr(model, name):
            losses.limit(part, f"the engine has no {name}")
    if model.ignore_merges:
        losses.limit(part, "the engine has no ignore_merges: words that merges do not reach are cut into pieces")


def special_ids(entries: Entries, shown: Callable[[int], bytes], losses: Losses) -> tuple[int, ...]:
    """The header's special list: every added token, since the engine's text files have no other way to find one.

    The engine looks for what decoding makes of the id, so a token whose row decodes to anything but its content is left
    out and named.  The longest comes first: the engine takes the first of the list that fits.

    Args:
        entries: the tokens.
        shown: what the engine decodes an id to.
        losses: gets what differs.
    """
    found: list[tuple[int, int]] = []
    hidden: list[AddedToken] = []
    for id_, token in entries.added.items():
        content = token.content.encode("utf-8", "surrogatepass")
        if id_ >= entries.size:
            continue  # refused before
        if content and shown(id_) == content:
            found.append((-len(content), id_))
        elif content:
            hidden.append(token)
    if hidden:
        first = hidden[0]
        losses.limit(
            ADDED_TOKENS,
            f"{len(hidden):,} added tokens are found by the model alone, if at all: their rows decode to something "
            f"else (first {first.content!r})",
            example=first.content,
            aspects=(*IDS, *SHOWN),
            characters=only(token.content[0] for token in hidden),
        )
    losses.became(ADDED_TOKENS, f"{len(found):,} ids in the header's special list")
    _limit_added_tokens(entries, losses)
    if entries.normalizes:
        _limit_normalized(entries, losses)
    return tuple(id_ for _, id_ in sorted(found))


def _limit_added_tokens(entries: Entries, losses: Losses) -> None:
    """Name what a special list does otherwise than the added tokens of Hugging Face."""
    tokens = [token for token in entries.added.values() if token.content]
    rules: tuple[tuple[list[AddedToken], str, tuple[Aspect, ...], str], ...] = (
        (
            [token for token in tokens if token.special],
            "special tokens are shown: the engine's text files have no token that is found in a text and not shown",
            SHOWN,
            "{}",
        ),
        (
            [token for token in tokens if token.single_word],
            "added tokens are found inside words too: the engine has no single_word",
            IDS,
            "a{}b",
        ),
        (
            [token for token in tokens if token.lstrip or token.rstrip],
            "added tokens leave the white space round them where it is: text files have no lstrip and rstrip",
            IDS,
            "a {} b",
        ),
    )
    for found, reason, aspects, example in rules:
        if found:
            losses.limit(
                ADDED_TOKENS,
                f"{len(found):,} {reason} (first {found[0].content!r})",
                example=example.format(found[0].content),
                aspects=aspects,
                characters=only(token.content[0] for token in found),
            )


def _limit_normalized(entries: Entries, losses: Losses) -> None:
    tokens = [token for token in entries.added.values() if token.normalized and token.content]
    if tokens:
        losses.limit(
            ADDED_TOKENS,
            f"the engine looks for {len(tokens):,} added tokens in the text as it is, tokenizers in the normalized one "
            f"(first {tokens[0].content!r})",
            example=tokens[0].content,
        )
