"""The real tokenizers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtok_export.source import Source, load_source
from mtok_export.source.conversion import Owner
from tests.corpus.names import ALL
from tests.source import library

pytestmark = pytest.mark.corpus

STOPS = {
    "deepseek-v4": {"<｜end▁of▁sentence｜>"},
    "deepseek_v3": {"<｜end▁of▁sentence｜>"},
    "gemma3": {"<end_of_turn>"},
    "gpt4o": {"<|endoftext|>"},
    "llama2": {"</s>"},
    "llama3_1": {"<|eot_id|>"},
    "qwen3": {"<|im_end|>"},
}
NOTICES = {
    "all-minilm-l6-v2": ["tokenizer.json"],
    "deepseek_v3": ["tokenizer_config.json: $.add_bos_token"],
    "gpt4o": ["tokenizer.json: $.model.vocab"],
}
"""Where something is odd: a vocab.txt that is not read; a BOS that transformers 4 adds and 5 does not; 19 ids without a
token.
"""


@pytest.fixture(scope="module", params=ALL)
def loaded(request: pytest.FixtureRequest, corpus_folder: Path) -> tuple[str, Source]:
    return request.param, load_source(corpus_folder / request.param)


def test_our_reading_is_that_of_the_library(loaded: tuple[str, Source]) -> None:
    _, source = loaded
    theirs = library.load(source.tokenizer_json)
    assert theirs is not None
    assert library.written_by_us(source.pipeline) == library.written_by_library(theirs)


def test_settings_and_notices(loaded: tuple[str, Source]) -> None:
    name, source = loaded
    assert {stop.content for stop in source.settings.stop_tokens} == STOPS.get(name, set())
    assert [notice.where for notice in source.notices] == NOTICES.get(name, [])


@pytest.mark.parametrize(
    ("name", "origin", "owner"),
    [
        ("mistral-spm-v1", "tokenizer.model", Owner.SENTENCEPIECE),
        ("mistral-spm-v3", "tokenizer.model", Owner.SENTENCEPIECE),
        ("tekken-240911", "tekken.json", Owner.MISTRAL_COMMON),
        ("qwen-tiktoken", "qwen.tiktoken", Owner.TIKTOKEN),
        ("gpt3-slow", "vocab.json", Owner.TOKENIZERS),
    ],
)
def test_every_other_source_is_read(corpus_folder: Path, name: str, origin: str, owner: Owner) -> None:
    source = load_source(corpus_folder / name)
    assert (source.origin, source.owner) == (origin, owner)
