from __future__ import annotations

import base64
import hashlib
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import tiktoken
import tiktoken.load
from tokenizers import Tokenizer

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import SourceError
from mtok_export.lowering import lower
from mtok_export.source import known_ranks, load_pipeline
from mtok_export.source.conversion import Converted, Owner
from mtok_export.source.known_ranks import KNOWN, LLAMA_3, QWEN, KnownRanks
from mtok_export.source.settings import Settings, Source
from mtok_export.source.tiktoken_ranks import read_ranks, read_tiktoken
from mtok_export.texts import builtin_texts
from tests.source.trained import NO_FILES, byte_ranks, config_files, tiktoken_file

WORDS = r"\s?\p{L}+|\s?\p{N}|\s?[^\s\p{L}\p{N}]+|\s+"


def read(data: bytes, config: dict[str, Any] | None = None, *, pattern: str | None = None, **files: Any) -> Converted:
    return read_tiktoken(data, "x.tiktoken", config_files(config, **files), pattern=pattern)


def library(converted: Converted) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(converted.document))


def added(converted: Converted) -> dict[str, int]:
    return {token["content"]: token["id"] for token in converted.document["added_tokens"]}


def known_class(name: str) -> KnownRanks:
    return next(known for known in KNOWN if name in known.classes)


# --- the lines --------------------------------------------------------------------------------------------------------


def test_the_ranks_are_those_that_tiktoken_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # it would keep what the file held first
    path = tmp_path / "x.tiktoken"
    for data in (tiktoken_file(byte_ranks()), b"YQ== 0\r\nYg== 1\r\n", b"YQ== 7\n\n= 3\nYWI=\t1", b"YQ== 007"):
        path.write_bytes(data)
        assert read_ranks(data, "x") == tiktoken.load.load_tiktoken_bpe(str(path))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "x: the file is empty; ranks are needed"),
        (b"\n\r\n", "x: the file is empty; ranks are needed"),
        (b"YQ== 0\nYg==\nYw== 2\n", 'x, line 2: "Yg==" has 1 parts; a token and a rank are needed'),
        (b"YQ== 0\nYg== 1 2\n", 'x, line 2: "Yg== 1 2" has 3 parts; a token and a rank are needed'),
        (b"YQ== 0\nY*== 1\n", 'x, line 2: the token of "Y*== 1" is no base64'),
        (b"YQ== 0\nYWI 1\n", 'x, line 2: the token of "YWI 1" is no base64'),
        (b"YQ== 0\n\nYg== -1\n", 'x, line 3: the rank of "Yg== -1" is no number from 0 to 4294967295'),
        (b"YQ== 4294967296\n", "x, line 1: the rank of"),
        (b"YQ== 1_0\n", "x, line 1: the rank of"),
        (b"YQ== 0\nYQ== 1\n", "x, line 2: the token YQ== stands there a second time, after line 1"),
        (b"YQ== 0\nYg== 0\n", "x, line 2: the rank 0 stands there a second time, after line 1"),
        (b"YQ== 0\nYg", "the file seems to be cut off"),
        (b"\x08\x03\xff\n", "x, line 1: "),
        (b'{"a": 1}', "x, line 1: "),
    ],
)
def test_a_bad_line_is_named(data: bytes, complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_ranks(data, "x")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_vocabulary_without_all_bytes() -> None:
    with pytest.raises(SourceError, match="of the 256 bytes have no rank"):
        read(b"YQ== 0\n", pattern=WORDS)


def test_ranks_with_holes_keep_their_ids() -> None:
    ranks = {token: rank * 2 for token, rank in byte_ranks().items()}
    converted = read(tiktoken_file(ranks), pattern=WORDS)
    owner = tiktoken.Encoding("x", pat_str=WORDS, mergeable_ranks=ranks, special_tokens={})
    texts = builtin_texts()[::20]
    assert [e.ids for e in library(converted).encode_batch(texts)] == [owner.encode_ordinary(text) for text in texts]


def test_an_id_that_no_token_has_is_named() -> None:
    size = len(byte_ranks())
    decoder = {str(size + 1): {"content": "<end>", "special": True}}
    converted = read(tiktoken_file(byte_ranks()), {"added_tokens_decoder": decoder}, pattern=WORDS)
    _, notices = load_pipeline(orjson.dumps(converted.document), "x.tiktoken")
    problem = f"1 ids below the highest one, {size + 1}, have no token; the first are {size}"
    assert [notice.message for notice in notices] == [problem]


# --- the pattern ------------------------------------------------------------------------------------------------------


def test_an_unknown_pattern_is_asked_for() -> None:
    with pytest.raises(SourceError, match=r"no file says by which pattern.*--tiktoken-pattern"):
        read(tiktoken_file(byte_ranks()))


def test_the_pattern_that_is_given_wins() -> None:
    converted = read(tiktoken_file(byte_ranks()), {"pat_str": QWEN, "tokenizer_class": "QWenTokenizer"}, pattern=WORDS)
    assert converted.pattern == WORDS
    assert converted.owner is Owner.TIKTOKEN
    assert "no pattern and" in converted.notices[-1].message


def test_the_pattern_of_the_config_comes_next() -> None:
    assert read(tiktoken_file(byte_ranks()), {"pat_str": WORDS}).pattern == WORDS
    assert read(tiktoken_file(byte_ranks()), {"pattern": LLAMA_3}).pattern == LLAMA_3


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"tokenizer_class": "QWenTokenizer"}, "Qwen"),
        ({"auto_map": {"AutoTokenizer": ["tokenization_chatglm.ChatGLM4Tokenizer", None]}}, "GLM-4"),
        ({"auto_map": ["moonshotai/x--tokenization_kimi.TikTokenTokenizer", None]}, "Kimi"),
    ],
)
def test_a_class_tells_the_vocabulary(config: dict[str, Any], name: str) -> None:
    converted = read(tiktoken_file(byte_ranks()), config)
    known = next(known for known in KNOWN if known.name == name)
    assert converted.pattern == known.pattern
    assert f"the vocabulary of {name}, recognised by its tokenizer class" in converted.notices[-1].message


