"""Read a ``tokenizer.json`` into a ``Pipeline``: strictly, and without the ``tokenizers`` library.

What that library refuses is refused here, and what it accepts is accepted, except where it guesses (a component without
a type), drops parts (unknown fields) or dies on the first text: there this loader is stricter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeVar

from mtok_export.errors import SourceError
from mtok_export.source.added_tokens import load_added_tokens
from mtok_export.source.components import check_fields
from mtok_export.source.decoders import load_decoder
from mtok_export.source.json_values import U64_MAX, JsonObject, parse_object, paused_gc, quote, unsigned
from mtok_export.source.models import load_model, model_ids, model_size
from mtok_export.source.normalizers import load_normalizer
from mtok_export.source.pipeline import AddedToken, Padding, Pipeline, Truncation
from mtok_export.source.post_processors import load_post_processor, named_tokens
from mtok_export.source.pre_tokenizers import load_pre_tokenizer
from mtok_export.source.settings import Notice
from mtok_export.source.vocabulary import holes_notice

T = TypeVar("T")

VERSION = "1.0"
"""The only ``version`` there is; it may be missing."""

FIELDS = frozenset(
    (
        "version",
        "truncation",
        "padding",
        "added_tokens",
        "normalizer",
        "pre_tokenizer",
        "post_processor",
        "decoder",
        "model",
    )
)
DIRECTIONS: Mapping[str, Literal["Left", "Right"]] = {"Left": "Left", "Right": "Right"}
STRATEGIES: Mapping[str, str] = {name: name for name in ("LongestFirst", "OnlyFirst", "OnlySecond")}


def load_pipeline(data: bytes, name: str) -> tuple[Pipeline, tuple[Notice, ...]]:
    """Read the text of a ``tokenizer.json``.

    Args:
        data: the whole file.
        name: the file's name, for messages.

    Returns:
        The pipeline, and what is odd in the file but does no harm.

    Raises:
        SourceError: with file name and JSON path (or line and column), for the first thing that is wrong.
    """
    with paused_gc():
        source = parse_object(data, name)
        check_fields(source, FIELDS, "tokenizer", "")
        if "version" in source.items and source.string("version") != VERSION:
            raise source.error("version", f"{quote(source.string('version'))} is unknown; known is {quote(VERSION)}")
        notices: list[Notice] = []
        model, vocab_ids = load_model(source.object("model"), data, notices)
        ids = model_ids(model)
        added_tokens = load_added_tokens(source, ids, vocab_ids, model_size(model), notices)
        notices.extend(holes_notice(vocab_ids, (token.id for token in added_tokens), f"{name}: $.model.vocab"))
        notices.extend(_check_named_tokens(source, ids, added_tokens))
        pipeline = Pipeline(
            normalizer=_optional(source, "normalizer", load_normalizer),
            pre_tokenizer=_optional(source, "pre_tokenizer", load_pre_tokenizer),
            model=model,
            post_processor=_optional(source, "post_processor", load_post_processor),
            decoder=_optional(source, "decoder", load_decoder),
            added_tokens=added_tokens,
            truncation=_optional(source, "truncation", _load_truncation),
            padding=_optional(source, "padding", _load_padding),
        )
    return pipeline, tuple(notices)


def _optional(source: JsonObject, key: str, load: Callable[[JsonObject], T]) -> T | None:
    return load(source.object(key)) if source.has(key) else None


def _check_named_tokens(
    source: JsonObject, ids: Mapping[str, int], added_tokens: tuple[AddedToken, ...]
) -> Iterator[Notice]:
    """Where the post-processor states another id for a token than the rest of the file."""
    if not source.has("post_processor"):
        return
    post_processor = source.object("post_processor")
    load_post_processor(post_processor)  # so that its fields can be trusted
    added_ids = {token.content: token.id for token in added_tokens}
    for path, token, stated in named_tokens(post_processor):
        actual = added_ids.get(token, ids.get(token))
        if actual is None:
            yield Notice(path, f"no token {quote(token)} is in the tokenizer; the id {stated} is used as stated here")
        elif actual != stated:
            yield Notice(path, f"{quote(token)} has the id {actual}, but {stated} is used, as stated here")


def _load_truncation(source: JsonObject) -> Truncation:
    check_fields(source, frozenset(("direction", "max_length", "strategy", "stride")), "truncation", "")
    return Truncation(
        direction=source.choice("direction", DIRECTIONS, default="Right"),
        max_length=source.unsigned("max_length", limit=U64_MAX),
        strategy=source.choice("strategy", STRATEGIES),
        stride=source.unsigned("stride", limit=U64_MAX),
    )


def _load_padding(source: JsonObject) -> Padding:
    fields = ("strategy", "direction", "pad_to_multiple_of", "pad_id", "pad_type_id", "pad_token")
    check_fields(source, frozenset(fields), "padding", "")
    return Padding(
        fixed=_fixed_length(source),
        direction=source.choice("direction", DIRECTIONS),
        pad_to_multiple_of=source.optional_unsigned("pad_to_multiple_of", limit=U64_MAX),
        pad_id=source.unsigned("pad_id"),
        pad_type_id=source.unsigned("pad_type_id"),
        pad_token=source.string("pad_token"),
    )


def _fixed_length(source: JsonObject) -> int | None:
    """The length of ``{"Fixed": length}``, or ``None`` for ``"BatchLongest"``."""
    strategy = source.value("strategy")
    if strategy == "BatchLongest":
        return None
    if not isinstance(strategy, dict) or strategy.keys() != {"Fixed"}:
        raise SourceError('"BatchLongest" or {"Fixed": length} is needed here', where=source.at("strategy"))
    return unsigned(strategy["Fixed"], f"{source.at('strategy')}.Fixed", U64_MAX)
