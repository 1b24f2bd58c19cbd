"""The post-processors of ``tokenizer.json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from mtok_export.errors import SourceError
from mtok_export.source.components import Rule, check_fields, load_component, rule
from mtok_export.source.json_values import JsonObject, quote, unsigned, wrong_type
from mtok_export.source.pipeline import (
    BertProcessing,
    ByteLevelProcessing,
    PostProcessor,
    PostProcessorSequence,
    RobertaProcessing,
    TemplatePiece,
    TemplateProcessing,
    TemplateSequence,
    TemplateSpecialToken,
    TemplateToken,
)
from mtok_export.source.shared_parts import BYTE_LEVEL_FIELDS, load_byte_level

SEQUENCES: Mapping[str, Literal["A", "B"]] = {"A": "A", "B": "B"}


def load_post_processor(source: JsonObject) -> PostProcessor:
    """Read one post-processor; raises ``SourceError``."""
    return load_component(source, POST_PROCESSORS, "post_processor")


def named_tokens(source: JsonObject) -> Iterator[tuple[str, str, int]]:
    """Every (JSON path, token, id) that a post-processor which loads states; the library believes the id."""
    for key in ("sep", "cls"):
        if key in source.items:
            token, token_id = source.items[key]
            yield source.at(key), token, token_id
    if source.has("special_tokens"):
        for _, entry in source.object("special_tokens").members():
            for token, token_id in zip(entry.items["tokens"], entry.items["ids"], strict=False):
                yield entry.path, token, token_id
    if source.has("processors"):
        for processor in source.objects("processors"):
            yield from named_tokens(processor)


def _token_and_id(source: JsonObject, key: str) -> tuple[str, int]:
    pair = source.array(key)
    if len(pair) != 2:
        raise source.error(key, f"a token and its id are needed here, not an array of length {len(pair)}")
    if not isinstance(pair[0], str):
        raise wrong_type(pair[0], "a string", f"{source.at(key)}[0]")
    return pair[0], unsigned(pair[1], f"{source.at(key)}[1]")


def _bert(source: JsonObject) -> PostProcessor:
    return BertProcessing(sep=_token_and_id(source, "sep"), cls=_token_and_id(source, "cls"))


def _roberta(source: JsonObject) -> PostProcessor:
    """The library silently makes a BertProcessing of one without its two flags; here they must be there."""
    return RobertaProcessing(
        sep=_token_and_id(source, "sep"),
        cls=_token_and_id(source, "cls"),
        trim_offsets=source.boolean("trim_offsets"),
        add_prefix_space=source.boolean("add_prefix_space"),
    )


def _sequence_piece(piece: JsonObject) -> TemplatePiece:
    return TemplateSequence(piece.choice("id", SEQUENCES), piece.unsigned("type_id"))


def _special_token_piece(piece: JsonObject) -> TemplatePiece:
    return TemplateSpecialToken(piece.string("id"), piece.unsigned("type_id"))


PIECES: Mapping[str, Rule[TemplatePiece]] = {
    "Sequence": rule(_sequence_piece, "id", "type_id"),
    "SpecialToken": rule(_special_token_piece, "id", "type_id"),
}


def _template(source: JsonObject, key: str) -> tuple[TemplatePiece, ...]:
    pieces = []
    for item in source.objects(key):
        if len(item.items) != 1:
            raise item.error(None, f"one of {' and '.join(PIECES)} is needed here, not {len(item.items)} fields")
        name = next(iter(item.items))
        if name not in PIECES:
            raise item.error(name, f"{quote(name)} is no template piece; known are {', '.join(PIECES)}")
        piece = item.object(name)
        check_fields(piece, PIECES[name].fields, "template piece", name)
        pieces.append(PIECES[name].load(piece))
    return tuple(pieces)


def _template_token(name: str, source: JsonObject) -> TemplateToken:
    """One entry of ``special_tokens``; pieces find it by its key, whatever its ``id`` says."""
    check_fields(source, frozenset(("id", "ids", "tokens")), "special token", "")
    source.string("id")
    ids, tokens = source.array("ids"), source.array("tokens")
    for i, token in enumerate(tokens):
        if not isinstance(token, str):
            raise wrong_type(token, "a string", f"{source.at('tokens')}[{i}]")
    checked = tuple([unsigned(token_id, f"{source.at('ids')}[{i}]") for i, token_id in enumerate(ids)])
    return TemplateToken(name, checked, tuple(tokens))


def _template_processing(source: JsonObject) -> PostProcessor:
    single, pair = _template(source, "single"), _template(source, "pair")
    tokens = tuple([_template_token(name, entry) for name, entry in source.object("special_tokens").members()])
    names = {token.id for token in tokens}
    for i, piece in enumerate(single):
        _check_usable(piece, names, f"{source.at('single')}[{i}]")
    return TemplateProcessing(single, pair, tokens)


def _check_usable(piece: TemplatePiece, names: set[str], path: str) -> None:
    """Refuse what the library loads but cannot encode a single text with (it panics on the first one)."""
    if isinstance(piece, TemplateSpecialToken) and piece.id not in names:
        raise SourceError(f"special_tokens has no entry {quote(piece.id)}", where=path)
    if isinstance(piece, TemplateSequence) and piece.id != "A":
        raise SourceError("the template for one sequence uses the sequence B, which only a pair has", where=path)


def _sequence(source: JsonObject) -> PostProcessor:
    return PostProcessorSequence(tuple([load_post_processor(item) for item in source.objects("processors")]))


POST_PROCESSORS: Mapping[str, Rule[PostProcessor]] = {
    "RobertaProcessing": rule(_roberta, "sep", "cls", "trim_offsets", "add_prefix_space"),
    "BertProcessing": rule(_bert, "sep", "cls"),
    "ByteLevel": rule(lambda source: ByteLevelProcessing(*load_byte_level(source)), *BYTE_LEVEL_FIELDS),
    "TemplateProcessing": rule(_template_processing, "single", "pair", "special_tokens"),
    "Sequence": rule(_sequence, "processors"),
}
