"""Pre-tokenizers that split by kinds of characters, on the real engine: every character that both see otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from mtok_export import export, load_source
from mtok_export.engine.native import NativeEngine
from mtok_export.lowering.respelling import _kinds_of_engine, _kinds_of_library, respelling
from mtok_export.lowering.unicode_tables import asked_code_points

pytestmark = pytest.mark.engine

Native = Callable[..., NativeEngine]

WORDS = ["[UNK]", "a", "b", "ab", "##b", "²", "½", "##²", "x", "##x", ".", "-", "\u2581a", "\u2581b", "\u2581"]
SAMPLED = 3_000


def word_piece() -> models.Model:
    return models.WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")


def bpe() -> models.Model:
    words = [word for word in WORDS if not word.startswith("##")]
    return models.BPE({word: i for i, word in enumerate(words)}, [("a", "b"), ("\u2581", "a")], unk_token="[UNK]")


def unigram() -> models.Model:
    pieces = [(word, -float(len(WORDS) - i)) for i, word in enumerate(WORDS) if not word.startswith("##")]
    return models.Unigram(pieces, unk_id=0)


CASES: dict[str, tuple[Callable[[], models.Model], Any, Any]] = {
    "bert": (word_piece, pre_tokenizers.BertPreTokenizer(), None),
    "bert, cleaned": (word_piece, pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer()),
    "whitespace": (word_piece, pre_tokenizers.Whitespace(), None),
    "whitespace, lower": (word_piece, pre_tokenizers.Whitespace(), normalizers.Lowercase()),
    "whitespace, BPE": (bpe, pre_tokenizers.Whitespace(), normalizers.NFC()),
    "white space alone": (word_piece, pre_tokenizers.WhitespaceSplit(), None),
    "metaspace, BPE": (bpe, pre_tokenizers.Metaspace(), None),
    "metaspace, Unigram": (unigram, pre_tokenizers.Metaspace(), normalizers.NFKC()),
}


def texts(tokenizer: Tokenizer, source: Any) -> list[str]:
    """Every character that the two sides take for something else, and many others, between letters."""
    first = source.pipeline.pre_tokenizer
    codes = set(random.Random(4).sample(list(asked_code_points()), SAMPLED))
    if not isinstance(tokenizer.pre_tokenizer, pre_tokenizers.Metaspace):
        ours, theirs = _kinds_of_engine(first, source.pipeline.model), _kinds_of_library(first)
        for kind in ours:
            codes.update((ours[kind] ^ theirs[kind]) & theirs[kind])
    shapes = ("a{}b", "{}a", "a {} b", "a{0}{0}")
    found = [shapes[i % len(shapes)].format(chr(code)) for i, code in enumerate(sorted(codes - {0}))]
    return [*found, "\u2581a", "\u2581", "a\u2581b", "\u2581\u2581a b", " \u2581a", "", "a", " a  b "]


@pytest.mark.parametrize("name", CASES)
def test_what_is_split_is_the_same_but_for_what_is_named(name: str, tmp_path: Path, native: Native) -> None:
    model, pre_tokenizer, normalizer = CASES[name]
    tokenizer = Tokenizer(model())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if isinstance(pre_tokenizer, pre_tokenizers.Metaspace):
        tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    report = export(tmp_path, tmp_path / "tokenizer.mtok")
    asked = texts(tokenizer, load_source(tmp_path))
    found = native(tmp_path / "tokenizer.mtok").encode_many(asked)
    differing = [
        text
        for text, encoding, ids in zip(asked, tokenizer.encode_batch(asked), found, strict=True)
        if encoding.ids != ids
    ]
    assert [text for text in differing if not any(limit.touches(text) for limit in report.limits)] == []
    # Nearly everything is mended: what is left is what the vocabulary knows.
    assert len(differing) < 40


def test_only_what_the_vocabulary_does_not_know_is_spelt_otherwise(tmp_path: Path) -> None:
    tokenizer = Tokenizer(word_piece())
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    spelt = respelling(load_source(tmp_path).pipeline)
    assert spelt.table[0x2028] == " "
    assert 0xB3 in spelt.table  # no entry holds it
    assert not {0xB2, 0xBD} & spelt.table.keys()  # entries hold them
    assert {0xB2, 0xBD} <= set(spelt.left)
