from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from tokenizers import Tokenizer
from transformers import AutoTokenizer, GPT2Tokenizer

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import SourceError, UnsupportedError
from mtok_export.lowering import lower
from mtok_export.source import load_pipeline
from mtok_export.source.conversion import Converted, Owner
from mtok_export.source.settings import Settings, Source
from mtok_export.source.tokenizer_class import unknown_class
from mtok_export.source.vocab_merges import CLASSES, read_vocab_merges
from mtok_export.texts import builtin_texts
from tests.source.trained import NO_FILES, byte_bpe, config_files, merges_file, vocab_with, write_folder

Json = dict[str, Any]

END = "<|endoftext|>"
ROBERTA = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
WHISPER = (END, "<|startoftranscript|>", "<|en|>", "<|translate|>", "<|transcribe|>", "<|notimestamps|>")
MASK = {"content": "<mask>", "lstrip": True, "normalized": False, "rstrip": False, "single_word": False}
TYPED_MASK = {"__type": "AddedToken", **MASK}
SIZE = len(byte_bpe()["vocab"])


def flagged(content: str, **flags: bool) -> Json:
    return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, **flags}


def read(vocab: Json | bytes, config: Json | None = None, *, merges: bytes | None = None, **files: Any) -> Converted:
    data = vocab if isinstance(vocab, bytes) else json.dumps(vocab).encode()
    merged = merges_file(byte_bpe()["merges"]) if merges is None else merges
    return read_vocab_merges(data, "vocab.json", merged, "merges.txt", config_files(config, **files))


def library(converted: Converted) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(converted.document))


CASES: dict[str, tuple[Json, Json, dict[str, Any]]] = {
    "GPT-2": (vocab_with(END), {"tokenizer_class": "GPT2Tokenizer"}, {}),
    "GPT-2 with a beginning": (
        vocab_with(END),
        {"tokenizer_class": "GPT2TokenizerFast", "add_bos_token": True, "add_prefix_space": True},
        {},
    ),
    "CodeGen with added_tokens.json": (
        vocab_with(END),
        {"tokenizer_class": "CodeGenTokenizer"},
        {"added_tokens": {"<a>": SIZE + 1, "  ": SIZE + 2, "\t\t": SIZE + 3}},
    ),
    "RoBERTa": (vocab_with(*ROBERTA), {"tokenizer_class": "RobertaTokenizer", "mask_token": TYPED_MASK}, {}),
    "RoBERTa by its model type": (
        vocab_with(*ROBERTA),
        {"mask_token": TYPED_MASK},
        {"model": {"model_type": "roberta"}},
    ),
    "RoBERTa with special_tokens_map.json": (
        vocab_with(*ROBERTA),
        {"tokenizer_class": "RobertaTokenizer"},
        {"special_tokens_map": {"mask_token": MASK, "additional_special_tokens": ["<new>", "<newer>"]}},
    ),
    "BART": (vocab_with(*ROBERTA), {"tokenizer_class": "BartTokenizer", "mask_token": TYPED_MASK}, {}),
    "Longformer": (vocab_with(*ROBERTA), {"tokenizer_class": "LongformerTokenizer", "mask_token": TYPED_MASK}, {}),
    "LayoutLMv3": (vocab_with(*ROBERTA), {"tokenizer_class": "LayoutLMv3Tokenizer", "mask_token": TYPED_MASK}, {}),
    "OPT": (
        vocab_with(*ROBERTA),
        {
            "tokenizer_class": "GPT2Tokenizer",
            "add_bos_token": True,
            "bos_token": {"__type": "AddedToken", **flagged("</s>", normalized=True)},
            "eos_token": {"__type": "AddedToken", **flagged("</s>", normalized=True)},
            "unk_token": "</s>",
            "pad_token": "<pad>",
        },
        {},
    ),
    "GPT-NeoX": (vocab_with(END, "<|padding|>"), {"tokenizer_class": "GPTNeoXTokenizer"}, {}),
    "Qwen2 with added_tokens_decoder": (
        vocab_with(),
        {
            "tokenizer_class": "Qwen2Tokenizer",
            "eos_token": "<|im_end|>",
            "additional_special_tokens": ["<|im_start|>", "<|im_end|>"],
            "added_tokens_decoder": {
                str(SIZE): flagged(END, special=True),
                str(SIZE + 1): flagged("<|im_start|>", special=True),
                str(SIZE + 2): flagged("<|im_end|>", special=True),
                str(SIZE + 3): flagged("<think>", special=False, lstrip=True),
            },
        },
        {},
    ),
    "Qwen2 with tokens that have no ids": (
        vocab_with(),
        {
            "tokenizer_class": "Qwen2Tokenizer",
            "eos_token": "<|im_end|>",
            "additional_special_tokens": ["<|im_start|>", "<|im_end|>"],
        },
        {},
    ),
    "DeBERTa": (
        vocab_with("[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"),
        {
            "tokenizer_class": "DebertaTokenizer",
            "mask_token": {"__type": "AddedToken", **flagged("[MASK]", lstrip=True)},
        },
        {},
    ),
    "Whisper": (vocab_with(*WHISPER), {"tokenizer_class": "WhisperTokenizer"}, {}),
}


