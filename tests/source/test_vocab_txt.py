from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from transformers import AutoTokenizer, BertTokenizer

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import SourceError
from mtok_export.lowering import lower
from mtok_export.source import load_pipeline
from mtok_export.source.conversion import Converted, Owner
from mtok_export.source.settings import Settings, Source
from mtok_export.source.tokenizer_class import unknown_class
from mtok_export.source.vocab_txt import CLASSES, read_vocab_txt
from mtok_export.texts import builtin_texts
from tests.source.trained import NO_FILES, config_files, word_pieces, write_folder

Json = dict[str, Any]

SIZE = len(word_pieces())
BERT = {"tokenizer_class": "BertTokenizer"}


def lines(*pieces: str) -> bytes:
    return "".join(f"{piece}\n" for piece in pieces).encode()


WORDS = lines(*word_pieces())
OF_MPNET = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}


def read(data: bytes, config: Json | None = None, **files: Any) -> Converted:
    return read_vocab_txt(data, "vocab.txt", config_files(config, **files))


def library(converted: Converted) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(converted.document))


CASES: dict[str, tuple[bytes, Json, dict[str, Any]]] = {
    "BERT": (WORDS, BERT, {}),
    "BERT that keeps case": (WORDS, {"tokenizer_class": "BertTokenizerFast", "do_lower_case": False}, {}),
    "accents and Han as they are": (
        WORDS,
        {"tokenizer_class": "DistilBertTokenizer", "strip_accents": False, "tokenize_chinese_chars": False},
        {},
    ),
    "accents gone, case kept": (
        WORDS,
        {"tokenizer_class": "ElectraTokenizer", "strip_accents": True, "do_lower_case": False},
        {},
    ),
    "added tokens": (
        WORDS,
        {**BERT, "additional_special_tokens": ["<x>"]},
        {"added_tokens": {"foo": SIZE}},
    ),
    "tokens with other names": (
        lines(*(OF_MPNET.get(piece, piece) for piece in word_pieces())),
        {**BERT, "cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>"},
        {},
    ),
    "a token that no line is": (lines(*(piece for piece in word_pieces() if piece != "[CLS]")), BERT, {}),
    "MPNet": (
        lines(*(OF_MPNET.get(piece, piece) for piece in word_pieces())),
        {"tokenizer_class": "MPNetTokenizer"},
        {},
    ),
    "lines that stand there again": (lines(*word_pieces(), "a", "##b", "zzz", "a"), BERT, {}),
    "no line feed at the end": (WORDS.removesuffix(b"\n"), BERT, {}),
    "CR LF": (WORDS.replace(b"\n", b"\r\n"), BERT, {}),
    "lines with odd characters": (
        lines(*word_pieces(), "a\u2028b", "x\x0by", "p\x1cq", "##\x85r", " s", "t u"),
        BERT,
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_what_transformers_makes_of_it(name: str, tmp_path: Path) -> None:
    data, config, files = CASES[name]
    converted = read(data, config, **files)
    assert converted.owner is Owner.TOKENIZERS
    folder = {"vocab.txt": data, "tokenizer_config.json": config}
    folder |= {f"{key}.json": content for key, content in files.items()}
    theirs = AutoTokenizer.from_pretrained(write_folder(tmp_path, folder)).backend_tokenizer
    ours = library(converted)
    assert ours.get_vocab() == theirs.get_vocab()
    contents = [token["content"] for token in converted.document["added_tokens"]]
    texts = [*builtin_texts(), *(f"hi {content} a{content}b" for content in contents)]
    expected = [encoding.ids for encoding in theirs.encode_batch(texts)]
    assert [encoding.ids for encoding in ours.encode_batch(texts)] == expected
    assert ours.encode("a", "b").ids == theirs.encode("a", "b").ids
    assert ours.decode_batch(expected) == theirs.decode_batch(expected)


def test_without_a_config_it_is_bert(tmp_path: Path) -> None:
    converted = read(WORDS)
    theirs = BertTokenizer.from_pretrained(write_folder(tmp_path, {"vocab.txt": WORDS})).backend_tokenizer
    assert json.loads(theirs.to_str()) == converted.document
    assert "read as a tokenizer of BERT" in converted.notices[0].message


def test_no_basic_tokenization_leaves_cleaning_alone() -> None:
    """As in transformers 4; version 5 does not know the field."""
    normalizer = read(WORDS, {**BERT, "do_basic_tokenize": False}).document["normalizer"]
    assert normalizer == {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": False,
        "strip_accents": False,
        "lowercase": False,
    }


def test_words_that_are_never_split_are_named() -> None:
    assert read(WORDS, {**BERT, "never_split": None}).notices == ()
    notices = read(WORDS, {**BERT, "never_split": ["x"]}).notices
    assert [notice.where for notice in notices] == ["tokenizer_config.json: $.never_split"]


pieces = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=6)


@settings(max_examples=100, deadline=None)
@given(st.lists(pieces, max_size=12), st.booleans())
def test_a_line_is_what_stands_between_line_feeds(more: list[str], ends: bool) -> None:
    written = ["[UNK]", "[CLS]", "[SEP]", *more]
    data = "\n".join(written).encode() + b"\n" * ends
    if not ends and written[-1] == "":
        written = written[:-1]
    vocab = read(data).document["model"]["vocab"]
    assert vocab == {piece: number for number, piece in enumerate(written)}


def test_a_cr_within_a_line_is_a_part_of_it() -> None:
    converted = read(lines("[UNK]", "[CLS]", "[SEP]", "a\rb"))
    assert converted.document["model"]["vocab"]["a\rb"] == 3
    assert any("a CR stands within a line" in notice.message for notice in converted.notices)


def test_what_stands_there_again_is_named() -> None:
    notices = read(lines("[UNK]", "[CLS]", "[SEP]", "a", "b", "a", "b")).notices
    problem = '2 lines stand there again further down, such as "a" (line 6); the last one counts, as in transformers'
    assert notices[-1].message == problem


@pytest.mark.parametrize(
    ("data", "config", "complaint"),
    [
        (b"", None, "vocab.txt: the file is empty"),
        (b"\n\n", None, "vocab.txt: the file is empty"),
        (b"a\nb\n", None, 'vocab.txt: no line is the unknown token "[UNK]"'),
        (b"[UNK]\n[SEP]\n", None, "a text is put between tokens, and there is no cls_token"),
        (b"[UNK]\n[CLS]\n", None, "a text is put between tokens, and there is no sep_token"),
        (b"[UNK]\na\n\xe4\n", None, "vocab.txt, line 3: byte 8 (0xe4) is not UTF-8"),
        (WORDS, {"unk_token": "<unk>"}, 'no line is the unknown token "<unk>"'),
        (WORDS, {"do_lower_case": "yes"}, "tokenizer_config.json: $.do_lower_case: true or false is needed here"),
        (WORDS, {"never_split": "x"}, "$.never_split: an array is needed here"),
        (WORDS, {"tokenizer_class": "BertJapaneseTokenizer"}, 'what belongs to a "BertJapaneseTokenizer" is not known'),
        (WORDS, {"added_tokens_decoder": {"3": {"content": "<x>"}}}, "the id 3 belongs to"),
    ],
)
def test_a_bad_file_is_named(data: bytes, config: Json | None, complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(data, config)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_classes() -> None:
    assert unknown_class(NO_FILES, CLASSES) is None
    assert not any(unknown_class(config_files({"tokenizer_class": f"{name}Fast"}), CLASSES) for name in CLASSES)
    unknown = unknown_class(config_files({"tokenizer_class": "BertJapaneseTokenizer"}), CLASSES)
    assert unknown is not None
    assert unknown.where == "tokenizer_config.json: $.tokenizer_class"


@pytest.mark.engine
@pytest.mark.parametrize("name", ["BERT", "BERT that keeps case", "lines with odd characters"])
def test_the_engine_gives_these_ids(name: str, tmp_path: Path, native: Callable[..., NativeEngine]) -> None:
    data, config, files = CASES[name]
    converted = read(data, config, **files)
    pipeline, _ = load_pipeline(orjson.dumps(converted.document), "vocab.txt")
    file, report = lower(Source(pipeline, Settings(), ()))
    path = tmp_path / "x.mtok"
    path.write_bytes(file.encode())
    texts = [text for text in builtin_texts() if "\0" not in text]
    before = list(file.header.prefix_ids)
    encodings = library(converted).encode_batch(texts, add_special_tokens=False)
    found = native(path).encode_many(texts)
    wrong = [text for text, ids, right in zip(texts, found, encodings, strict=True) if ids != before + right.ids]
    named = [limit for limit in report.limits if limit.path in ("$.normalizer", "$.pre_tokenizer", "$.model")]
    assert [text for text in wrong if not any(limit.touches(text) for limit in named)] == []
    assert len(wrong) < len(texts) // 50
