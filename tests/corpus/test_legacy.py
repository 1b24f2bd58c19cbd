"""Text files of real tokenizers: they load in the engine, the share of equal texts is known, the rest is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mtok_export import load_source
from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.legacy import LegacyFile, LegacyType, SentencePieceFile, decode, faults, lower_legacy
from mtok_export.texts import builtin_texts, special_texts
from mtok_export.verify import Candidate, EngineChoice, Row, Verification, compare, measure

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

S, T, B, H = LegacyType.SENTENCEPIECE, LegacyType.TIKTOKEN, LegacyType.BERT, LegacyType.HUGGINGFACE

FILES: tuple[tuple[str, LegacyType | None, LegacyType, float, float | None], ...] = (
    ("llama2", None, S, 1.0, None),
    ("mistral-spm-v1", None, S, 1.0, 1.0),
    ("mistral-spm-v3", None, S, 1.0, 1.0),
    ("gemma3", None, S, 0.06, None),
    ("aranizer-sp-32k", None, S, 0.25, None),
    ("mon-unigram", None, S, 0.61, None),
    ("multilingual-e5-small", None, S, 0.26, None),
    ("nepali-sentencepiece", None, S, 0.41, None),
    ("qwen-tiktoken", None, T, 0.79, 0.76),
    ("qwen-tiktoken", H, H, 0.92, 0.91),
    ("tekken-240911", None, T, 0.76, 0.71),
    ("tekken-240911", H, H, 0.93, 0.92),
    ("qwen3", T, T, 0.75, None),
    ("all-minilm-l6-v2", None, B, 0.42, None),
    ("nepali-wordpiece", None, B, 0.39, None),
    ("oromo-wordpiece", None, B, 0.44, None),
    ("qwen3", None, H, 0.89, None),
    ("gpt3-slow", None, H, 0.91, None),
    ("gpt4o", None, H, 0.86, None),
    ("llama3_1", None, H, 0.87, None),
    ("deepseek_v3", None, H, 0.85, None),
    ("aranizer-bpe-32k", None, H, 0.93, None),
)
"""A tokenizer, the type that is asked for, the one that comes out, and the share of texts with equal ids (without the
special tokens round them): at least so many with Hugging Face, and at least so many with the library that owns it."""

CASES = pytest.mark.parametrize(
    ("name", "wanted", "kind", "share", "owner_share"),
    FILES,
    ids=[f"{name}-{kind.name}" for name, _, kind, _, _ in FILES],
)

EVERY = 7
"""Of the rows, every seventh is decoded."""


def equal(result: Verification, row: Row) -> float:
    found = result.row(row)
    assert found.compared > 1_000
    return found.equal / found.compared


def lowered(corpus: Path, name: str, wanted: LegacyType | None) -> tuple[LegacyFile, Verification]:
    source = load_source(corpus / name)
    file, report = lower_legacy(source, wanted)
    choice = EngineChoice("model")
    return file, compare(source, Candidate(Path(), file), choice, limits=report.limits)


@CASES
def test_the_share_of_equal_texts_and_the_names_of_the_others(
    name: str, wanted: LegacyType | None, kind: LegacyType, share: float, owner_share: float | None, corpus: Path
) -> None:
    file, result = lowered(corpus, name, wanted)
    assert file.kind is kind
    assert list(faults(file)) == []
    data = file.encode()
    assert decode(data) == file
    assert decode(data).encode() == data
    assert share <= equal(result, Row.PLAIN_IDS) < share + 0.02
    if owner_share is not None:
        assert owner_share <= equal(result, Row.OWNER_IDS) < owner_share + 0.02
    unnamed = [(row.row, each.subject) for row in result.rows for each in row.differences if each.limit is None]
    assert unnamed == []


@CASES
def test_the_model_of_the_engine_is_the_engine(
    name: str,
    wanted: LegacyType | None,
    kind: LegacyType,
    share: float,
    owner_share: float | None,
    corpus: Path,
    tmp_path: Path,
    native: Callable[[Path], NativeEngine],
) -> None:
    del kind, share, owner_share
    source = load_source(corpus / name)
    file, _ = lower_legacy(source, wanted)
    path = tmp_path / "tokenizer.txt"
    path.write_bytes(file.encode())
    contents = [token.content for token in source.pipeline.added_tokens]
    texts = [text for text in (*builtin_texts(), *special_texts(contents)) if "\0" not in text]
    rows = file.pieces if isinstance(file, SentencePieceFile) else file.tokens
    ids = range(0, len(rows) + EVERY, EVERY)
    engine, model = native(path), LegacyEngineModel(file)
    encoded = engine.encode_many(texts)
    assert [text for text, right in zip(texts, encoded, strict=True) if model.encode(text) != right] == []
    # The binding ends what it decodes at U+0000.
    assert [shown.partition(b"\0")[0] for shown in model.decode_ids(ids)] == engine.decode_ids(ids)


def test_the_measured_loss_is_in_the_report(corpus: Path) -> None:
    source = load_source(corpus / "qwen-tiktoken")
    file, report = lower_legacy(source)
    measured, examples = measure(source, file, report.limits)
    rows = {aspect: equal / compared for aspect, compared, equal, _ in measured.rows}
    assert 0.79 < rows[Row.PLAIN_IDS.value] < 0.80
    assert 0.76 < rows[Row.OWNER_IDS.value] < 0.77
    (greedy,) = [limit for limit in report.limits if "the longest token that fits" in limit.reason]
    assert examples[greedy]


def test_a_vocab_txt_alone_is_as_good_as_its_tokenizer_json(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes((corpus / "all-minilm-l6-v2" / "vocab.txt").read_bytes())
    alone, _ = lower_legacy(load_source(tmp_path))
    whole, _ = lower_legacy(load_source(corpus / "all-minilm-l6-v2"))
    assert alone == whole
