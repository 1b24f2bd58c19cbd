"""Small tokenizers of every family, trained with the ``tokenizers`` library on some of the built-in texts.

``zoo(name)`` gives the bytes of a ``tokenizer.json``, ``write_model_dir`` a whole model directory.  Only byte-pair
training is used, which gives the same result on every run; the vocabularies of the other families are derived from it
(``UnigramTrainer`` and ``WordPieceTrainer`` number and score their pieces differently from run to run).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from tests import chat_templates, zoo_bytes, zoo_pieces
from tests.tokenizer_parts import Json


@dataclass(frozen=True)
class Specimen:
    """A tokenizer and the files beside it."""

    build: Callable[[], Json]
    config: Json = field(default_factory=dict)
    generation: Json | None = None


_BERT_ROLES = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")


def _bert_config(*, lower: bool) -> Json:
    roles = dict(zip(_BERT_ROLES, zoo_pieces.BERT_SPECIALS, strict=True))
    return {**roles, "do_lower_case": lower, "clean_up_tokenization_spaces": True, "tokenizer_class": "BertTokenizer"}


def _added_token(content: str) -> Json:
    """A token as ``tokenizer_config.json`` may write it: an object in place of a string."""
    flags = {"lstrip": False, "normalized": True, "rstrip": False, "single_word": False}
    return {"__type": "AddedToken", "content": content, **flags}


_LLAMA_CONFIG: Json = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "add_bos_token": True}

ZOO: dict[str, Specimen] = {
    "gpt2": Specimen(
        zoo_bytes.gpt2, {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}
    ),
    "qwen2": Specimen(
        zoo_bytes.qwen2,
        {"bos_token": None, "eos_token": "<|im_end|>", "chat_template": chat_templates.CHATML},
        {"eos_token_id": ["<|im_end|>", "<|endoftext|>"], "pad_token_id": "<|endoftext|>"},
    ),
    "o200k": Specimen(zoo_bytes.o200k, {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}),
    "llama3": Specimen(
        zoo_bytes.llama3,
        {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>", "chat_template": chat_templates.HEADERS},
        {"bos_token_id": "<|begin_of_text|>", "eos_token_id": ["<|end_of_text|>", "<|eot_id|>"]},
    ),
    "deepseek": Specimen(
        zoo_bytes.deepseek,
        {
            "bos_token": _added_token("<｜begin▁of▁sentence｜>"),
            "eos_token": _added_token("<｜end▁of▁sentence｜>"),
            "chat_template": chat_templates.BARS,
        },
    ),
    "roberta": Specimen(
        zoo_bytes.roberta,
        {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"},
    ),
    "odd-added-tokens": Specimen(zoo_bytes.odd_added_tokens, {"eos_token": "<|endoftext|>"}),
    "llama2": Specimen(
        zoo_pieces.llama2, {**_LLAMA_CONFIG, "chat_template": chat_templates.INSTRUCTIONS}, {"eos_token_id": "</s>"}
    ),
    "gemma": Specimen(
        zoo_pieces.gemma,
        {"bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>", "chat_template": chat_templates.TURNS},
        {"bos_token_id": "<bos>", "eos_token_id": ["<eos>", "<end_of_turn>"]},
    ),
    "bpe-metaspace": Specimen(zoo_pieces.bpe_metaspace, {"unk_token": "<unk>"}),
    "whitespace-bpe": Specimen(
        zoo_pieces.whitespace_bpe, {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    ),
    "wordpiece-cased": Specimen(zoo_pieces.wordpiece_cased, _bert_config(lower=False)),
    "wordpiece-uncased": Specimen(zoo_pieces.wordpiece_uncased, _bert_config(lower=True)),
    "wordlevel": Specimen(zoo_pieces.wordlevel, {"unk_token": "[UNK]"}),
    "unigram": Specimen(zoo_pieces.unigram, {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}),
    "unigram-bytes": Specimen(zoo_pieces.unigram_bytes, _LLAMA_CONFIG, {"eos_token_id": "</s>"}),
    "unigram-charsmap": Specimen(
        zoo_pieces.unigram_charsmap, {"bos_token": "<s>", "eos_token": "</s>", "mask_token": "<mask>"}
    ),
}

NAMES = tuple(ZOO)


@cache
def zoo(name: str) -> bytes:
    """The ``tokenizer.json`` of one tokenizer of ``NAMES``."""
    return json.dumps(ZOO[name].build(), ensure_ascii=False).encode("utf-8")


@cache
def tokenizer(name: str) -> Any:
    """The same tokenizer in the ``tokenizers`` library."""
    return Tokenizer.from_str(zoo(name).decode("utf-8"))


def token_id(name: str, content: str) -> int:
    """The id of a token, as the ``tokenizers`` library sees it."""
    found = tokenizer(name).token_to_id(content)
    assert found is not None, f"{name} has no token {content!r}"
    return int(found)


def _with_ids(name: str, generation: Json) -> Json:
    """The generation settings, with ids in place of the tokens."""

    def number(value: Any) -> Any:
        return [number(item) for item in value] if isinstance(value, list) else token_id(name, value)

    return {key: number(value) for key, value in generation.items()}


def write_model_dir(name: str, folder: Path) -> Path:
    """Write ``tokenizer.json`` and the files beside it into ``folder``, which is made if need be; returns it."""
    specimen = ZOO[name]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_bytes(zoo(name))
    files = {"tokenizer_config.json": specimen.config}
    if specimen.generation is not None:
        files["generation_config.json"] = _with_ids(name, specimen.generation)
    for file_name, content in files.items():
        (folder / file_name).write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
    return folder
