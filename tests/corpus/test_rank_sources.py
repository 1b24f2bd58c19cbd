"""Real tokenizers that come as ranks or vocabularies, on the real engine: their ids are those of the owning library."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mtok_export import Aspect, Report, export
from mtok_export.engine.native import NativeEngine
from mtok_export.source import load_source
from mtok_export.source.settings import Source
from mtok_export.source.vocab_txt import MAX_WORD_CHARACTERS
from mtok_export.texts import builtin_texts

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

Encode = Callable[[Sequence[str]], list[list[int]]]


def tiktoken_ids(source: Source) -> Encode:
    """The pattern of the model's own code, stated here a second time: the reader's is what is tried."""
    import base64

    import tiktoken

    words = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    pattern = words + r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    lines = [line.split() for line in source.original.splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    encoding = tiktoken.Encoding("qwen", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return lambda texts: [encoding.encode_ordinary(text) for text in texts]


def mistral_ids(folder: Path) -> Encode:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tekkenizer = Tekkenizer.from_file(folder / "tekken.json")
    return lambda texts: [tekkenizer.encode(text, bos=False, eos=False) for text in texts]


def transformers_ids(folder: Path, name: str) -> Encode:
    import transformers

    backend = getattr(transformers, name).from_pretrained(folder).backend_tokenizer
    return lambda texts: [encoding.ids for encoding in backend.encode_batch(texts, add_special_tokens=False)]


def plain_texts(source: Source) -> list[str]:
    """The built-in texts that spell no special token; U+0000 ends a text in the engine's Python binding."""
    contents = [token.content for token in source.pipeline.added_tokens]
    return [text for text in builtin_texts() if "\0" not in text and not any(c in text for c in contents)]


def compared(folder: Path, owner: Callable[[Source], Encode], out: Path) -> tuple[list[str], int, Report]:
    """The texts whose ids on the engine are not the owner's; how many were compared; the report."""
    report = export(folder, out)
    source = load_source(folder)
    texts = plain_texts(source)
    assert report.summary is not None
    before = list(report.summary.prefix_ids)
    with NativeEngine(out) as engine:
        found = engine.encode_many(texts)
    expected = owner(source)(texts)
    wrong = [text for text, ids, right in zip(texts, found, expected, strict=True) if ids != before + right]
    return wrong, len(texts), report


def test_qwen_tiktoken(corpus: Path, tmp_path: Path) -> None:
    wrong, count, report = compared(corpus / "qwen-tiktoken", tiktoken_ids, tmp_path / "x.mtok")
    assert wrong == []
    assert count == 1475
    assert not any("ignore_merges" in limit.reason for limit in report.limits)


def test_tekken(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "tekken-240911"
    wrong, count, report = compared(folder, lambda _source: mistral_ids(folder), tmp_path / "x.mtok")
    assert wrong == []
    assert count == 1472
    assert report.summary is not None
    assert report.summary.prefix_ids == (1,)
    assert [id_ for id_, *_ in report.summary.stop_tokens] == [2]


def test_gpt3_slow(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "gpt3-slow"
    wrong, count, report = compared(
        folder, lambda _source: transformers_ids(folder, "GPT2Tokenizer"), tmp_path / "x.mtok"
    )
    assert wrong == []
    assert count == 1476
    assert report.summary is not None
    assert [id_ for id_, *_ in report.summary.stop_tokens] == [50256]


@pytest.fixture
def vocab_alone(corpus: Path, tmp_path: Path) -> Path:
    """The vocab.txt of a model, without its tokenizer.json."""
    folder = tmp_path / "vocab"
    folder.mkdir()
    shutil.copy(corpus / "all-minilm-l6-v2" / "vocab.txt", folder)
    return folder


def test_vocab_txt_alone(vocab_alone: Path, tmp_path: Path) -> None:
    """What differs are words of more than 100 characters and private characters, as with the tokenizer.json beside it.

    The engine counts a word's bytes, and does not drop private characters of planes 15 and 16.
    """
    owner: Callable[[Source], Encode] = lambda _source: transformers_ids(vocab_alone, "BertTokenizer")  # noqa: E731
    wrong, count, report = compared(vocab_alone, owner, tmp_path / "x.mtok")
    assert count == 1475
    limits = [limit for limit in report.limits if Aspect.IDS in limit.aspects and limit.path != "$.post_processor"]
    assert [text for text in wrong if not any(limit.touches(text) for limit in limits)] == []
    long = [text for text in wrong if max(map(len, text.split())) > MAX_WORD_CHARACTERS]
    private = [text for text in wrong if any(char >= "\U000f0000" for char in text)]
    assert (len(long), len(private), len(wrong)) == (10, 4, 14)


def test_vocab_txt_says_what_tokenizer_json_says(vocab_alone: Path, corpus: Path) -> None:
    """But for padding, truncation and what only its config names."""
    ours = json.loads(load_source(vocab_alone).tokenizer_json)
    theirs = json.loads((corpus / "all-minilm-l6-v2" / "tokenizer.json").read_bytes())
    same = ("normalizer", "pre_tokenizer", "post_processor", "decoder", "added_tokens", "model")
    assert {slot: ours[slot] for slot in same} == {slot: theirs[slot] for slot in same}


def test_gpt2_from_ranks_and_from_merges_are_one(corpus: Path) -> None:
    """The merges of GPT-2 are those that its ranks lead to."""
    from mtok_export.byte_alphabet import CHAR_TO_BYTE
    from mtok_export.source.byte_ranks import ranked_model

    model = json.loads(load_source(corpus / "gpt3-slow").tokenizer_json)["model"]
    ranks = {
        bytes(CHAR_TO_BYTE[char] for char in token): id_
        for token, id_ in model["vocab"].items()
        if token != "<|endoftext|>"
    }
    assert ranked_model(ranks, "ranks").model["merges"] == model["merges"]
