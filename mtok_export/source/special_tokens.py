"""The tokens that the files beside ``tokenizer.json`` name, and where they disagree with it.

Which file counts is decided as in ``transformers`` (4.57 and 5.24 alike): ``tokenizer_config.json``, and where that has
no ``added_tokens_decoder``, ``special_tokens_map.json`` overrides it field by field.  ``tokenizer.json`` has the last
word on ids: ``transformers`` would add a token that is named here but missing there; this program says so instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter, is_
from typing import Any

from mtok_export.records import dataclass
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.json_values import U32_MAX, JsonObject, describe, quote, unsigned, wrong_type
from mtok_export.source.pipeline import (
    AddedToken,
    BertProcessing,
    ByteLevelProcessing,
    PostProcessor,
    PostProcessorSequence,
    RobertaProcessing,
    TemplateProcessing,
    TemplateSequence,
)
from mtok_export.source.settings import Notice, SpecialToken
from mtok_export.source.token_lookup import TokenLookup

FLAGS = ("special", "single_word", "lstrip", "rstrip", "normalized")
_flags_of: Callable[[AddedToken], tuple[bool, ...]] = attrgetter(*FLAGS)

_ID_DIGITS = len(str(U32_MAX))


@dataclass(frozen=True)
class NamedToken:
    """The text of a token that a file names, and where it stands (of a member of a list: where the list stands)."""

    content: str
    where: str


def named_token(files: ConfigFiles, role: str) -> tuple[NamedToken | None, tuple[Notice, ...]]:
    """The token with a role such as ``"eos_token"``, and a notice when two files disagree about it.

    Raises:
        SourceError: when it is neither a string nor an object with a ``content`` nor null.
    """
    config, override = files.tokenizer_config, files.special_tokens_map
    configured = _content(config, role)
    if override is None or role not in override.items:
        return configured, ()
    overriding = _content(override, role)
    if config is None or role not in config.items:
        return (None, ()) if _ignores_map(config) else (overriding, ())
    winner = configured if _ignores_map(config) else overriding
    if (configured.content if configured else None) == (overriding.content if overriding else None):
        return winner, ()
    ours, theirs = (config, override) if _ignores_map(config) else (override, config)
    problem = f"{role} is {describe(_text(ours, role))} here and {describe(_text(theirs, role))} in {theirs.at(role)}"
    return winner, (Notice(ours.at(role), f"{problem}; this one counts, as in transformers"),)


def names_role(files: ConfigFiles, role: str) -> bool:
    """Whether a file says anything of a role, be it that no token has it."""
    named = (files.tokenizer_config, files.special_tokens_map)
    return any(source is not None and role in source.items for source in named)


def _ignores_map(config: JsonObject | None) -> bool:
    return config is not None and "added_tokens_decoder" in config.items


def _text(source: JsonObject, role: str) -> str | None:
    found = _content(source, role)
    return None if found is None else found.content


def _content(source: JsonObject | None, role: str) -> NamedToken | None:
    """The token at a field: a string, an object with ``content``, or null; an empty one is none."""
    value = None if source is None else source.items.get(role)
    if source is None or value is None:
        return None
    if isinstance(value, dict):
        value = source.object(role).string("content")
    if not isinstance(value, str):
        raise wrong_type(value, "a string, an object with a content, or null", source.at(role))
    return NamedToken(value, source.at(role)) if value else None


def with_id(token: NamedToken | None, tokens: TokenLookup) -> SpecialToken | None:
    """The token with its id."""
    return None if token is None else SpecialToken(token.content, tokens.id_of(token.content))


# --- disagreements ----------------------------------------------------------------------------------------------------


def missing_tokens(files: ConfigFiles, tokens: TokenLookup) -> Iterator[Notice]:
    """Tokens that are named as special, but are no added tokens in ``tokenizer.json``.

    ``transformers`` makes added tokens of them: of one in the vocab, which changes how texts that hold it are encoded,
    as of one that is nowhere, which gives a new id.
    """
    absent = "is not in tokenizer.json (transformers would add it under a new id); it gets no id"
    ordinary = "is in the vocab, but no added token in tokenizer.json (transformers would make it one)"
    found: dict[tuple[str, str], list[str]] = {}
    for token in _all_named(files):
        if token.content not in tokens.added:
            problem = absent if tokens.id_of(token.content) is None else ordinary
            found.setdefault((token.where, problem), []).append(token.content)
    for (where, problem), texts in found.items():
        more = f", like {len(texts) - 1} more," if len(texts) > 1 else ""
        yield Notice(where, f"{quote(texts[0])}{more} {problem}")


def _all_named(files: ConfigFiles) -> Iterator[NamedToken]:
    """Every special token that is named, once per text."""
    seen = set()
    sources = [files.tokenizer_config]
    if not _ignores_map(files.tokenizer_config):
        sources.append(files.special_tokens_map)
    for source in sources:
        if source is None:
            continue
        for token in _named_in(source):
            if token.content and token.content not in seen:
                seen.add(token.content)
                yield token


def _named_in(source: JsonObject) -> Iterator[NamedToken]:
    for key, value in source.items.items():
        path = source.at(key)
        if key in ("additional_special_tokens", "extra_special_tokens"):
            members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
            for member in members:
                yield from _loosely_named(member, path)
        elif key.endswith("_token"):
            yield from _loosely_named(value, path)


def _loosely_named(value: object, path: str) -> Iterator[NamedToken]:
    """A token where the field may also be something else, such as ``add_bos_token``."""
    if isinstance(value, dict):
        value = value.get("content")
    if isinstance(value, str):
        yield NamedToken(value, path)


def token_table_notices(files: ConfigFiles, tokens: TokenLookup) -> Iterator[Notice]:
    """Where ``added_tokens_decoder`` and ``added_tokens.json`` say something else than ``tokenizer.json``."""
    config = files.tokenizer_config
    if config is not None and config.has("added_tokens_decoder"):
        decoder = config.object("added_tokens_decoder")
        stated, entries = _decoder_table(decoder)
        yield from _id_notices(stated, decoder.path, tokens)
        yield from _flag_notices(entries, decoder.path, tokens)
    if files.added_tokens is not None:
        table = files.added_tokens
        yield from _id_notices({text: table.unsigned(text) for text in table.items}, table.path, tokens)


def _decoder_table(decoder: JsonObject) -> tuple[dict[str, int], dict[str, dict[str, Any]]]:
    """The id of each token of ``added_tokens_decoder``, and its fields.  There may be thousands of tokens."""
    entries = list(decoder.items.values())
    if set(map(type, entries)) == {dict} and all(map(is_decimal, decoder.items)):
        contents = [entry.get("content") for entry in entries]
        ids = list(map(int, decoder.items))
        if set(map(type, contents)) == {str} and max(ids) <= U32_MAX:
            return dict(zip(contents, ids, strict=True)), dict(zip(contents, entries, strict=True))
    # Something is wrong, and this says what.
    table = {entry.string("content"): (_id_key(decoder, key), entry.items) for key, entry in decoder.members()}
    return {text: id_ for text, (id_, _) in table.items()}, {text: entry for text, (_, entry) in table.items()}


def is_decimal(text: str) -> bool:
    """Whether ``text`` is a number in ASCII digits, short enough to be an id."""
    return text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS


def _id_key(decoder: JsonObject, key: str) -> int:
    if not is_decimal(key):
        raise decoder.error(key, f"the key must be an id, not {quote(key)}")
    return unsigned(int(key), decoder.at(key))


def _id_notices(stated: Mapping[str, int], path: str, tokens: TokenLookup) -> Iterator[Notice]:
    actual = {text: tokens.id_of(text) for text in stated}
    absent = [text for text, token_id in actual.items() if token_id is None]
    other = [text for text, token_id in actual.items() if token_id is not None and token_id != stated[text]]
    if absent:
        example = f"{quote(absent[0])} with the id {stated[absent[0]]}"
        yield Notice(path, f"{len(absent)} tokens, such as {example}, are not in tokenizer.json and left out")
    if other:
        example = f"{quote(other[0])} ({stated[other[0]]} here, {actual[other[0]]} there)"
        yield Notice(
            path, f"{len(other)} tokens have another id than in tokenizer.json, such as {example}; that one counts"
        )


def _flag_notices(entries: Mapping[str, dict[str, Any]], path: str, tokens: TokenLookup) -> Iterator[Notice]:
    differing: list[tuple[str, str, bool]] = []
    for text, entry in entries.items():
        token = tokens.added.get(text)
        if token is None:
            continue
        actual = _flags_of(token)
        if not all(map(is_, map(entry.get, FLAGS), actual)):
            here = zip(FLAGS, actual, strict=True)
            differing += [(text, flag, value) for flag, value in here if entry.get(flag, value) is not value]
    if differing:
        text, flag, value = differing[0]
        example = f"{flag} of {quote(text)} is {str(value).lower()} there"
        count = len({text for text, _, _ in differing})
        problem = f"{count} tokens have other flags than in tokenizer.json, such as: {example}"
        yield Notice(path, f"{problem}; that counts (transformers takes those of this file)")


# --- add_bos_token, add_eos_token -------------------------------------------------------------------------------------


def ids_around(post_processor: PostProcessor | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that a post-processor puts in front of a single text and behind it."""
    if post_processor is None or isinstance(post_processor, ByteLevelProcessing):
        return (), ()
    if isinstance(post_processor, (BertProcessing, RobertaProcessing)):
        return (post_processor.cls[1],), (post_processor.sep[1],)
    if isinstance(post_processor, TemplateProcessing):
        return _ids_of_template(post_processor)
    assert isinstance(post_processor, PostProcessorSequence)
    front: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    for processor in post_processor.processors:
        more_front, more_back = ids_around(processor)
        front, back = more_front + front, back + more_back
    return front, back


