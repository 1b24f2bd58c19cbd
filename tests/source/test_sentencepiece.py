"""Sentencepiece models: the ids of sentencepiece, through the converted pipeline in the tokenizers library."""

from __future__ import annotations

import json
import random
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mtok_export.errors import MtokError, SourceError, UnsupportedError
from mtok_export.source import Source, load_source
from mtok_export.source.conversion import Owner, PieceType
from mtok_export.source.pipeline import BPE, TemplateProcessing, TemplateSpecialToken, Unigram
from mtok_export.texts import builtin_texts
from mtok_export.verify.reference import Reference
from tests.sentencepiece_models import by_hand, ids, proto_of, trained

PLAIN: dict[str, Any] = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
BYTES: dict[str, Any] = {**PLAIN, "byte_fallback": True, "vocab_size": 900}

SPACES = [
    "",
    " ",
    "   ",
    "a  b   c  ",
    "  lead",
    "trail  ",
    "\u2581",
    "\u2581\u2581 a \u2581",
    "a\u2581b",
    " \n ",
    "a\tb",
]


USER_DEFINED = [
    "17 7 77",
    "x foo bar <u d> foo  bar",
    "<ud>",
    "a<ud>b",
    "<ud><ud> <ud>>",
    " <ud>  x",
    "<u<ud>>>",
    "of thef",
]


def write(folder: Path, data: bytes, **configs: Any) -> Path:
    path = folder / "tokenizer.model"
    path.write_bytes(data)
    for name, value in configs.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return path


def load(folder: Path, data: bytes, **configs: Any) -> Source:
    write(folder, data, **configs)
    return load_source(folder)


def different(source: Source, data: bytes, texts: Sequence[str]) -> list[str]:
    """The texts without special tokens whose ids are not those of sentencepiece."""
    contents = [token.content for token in source.pipeline.added_tokens]
    chosen = [text for text in texts if not any(content in text for content in contents)]
    found = Reference(source).encode(chosen, specials=False)
    assert len(chosen) > len(texts) * 9 // 10
    return [text for text, ours, theirs in zip(chosen, found, ids(data, chosen), strict=True) if ours != theirs]


def messages(source: Source) -> list[str]:
    return [notice.message for notice in source.notices]


def refused(folder: Path, data: bytes, **configs: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(folder, data, **configs)
    assert "\n" not in str(caught.value)
    return caught.value


# --- ids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"model_type": "bpe", **PLAIN},
        {"model_type": "bpe", **BYTES},
        {"model_type": "bpe", **PLAIN, "add_dummy_prefix": False},
        {"model_type": "bpe", **PLAIN, "add_dummy_prefix": False, "remove_extra_whitespaces": True},
        {"model_type": "bpe", **PLAIN, "split_by_whitespace": False},
        {"model_type": "bpe", **BYTES, "user_defined_symbols": ("\n", "7", "<ud>", "<ud>>", "of the")},
        {"model_type": "bpe", **BYTES, "user_defined_symbols": ("<ud>",), "remove_extra_whitespaces": True},
        {"model_type": "bpe", **BYTES, "user_defined_symbols": ("<ud>", "\n\n"), "add_dummy_prefix": False},
        {"model_type": "unigram", **PLAIN},
        {"model_type": "unigram", **PLAIN, "remove_extra_whitespaces": True},
        {"model_type": "unigram", **PLAIN, "split_by_whitespace": False},
        {"model_type": "unigram", **PLAIN, "user_defined_symbols": ("<ud>", "foo bar", "7", "\n")},
    ],
    ids=lambda options: "-".join(f"{key}={value}" for key, value in options.items() if key not in PLAIN) or "plain",
)
def test_ids_are_those_of_sentencepiece(options: dict[str, Any], tmp_path: Path) -> None:
    data = trained(**options)
    source = load(tmp_path, data)
    assert different(source, data, [*builtin_texts(), *SPACES, *USER_DEFINED]) == []
    assert (source.origin, source.owner, source.original) == ("tokenizer.model", Owner.SENTENCEPIECE, data)


@pytest.mark.parametrize("rule", ["nmt_nfkc", "nfkc", "nmt_nfkc_cf"])
@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_with_a_character_map_only_marks_differ_and_that_is_said(model_type: str, rule: str, tmp_path: Path) -> None:
    data = trained(model_type, normalization_rule_name=rule)
    source = load(tmp_path, data)
    wrong = different(source, data, [*builtin_texts(), *SPACES])
    assert [text for text in wrong if not any(unicodedata.category(char).startswith("M") for char in text)] == []
    assert any("of a letter with several marks" in message for message in messages(source))


