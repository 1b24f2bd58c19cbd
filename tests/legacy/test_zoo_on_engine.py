"""Small tokenizers of every family as text files: on the real engine, against Hugging Face, every difference named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mtok_export import UnsupportedError, load_source
from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.legacy import LegacyType, decode, faults, lower_legacy
from mtok_export.texts import builtin_texts
from mtok_export.verify import Candidate, EngineChoice, Row, compare
from tests import tokenizer_zoo

ModelDir = Callable[[str], Path]

TYPES = {
    "gpt2": LegacyType.HUGGINGFACE,
    "qwen2": LegacyType.HUGGINGFACE,
    "o200k": LegacyType.HUGGINGFACE,
    "llama3": LegacyType.HUGGINGFACE,
    "deepseek": LegacyType.HUGGINGFACE,
    "roberta": LegacyType.HUGGINGFACE,
    "odd-added-tokens": LegacyType.HUGGINGFACE,
    "llama2": LegacyType.SENTENCEPIECE,
    "gemma": LegacyType.SENTENCEPIECE,
    "bpe-metaspace": LegacyType.SENTENCEPIECE,
    "whitespace-bpe": None,
    "wordpiece-cased": LegacyType.BERT,
    "wordpiece-uncased": LegacyType.BERT,
    "wordlevel": None,
    "unigram": LegacyType.SENTENCEPIECE,
    "unigram-bytes": LegacyType.SENTENCEPIECE,
    "unigram-charsmap": LegacyType.SENTENCEPIECE,
}
"""What each family becomes by itself; None for those that no type is made for."""

CHOSEN = [name for name, kind in TYPES.items() if kind is not None]


def test_every_family_is_here() -> None:
    assert TYPES.keys() == tokenizer_zoo.ZOO.keys()


@pytest.mark.parametrize("name", [name for name, kind in TYPES.items() if kind is None])
def test_what_no_type_is_made_for(name: str, model_dir: ModelDir) -> None:
    with pytest.raises(
        UnsupportedError, match=r"cannot be expressed in a tokenizer.txt file:\n  \$.model: .*--legacy-ty"
    ):
        lower_legacy(load_source(model_dir(name)))


@pytest.mark.parametrize("name", CHOSEN)
def test_the_file_is_sound_and_of_the_right_type(name: str, model_dir: ModelDir) -> None:
    file, report = lower_legacy(load_source(model_dir(name)))
    assert file.kind is TYPES[name]
    assert report.encoding == f"text type {file.kind.value} {file.kind.name}"
    assert list(faults(file)) == []
    data = file.encode()
    assert decode(data) == file
    assert decode(data).encode() == data


def verified(file_path: Path, model: Path, kind: LegacyType | None) -> None:
    """Every difference from Hugging Face is named, and the model of the engine gives what the engine gives."""
    source = load_source(model)
    file, report = lower_legacy(source, kind)
    file_path.write_bytes(file.encode())
    result = compare(source, Candidate(file_path, file), EngineChoice("native"), limits=report.limits)
    assert result.faults == ()
    assert list(result.failures()) == []
    assert result.row(Row.IDS).compared > 1_000
    unnamed = [(row.row, each.subject) for row in result.rows for each in row.differences if each.limit is None]
    assert unnamed == []
    modelled = compare(source, Candidate(file_path, file), EngineChoice("model"), limits=report.limits)
    assert [row.differences for row in modelled.rows] == [row.differences for row in result.rows]


@pytest.mark.engine
@pytest.mark.parametrize("name", CHOSEN)
def test_no_difference_without_a_limit(name: str, model_dir: ModelDir, tmp_path: Path) -> None:
    verified(tmp_path / "t.txt", model_dir(name), None)


@pytest.mark.engine
@pytest.mark.parametrize("name", ["gpt2", "llama3", "llama2", "bpe-metaspace", "unigram"])
def test_no_difference_without_a_limit_as_tiktoken(name: str, model_dir: ModelDir, tmp_path: Path) -> None:
    verified(tmp_path / "t.txt", model_dir(name), LegacyType.TIKTOKEN)


@pytest.mark.engine
def test_sentencepiece_with_its_mark_kept_is_exact(
    model_dir: ModelDir, tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> None:
    file, _ = lower_legacy(load_source(model_dir("llama2")))
    path = tmp_path / "t.txt"
    path.write_bytes(file.encode())
    texts = [text for text in builtin_texts() if "\0" not in text]
    expected = [encoding.ids for encoding in tokenizer_zoo.tokenizer("llama2").encode_batch(texts)]
    assert native(path).encode_many(texts) == expected
    assert LegacyEngineModel(file).encode_many(texts) == expected


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("wordpiece-cased", LegacyType.SENTENCEPIECE, "holds BPE and Unigram models"),
        ("wordpiece-cased", LegacyType.TIKTOKEN, "type BERT holds WordPiece"),
        ("wordpiece-cased", LegacyType.HUGGINGFACE, "holds byte-level BPE models alone"),
        ("llama2", LegacyType.HUGGINGFACE, "holds byte-level BPE models alone"),
        ("gpt2", LegacyType.BERT, "holds WordPiece models alone"),
        ("wordlevel", LegacyType.BERT, "holds WordPiece models alone"),
        ("whitespace-bpe", LegacyType.HUGGINGFACE, "holds byte-level BPE models alone"),
    ],
)
def test_a_type_that_cannot_hold_a_model(name: str, kind: LegacyType, reason: str, model_dir: ModelDir) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        lower_legacy(load_source(model_dir(name)), kind)
