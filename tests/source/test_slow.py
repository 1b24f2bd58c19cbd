from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from mtok_export.errors import SourceError
from mtok_export.source import slow
from mtok_export.source.conversion import Owner
from mtok_export.source.slow import read_slow
from tests.source.trained import NO_FILES, byte_bpe, config_files, merges_file, vocab_with, write_folder

CODE = """
from pathlib import Path
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

FOLDER = Path({folder!r})
(FOLDER / "was_run").touch()


class OddTokenizer(PreTrainedTokenizerFast):
    vocab_files_names = {{}}

    def __init__(self, **options):
        super().__init__(**{{**options, "tokenizer_object": Tokenizer.from_file(str(FOLDER / "odd.json"))}})
"""


@pytest.fixture
def herbert(tmp_path: Path) -> Path:
    """A class that none of the readers knows, but transformers does."""
    vocab = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4, "a": 5, "b</w>": 6, "ab</w>": 7}
    merges = b"#version: 0.2\na b</w>\n"
    config = {"tokenizer_class": "HerbertTokenizer", "do_lower_case": False}
    return write_folder(tmp_path, {"vocab.json": vocab, "merges.txt": merges, "tokenizer_config.json": config})


def test_it_is_what_transformers_makes_of_it(herbert: Path) -> None:
    converted = read_slow(herbert, NO_FILES, trust_remote_code=False)
    assert converted.owner is Owner.TOKENIZERS
    assert json.loads(converted.original) == converted.document
    assert converted.document["model"]["end_of_word_suffix"] == "</w>"
    assert Tokenizer.from_str(converted.original.decode()).encode("ab").tokens == ["<s>", "ab</w>", "</s>"]
    assert "transformers" in converted.notices[0].message
    assert "HerbertTokenizer" in converted.notices[0].message


def test_the_library_reads_added_tokens_and_roles(tmp_path: Path) -> None:
    files = {
        "vocab.json": vocab_with("<|endoftext|>"),
        "merges.txt": merges_file(byte_bpe()["merges"]),
        "tokenizer_config.json": {"tokenizer_class": "GPT2Tokenizer", "eos_token": "<|end|>"},
    }
    converted = read_slow(write_folder(tmp_path, files), NO_FILES, trust_remote_code=False)
    assert converted.defaults.eos_token == "<|end|>"
    assert [token["content"] for token in converted.document["added_tokens"]] == ["<|endoftext|>", "<|end|>"]


def test_a_directory_with_nothing_in_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="transformers cannot convert it: ") as caught:
        read_slow(tmp_path, NO_FILES, trust_remote_code=False)
    assert "\n" not in str(caught.value)


@pytest.fixture
def odd(tmp_path: Path) -> tuple[Path, dict[str, object]]:
    """A directory whose tokenizer is made by code that lies in it, and leaves a mark when it runs."""
    config: dict[str, object] = {
        "tokenizer_class": "OddTokenizer",
        "auto_map": {"AutoTokenizer": [None, "tokenization_odd.OddTokenizer"]},
    }
    tokenizer = Tokenizer.from_str(json.dumps({"model": byte_bpe()}))
    files = {"tokenizer_config.json": config, "odd.json": tokenizer.to_str().encode()}
    folder = write_folder(tmp_path / "odd", files)
    (folder / "tokenization_odd.py").write_text(CODE.format(folder=str(folder)), encoding="utf-8")
    return folder, config


def test_code_of_a_model_is_not_run_unasked(odd: tuple[Path, dict[str, object]]) -> None:
    folder, config = odd
    with pytest.raises(SourceError, match=r"Python code in the directory.*--trust-remote-code"):
        read_slow(folder, config_files(config), trust_remote_code=False)
    assert not (folder / "was_run").exists()


def test_code_of_a_model_is_run_when_trusted(
    odd: tuple[Path, dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))  # where transformers copies the code to
    folder, config = odd
    converted = read_slow(folder, config_files(config), trust_remote_code=True)
    assert (folder / "was_run").exists()
    assert converted.document["model"]["vocab"] == byte_bpe()["vocab"]
    assert "with code from the directory" in converted.notices[0].message


def test_a_library_that_takes_too_long(herbert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "CONVERT_SECONDS", 0.01)
    with pytest.raises(SourceError, match=r"not converted it after 0\.01 seconds"):
        read_slow(herbert, NO_FILES, trust_remote_code=False)


def test_a_missing_library_is_named(herbert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(SourceError, match=r"without another package: .*transformers"):
        read_slow(herbert, NO_FILES, trust_remote_code=False)


def test_a_process_that_dies(herbert: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = tmp_path / "worker" / "slow_worker.py"
    worker.parent.mkdir()
    worker.write_text("raise SystemExit('no more')", encoding="utf-8")
    monkeypatch.setattr(slow, "__file__", str(worker.with_name("slow.py")))
    with pytest.raises(SourceError, match="has died: no more"):
        read_slow(herbert, NO_FILES, trust_remote_code=False)