@pytest.mark.parametrize("name", CASES)
def test_ids_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    vocab, config, files = CASES[name]
    converted = read(vocab, config, **files)
    assert converted.owner is Owner.TOKENIZERS
    names = {"added_tokens": "added_tokens.json", "special_tokens_map": "special_tokens_map.json"}
    names["model"] = "config.json"
    folder = {
        "vocab.json": vocab,
        "merges.txt": merges_file(byte_bpe()["merges"]),
        "tokenizer_config.json": config,
        **{names[key]: content for key, content in files.items()},
    }
    theirs = AutoTokenizer.from_pretrained(write_folder(tmp_path, folder)).backend_tokenizer
    ours = library(converted)
    contents = [token["content"] for token in converted.document["added_tokens"]]
    mixed = [f"{a} {content} {b}{content}c" for content in contents for a, b in (("hi", "a"), ("", " "))]
    texts = [*builtin_texts(), *mixed]
    for specials in (True, False):
        expected = [encoding.ids for encoding in theirs.encode_batch(texts, add_special_tokens=specials)]
        assert [e.ids for e in ours.encode_batch(texts, add_special_tokens=specials)] == expected
    assert {content: theirs.token_to_id(content) for content in contents} == {
        content: ours.token_to_id(content) for content in contents
    }


def test_without_a_config_it_is_gpt2(tmp_path: Path) -> None:
    converted = read(vocab_with(END))
    folder = {"vocab.json": vocab_with(END), "merges.txt": merges_file(byte_bpe()["merges"])}
    theirs = GPT2Tokenizer.from_pretrained(write_folder(tmp_path, folder)).backend_tokenizer
    texts = [*builtin_texts(), f"a{END}b"]
    expected = [encoding.ids for encoding in theirs.encode_batch(texts)]
    assert [encoding.ids for encoding in library(converted).encode_batch(texts)] == expected
    assert "read as a tokenizer of GPT-2" in converted.notices[0].message
    assert converted.defaults.eos_token == END


def test_a_token_of_gpt2_that_the_vocabulary_lacks_is_not_made_up() -> None:
    converted = read(vocab_with())
    assert converted.document["added_tokens"] == []
    assert converted.defaults.eos_token is None


def test_blenderbot_ends_a_text_as_the_models_do() -> None:
    """transformers 5 has lost that; version 4 and the models have it."""
    tokenizer = library(read(vocab_with(*ROBERTA), {"tokenizer_class": "BlenderbotTokenizer"}))
    assert tokenizer.encode("a").ids == [*tokenizer.encode(" a", add_special_tokens=False).ids, 2]


def test_the_mask_of_roberta_takes_the_space_before_it() -> None:
    """transformers 5 has lost that too."""
    tokenizer = library(read(vocab_with(*ROBERTA), {"tokenizer_class": "RobertaTokenizer"}))
    assert tokenizer.encode("a <mask>").ids == [0, *tokenizer.encode("a", add_special_tokens=False).ids, 4, 2]


@pytest.mark.parametrize(
    ("config", "before"),
    [
        ({}, ["<|startoftranscript|>", "<|notimestamps|>"]),
        ({"language": "en", "task": "translate"}, [WHISPER[1], "<|en|>", "<|translate|>", "<|notimestamps|>"]),
        ({"language": "xx", "predict_timestamps": True}, ["<|startoftranscript|>"]),
    ],
)
def test_what_whisper_begins_with(config: Json, before: list[str]) -> None:
    tokenizer = library(read(vocab_with(*WHISPER), {"tokenizer_class": "WhisperTokenizer", **config}))
    assert tokenizer.encode("a").tokens == [*before, "a", END]


