"""Real sentencepiece models on the real engine: the ids are those of sentencepiece, or those of transformers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mtok_export import export, load_source
from mtok_export.engine.native import NativeEngine
from mtok_export.source import Source
from mtok_export.texts import builtin_texts, special_texts
from mtok_export.verify import Row, verify
from mtok_export.verify.reference import Reference
from tests.gguf_files import of_document, of_sentencepiece, write
from tests.sentencepiece_models import ids

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

MODELS = ("mistral-spm-v1", "mistral-spm-v3")


@pytest.mark.parametrize("name", MODELS)
def test_nothing_differs_from_sentencepiece(name: str, corpus: Path, tmp_path: Path) -> None:
    path, report = tmp_path / "out.mtok", tmp_path / "report.json"
    export(corpus / name, path, report=report)
    result = verify(corpus / name, path, engine="native", report=report)
    assert (result.faults, list(result.failures())) == ((), [])
    assert result.complete
    for row in (Row.IDS, Row.PLAIN_IDS, Row.WHOLE, Row.OWNER_IDS):
        assert (row, result.row(row).differences) == (row, ())
    assert result.row(Row.OWNER_IDS).compared > 1400
    assert result.unnamed == 0


@pytest.mark.parametrize("name", MODELS)
def test_the_engine_against_sentencepiece_without_the_comparison_of_this_package(
    name: str, corpus: Path, tmp_path: Path
) -> None:
    source = load_source(corpus / name)
    spelt = [token.content for token in source.pipeline.added_tokens]
    texts = [text for text in builtin_texts() if "\0" not in text and not any(special in text for special in spelt)]
    texts += [" " * size + "x" + " " * size for size in range(1, 70)]
    path = tmp_path / "out.mtok"
    export(corpus / name, path)
    with NativeEngine(path) as engine:
        found = engine.encode_many(texts)
    right = ids((corpus / name / "tokenizer.model").read_bytes(), texts)
    assert [text for text, ours, theirs in zip(texts, found, right, strict=True) if ours != [1, *theirs]] == []
    assert len(texts) > 1400


_TRANSFORMERS = """
import json, sys
from transformers import AutoTokenizer
request = json.load(sys.stdin)
tokenizer = AutoTokenizer.from_pretrained(request["folder"], local_files_only=True)
print(json.dumps([tokenizer(text, add_special_tokens=False).input_ids for text in request["texts"]]))
"""


def by_transformers(folder: Path, texts: Sequence[str]) -> list[list[int]]:
    """The ids of transformers' own conversion."""
    done = subprocess.run(
        [sys.executable, "-c", _TRANSFORMERS],
        input=json.dumps({"folder": str(folder), "texts": texts}),
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    found: list[list[int]] = json.loads(done.stdout.splitlines()[-1])
    return found


def with_special_strings(source: Source) -> list[str]:
    """Texts that spell out special tokens."""
    spelt = [token.content for token in source.pipeline.added_tokens]
    texts = [text for text in (*builtin_texts(), *special_texts(spelt)) if "\0" not in text]
    return [text for text in texts if any(special in text for special in spelt)]


@pytest.mark.parametrize("name", MODELS)
def test_special_tokens_in_a_text_are_those_of_transformers(name: str, corpus: Path, tmp_path: Path) -> None:
    texts = with_special_strings(load_source(corpus / name))
    path = tmp_path / "out.mtok"
    export(corpus / name, path)
    with NativeEngine(path) as engine:
        found = engine.encode_many(texts)
    right = by_transformers(corpus / name, texts)
    assert [text for text, ours, theirs in zip(texts, found, right, strict=True) if ours != [1, *theirs]] == []
    assert len(texts) > 30


def test_a_gguf_file_gives_the_same_file(corpus: Path, tmp_path: Path) -> None:
    data = (corpus / "mistral-spm-v1" / "tokenizer.model").read_bytes()
    gguf = write(tmp_path / "q4.gguf", of_sentencepiece(data, bos_token_id=1, eos_token_id=2))
    one, other = tmp_path / "one.mtok", tmp_path / "other.mtok"
    export(gguf, one)
    export(corpus / "mistral-spm-v1", other)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("name", "pre"),
    [("qwen3", "qwen2"), ("deepseek_v3", "deepseek-v3"), ("llama3_1", "llama-bpe"), ("gpt4o", "gpt-4o")],
)
def test_the_patterns_of_gguf_are_those_of_the_tokenizers(name: str, pre: str, corpus: Path, tmp_path: Path) -> None:
    document = json.loads((corpus / name / "tokenizer.json").read_bytes())
    fields = of_document(document, pre, add_bos_token=False)
    made, original = load_source(write(tmp_path / "a.gguf", fields)), load_source(corpus / name)
    texts = builtin_texts()
    found, right = (Reference(source).encode(texts, specials=False) for source in (made, original))
    assert [text for text, ours, theirs in zip(texts, found, right, strict=True) if ours != theirs] == []