def _ids_of_template(template: TemplateProcessing) -> tuple[tuple[int, ...], tuple[int, ...]]:
    ids = {token.id: token.ids for token in template.special_tokens}
    parts: list[list[int]] = [[]]
    for piece in template.single:
        if isinstance(piece, TemplateSequence):
            parts.append([])
        else:
            parts[-1].extend(ids[piece.id])
    return tuple(parts[0]), tuple(parts[-1]) if len(parts) > 1 else ()


def added_by_config_notices(
    config: JsonObject | None,
    post_processor: PostProcessor | None,
    bos_token: SpecialToken | None,
    eos_token: SpecialToken | None,
) -> Iterator[Notice]:
    """Where ``add_bos_token`` and ``add_eos_token`` say something else than the post-processor, which counts.

    ``transformers`` 5 ignores both fields when there is a ``tokenizer.json``; of version 4, LlamaTokenizerFast and
    its relatives obeyed them (DeepSeek-V3 gets a BOS there and none here), PreTrainedTokenizerFast did not.
    """
    if config is None:
        return
    front, back = ids_around(post_processor)
    fields = (("add_bos_token", bos_token, front, "in front"), ("add_eos_token", eos_token, back, "at the end"))
    for field, token, ids, place in fields:
        wanted = config.optional_boolean(field)
        if wanted is None or token is None or token.id is None or wanted == (token.id in ids):
            continue
        does = "puts none" if wanted else "puts one"
        problem = f"{field} is {str(wanted).lower()}, but the post-processor of tokenizer.json {does} {place} of a text"
        problem = problem.replace("at the end of a text", "at its end")
        yield Notice(
            config.at(field), f"{problem}; that counts (LlamaTokenizerFast of transformers 4 obeyed this field)"
        )