def test_qwen_3_5_keeps_marks_with_letters() -> None:
    """Its pattern is held against tiktoken elsewhere; AutoTokenizer 5.24 gives no ids at all for this class."""
    split = read(vocab_with(END), {"tokenizer_class": "Qwen3_5Tokenizer"}).document["pre_tokenizer"]["pretokenizers"][0]
    assert r"[\p{L}\p{M}]+" in split["pattern"]["Regex"]


def test_clip_is_read_and_refused_by_the_lowering() -> None:
    vocab = {"a": 0, "b</w>": 1, "ab</w>": 2, "<|startoftext|>": 3, END: 4}
    converted = read(vocab, {"tokenizer_class": "CLIPTokenizer"}, merges=b"#version: 0.2\na b</w>\n")
    assert library(converted).encode("AB").ids == [3, 2, 4]
    pipeline, _ = load_pipeline(orjson.dumps(converted.document), "vocab.json")
    with pytest.raises(UnsupportedError, match="end_of_word_suffix"):
        lower(Source(pipeline, Settings(), ()))


def test_a_class_that_is_not_known() -> None:
    files = config_files({"tokenizer_class": "FSMTTokenizer"})
    with pytest.raises(SourceError, match=r'tokenizer_class: what belongs to a "FSMTTokenizer" is not known'):
        read(vocab_with(END), {"tokenizer_class": "FSMTTokenizer"})
    unknown = unknown_class(files, CLASSES)
    assert unknown is not None
    assert unknown.name == "FSMTTokenizer"
    assert unknown_class(NO_FILES, CLASSES) is None
    assert not any(unknown_class(config_files({"tokenizer_class": f"{name}Fast"}), CLASSES) for name in CLASSES)


# --- merges.txt -------------------------------------------------------------------------------------------------------


def test_lines_end_with_a_line_feed_alone() -> None:
    odd = ("\u2028", "\x85", "\x0b", "\x1c", "\u00a0", "\u3000")
    vocab = {"a": 0, **{char: i + 1 for i, char in enumerate(odd)}, **{f"a{char}": i + 7 for i, char in enumerate(odd)}}
    merges = "".join(f"a {char}\n" for char in odd).encode()
    assert read(vocab, merges=merges).document["model"]["merges"] == [["a", char] for char in odd]


def test_cr_lf_is_named() -> None:
    merges = merges_file(byte_bpe()["merges"])
    converted = read(vocab_with(END), merges=merges.replace(b"\n", b"\r\n"))
    assert converted.document == read(vocab_with(END)).document
    assert any("CR LF" in notice.message for notice in converted.notices)


@pytest.mark.parametrize("merges", [b"", b"#version: 0.2\n", b"a b", b"a b\n\n", b"#version: 0.2\na b\n"])
def test_the_first_and_the_last_line(merges: bytes) -> None:
    found = read({"a": 0, "b": 1, "ab": 2}, merges=merges).document["model"]["merges"]
    assert found == ([["a", "b"]] if b"a b" in merges else [])


