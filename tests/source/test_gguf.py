"""GGUF files: the ids are those of the tokenizer that was written into them."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import pytest

from mtok_export import export
from mtok_export.errors import OutputError, SourceError, UnsupportedError
from mtok_export.source import Source, load_source
from mtok_export.source.conversion import Owner
from mtok_export.source.gguf_metadata import read_metadata
from mtok_export.source.gguf_patterns import PRE_TOKENIZATIONS
from mtok_export.texts import builtin_texts
from mtok_export.verify.reference import Reference
from tests import tokenizer_zoo
from tests.gguf_files import of_document, of_sentencepiece, write
from tests.sentencepiece_models import ids, trained

TEXTS = builtin_texts()
BYTES: dict[str, Any] = {
    "byte_fallback": True,
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "vocab_size": 900,
}


def zoo(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(tokenizer_zoo.zoo(name))
    return document


def encoded(source: Source, *, specials: bool = False) -> list[list[int] | None]:
    return Reference(source).encode(TEXTS, specials=specials)


def messages(source: Source) -> list[str]:
    return [notice.message for notice in source.notices]


def refused(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load_source(path)
    assert "\n" not in str(caught.value)
    return caught.value


# --- byte-level BPE ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "pre"), [("gpt2", "gpt-2"), ("qwen2", "qwen2"), ("llama3", "llama-bpe"), ("o200k", "gpt-4o")]
)
def test_ids_are_those_of_the_tokenizer(name: str, pre: str, tmp_path: Path, model_dir: Callable[[str], Path]) -> None:
    directory = model_dir(name)
    document = json.loads((directory / "tokenizer.json").read_text(encoding="utf-8"))
    source = load_source(write(tmp_path / "q4.gguf", of_document(document, pre)))
    original = load_source(directory)
    assert encoded(source) == encoded(original)
    contents = {(token.id, token.content, token.special) for token in original.pipeline.added_tokens}
    assert {(token.id, token.content, token.special) for token in source.pipeline.added_tokens} == contents
    assert (source.origin, source.owner) == ("q4.gguf", Owner.TOKENIZERS)
    assert [file.name for file in source.files] == ["q4.gguf (metadata)"]


def test_roles_template_and_stop_tokens_come_from_the_file(tmp_path: Path) -> None:
    document = zoo("llama3")
    ids_of = {token["content"]: token["id"] for token in document["added_tokens"]}
    template = "{% for m in messages %}{{ m.content }}<|eot_id|>{% endfor %}"
    roles = {
        "bos_token_id": ids_of["<|begin_of_text|>"],
        "eos_token_id": ids_of["<|end_of_text|>"],
        "eot_token_id": ids_of["<|eot_id|>"],
        "chat_template": template,
    }
    source = load_source(write(tmp_path / "a.gguf", of_document(document, "llama-bpe", **roles)))
    settings = source.settings
    assert settings.chat_template is not None
    assert (settings.chat_template.text, settings.chat_template.origin) == (template, "a.gguf")
    assert settings.bos_token is not None
    assert settings.bos_token.id == ids_of["<|begin_of_text|>"]
    stops = {stop.content: stop.reasons for stop in settings.stop_tokens}
    assert stops["<|end_of_text|>"] == ("a.gguf: eos_token",)
    assert "a.gguf: eot_token_id" in stops["<|eot_id|>"]
    assert encoded(source, specials=True)[0][0] == ids_of["<|begin_of_text|>"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("flags", "front", "back"),
    [
        ({"add_bos_token": False}, False, False),
        ({"add_bos_token": True, "add_eos_token": True}, True, True),
        ({}, True, False),
    ],
)
def test_what_stands_round_a_text(flags: dict[str, bool], front: bool, back: bool, tmp_path: Path) -> None:
    document = zoo("llama3")
    bos, eos = (token["id"] for token in document["added_tokens"][:2])
    fields = of_document(document, "llama-bpe", bos_token_id=bos, eos_token_id=eos, **flags)
    source = load_source(write(tmp_path / "a.gguf", fields))
    for whole, plain in zip(encoded(source, specials=True), encoded(source), strict=True):
        assert plain is not None
        assert whole == [bos] * front + plain + [eos] * back


def test_composition_for_qwen_is_said(tmp_path: Path) -> None:
    source = load_source(write(tmp_path / "a.gguf", of_document(zoo("qwen2"), "qwen2")))
    assert messages(source) == ["a GGUF file names no normalizer; texts are composed (NFC), as by Qwen's own tokenizer"]


def test_every_known_pattern_loads(tmp_path: Path) -> None:
    document = zoo("gpt2")
    for name in PRE_TOKENIZATIONS:
        source = load_source(write(tmp_path / f"{name}.gguf", of_document(document, name)))
        assert Reference(source).encode(["it's 1234 words\n\n  x"], specials=False) != [None]


@pytest.mark.parametrize(
    ("pre", "problem"),
    [("nobody-knows", 'the pattern "nobody-knows" is not known'), (None, "does not name its pattern")],
)
def test_an_unknown_pattern_is_refused(pre: str | None, problem: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", of_document(zoo("gpt2"), pre))
    with pytest.raises(UnsupportedError) as caught:
        load_source(path)
    assert problem in caught.value.problems[0].reason
    assert "llama-bpe" in caught.value.problems[0].reason


# --- sentencepiece and WordPiece --------------------------------------------------------------------------------------


def test_a_sentencepiece_bpe(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    source = load_source(write(tmp_path / "a.gguf", of_sentencepiece(data)))
    plain = [text for text in TEXTS if not any(token in text for token in ("<s>", "</s>", "<unk>"))]
    assert Reference(source).encode(plain, specials=False) == ids(data, plain)
    assert source.owner is Owner.SENTENCEPIECE
    assert ids(source.original, plain[:50]) == ids(data, plain[:50])
    assert [piece.piece for piece in source.pieces][:3] == ["<unk>", "<s>", "</s>"]
    assert Reference(source).encode(["a"], specials=True)[0][0] == 1  # type: ignore[index]
    assert source.settings.eos_token is not None
    assert source.settings.eos_token.id == 2


def test_a_space_in_front_may_be_off(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES, add_dummy_prefix=False)
    source = load_source(write(tmp_path / "a.gguf", of_sentencepiece(data, add_space_prefix=False)))
    assert Reference(source).encode(["the word"], specials=False) == ids(data, ["the word"])


def test_a_sentencepiece_unigram(tmp_path: Path) -> None:
    data = trained("unigram", normalization_rule_name="identity")
    fields = {
        **of_sentencepiece(data, remove_extra_whitespaces=True, unk_token_id=0, eos_token_id=2),
        "tokenizer_model": "t5",
    }
    source = load_source(write(tmp_path / "a.gguf", fields))
    plain = [text for text in TEXTS if not any(token in text for token in ("<s>", "</s>", "<unk>"))]
    assert Reference(source).encode(plain, specials=False) == ids(data, plain)
    assert Reference(source).encode(["a"], specials=True)[0][-1] == 2  # type: ignore[index]


@pytest.mark.parametrize("name", ["wordpiece-uncased", "wordpiece-cased"])
def test_a_word_piece_vocabulary(name: str, tmp_path: Path) -> None:
    document = zoo(name)
    vocab = sorted(document["model"]["vocab"].items(), key=lambda item: item[1])
    control = {token["content"]: token["id"] for token in document["added_tokens"]}
    fields = {
        "tokenizer_model": "bert",
        "token_list": [
            token if token in control else token[2:] if token.startswith("##") else f"\u2581{token}"
            for token, _ in vocab
        ],
        "token_types": [3 if token in control else 1 for token, _ in vocab],
        "unk_token_id": control["[UNK]"],
        "bos_token_id": control["[CLS]"],
        "sep_token_id": control["[SEP]"],
        "pad_token_id": control["[PAD]"],
        "mask_token_id": control["[MASK]"],
    }
    source = load_source(write(tmp_path / "a.gguf", fields))
    directory = tokenizer_zoo.write_model_dir(name, tmp_path / "zoo")
    assert encoded(source, specials=True) == encoded(load_source(directory), specials=True)
    assert messages(source)[0].startswith("the file does not say whether texts are lower-cased: they ")


def test_of_several_files_in_a_folder_the_first_with_a_tokenizer_counts(tmp_path: Path) -> None:
    fields = of_document(zoo("gpt2"), "gpt-2")
    write(tmp_path / "q4.gguf", fields)
    write(tmp_path / "q8.gguf", fields)
    write(tmp_path / "mmproj-q8.gguf", {"name": "sees pictures"})
    source = load_source(tmp_path)
    assert source.origin == "q4.gguf"
    beside = "lies beside q4.gguf, which is used: one model, most likely, in several files"
    assert [(notice.where, notice.message) for notice in source.notices] == [
        ("q8.gguf", beside),
        ("mmproj-q8.gguf", beside),
    ]


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["rwkv", "plamo2", "none"])
def test_other_kinds_are_refused_by_name(model: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", {"tokenizer_model": model, "token_list": ["a"]})
    with pytest.raises(UnsupportedError, match=f'the tokenizer is of the kind "{model}"'):
        load_source(path)


def test_a_file_without_a_tokenizer(tmp_path: Path) -> None:
    assert refused(write(tmp_path / "a.gguf", {"name": "a model"})).message == "there is no tokenizer in this file"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"token_list": None}, "there are no tokens"),
        ({"token_list": ["a", "b", "a"], "token_types": None}, 'the token "a" stands there more than once'),
        ({"token_types": [1, 1]}, "there are 2 values for "),
        ({"token_types": [9] * 1000}, "there are 1,000 values for "),
        ({"token_merges": ["ab"]}, "'ab' is no merge of two parts"),
    ],
)
def test_contradictions(changed: dict[str, Any], problem: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", {**of_document(zoo("gpt2"), "gpt-2"), **changed})
    assert problem in refused(path).message


def test_a_field_of_another_type(tmp_path: Path) -> None:
    fields = {**of_document(zoo("gpt2"), "gpt-2"), "token_types": None}
    other = {"tokenizer.ggml.token_type": ("x", gguf.GGUFValueType.STRING)}
    error = refused(write(tmp_path / "a.gguf", fields, other))
    assert (error.where, error.message) == ("a.gguf: tokenizer.ggml.token_type", "list is needed here, not str")


def test_a_file_cut_short_is_one_line_with_the_byte(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.gguf", of_document(zoo("gpt2"), "gpt-2")).read_bytes()
    path = tmp_path / "cut.gguf"
    for size in (*range(4, 40), *range(41, len(whole), 977)):
        path.write_bytes(whole[:size])
        error = refused(path)
        assert error.where is not None
        assert error.where.startswith("cut.gguf, byte ")
        assert error.hint == "the file is cut short or damaged: fetch it again"


def test_damaged_bytes_are_an_error_and_no_more(tmp_path: Path) -> None:
    """Whatever a byte is changed to: the file is read, or refused in one line, and no length is believed."""
    whole = write(tmp_path / "whole.gguf", of_sentencepiece(trained("bpe", **BYTES))).read_bytes()
    path = tmp_path / "damaged.gguf"
    chance = random.Random(3)
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(4, 400 if chance.random() < 0.5 else len(whole))] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            load_source(path)
        except (SourceError, UnsupportedError) as error:
            assert str(error)


@pytest.mark.parametrize(("version", "problem"), [(1, "version 1 of GGUF; read are 2 and 3"), (4, "version 4 of GGUF")])
def test_other_versions(version: int, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", version, 0, 0))
    assert problem in refused(path).message


# --- the metadata, against the package gguf ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", [gguf.GGUFEndian.LITTLE, gguf.GGUFEndian.BIG])
def test_metadata_is_what_the_package_reads(order: gguf.GGUFEndian, tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    writer = gguf.GGUFWriter(path, "llama", endianess=order)
    V = gguf.GGUFValueType  # noqa: N806
    numbers = {V.UINT8: 200, V.INT8: -3, V.UINT16: 60000, V.INT16: -300, V.UINT32: 2**32 - 1, V.INT32: -7}
    numbers |= {V.UINT64: 2**64 - 1, V.INT64: -(2**40)}
    for kind, number in numbers.items():
        writer.add_key_value(f"one.{kind.name}", number, kind)
    writer.add_float32("a.float", 0.5)
    writer.add_float64("a.double", 1e300)
    writer.add_bool("a.truth", True)
    writer.add_string("a.string", "é\u2581")
    writer.add_array("some.strings", ["a", "", "\U0001f600"])
    writer.add_array("some.numbers", [1, -2, 3])
    writer.add_array("some.floats", [0.25, -1.5])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found, data = read_metadata(path, "a.gguf", lambda key: not key.startswith("general."))
    reader = gguf.GGUFReader(path)
    names = [name for name in reader.fields if not name.startswith(("general.", "GGUF."))]
    assert found == {name: reader.fields[name].contents() for name in names}
    assert path.read_bytes().startswith(data)
    assert read_metadata(path, "a.gguf", lambda key: key == "a.truth")[0] == {"a.truth": True}


# --- what a damaged or odd file says ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("ggml.tokens", [1, 2, 3], "a string is needed here, not int"),
        ("ggml.tokens", [1.5], "a string is needed here, not float"),
        ("ggml.merges", [1, 2], "is no merge of two parts"),
        ("chat_template", 7, "a string is needed here, not int"),
    ],
)
def test_values_of_another_type_are_refused(tmp_path: Path, key: str, value: Any, words: str) -> None:
    fields = of_document(zoo("gpt2"), "gpt-2")
    fields.pop({"ggml.tokens": "token_list", "ggml.merges": "token_merges"}.get(key, ""), None)
    kind = gguf.GGUFValueType.ARRAY if isinstance(value, list) else gguf.GGUFValueType.UINT32
    assert words in str(refused(write(tmp_path / "a.gguf", fields, {f"tokenizer.{key}": (value, kind)})))


@pytest.mark.parametrize("wrong", [{"eos_token_id": 10**6}, {"eot_token_id": 10**6}, {"add_bos_token": True}])
def test_what_the_file_asks_for_in_vain_is_said(tmp_path: Path, wrong: dict[str, Any]) -> None:
    source = load_source(write(tmp_path / "a.gguf", of_document(zoo("gpt2"), "gpt-2", **wrong)))
    (field,) = wrong
    assert any(notice.where.endswith(field) for notice in source.notices)


def test_no_such_token_is_no_mistake(tmp_path: Path) -> None:
    fields = of_document(zoo("gpt2"), "gpt-2", pad_token_id=0xFFFFFFFF, eot_token_id=0xFFFFFFFF)
    source = load_source(write(tmp_path / "a.gguf", fields))
    assert not any("no token has the id" in message for message in messages(source))


def test_a_model_is_never_written_over(tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", of_document(zoo("gpt2"), "gpt-2"))
    before = path.read_bytes()
    with pytest.raises(OutputError, match="one of the files that the tokenizer is read from"):
        export(path, path, file_format="mtok")
    with pytest.raises(OutputError, match="one of the files that the tokenizer is read from"):
        export(path, tmp_path / "a.mtok", report=path)
    assert path.read_bytes() == before


def test_arrays_in_arrays_of_other_fields_are_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", of_document(zoo("gpt2"), "gpt-2"))
    key = b"general.tables"
    inner = struct.pack("<IQ", 4, 2) + struct.pack("<II", 7, 9)
    field = struct.pack("<Q", len(key)) + key + struct.pack("<IIQ", 9, 9, 2) + inner * 2
    data = path.read_bytes()
    count = struct.unpack_from("<Q", data, 16)[0]
    nested = tmp_path / "nested.gguf"
    nested.write_bytes(data[:16] + struct.pack("<Q", count + 1) + field + data[24:])
    assert load_source(nested).pipeline == load_source(path).pipeline
