from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from tokenizers import Tokenizer

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import SourceError
from mtok_export.lowering import lower
from mtok_export.source import load_pipeline
from mtok_export.source.conversion import Converted, Owner
from mtok_export.source.settings import Settings, Source
from mtok_export.source.tekken import DEFAULT_SPECIAL_TOKENS, KNOWN_VERSIONS, read_tekken
from mtok_export.texts import builtin_texts
from tests.source.trained import NO_FILES, byte_ranks, tekken_file

Json = dict[str, Any]


def tekken(**changes: Any) -> Json:
    return tekken_file(byte_ranks(), **changes)


def with_config(**changes: Any) -> Json:
    content = tekken()
    return {**content, "config": {**content["config"], **changes}}


def with_entry(i: int, **changes: Any) -> Json:
    content = tekken()
    content["vocab"][i] = {**content["vocab"][i], **changes}
    return content


def listed(*contents: str, **flags: Any) -> list[Json]:
    return [{"rank": rank, "token_str": content, "is_control": True, **flags} for rank, content in enumerate(contents)]


def read(content: Json) -> Converted:
    return read_tekken(json.dumps(content).encode(), "tekken.json", NO_FILES)


def library(converted: Converted) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(converted.document))


def owner(content: Json, folder: Path) -> Tekkenizer:
    path = folder / "tekken.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return Tekkenizer.from_file(path)


def plain_texts(specials: list[str]) -> list[str]:
    return [text for text in builtin_texts() if not any(content in text for content in specials)]


