"""From a directory to the reader of its ranks or vocabulary, and to transformers where none knows the class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import load_source
from mtok_export.source.conversion import Owner
from mtok_export.source.pipeline import BPE, NFC, BertPreTokenizer
from mtok_export.verify.owners import Tiktoken
from tests.source.trained import (
    byte_bpe,
    byte_ranks,
    merges_file,
    tekken_file,
    tiktoken_file,
    vocab_with,
    word_pieces,
    write_folder,
)

WORDS = r"\s?\p{L}+|\s?\p{N}|\s?[^\s\p{L}\p{N}]+|\s+"


def test_a_pattern_for_ranks(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"x.tiktoken": tiktoken_file(byte_ranks())})
    with pytest.raises(SourceError, match=r"x\.tiktoken: this vocabulary is not known"):
        load_source(folder)
    source = load_source(folder, tiktoken_pattern=WORDS)
    assert (source.owner, source.pattern, source.origin) == (Owner.TIKTOKEN, WORDS, "x.tiktoken")
    assert Tiktoken(source).encode(["a b"]) == [[97, byte_ranks()[b" b"]]]


def test_the_owner_composes_where_the_model_does(tmp_path: Path) -> None:
    files = {
        "qwen.tiktoken": tiktoken_file(byte_ranks()),
        "tokenizer_config.json": {"tokenizer_class": "QWenTokenizer"},
    }
    source = load_source(write_folder(tmp_path, files))
    assert isinstance(source.pipeline.normalizer, NFC)
    assert Tiktoken(source).encode(["e\u0301"]) == Tiktoken(source).encode(["\u00e9"])
    assert source.settings.eos_token is not None
    assert source.settings.eos_token.content == "<|endoftext|>"


def test_ranks_and_vocabularies_by_their_names(tmp_path: Path) -> None:
    vocab, merges = vocab_with("<|endoftext|>"), merges_file(byte_bpe()["merges"])
    folders: dict[str, dict[str, Any]] = {
        "tekken": {"tekken.json": tekken_file(byte_ranks())},
        "merges": {"vocab.json": vocab, "merges.txt": merges},
        "pieces": {"vocab.txt": "\n".join(word_pieces()).encode()},
    }
    found = {name: load_source(write_folder(tmp_path / name, files)) for name, files in folders.items()}
    assert found["tekken"].owner is Owner.MISTRAL_COMMON
    assert isinstance(found["merges"].pipeline.model, BPE)
    assert isinstance(found["pieces"].pipeline.pre_tokenizer, BertPreTokenizer)
    assert [stop.id for stop in found["tekken"].settings.stop_tokens] == [2]
    assert [stop.id for stop in found["merges"].settings.stop_tokens] == [0]


def test_a_class_that_only_transformers_knows(tmp_path: Path) -> None:
    vocab = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4, "a": 5, "b</w>": 6, "ab</w>": 7}
    files = {
        "vocab.json": vocab,
        "merges.txt": b"#version: 0.2\na b</w>\n",
        "tokenizer_config.json": {"tokenizer_class": "HerbertTokenizer"},
    }
    source = load_source(write_folder(tmp_path, files))
    assert isinstance(source.pipeline.model, BPE)
    assert source.pipeline.model.end_of_word_suffix == "</w>"
    assert any("HerbertTokenizer, whose parts transformers alone knows" in notice.message for notice in source.notices)


def test_a_class_that_nobody_knows(tmp_path: Path) -> None:
    files = {
        "vocab.txt": "\n".join(word_pieces()).encode(),
        "tokenizer_config.json": {
            "tokenizer_class": "OddTokenizer",
            "auto_map": {"AutoTokenizer": ["tokenization_odd.OddTokenizer", None]},
        },
    }
    with pytest.raises(SourceError, match=r"OddTokenizer.*--trust-remote-code") as caught:
        load_source(write_folder(tmp_path, files))
    assert "\n" not in str(caught.value)
