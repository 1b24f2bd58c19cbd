"""Read a model directory: ``tokenizer.json`` and the files beside it.  No weights are needed, no network is used."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from mtok_export.source.chat_template import prepare_renderer
from mtok_export.source.chat_template_files import find_chat_template
from mtok_export.source.config_files import load_config_files
from mtok_export.source.files import ModelFolder
from mtok_export.source.settings import Settings, Source
from mtok_export.source.special_tokens import (
    added_by_config_notices,
    missing_tokens,
    named_token,
    token_table_notices,
    with_id,
)
from mtok_export.source.stop_tokens import StopTokens
from mtok_export.source.token_lookup import TokenLookup
from mtok_export.source.tokenizer_json import load_pipeline


def load_source(
    path: str | os.PathLike[str],
    *,
    chat_template: Path | None = None,
    chat_template_name: str | None = None,
    stop_tokens: Sequence[str] = (),
) -> Source:
    """Read the tokenizer of a model directory.

    Args:
        path: a directory that holds ``tokenizer.json``, one whose ``tokenizer`` folder holds it, or the file itself (a
            file with another name is read alone).
        chat_template: a file whose text is the chat template.
        chat_template_name: which of several named chat templates to take; ``default`` otherwise.
        stop_tokens: further tokens that end generation, each a token's text or an id in decimal digits.

    Returns:
        The pipeline, the settings, the files that were read, and notices about what is odd in them.

    Raises:
        SourceError: for the first thing that is wrong, with the file and the place in it.
    """
    folder = ModelFolder(Path(path))
    data = folder.read(folder.tokenizer_json)
    files = load_config_files(folder)
    template, template_notices = find_chat_template(folder, files, chat_template, chat_template_name)
    if template is not None:
        prepare_renderer()
    pipeline, notices = load_pipeline(data, folder.name_of(folder.tokenizer_json))
    tokens = TokenLookup(pipeline)
    eos, eos_notices = named_token(files, "eos_token")
    bos, bos_notices = named_token(files, "bos_token")
    eos_token, bos_token = with_id(eos, tokens), with_id(bos, tokens)
    stops = StopTokens(tokens)
    stops.add_eos_token(eos)
    stops.add_generation_config(files, bos_token, eos_token)
    stops.add_chat_template(template, bos_token, eos_token)
    stops.add_asked_for(stop_tokens)
    config = files.tokenizer_config
    settings = Settings(
        eos_token=eos_token,
        bos_token=bos_token,
        stop_tokens=stops.result(),
        chat_template=template,
        clean_up_tokenization_spaces=(config is not None and config.optional_boolean("clean_up_tokenization_spaces"))
        or False,
    )
    return Source(
        pipeline=pipeline,
        settings=settings,
        files=folder.files_read,
        notices=(
            *notices,
            *eos_notices,
            *bos_notices,
            *missing_tokens(files, tokens),
            *token_table_notices(files, tokens),
            *added_by_config_notices(config, pipeline.post_processor, bos_token, eos_token),
            *template_notices,
            *stops.notices,
        ),
        tokenizer_json=data,
    )