@pytest.fixture
def recognised(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes, str], None]:
    """Makes the SHA-256 of some bytes one that a known vocabulary has."""

    def recognise(data: bytes, name: str) -> None:
        digest = hashlib.sha256(data).hexdigest()
        changed = [
            KnownRanks(**{**vars(known), "sha256": (digest,) if known.name == name else known.sha256})
            for known in KNOWN
        ]
        monkeypatch.setattr("mtok_export.source.tiktoken_ranks.KNOWN", tuple(changed))

    return recognise


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_a_file_is_recognised(ends: bytes, recognised: Callable[[bytes, str], None]) -> None:
    data = tiktoken_file(byte_ranks())
    recognised(data, "Qwen")
    converted = read(data.replace(b"\n", ends))
    assert converted.pattern == QWEN
    assert converted.document["normalizer"] is None
    assert "recognised by its SHA-256" in converted.notices[0].message
    assert "composes texts (NFC)" in converted.notices[1].message
    assert added(converted)["<|im_end|>"] == 151645
    assert converted.defaults.eos_token == "<|endoftext|>"


def test_the_tokenizer_of_qwen_composes_texts() -> None:
    converted = read(tiktoken_file(byte_ranks()), {"tokenizer_class": "QWenTokenizer"})
    assert converted.document["normalizer"] == {"type": "NFC"}
    assert len(converted.notices) == 1


def test_llama_3_begins_with_a_token(recognised: Callable[[bytes, str], None]) -> None:
    data = tiktoken_file(byte_ranks())
    recognised(data, "Llama 3")
    converted = read(data)
    assert library(converted).encode("a").ids == [128000, ord("a")]
    assert converted.defaults.bos_token == "<|begin_of_text|>"
    assert converted.defaults.eos_token == "<|end_of_text|>"
    assert [id_ for id_, _ in converted.defaults.stop_tokens] == [128008, 128009]
    assert library(read(data, {"add_bos_token": False})).encode("a").ids == [ord("a")]


@pytest.mark.parametrize(("size", "last"), [(None, 51864), (51865, 51864), (51866, 51865)])
def test_whisper_has_more_languages_or_fewer(
    size: int | None, last: int, recognised: Callable[[bytes, str], None]
) -> None:
    data = tiktoken_file(byte_ranks())
    recognised(data, "Whisper (multilingual)")
    tokens = added(read(data, model=None if size is None else {"vocab_size": size}))
    assert tokens["<|en|>"] == 50259
    assert tokens["<|30.00|>"] == max(tokens.values()) == last


def test_gpt2_and_the_english_whisper_share_their_ranks(recognised: Callable[[bytes, str], None]) -> None:
    data = tiktoken_file(byte_ranks())
    recognised(data, "GPT-2")
    assert added(read(data)) == {"<|endoftext|>": 50256}
    tokens = added(read(data, model={"vocab_size": 51864}))
    assert tokens["<|notimestamps|>"] == 50362
    assert max(tokens.values()) == 51863