@pytest.mark.parametrize(
    ("merges", "complaint"),
    [
        (b"#version: 0.2\na b\nab\n", 'merges.txt, line 3: a merge is two tokens with one space between them; "ab"'),
        (b"a b c\n", 'merges.txt, line 1: a merge is two tokens with one space between them; "a b c" has 2 spaces'),
        (b"a  b\n", "merges.txt, line 1: a merge is two tokens"),
        (b"a b\nb a\n", 'merges.txt, line 2: the merge "b a" needs the token "ba", which is not in vocab.json'),
        (b"a b\r\nc a\n", 'merges.txt, line 1: the merge "a b\\r" needs the token "b\\r"'),
        (b"a c\n", 'the merge "a c" needs the token "c", which is not in vocab.json'),
        (b"a b\n\xff b\n", "merges.txt, line 2: byte 4 (0xff) is not UTF-8"),
        (b'{"a": 1}', "merges.txt, line 1: "),
    ],
)
def test_a_bad_merge_is_named(merges: bytes, complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read({"a": 0, "b": 1, "ab": 2}, merges=merges)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_words_that_end_with_a_mark_are_not_those_of_gpt2() -> None:
    with pytest.raises(SourceError, match='the merge "a b</w>" marks the end of a word'):
        read({"a": 0, "b</w>": 1, "ab</w>": 2}, merges=b"a b</w>\n")


# --- vocab.json and the tokens ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vocab", "complaint"),
    [
        (b"", "vocab.json: the file is empty"),
        (b"[]", "vocab.json: $: the top level must be an object"),
        (b"{}", "vocab.json: $: the vocabulary is empty"),
        ({"a": "0"}, "vocab.json: $.a: an integer is needed here"),
        ({"a": True}, "vocab.json: $.a: an integer is needed here"),
        ({"a": -1}, "vocab.json: $.a: -1 is out of range"),
        ({"a": 0, "b": 2**32}, "vocab.json: $.b: 4294967296 is out of range"),
    ],
)
def test_a_bad_vocabulary_is_named(vocab: Json | bytes, complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(vocab, merges=b"")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("config", "files", "complaint"),
    [
        ({"added_tokens_decoder": {"x": {"content": "y"}}}, {}, "the key must be an id"),
        ({"added_tokens_decoder": {"1": {"lstrip": True}}}, {}, 'the field "content" is missing'),
        ({"added_tokens_decoder": {"900": {"content": "y", "special": 1}}}, {}, "true or false is needed here"),
        (
            {"added_tokens_decoder": {"900": {"content": "y"}, "901": {"content": "y"}}},
            {},
            '"y" has the id 900 already',
        ),
        ({"added_tokens_decoder": {"5": {"content": "<y>"}}}, {}, "the id 5 belongs to"),
        (None, {"added_tokens": {"<y>": 901, "<z>": 901}}, 'the id 901 is given to "<y>" and to "<z>"'),
        (None, {"added_tokens": {"<y>": "901"}}, "an integer is needed here"),
        ({"eos_token": 3}, {}, "a string, an object with a content, or null"),
        ({"additional_special_tokens": [3]}, {}, "a list of strings"),
        ({"additional_special_tokens": "x"}, {}, "an array is needed here"),
        ({"tokenizer_class": 3}, {}, "a string is needed here"),
        ({"tokenizer_class": "RobertaTokenizer", "cls_token": None}, {}, "there is no cls_token"),
        ({"add_prefix_space": "yes"}, {}, "true or false is needed here"),
        (None, {"model": {"model_type": 3}}, "a string is needed here"),
    ],
)
def test_bad_config_files_are_named(config: Json | None, files: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(vocab_with(), config, **files)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_vocabulary_has_the_last_word_on_ids() -> None:
    converted = read(vocab_with(END), {"added_tokens_decoder": {"7000": {"content": END, "special": True}}})
    assert [token["id"] for token in converted.document["added_tokens"]] == [0]
    assert any("have another id here" in notice.message for notice in converted.notices)


def test_named_tokens_are_special() -> None:
    converted = read(vocab_with(), {"eos_token": "<e>"}, added_tokens={"<e>": SIZE, "word": SIZE + 1})
    tokens = {token["content"]: token for token in converted.document["added_tokens"]}
    assert (tokens["<e>"]["special"], tokens["<e>"]["normalized"]) == (True, False)
    assert (tokens["word"]["special"], tokens["word"]["normalized"]) == (False, True)


@pytest.mark.engine
@pytest.mark.parametrize("name", ["RoBERTa", "Qwen2 with added_tokens_decoder", "CodeGen with added_tokens.json"])
def test_the_engine_gives_these_ids(name: str, tmp_path: Path, native: Callable[..., NativeEngine]) -> None:
    vocab, config, files = CASES[name]
    converted = read(vocab, config, **files)
    pipeline, _ = load_pipeline(orjson.dumps(converted.document), "vocab.json")
    file, report = lower(Source(pipeline, Settings(), ()))
    path = tmp_path / "x.mtok"
    path.write_bytes(file.encode())
    texts = [text for text in builtin_texts() if not {*"\0\x85\u2028\u2029"} & {*text}]
    tokenizer = library(converted)
    before = list(file.header.prefix_ids)
    expected = [before + encoding.ids for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    named = [limit for limit in report.limits if limit.path.startswith("$.normalizer")]
    found = native(path).encode_many(texts)
    wrong = [text for text, ids, right in zip(texts, found, expected, strict=True) if ids != right]
    assert [text for text in wrong if not any(limit.touches(text) for limit in named)] == []