def test_a_byte_piece_spelt_out_in_a_unigram_model_is_said(tmp_path: Path) -> None:
    data = trained("unigram", **BYTES)
    source = load(tmp_path, data)
    wrong = different(source, data, [*builtin_texts(), *SPACES])
    assert wrong
    assert [text for text in wrong if "<0x" not in text] == []
    assert any("spells out a byte piece, such as <0x41>" in message for message in messages(source))


def test_spaces_that_are_not_escaped(tmp_path: Path) -> None:
    pieces = [(" a", -1.0, 1), ("ab", -2.0, 1), *((char, -9.0, 1) for char in "ab ")]
    data = by_hand(pieces, escape_whitespaces=False).SerializeToString()
    source = load(tmp_path, data)
    assert different(source, data, random_texts("ab  \u2581")) == []
    assert Reference(source).decode(ids(data, ["ab a  b"])) == ["ab a  b"]


def test_pieces_are_those_of_the_file(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    source = load(tmp_path, data)
    stated = [(piece.piece, piece.score, piece.type) for piece in proto_of(data).pieces]
    assert [(piece.piece, piece.score, piece.type.value) for piece in source.pieces] == stated
    assert {piece.type for piece in source.pieces} >= {PieceType.UNKNOWN, PieceType.CONTROL, PieceType.BYTE}


# --- merges -----------------------------------------------------------------------------------------------------------


def random_texts(alphabet: str, count: int = 400, length: int = 40) -> list[str]:
    chance = random.Random(5)
    return ["".join(chance.choices(alphabet, k=chance.randrange(1, length))) for _ in range(count)]


def test_equal_scores_of_runs(tmp_path: Path) -> None:
    """As in Mistral's files: runs of spaces of up to 16, all with one score, of which 15 is missing."""
    runs = [("\u2581" * size, -1e9, 1) for size in (2, 4, 8, 5, 16, 6, 12, 13, 10, 14, 3, 9, 7, 11, 1)]
    proto = by_hand([*runs, ("a", -9.0, 1), ("b", -8.0, 1), ("\u2581a", -1.0, 1), ("\u2581a\u2581a", -5.0, 1)])
    data = proto.SerializeToString()
    texts = [" " * size + "a" for size in range(70)] + random_texts("  \u2581   ab", length=60)
    assert different(load(tmp_path, data), data, texts) == []


def test_the_order_is_that_of_the_scores_not_of_the_ids(tmp_path: Path) -> None:
    pieces = [("bc", -1.0, 1), ("ab", -2.0, 1), ("abc", -3.0, 1), *((char, -9.0, 1) for char in "abc\u2581")]
    data = by_hand(pieces).SerializeToString()
    source = load(tmp_path, data)
    assert different(source, data, random_texts("abc ")) == []
    assert isinstance(source.pipeline.model, BPE)
    assert source.pipeline.model.merges == (("b", "c"), ("a", "b"), ("ab", "c"), ("a", "bc"))


def test_a_user_defined_character_is_merged_with_nothing(tmp_path: Path) -> None:
    pieces = [("ab", -1.0, 1), ("b", -2.0, 4), ("a", -3.0, 1), ("\u2581", -4.0, 1), ("\u2581a", -1.5, 1)]
    data = by_hand(pieces).SerializeToString()
    source = load(tmp_path, data)
    assert different(source, data, random_texts("ab ")) == []
    assert not any("b" in merge for merge in source.pipeline.model.merges)  # type: ignore[union-attr]


def test_an_unused_piece_is_no_result(tmp_path: Path) -> None:
    pieces = [("ab", -1.0, 5), *((char, -9.0, 1) for char in "abc\u2581")]
    data = by_hand(pieces).SerializeToString()
    source = load(tmp_path, data)
    assert different(source, data, random_texts("abc ")) == []
    assert not any("UNUSED" in message for message in messages(source))


def test_an_unused_piece_that_others_need_is_named(tmp_path: Path) -> None:
    pieces = [("ab", -1.0, 5), ("abc", -2.0, 1), *((char, -9.0, 1) for char in "abc\u2581")]
    data = by_hand(pieces).SerializeToString()
    source = load(tmp_path, data)
    assert different(source, data, ["abc", "abcabc", "a b c", "ba"]) == []
    (message,) = [message for message in messages(source) if "UNUSED" in message]
    assert message.startswith('1 pieces of the type UNUSED, such as "ab", are parts of others')


def test_an_unused_piece_of_a_unigram_model_is_never_found(tmp_path: Path) -> None:
    proto = proto_of(trained("unigram", **PLAIN))
    longest = max((piece for piece in proto.pieces if piece.type == 1), key=lambda piece: len(piece.piece))
    longest.type = 5
    data = proto.SerializeToString()
    source = load(tmp_path, data)
    text = longest.piece.replace("\u2581", " ").strip()
    assert different(source, data, [*builtin_texts(), text, f"x {text}"]) == []


def test_pieces_of_characters_that_are_none_are_named(tmp_path: Path) -> None:
    data = by_hand([("ab", -1.0, 1), ("a", -2.0, 1), ("\u2581", -3.0, 1)]).SerializeToString()
    (message,) = [message for message in messages(load(tmp_path, data)) if "no pieces" in message]
    assert message.startswith('1 pieces, such as "ab", are made of characters that are no pieces')


# --- special tokens ---------------------------------------------------------------------------------------------------


def around(source: Source) -> tuple[list[str], list[str]]:
    """The special tokens in front of a text and behind it."""
    processor = source.pipeline.post_processor
    if processor is None:
        return [], []
    assert isinstance(processor, TemplateProcessing)
    names = [piece.id if isinstance(piece, TemplateSpecialToken) else None for piece in processor.single]
    place = names.index(None)
    return [name for name in names[:place] if name], [name for name in names[place:] if name]


def test_control_pieces_are_special_tokens(tmp_path: Path) -> None:
    source = load(tmp_path, trained("bpe", **BYTES, control_symbols=("[INST]",), user_defined_symbols=("<ud>", "7")))
    found = {token.content: (token.id, token.special) for token in source.pipeline.added_tokens}
    assert found == {"<unk>": (0, True), "<s>": (1, True), "</s>": (2, True), "[INST]": (3, True)}
    (found_ids,) = Reference(source).encode(["[INST]<ud>"], specials=False)
    assert found_ids is not None
    assert (found_ids[0], found_ids[-1]) == (3, 4), "with the dummy prefix between the two"


def test_user_defined_pieces_are_added_tokens_where_nothing_is_put_in_front(tmp_path: Path) -> None:
    options = {**BYTES, "add_dummy_prefix": False, "user_defined_symbols": ("<ud>", "7")}
    source = load(tmp_path, trained("bpe", **options))
    found = {token.content: (token.id, token.special) for token in source.pipeline.added_tokens}
    assert found == {"<unk>": (0, True), "<s>": (1, True), "</s>": (2, True), "<ud>": (3, False)}
    assert Reference(source).encode(["<ud>7<ud>"], specials=False) == [[3, 4, 3]]


@pytest.mark.parametrize(
    ("model_type", "config", "expected"),
    [
        ("bpe", None, (["<s>"], [])),
        ("unigram", None, ([], [])),
        ("bpe", {}, (["<s>"], [])),
        ("bpe", {"tokenizer_class": "LlamaTokenizerFast"}, (["<s>"], [])),
        ("bpe", {"tokenizer_class": "PreTrainedTokenizerFast"}, ([], [])),
        ("bpe", {"add_bos_token": False, "add_eos_token": True}, ([], ["</s>"])),
        ("unigram", {"add_bos_token": True, "add_eos_token": True}, (["<s>"], ["</s>"])),
        ("bpe", {"bos_token": "</s>", "eos_token": "<s>"}, (["</s>"], [])),
        ("bpe", {"bos_token": None}, ([], [])),
    ],
)
def test_what_stands_round_a_text(
    model_type: str, config: object, expected: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    configs = {} if config is None else {"tokenizer_config": config}
    source = load(tmp_path, trained(model_type, **BYTES), **configs)
    assert around(source) == expected


def test_roles_come_from_the_file_where_no_config_names_them(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES, bos_piece="[B]", eos_piece="[E]")
    settings = load(tmp_path, data).settings
    assert (settings.bos_token, settings.eos_token) == (
        load(tmp_path, data, tokenizer_config={"bos_token": "[B]"}).settings.bos_token,
        load(tmp_path, data, tokenizer_config={"eos_token": {"content": "[E]"}}).settings.eos_token,
    )
    assert [(stop.id, stop.reasons) for stop in settings.stop_tokens] == [(2, ("tokenizer.model: eos_token",))]


def test_tokens_of_the_config_are_appended_at_their_ids(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    size = len(proto_of(data).pieces)
    decoder = {
        str(size + 4): {"content": "<|end|>", "special": True},
        str(size): {"content": "<pad>", "special": False},
    }
    source = load(tmp_path, data, tokenizer_config={"added_tokens_decoder": decoder, "eos_token": "<|end|>"})
    ends = {token.content: token.id for token in source.pipeline.added_tokens}
    assert (ends["<|end|>"], ends["<pad>"]) == (size + 4, size)
    assert Reference(source).encode(["<|end|><pad>"], specials=False) == [[size + 4, size]]
    assert source.settings.eos_token is not None
    assert source.settings.eos_token.id == size + 4


def test_added_tokens_json(tmp_path: Path) -> None:
    data = trained("unigram", **PLAIN)
    size = len(proto_of(data).pieces)
    source = load(tmp_path, data, added_tokens={"<b>": size + 1, "<a>": size})
    assert Reference(source).encode(["<a><b>"], specials=False) == [[size, size + 1]]
    assert isinstance(source.pipeline.model, Unigram)
    error = refused(tmp_path, data, added_tokens={"<b>": size + 1})
    assert "with holes behind" in error.message


def test_the_config_may_give_a_control_piece_another_name(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES, control_symbols=("[control_8]",))
    config = {"added_tokens_decoder": {"3": {"content": "<|image|>", "special": True}}}
    source = load(tmp_path, data, tokenizer_config=config)
    assert '"[control_8]" is called "<|image|>" by the config' in messages(source)
    assert Reference(source).encode(["<|image|>"], specials=False) == [[3]]


def test_an_id_of_the_config_that_a_normal_piece_has(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    config = {"added_tokens_decoder": {"400": {"content": "<|image|>", "special": True}}}
    assert "the id 400 belongs to" in refused(tmp_path, data, tokenizer_config=config).message


def test_chat_template_and_generation_config_count_as_ever(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    template = "{% for m in messages %}{{ m.content }}</s>{% endfor %}"
    config = {"chat_template": template, "eos_token": "</s>"}
    source = load(tmp_path, data, tokenizer_config=config, generation_config={"eos_token_id": [2, 7]})
    assert source.settings.chat_template is not None
    assert source.settings.chat_template.text == template
    assert [stop.id for stop in source.settings.stop_tokens] == [2, 7]
    names = {"tokenizer_config.json", "generation_config.json", "tokenizer.model"}
    assert {file.name for file in source.files} == names


@pytest.mark.parametrize(("legacy", "said"), [(False, True), (True, False), (None, False)])
def test_where_the_dummy_prefix_stands_is_said(legacy: bool | None, said: bool, tmp_path: Path) -> None:
    source = load(tmp_path, trained("bpe", **BYTES), tokenizer_config={"legacy": legacy})
    found = [notice.where for notice in source.notices if "legacy is false" in notice.message]
    assert found == ["tokenizer_config.json: $.legacy"] * said


# --- classes that do not take the ids as they are ---------------------------------------------------------------------


def test_a_class_with_ids_of_its_own_is_left_to_transformers_unless_the_file_is_named(tmp_path: Path) -> None:
    data = trained("unigram", **PLAIN)
    path = write(tmp_path, data, config={"model_type": "xlm-roberta"})
    source = load_source(path)
    assert messages(source)[0].startswith(
        "config.json: $.model_type is xlm-roberta, whose ids transformers alone knows"
    )
    assert different(source, data, builtin_texts()) == []


@pytest.mark.parametrize(
    "configs",
    [
        {"config": {"model_type": "llama"}},
        {"config": {"model_type": "t5"}, "tokenizer_config": {"tokenizer_class": "LlamaTokenizer"}},
        {"config": {"tokenizer_class": "GemmaTokenizer"}},
    ],
)
def test_a_class_that_takes_the_ids_as_they_are(configs: dict[str, Any], tmp_path: Path) -> None:
    assert load(tmp_path, trained("bpe", **BYTES), **configs).owner is Owner.SENTENCEPIECE


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model_type", ["word", "char"])
def test_other_algorithms_are_refused_by_name(model_type: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=f"this is a model of the type {model_type.upper()}"):
        load(tmp_path, trained(model_type, vocab_size=60))


def test_white_space_as_a_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="treat_whitespace_as_suffix"):
        load(tmp_path, trained("bpe", **BYTES, treat_whitespace_as_suffix=True))


def test_a_file_cut_short_is_one_line(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    for size in (*range(3, 60), *range(60, len(data), 1009), len(data) - 1, len(data) - 2):
        error = refused(tmp_path, data[:size])
        assert error.where == "tokenizer.model"
        assert "cut short" in str(error) or "neither a sentencepiece model" in error.message


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_damaged_bytes_are_an_error_and_no_more(model_type: str, tmp_path: Path) -> None:
    """Whatever a byte is changed to: a tokenizer that the library takes, or one clear line."""
    data = trained(model_type, vocab_size=400)
    chance = random.Random(4)
    refusals = 0
    for _ in range(120):
        damaged = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(data) if chance.random() < 0.7 else 300)] = chance.randrange(256)
        try:
            source = load(tmp_path, bytes(damaged))
        except (SourceError, UnsupportedError) as error:
            refusals += 1
            assert isinstance(error, UnsupportedError) or "\n" not in str(error)
        else:
            Reference(source).encode(["the text"], specials=True)
    assert refusals > 20


def test_a_file_cut_behind_a_piece_is_known_by_what_is_missing(tmp_path: Path) -> None:
    proto = proto_of(trained("bpe", **BYTES))
    proto.ClearField("trainer_spec")
    proto.ClearField("normalizer_spec")
    error = refused(tmp_path, proto.SerializeToString())
    assert error.message.startswith("trainer_spec is missing behind ")


@pytest.mark.parametrize(
    ("pieces", "problem"),
    [
        ([("a", 0.0, 1), ("a", 0.0, 1)], 'the piece "a" stands there more than once (ids 3, 4)'),
        ([("<u>", 0.0, 2)], "2 pieces are of the type UNKNOWN; exactly one is needed"),
        ([("a", 0.0, 1), ("", 0.0, 1)], "the piece with the id 4 is empty"),
        ([("a\0", 0.0, 1)], "the piece with the id 3 holds U+0000"),
        ([("<0xZZ>", 0.0, 6)], '"<0xZZ>" is of the type BYTE, and no byte is called so'),
    ],
)
def test_what_sentencepiece_would_not_load(pieces: list[tuple[str, float, int]], problem: str, tmp_path: Path) -> None:
    data = by_hand(pieces).SerializeToString()
    assert refused(tmp_path, data).message == problem
    with pytest.raises(RuntimeError):
        ids(data, ["a"])


def test_missing_byte_pieces(tmp_path: Path) -> None:
    proto = by_hand([("<0x00>", 0.0, 6)])
    proto.trainer_spec.byte_fallback = True
    assert (
        refused(tmp_path, proto.SerializeToString()).message
        == "byte_fallback is on, but <0x01> is no piece of the type BYTE"
    )


def test_without_the_package_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = trained("bpe", **BYTES)
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MtokError) as caught:
        load(tmp_path, data)
    assert caught.value.hint == "pip install 'mtok-export[sentencepiece]'"


# --- several sources --------------------------------------------------------------------------------------------------


def test_two_files_of_other_sizes_are_two_tokenizers(tmp_path: Path) -> None:
    write(tmp_path, trained("bpe", **BYTES))
    (tmp_path / "spiece.model").write_bytes(trained("bpe", **PLAIN))
    with pytest.raises(SourceError) as caught:
        load_source(tmp_path)
    assert caught.value.message.startswith("two tokenizers: tokenizer.model has 900 entries and spiece.model ")
    assert load_source(tmp_path / "spiece.model").origin == "spiece.model"


def test_two_files_of_one_size_are_said(tmp_path: Path) -> None:
    data = trained("bpe", **BYTES)
    write(tmp_path, data)
    (tmp_path / "tokenizer.model.v3").write_bytes(data)
    source = load_source(tmp_path)
    assert "lies beside tokenizer.model, which is used; both have 900 entries" in messages(source)
    assert [file.name for file in source.files] == ["tokenizer.model"]


def test_a_broken_file_beside_a_good_one_is_said(tmp_path: Path) -> None:
    write(tmp_path, trained("bpe", **BYTES))
    (tmp_path / "tokenizer.model.v3").write_bytes(b"rubbish")
    (message,) = [message for message in messages(load_source(tmp_path)) if "cannot be compared" in message]
    assert message.startswith("lies beside tokenizer.model, which is used, and cannot be compared with it: ")