def test_known_special_tokens_have_ids_of_their_own() -> None:
    for known in KNOWN:
        for size in (None, 51864, 51866):
            ids = known.special_tokens(size)
            assert len(set(ids.values())) == len(ids)
            assert not known.before or known.classes or set(known.before) <= ids.keys()
            assert set(known.ends) <= ids.keys()
    assert len(known_ranks._LLAMA_3) == 256
    assert len(known_ranks._LLAMA_4) == 2048


def test_the_encodings_of_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    openai_public = importlib.import_module("tiktoken_ext.openai_public")
    hashes: list[str] = []

    def load(_url: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", load)
    for name, known_name in (
        ("cl100k_base", "cl100k_base"),
        ("o200k_base", "o200k_base"),
        ("p50k_base", "p50k_base"),
        ("r50k_base", "GPT-2"),
    ):
        encoding = openai_public.ENCODING_CONSTRUCTORS[name]()
        known = next(known for known in KNOWN if known.name == known_name)
        assert known.pattern == encoding["pat_str"]
        assert known.special_tokens(None) == encoding["special_tokens"]
        assert known.sha256 == (hashes[-1],)


# --- special tokens ---------------------------------------------------------------------------------------------------


def test_tokens_of_the_config_have_the_last_word() -> None:
    decoder = {
        "151643": {"content": "<|endoftext|>", "special": True, "normalized": False},
        "151646": {"content": "<think>", "special": False, "normalized": False},
    }
    config = {"tokenizer_class": "QWenTokenizer", "added_tokens_decoder": decoder}
    converted = read(tiktoken_file(byte_ranks()), config)
    tokens = {token["id"]: token for token in converted.document["added_tokens"]}
    assert tokens[151646]["content"] == "<think>"
    assert tokens[151646]["special"] is False
    assert tokens[151645]["content"] == "<|im_end|>"
    assert "<|extra_0|>" not in added(converted)
    assert library(converted).encode("<think>").ids == [151646]


def test_tokens_of_an_unknown_vocabulary() -> None:
    size = len(byte_ranks())
    decoder = {str(size + 5): {"content": "<end>", "special": True, "normalized": False}}
    config = {"added_tokens_decoder": decoder, "eos_token": "<end>", "bos_token": "<new>"}
    converted = read(tiktoken_file(byte_ranks()), config, pattern=WORDS)
    assert added(converted) == {"<end>": size + 5, "<new>": size + 6}
    assert library(converted).encode("a<end>").ids == [ord("a"), size + 5]
    assert "special tokens are those of the config files" in converted.notices[-1].message


def test_a_special_token_with_the_id_of_a_rank() -> None:
    with pytest.raises(SourceError, match=r'the id 300 belongs to .*, and to the added token "<end>"'):
        read(tiktoken_file(byte_ranks()), {"added_tokens_decoder": {"300": {"content": "<end>"}}}, pattern=WORDS)


def test_a_token_that_is_an_entry_too() -> None:
    ranks = {**byte_ranks(), b"<end>": len(byte_ranks())}
    decoder = {str(len(ranks)): {"content": "<end>", "special": True, "normalized": False}}
    converted = read(tiktoken_file(ranks), {"added_tokens_decoder": decoder}, pattern=WORDS)
    assert library(converted).encode("a<end>").ids == [ord("a"), len(ranks)]
    assert any("spell a special token" in notice.message for notice in converted.notices)


# --- the engine -------------------------------------------------------------------------------------------------------


@pytest.mark.engine
def test_the_engine_gives_the_ids_of_tiktoken(tmp_path: Path, native: Callable[..., NativeEngine]) -> None:
    ranks = byte_ranks()
    converted = read(tiktoken_file(ranks), pattern=LLAMA_3)
    pipeline, _ = load_pipeline(orjson.dumps(converted.document), "x.tiktoken")
    file, report = lower(Source(pipeline, Settings(), ()))
    path = tmp_path / "x.mtok"
    path.write_bytes(file.encode())
    owner = tiktoken.Encoding("x", pat_str=LLAMA_3, mergeable_ranks=dict(ranks), special_tokens={})
    texts = [text for text in builtin_texts() if not {"\0", "\x85", "\u2028", "\u2029"} & set(text)]
    assert native(path).encode_many(texts) == [owner.encode_ordinary(text) for text in texts]
    assert not any("ignore_merges" in limit.reason for limit in report.limits)


def test_reading_twice_gives_the_same() -> None:
    data = tiktoken_file(byte_ranks())
    assert read(data, pattern=WORDS) == read(data, pattern=WORDS)
    assert base64.b64decode(data.split()[0]) == b"\0"
    assert read_tiktoken(data, "x", NO_FILES, pattern=WORDS).document == read(data, pattern=WORDS).document
