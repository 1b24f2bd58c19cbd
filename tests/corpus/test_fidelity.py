"""Real tokenizers on the real engine: what plain files get wrong, and random texts without a silent difference."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from mtok_export import export
from mtok_export.engine.native import NativeEngine
from scripts import fuzz
from tests.corpus.names import ALL

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

Native = Callable[..., NativeEngine]

TEXTS = {
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 and \U0001f3f3\ufe0f\u200d\U0001f308",
    "Bengali with a non-joiner": "র‌্যাব ও শ্রী‌যুক্ত",
    "Persian with non-joiners": "می‌خواهم کتاب‌هایش را بخوانم",
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "Tiếng Việt được viết bằng chữ Quốc ngữ"),
    "Korean, decomposed": unicodedata.normalize("NFD", "한국어는 한반도에서 쓰는 언어이다"),
    "Sanskrit, decomposed": unicodedata.normalize("NFD", "kḷptaṃ ṝkāraḥ ḹ"),
}
FUZZED = 600


@pytest.fixture(scope="module")
def qwen3(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("qwen3") / "tokenizer.mtok"
    export(corpus / "qwen3", path)
    return path


@pytest.mark.parametrize("name", TEXTS)
def test_what_plain_files_get_wrong(corpus: Path, qwen3: Path, native: Native, name: str) -> None:
    expected = Tokenizer.from_file(str(corpus / "qwen3" / "tokenizer.json")).encode(TEXTS[name]).ids
    assert native(qwen3).encode(TEXTS[name]) == expected


def test_thinking_is_shown(qwen3: Path, native: Native) -> None:
    engine = native(qwen3)
    for text in ("<think>ok</think>", "<tool_call>\n{}\n</tool_call>"):
        assert b"".join(engine.decode_ids(engine.encode(text))).decode() == text


@pytest.mark.parametrize("name", ALL)
def test_random_texts_differ_only_in_what_the_report_names(corpus: Path, name: str) -> None:
    tally = fuzz.fuzz(corpus / name, FUZZED, seed=20, decoding_every=1)
    assert tally.texts == FUZZED
    assert tally.silent == []
