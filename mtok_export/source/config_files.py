"""The JSON files beside ``tokenizer.json``, as far as they are needed.

Unknown fields are no errors here: these files serve many programs, and hold what has nothing to do with tokenizers.
"""

from __future__ import annotations

from typing import Any

from mtok_export.records import dataclass
from mtok_export.source.files import ModelFolder
from mtok_export.source.json_values import JsonObject, parse_object

TOKENIZER_CONFIG = "tokenizer_config.json"
SPECIAL_TOKENS_MAP = "special_tokens_map.json"
ADDED_TOKENS = "added_tokens.json"
GENERATION_CONFIG = "generation_config.json"
CONFIG = "config.json"


@dataclass(frozen=True)
class ConfigFiles:
    """The files that are there."""

    tokenizer_config: JsonObject | None
    special_tokens_map: JsonObject | None
    added_tokens: JsonObject | None
    generation_config: JsonObject | None
    """``generation_config.json``, or ``config.json`` where that is missing (``transformers`` does the same)."""


def only_tokenizer_config(fields: dict[str, Any], where: str) -> ConfigFiles:
    """What a source says itself in the words of ``tokenizer_config.json``; ``where`` names it in messages."""
    return ConfigFiles(JsonObject(fields, (where,)), None, None, None)


def load_config_files(folder: ModelFolder) -> ConfigFiles:
    """Read what is there.

    Raises:
        SourceError: for a file that is no JSON object.
    """
    generation_config = _load(folder, GENERATION_CONFIG)
    return ConfigFiles(
        tokenizer_config=_load(folder, TOKENIZER_CONFIG),
        special_tokens_map=_load(folder, SPECIAL_TOKENS_MAP),
        added_tokens=_load(folder, ADDED_TOKENS),
        generation_config=_load_config(folder) if generation_config is None else generation_config,
    )


def _load(folder: ModelFolder, name: str) -> JsonObject | None:
    path = folder.find(name)
    return None if path is None else parse_object(folder.read(path), folder.name_of(path))


def _load_config(folder: ModelFolder) -> JsonObject | None:
    """``config.json``; of a model for several kinds of input the part about text, if the top says nothing of tokens."""
    config = _load(folder, CONFIG)
    if config is None or config.has("eos_token_id") or not isinstance(config.items.get("text_config"), dict):
        return config
    return config.object("text_config")
