"""Which file of a directory counts, and what the others are said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import load_source
from mtok_export.source.kinds import Kind, find_source, kind_of_content
from tests.source.documents import document, encoded


def refused(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load_source(path)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tokenizer.model", Kind.SENTENCEPIECE),
        ("spiece.model", Kind.SENTENCEPIECE),
        ("tokenizer.model.v3", Kind.SENTENCEPIECE),
        ("vocab.txt", Kind.VOCAB_TXT),
        ("qwen.tiktoken", Kind.TIKTOKEN),
        ("tekken.json", Kind.TEKKEN),
        ("tekken_240911.json", Kind.TEKKEN),
        ("q4.gguf", Kind.GGUF),
    ],
)
@pytest.mark.parametrize("folder", [".", "tokenizer"])
def test_a_file_is_known_by_its_name(tmp_path: Path, name: str, kind: Kind, folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    path = tmp_path / folder / name
    path.write_bytes(b"x")
    for given in (tmp_path, path):
        found = find_source(given)
        assert [(file.kind, file.path) for file in found.files] == [(kind, path)]
        assert found.asked_for == (given == path)


@pytest.mark.parametrize(("vocab", "merges"), [("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")])
def test_a_vocabulary_needs_its_merges(tmp_path: Path, vocab: str, merges: str) -> None:
    (tmp_path / vocab).write_text("{}")
    assert "there is neither" in refused(tmp_path).message
    assert f"this vocabulary needs {merges} beside it" in refused(tmp_path / vocab).message
    (tmp_path / merges).write_text("")
    assert [file.title for file in find_source(tmp_path).files] == [f"{vocab} with {merges}"]
    error = refused(tmp_path / merges)
    assert (error.message, error.hint) == ("this file holds merges alone", f"give {vocab}, which lies beside it")


def test_tokenizer_json_comes_first_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("a\n")
    (tmp_path / "tokenizer.model").write_bytes(b"x")
    folder = tmp_path / "tokenizer"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(encoded(document()))
    source = load_source(tmp_path)
    assert source.origin == "tokenizer/tokenizer.json"
    (notice,) = source.notices
    assert notice.where == "tokenizer/tokenizer.json"
    assert notice.message == "not read, since tokenizer.json comes first: tokenizer.model, vocab.txt"
    assert load_source(folder / "tokenizer.json").notices == ()


def test_a_directory_with_a_config_alone_is_one_for_transformers(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text("{}")
    assert [file.kind for file in find_source(tmp_path).files] == [Kind.SLOW]


def test_folders_called_like_a_tokenizer_are_none(tmp_path: Path) -> None:
    (tmp_path / "my.model").mkdir()
    (tmp_path / "vocab.txt").mkdir()
    assert "there is neither" in refused(tmp_path).message


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"GGUF\x03\0\0\0", Kind.GGUF),
        (b"IQ== 0\nIg== 1\n", Kind.TIKTOKEN),
        (b"IQ== 0\r\n", Kind.TIKTOKEN),
        (b'{"version": "1.0"', Kind.TOKENIZER_JSON),
        (b'\n{"config": {"pattern": "x"', Kind.TEKKEN),
        (b'{"config": {"version": "v3", "num_vocab_tokens": 5', Kind.TEKKEN),
        (b'{"normalizer": {"pattern": "x"', Kind.TOKENIZER_JSON),
        (b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02", Kind.SENTENCEPIECE),
        (b"the quick brown fox", None),
    ],
)
def test_what_the_first_bytes_say(head: bytes, kind: Kind | None) -> None:
    assert kind_of_content(head, "x") is kind


@pytest.mark.parametrize("name", ["tokenizer.model", "my.thing"])
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file holds nothing but white space"),
        (b"version https://git-lfs.github.com/spec/v1\noid x", "this is a pointer of Git LFS, not the file itself"),
        (b"<!DOCTYPE html><html>", "this is a web page"),
        (b"PK\x03\x04rest", "this is a ZIP archive, such as PyTorch writes"),
    ],
)
def test_what_is_no_tokenizer_is_named(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    (tmp_path / name).write_bytes(content)
    error = refused(tmp_path / name)
    assert error.message == problem
    assert error.where is not None
    assert error.where.endswith(name)


@pytest.mark.parametrize("folder", [True, False])
def test_a_pointer_in_the_place_of_tokenizer_json(tmp_path: Path, folder: bool) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    error = refused(tmp_path if folder else path)
    assert (error.where, error.hint) == ("tokenizer.json", "fetch it: git lfs pull")


def test_a_tekken_file_under_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"config": {"pattern": "x"}}')
    assert find_source(path).files[0].kind is Kind.TEKKEN


def test_a_model_file_with_something_else_in_it(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(b"the quick brown fox")
    assert "neither a sentencepiece model nor a list of tiktoken ranks" in refused(path).message
    path.write_bytes(encoded(document()))
    assert refused(path).hint == "rename it to tokenizer.json if that is what it is"
    other = tmp_path / "my.thing"
    other.write_bytes(b"the quick brown fox")
    assert "neither the name nor the content of this file is that of a tokenizer" in refused(other).message
