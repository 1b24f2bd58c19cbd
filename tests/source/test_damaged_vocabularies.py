"""Damaged files of every kind: a tokenizer comes out that can be loaded, or one clear line; never anything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.errors import MtokError
from mtok_export.source import load_pipeline
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.conversion import Converted
from mtok_export.source.json_values import JsonObject
from mtok_export.source.tekken import read_tekken
from mtok_export.source.tiktoken_ranks import read_tiktoken
from mtok_export.source.vocab_merges import read_vocab_merges
from mtok_export.source.vocab_txt import read_vocab_txt
from tests.source.trained import NO_FILES, byte_ranks, merges_file, tekken_file, tiktoken_file, word_pieces

Read = Callable[[bytes, ConfigFiles], Converted]

SMALL = dict(list(byte_ranks().items())[:300])
VOCAB = {"a": 0, "b": 1, "ab": 2, "abb": 3, "<|endoftext|>": 4}
MERGES = merges_file([("a", "b"), ("ab", "b")])

READERS: Mapping[str, tuple[bytes, Read]] = {
    "tiktoken": (
        tiktoken_file(SMALL),
        lambda data, files: read_tiktoken(data, "x.tiktoken", files, pattern=r"\s+|\S+"),
    ),
    "tekken": (
        json.dumps(tekken_file(SMALL, image={"x": 1})).encode(),
        lambda data, files: read_tekken(data, "tekken.json", files),
    ),
    "vocab.json": (
        json.dumps(VOCAB).encode(),
        lambda data, files: read_vocab_merges(data, "vocab.json", MERGES, "merges.txt", files),
    ),
    "merges.txt": (
        MERGES,
        lambda data, files: read_vocab_merges(json.dumps(VOCAB).encode(), "vocab.json", data, "merges.txt", files),
    ),
    "vocab.txt": (
        "\n".join(word_pieces()[:50]).encode(),
        lambda data, files: read_vocab_txt(data, "vocab.txt", files),
    ),
}


def try_reading(read: Read, data: bytes, files: ConfigFiles) -> None:
    try:
        converted = read(data, files)
        load_pipeline(orjson.dumps(converted.document), "x")
    except MtokError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The file with a stretch replaced: cut short, doubled, overwritten."""
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, min(len(whole), start + 40)))
    some = st.sampled_from([b"", b"\n", b"\r\n", b"\0", b" ", b'"', b"{", b"1", b"-1", b"null", b"\xff", "é".encode()])
    middle = draw(st.one_of(some, st.binary(max_size=8), st.just(whole[start:end] * 2)))
    return whole[:start] + middle + (whole[end:] if draw(st.booleans()) else b"")


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files(name: str, data: st.DataObject) -> None:
    whole, read = READERS[name]
    try_reading(read, data.draw(damaged(whole)), NO_FILES)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(name: str, content: bytes) -> None:
    try_reading(READERS[name][1], content, NO_FILES)


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 2**33),
        st.sampled_from(["", "<s>", "[CLS]", "[UNK]", "a", "GPT2Tokenizer", "BertTokenizer", "RobertaTokenizer"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["content", "special", "lstrip", "900", "301", "x", "AutoTokenizer"]), inner),
    ),
    max_leaves=6,
)
FIELDS = (
    *("tokenizer_class", "auto_map", "added_tokens_decoder", "additional_special_tokens", "extra_special_tokens"),
    *("eos_token", "bos_token", "unk_token", "cls_token", "sep_token", "add_bos_token", "add_prefix_space", "pat_str"),
    *("do_lower_case", "strip_accents", "never_split", "do_basic_tokenize", "model_type", "vocab_size", "language"),
)
objects = st.one_of(st.none(), st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=4))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=200, deadline=None)
@given(st.tuples(objects, objects, st.one_of(st.none(), st.dictionaries(st.text(max_size=3), json_values)), objects))
def test_any_config_files(name: str, contents: tuple[dict[str, object] | None, ...]) -> None:
    names = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json")
    parsed = [None if c is None else JsonObject(c, (f"{n}: $",)) for n, c in zip(names, contents, strict=True)]
    whole, read = READERS[name]
    try_reading(read, whole, ConfigFiles(*parsed))