CONTENTS: dict[str, Callable[[], Json]] = {
    "an old file": tekken,
    "more special tokens": lambda: tekken(specials=40),
    "fewer special tokens": lambda: tekken(specials=3, special_tokens=listed("<unk>", "</s>", "<s>")),
    "a list": lambda: tekken(specials=6, special_tokens=listed("<unk>", "<s>", "</s>", "<think>")),
    "a new version": lambda: {
        **with_config(version="v13"),
        "special_tokens": listed("<unk>", "<s>", "</s>", "[INST]"),
        "image": {"image_patch_size": 16, "max_image_size": 1024},
    },
    "entries that are not used": lambda: with_config(default_vocab_size=700),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_ids_are_those_of_mistral_common(name: str, tmp_path: Path) -> None:
    content = CONTENTS[name]()
    converted, mistral = read(content), owner(content, tmp_path)
    specials = [token["content"] for token in converted.document["added_tokens"]]
    assert converted.owner is Owner.MISTRAL_COMMON
    assert [mistral.id_to_piece(i) for i in range(mistral.num_special_tokens)] == specials
    texts = plain_texts(specials)
    tokenizer = library(converted)
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    assert ids == [mistral.encode(text, bos=False, eos=False) for text in texts]
    assert [encoding.ids for encoding in tokenizer.encode_batch(texts)] == [
        mistral.encode(text, bos=True, eos=False) for text in texts
    ]
    assert tokenizer.decode_batch(ids) == [mistral.decode(some) for some in ids]


def test_special_tokens_are_found_in_a_text() -> None:
    tokenizer = library(read(tekken()))
    assert tokenizer.encode("[INST]a[/INST]", add_special_tokens=False).ids == [3, 20 + ord("a"), 4]


def test_the_default_list_is_that_of_the_library() -> None:
    assert tuple(token["token_str"] for token in Tekkenizer.DEPRECATED_SPECIAL_TOKENS) == DEFAULT_SPECIAL_TOKENS


def test_the_known_versions_are_those_of_the_library() -> None:
    from mistral_common.tokens.tokenizers.base import TokenizerVersion

    theirs = tuple(TokenizerVersion.__members__)
    both = min(len(theirs), len(KNOWN_VERSIONS))  # older and newer releases know fewer or more
    assert KNOWN_VERSIONS[:both] == theirs[:both]


def test_begin_and_end() -> None:
    defaults = read(tekken()).defaults
    assert (defaults.bos_token, defaults.eos_token) == ("<s>", "</s>")
    none = read(tekken(specials=1, special_tokens=listed("<unk>")))
    assert (none.defaults.bos_token, none.defaults.eos_token) == (None, None)
    assert none.document["post_processor"] is None


def test_what_is_not_about_text_is_named() -> None:
    content = {**tekken(), "image": {}, "audio": {}, "surprise": 1}
    messages = {notice.where: notice.message for notice in read(content).notices}
    assert messages == {
        "tekken.json: $.image": "how images become tokens is no part of a tokenizer for text, and left out",
        "tekken.json: $.audio": "how sound becomes tokens is no part of a tokenizer for text, and left out",
        "tekken.json: $.surprise": "the field is not known here, and left out",
    }


def test_a_version_to_come_is_named() -> None:
    content = {**with_config(version="v99"), "special_tokens": listed("<unk>", "<s>", "</s>")}
    assert "newer than what is known here" in read(content).notices[0].message


def test_entries_beyond_the_vocabulary_are_counted() -> None:
    assert read(with_config(default_vocab_size=720)).notices[0].message.startswith("the last 200 entries")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({}, 'tekken.json: $: the field "config" is missing'),
        ({"config": {}}, 'tekken.json: $.config: the field "default_vocab_size" is missing'),
        (with_config(default_vocab_size=2**33), "tekken.json: $.config.default_vocab_size: 8589934592 is out of range"),
        (with_config(default_vocab_size=7), "20 special tokens do not fit into a vocabulary of 7"),
        (with_config(default_vocab_size=100), "80 entries are used, which is less than one for each byte"),
        (with_config(default_vocab_size=5000), "$.vocab: 4980 entries are needed, and there are 900"),
        (with_config(version="v11"), '$.special_tokens: a file of version "v11" must list its special tokens'),
        (with_config(version=None), "$.config.version: a string is needed here, not null"),
        (with_config(pattern="(a"), "tekken.json: $.config.pattern: a group is not closed"),
        (tekken(special_tokens=listed("a", "b", "a")), 'the special tokens 0 and 2 are both "a"'),
        (tekken(special_tokens=listed("a", "")), "the special token 1 is empty"),
        (tekken(special_tokens=listed("a", "b", rank=0)), '$.special_tokens[1].rank: 0 is the rank of "a" already'),
        (tekken(special_tokens=listed("a", rank=1)), "$.special_tokens[0].rank: 1 is out of range"),
        (tekken(specials=1, special_tokens=listed("a", "b")), "2 special tokens are listed, and there is room for 1"),
        (tekken(specials=19), "20 special tokens are listed, and there is room for 19"),
        (tekken(special_tokens=[1]), "$.special_tokens[0]: an object is needed here"),
        (with_entry(300, rank=5), "$.vocab[300].rank: 5 is not the position of the entry, which is 300"),
        (with_entry(300, rank="300"), "$.vocab[300].rank: an integer is needed here"),
        (with_entry(300, token_bytes="Y*=="), '$.vocab[300].token_bytes: "Y*==" is no base64'),
        (with_entry(300, token_bytes="é"), '$.vocab[300].token_bytes: "é" is no base64'),
        (with_entry(300, token_bytes=3), "$.vocab[300].token_bytes: a string is needed here"),
        (with_entry(300, token_bytes=""), "$.vocab[300].token_bytes: the token is empty"),
        (with_entry(300, token_bytes="YQ=="), '"YQ==" stands there a second time, after entry 97'),
        (with_entry(7, token_bytes="YQ=="), '$.vocab[7].token_bytes: "YQ==" is not the byte 0x07'),
        ({**tekken(), "vocab": [3] * 900}, "$.vocab[0]: an object is needed here"),
        ({**tekken(), "vocab": 3}, "$.vocab: an array is needed here"),
    ],
)
def test_a_bad_file_is_named(content: Json, complaint: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(content)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff"])
def test_what_is_no_json_object(data: bytes) -> None:
    with pytest.raises(SourceError, match=r"tekken\.json"):
        read_tekken(data, "tekken.json", NO_FILES)


@pytest.mark.engine
def test_the_engine_gives_the_ids_of_mistral_common(tmp_path: Path, native: Callable[..., NativeEngine]) -> None:
    content = tekken()
    converted, mistral = read(content), owner(content, tmp_path)
    pipeline, _ = load_pipeline(orjson.dumps(converted.document), "tekken.json")
    file, _ = lower(Source(pipeline, Settings(), ()))
    path = tmp_path / "x.mtok"
    path.write_bytes(file.encode())
    texts = [text for text in plain_texts(list(DEFAULT_SPECIAL_TOKENS)) if not {*"\0\x85\u2028\u2029"} & {*text}]
    assert native(path).encode_many(texts) == [mistral.encode(text, bos=True, eos=False) for text in texts]
