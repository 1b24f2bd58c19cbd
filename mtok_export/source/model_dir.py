"""Read a model directory: the tokenizer and the files beside it.  No weights are needed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from mtok_export.errors import SourceError
from mtok_export.source.chat_template import prepare_renderer
from mtok_export.source.chat_template_files import find_chat_template
from mtok_export.source.config_files import ConfigFiles, load_config_files
from mtok_export.source.conversion import Converted, Owner
from mtok_export.source.hub import local_path, provenance
from mtok_export.source.json_values import JsonObject, paused_gc
from mtok_export.source.kinds import TOKENIZER_JSON, Found, Kind, find_source, ignored_beside, refuse_stand_in
from mtok_export.source.pipeline import Pipeline
from mtok_export.source.settings import ChatTemplate, Notice, Settings, Source
from mtok_export.source.special_tokens import (
    NamedToken,
    added_by_config_notices,
    missing_tokens,
    named_token,
    names_role,
    token_table_notices,
    with_id,
)
from mtok_export.source.stop_tokens import StopTokens
from mtok_export.source.token_lookup import TokenLookup
from mtok_export.source.tokenizer_json import load_pipeline


def load_source(
    path: str | os.PathLike[str],
    *,
    chat_template: str | os.PathLike[str] | None = None,
    chat_template_name: str | None = None,
    stop_tokens: Sequence[str | int] = (),
    revision: str | None = None,
    trust_remote_code: bool = False,
    tiktoken_pattern: str | None = None,
) -> Source:
    """Read the tokenizer of a model directory.

    Args:
        path: a directory that holds a tokenizer, one whose ``tokenizer`` folder holds it, or a tokenizer file itself (a
            file with a name of its own is read alone).  Of several kinds of file ``tokenizer.json`` counts first.  What
            does not exist may be the id of a model on the Hugging Face Hub, whose tokenizer files are then fetched.
        chat_template: a file whose text is the chat template.
        chat_template_name: which of several named chat templates to take; ``default`` otherwise.
        stop_tokens: further tokens that end generation, each a token's text or an id (a number, or its digits).
        revision: a branch, tag or commit of the model on the Hub.
        trust_remote_code: whether Python code that comes with the model may be run, where only that code can read it.
        tiktoken_pattern: by which pattern the texts of a file of tiktoken ranks are split, where no file says so.

    Returns:
        The pipeline, the settings, the files that were read, and notices about what is odd in them.

    Raises:
        SourceError: for the first thing that is wrong, with the file and the place in it.
        UnsupportedError: for a tokenizer that is sound, but that no pipeline can express.
    """
    local, repo = local_path(path, revision, trust_remote_code=trust_remote_code)
    found = find_source(local)
    folder = found.folder
    _check_pattern(tiktoken_pattern)
    data, files, converted, origin = _read(found, trust_remote_code, tiktoken_pattern)
    template_path = None if chat_template is None else Path(chat_template)
    template, template_notices = find_chat_template(folder, files, template_path, chat_template_name)
    if template is None and converted.defaults.chat_template and chat_template_name is None:
        template = ChatTemplate(converted.defaults.chat_template, origin)
    if template is not None:
        prepare_renderer(template.text)
    is_json = found.files[0].kind is Kind.TOKENIZER_JSON
    pipeline, notices = load_pipeline(data, origin if is_json else f"{origin} (as tokenizer.json)")
    settings, settings_notices = _settings(files, pipeline, converted, origin, template, stop_tokens, is_json=is_json)
    notices = (*converted.notices, *notices, *settings_notices[0], *template_notices, *settings_notices[1])
    if tiktoken_pattern is not None and converted.owner is not Owner.TIKTOKEN:
        notices = (Notice(origin, "the tiktoken pattern is not used: this is no file of tiktoken ranks"), *notices)
    if repo is not None:
        notices = (provenance(repo, local), *notices)
    return Source(
        pipeline=pipeline,
        settings=settings,
        files=folder.files_read,
        notices=notices if is_json else tuple(_about(origin, notices)),
        tokenizer_json=data,
        origin=origin,
        is_tokenizer_json=is_json,
        owner=converted.owner,
        original=converted.original,
        pattern=converted.pattern,
        pieces=converted.pieces,
        folder=folder.folder if folder.has_companions else None,
        paths=frozenset(folder.paths),
    )


def _check_pattern(pattern: str | None) -> None:
    try:
        (pattern or "").encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"character {error.start} is a lone surrogate, which no text can hold"
        raise SourceError(problem, where="tiktoken pattern") from None


def _read(
    found: Found, trust_remote_code: bool, tiktoken_pattern: str | None
) -> tuple[bytes, ConfigFiles, Converted, str]:
    """The text of ``tokenizer.json``, the files beside it, what the source says beyond, and the name of its file."""
    first = found.files[0]
    if first.kind is Kind.TOKENIZER_JSON:
        data = found.folder.read(first.path)
        refuse_stand_in(data[:64], found.folder.name_of(first.path))
        nothing = Converted(document={}, owner=Owner.TOKENIZERS, original=b"", notices=tuple(ignored_beside(found)))
        return data, load_config_files(found.folder), nothing, found.folder.name_of(first.path)
    from mtok_export.source.readers import convert  # with what reads a dozen kinds of file

    files = load_config_files(found.folder)
    with paused_gc():
        converted, name = convert(found, files, trust_remote_code=trust_remote_code, tiktoken_pattern=tiktoken_pattern)
    data = orjson.dumps(converted.document)
    return data, files, replace(converted, document={}), name


def _about(origin: str, notices: Iterable[Notice]) -> Iterator[Notice]:
    """Notices in which the file that was read stands where there is no ``tokenizer.json``."""
    for notice in notices:
        yield replace(notice, message=notice.message.replace(f"in {TOKENIZER_JSON}", f"in {origin}"))


def _settings(
    files: ConfigFiles,
    pipeline: Pipeline,
    converted: Converted,
    origin: str,
    template: ChatTemplate | None,
    stop_tokens: Sequence[str | int],
    *,
    is_json: bool,
) -> tuple[Settings, tuple[Sequence[Notice], Sequence[Notice]]]:
    """What the files beside the tokenizer say, and the notices about tokens and about the end of generation."""
    tokens = TokenLookup(pipeline)
    eos, eos_notices = _role(files, "eos_token", converted.defaults.eos_token, origin)
    bos, bos_notices = _role(files, "bos_token", converted.defaults.bos_token, origin)
    eos_token, bos_token = with_id(eos, tokens), with_id(bos, tokens)
    stops = StopTokens(tokens)
    stops.add_eos_token(eos)
    stops.add_generation_config(files, bos_token, eos_token)
    for token_id, field in converted.defaults.stop_tokens:
        stops.add(token_id, f"{origin}: {field}")
    stops.add_chat_template(template, bos_token, eos_token)
    stops.add_asked_for(stop_tokens)
    config = files.tokenizer_config
    tidy = config is not None and config.optional_boolean("clean_up_tokenization_spaces")
    settings = Settings(
        eos_token=eos_token,
        bos_token=bos_token,
        stop_tokens=stops.result(),
        chat_template=template,
        clean_up_tokenization_spaces=tidy or False,
    )
    # Other readers have made something of every token that the files name, and have said so.
    about_tokens = (
        *_split_special_tokens(config),
        *eos_notices,
        *bos_notices,
        *(missing_tokens(files, tokens) if is_json else ()),
        *(token_table_notices(files, tokens) if is_json else ()),
        *added_by_config_notices(config, pipeline.post_processor, bos_token, eos_token),
    )
    return settings, (about_tokens, stops.notices)


def _split_special_tokens(config: JsonObject | None) -> Iterator[Notice]:
    if config is not None and config.items.get("split_special_tokens") is True:
        problem = "split_special_tokens is true: transformers takes special tokens in a text for plain text"
        yield Notice(config.at("split_special_tokens"), f"{problem}; the engine finds them")


def _role(
    files: ConfigFiles, role: str, default: str | None, origin: str
) -> tuple[NamedToken | None, tuple[Notice, ...]]:
    """The token with a role; where no file says anything of it, the one of the source itself."""
    named, notices = named_token(files, role)
    if named is None and default is not None and not names_role(files, role):
        named = NamedToken(default, f"{origin}: {role}")
    return named, notices
