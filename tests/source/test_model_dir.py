"""``load_source`` on whole directories: special tokens, stop ids, chat templates, and what disagrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import Notice, Source, SpecialToken, load_source
from tests.source.documents import Json, added_token, component, document

SPECIALS = [
    added_token("<s>", 3, special=True),
    added_token("</s>", 4, special=True),
    added_token("<end>", 5, special=True),
]
BOS_IN_FRONT = component(
    "post_processor",
    "TemplateProcessing",
    single=[{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    special_tokens={"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}},
)
TEMPLATE = "{% for m in messages %}{{ m.content }}<end>{% endfor %}"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write(tmp_path, "tokenizer.json", document(added_tokens=SPECIALS))
    return tmp_path


def write(folder: Path, name: str, value: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8", newline="")


def refused(folder: Path, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load_source(folder, **options)
    return caught.value


def stops(source: Source) -> dict[int, tuple[str, ...]]:
    return {stop.id: stop.reasons for stop in source.settings.stop_tokens}


def about(source: Source, text: str) -> Notice:
    """The only notice that says something."""
    (notice,) = [notice for notice in source.notices if text in notice.message]
    return notice


# --- eos and bos ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token", ["</s>", {"content": "</s>"}, {"__type": "AddedToken", "content": "</s>", "lstrip": False}]
)
def test_eos_as_a_string_and_as_an_added_token(model: Path, token: object) -> None:
    write(model, "tokenizer_config.json", {"eos_token": token, "bos_token": None})
    settings = load_source(model).settings
    assert settings.eos_token == SpecialToken("</s>", 4)
    assert settings.bos_token is None
    assert stops(load_source(model)) == {4: ("tokenizer_config.json: $.eos_token",)}


def test_nothing_but_tokenizer_json(model: Path) -> None:
    source = load_source(model)
    assert (source.settings.eos_token, source.settings.bos_token, source.settings.chat_template) == (None, None, None)
    assert source.settings.stop_tokens == ()
    assert source.settings.clean_up_tokenization_spaces is False
    assert source.notices == ()


@pytest.mark.parametrize(
    ("token", "where"),
    [(7, "$.eos_token"), ([], "$.eos_token"), ({"id": 4}, "$.eos_token"), ({"content": 4}, "$.eos_token.content")],
)
def test_eos_of_another_type(model: Path, token: object, where: str) -> None:
    write(model, "tokenizer_config.json", {"eos_token": token})
    assert refused(model).where == f"tokenizer_config.json: {where}"


def test_an_empty_token_is_none(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "", "bos_token": {"content": ""}})
    assert load_source(model).settings.eos_token is None


def test_special_tokens_map_overrides(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "</s>", "bos_token": "<s>"})
    write(model, "special_tokens_map.json", {"eos_token": {"content": "<end>"}})
    source = load_source(model)
    assert source.settings.eos_token == SpecialToken("<end>", 5)
    assert source.settings.bos_token == SpecialToken("<s>", 3)
    notice = about(source, "as in transformers")
    assert notice.where == "special_tokens_map.json: $.eos_token"
    assert 'eos_token is the string "<end>" here and the string "</s>" in tokenizer_config.json' in notice.message


def test_a_null_in_special_tokens_map_overrides(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "</s>"})
    write(model, "special_tokens_map.json", {"eos_token": None})
    source = load_source(model)
    assert source.settings.eos_token is None
    assert about(source, "eos_token is null here").where == "special_tokens_map.json: $.eos_token"


def test_special_tokens_map_counts_not_beside_an_added_tokens_decoder(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "</s>", "added_tokens_decoder": {}})
    write(model, "special_tokens_map.json", {"eos_token": "<end>", "bos_token": "<s>"})
    source = load_source(model)
    assert source.settings.eos_token == SpecialToken("</s>", 4)
    assert source.settings.bos_token is None
    assert about(source, "as in transformers").where == "tokenizer_config.json: $.eos_token"


def test_special_tokens_map_alone(model: Path) -> None:
    write(model, "special_tokens_map.json", {"eos_token": "</s>"})
    source = load_source(model)
    assert stops(source) == {4: ("special_tokens_map.json: $.eos_token",)}
    assert source.notices == ()


@pytest.mark.parametrize("decoder", [None, {"3": {"content": "<s>", "special": True}}])
@pytest.mark.parametrize("eos", ["</s>", "<end>", None, "missing"])
@pytest.mark.parametrize("override", ["</s>", "<end>", None, "missing"])
def test_the_same_file_counts_as_in_transformers(model: Path, decoder: object, eos: object, override: object) -> None:
    import transformers  # slow, and needed here alone

    transformers.logging.set_verbosity_error()
    config: Json = {"tokenizer_class": "PreTrainedTokenizerFast"}
    if decoder is not None:
        config["added_tokens_decoder"] = decoder
    if eos != "missing":
        config["eos_token"] = eos
    write(model, "tokenizer_config.json", config)
    write(model, "special_tokens_map.json", {} if override == "missing" else {"eos_token": override})
    ours = load_source(model).settings.eos_token
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(model)
    assert (ours and ours.content, ours and ours.id) == (theirs.eos_token, theirs.eos_token_id)


# --- stop tokens ------------------------------------------------------------------------------------------------------


def test_every_source_of_a_stop_token_is_named(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "</s>", "chat_template": TEMPLATE})
    write(model, "generation_config.json", {"eos_token_id": [5, 4], "bos_token_id": 3})
    source = load_source(model, stop_tokens=["b", "5"])
    assert stops(source) == {
        4: ("tokenizer_config.json: $.eos_token", "generation_config.json: $.eos_token_id[1]"),
        5: (
            "generation_config.json: $.eos_token_id[0]",
            "tokenizer_config.json: the chat template closes the assistant's turn with it",
            'asked for as "5"',
        ),
        1: ('asked for as "b"',),
    }
    assert [(stop.id, stop.content) for stop in source.settings.stop_tokens] == [(4, "</s>"), (5, "<end>"), (1, "b")]
    assert source.notices == ()


def test_config_json_counts_where_there_is_no_generation_config(model: Path) -> None:
    write(model, "config.json", {"eos_token_id": 5})
    assert stops(load_source(model)) == {5: ("config.json: $.eos_token_id",)}
    write(model, "generation_config.json", {"eos_token_id": 4})
    source = load_source(model)
    assert stops(source) == {4: ("generation_config.json: $.eos_token_id",)}
    assert "config.json" not in {file.name for file in source.files}


def test_text_config_counts_where_the_top_of_config_json_is_silent(model: Path) -> None:
    write(model, "config.json", {"text_config": {"eos_token_id": [5]}})
    assert stops(load_source(model)) == {5: ("config.json: $.text_config.eos_token_id[0]",)}


def test_eos_ids_that_are_not_that_of_eos_token(model: Path) -> None:
    write(model, "tokenizer_config.json", {"eos_token": "</s>", "bos_token": "<s>"})
    write(model, "generation_config.json", {"eos_token_id": 5, "bos_token_id": 0})
    source = load_source(model)
    assert set(stops(source)) == {4, 5}
    eos = about(source, "all of them end generation")
    assert eos.where == "generation_config.json: $.eos_token_id"
    assert 'eos_token_id is 5, but eos_token is "</s>" with the id 4' in eos.message
    assert 'bos_token_id is 0, but bos_token is "<s>" with the id 3' in about(source, "the latter counts").message


def test_a_stop_id_without_a_token_is_kept_and_named(model: Path) -> None:
    write(model, "generation_config.json", {"eos_token_id": [4, 77]})
    source = load_source(model)
    assert [(stop.id, stop.content) for stop in source.settings.stop_tokens] == [(4, "</s>"), (77, None)]
    assert about(source, "has the id 77").where == "generation_config.json: $.eos_token_id[1]"


def test_many_stop_ids_without_a_token_are_named_at_once(model: Path) -> None:
    write(model, "generation_config.json", {"eos_token_id": [4, *range(70, 90)]})
    notice = about(load_source(model), "has the ids")
    assert notice.where == "generation_config.json: $.eos_token_id"
    assert "the ids 70, 71, 72, 73, 74, and 15 more" in notice.message


@pytest.mark.parametrize(
    ("ids", "where"), [("5", ""), ([4, "5"], "[1]"), (-1, ""), (True, ""), ([4, None], "[1]"), (2**32, "")]
)
def test_bad_eos_ids(model: Path, ids: object, where: str) -> None:
    write(model, "generation_config.json", {"eos_token_id": ids})
    assert refused(model).where == f"generation_config.json: $.eos_token_id{where}"


def test_null_eos_ids(model: Path) -> None:
    write(model, "generation_config.json", {"eos_token_id": None})
    assert stops(load_source(model)) == {}


def test_digits_are_an_id_unless_an_added_token_is_called_so(tmp_path: Path) -> None:
    vocab = {"0": 0, "1": 1, "2": 2}
    tokens = [added_token("7", 3)]
    write(
        tmp_path, "tokenizer.json", document(model={"type": "BPE", "vocab": vocab, "merges": []}, added_tokens=tokens)
    )
    assert [stop.id for stop in load_source(tmp_path, stop_tokens=["1", "7", "3"]).settings.stop_tokens] == [1, 3]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("<nothing>", "is neither a token"),
        ("77", "has the id 77"),
        ("-1", "neither"),
        ("", "neither"),
        ("9" * 5000, "neither"),
    ],
)
def test_unknown_stop_tokens(model: Path, asked: str, message: str) -> None:
    error = refused(model, stop_tokens=["</s>", asked])
    assert error.where == "stop token"
    assert message in error.message


# --- what disagrees with tokenizer.json -------------------------------------------------------------------------------


def test_special_tokens_that_tokenizer_json_does_not_know(model: Path) -> None:
    write(
        model,
        "tokenizer_config.json",
        {
            "eos_token": "<new>",
            "pad_token": {"content": "ab"},
            "add_bos_token": False,
            "additional_special_tokens": ["<end>", "<more>", {"content": "<new>"}, "<most>"],
            "extra_special_tokens": {"image_token": "<image>"},
            "unk_token": None,
        },
    )
    source = load_source(model)
    assert source.settings.eos_token == SpecialToken("<new>", None)
    assert stops(source) == {}
    found = {notice.where.removeprefix("tokenizer_config.json: "): notice.message for notice in source.notices}
    assert set(found) == {
        "$.eos_token",
        "$.pad_token",
        "$.additional_special_tokens",
        "$.extra_special_tokens",
    }
    assert '"<new>" is not in tokenizer.json' in found["$.eos_token"]
    assert '"ab" is in the vocab, but no added token' in found["$.pad_token"]
    assert '"<more>", like 1 more, is not in tokenizer.json' in found["$.additional_special_tokens"]


def test_added_tokens_decoder_that_disagrees(model: Path) -> None:
    flags = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    decoder = {
        "3": {"content": "<s>", **flags},
        "7": {"content": "</s>", **flags},
        "5": {"content": "<end>", **flags, "lstrip": True, "special": False},
        "6": {"content": "<more>", **flags},
    }
    write(model, "tokenizer_config.json", {"added_tokens_decoder": decoder})
    source = load_source(model)
    assert {notice.where for notice in source.notices} == {"tokenizer_config.json: $.added_tokens_decoder"}
    assert '"<more>" with the id 6' in about(source, "are not in tokenizer.json").message
    assert '"</s>" (7 here, 4 there)' in about(source, "have another id").message
    assert (
        '1 tokens have other flags than in tokenizer.json, such as: special of "<end>" is true'
        in about(source, "flags").message
    )
    assert [token.id for token in source.pipeline.added_tokens] == [3, 4, 5]


@pytest.mark.parametrize("key", ["x", "-1", "1.0", "\u0663", "9999999999", "9" * 5000])
def test_bad_keys_of_added_tokens_decoder(model: Path, key: str) -> None:
    write(model, "tokenizer_config.json", {"added_tokens_decoder": {key: {"content": "<s>"}}})
    where = refused(model).where
    assert where is not None and where.startswith("tokenizer_config.json: $.added_tokens_decoder")


def test_added_tokens_json_that_disagrees(model: Path) -> None:
    write(model, "added_tokens.json", {"<s>": 3, "</s>": 9, "<more>": 10})
    source = load_source(model)
    assert {notice.where for notice in source.notices} == {"added_tokens.json: $"}
    assert len(source.notices) == 2
    write(model, "added_tokens.json", {"<s>": "3"})
    assert refused(model).where == 'added_tokens.json: $["<s>"]'


@pytest.mark.parametrize("wanted", [True, False, None])
@pytest.mark.parametrize("in_front", [True, False])
def test_add_bos_token_against_the_post_processor(tmp_path: Path, wanted: bool | None, in_front: bool) -> None:
    processor = BOS_IN_FRONT if in_front else None
    write(tmp_path, "tokenizer.json", document(added_tokens=SPECIALS, post_processor=processor))
    write(tmp_path, "tokenizer_config.json", {"bos_token": "<s>", "add_bos_token": wanted, "add_eos_token": False})
    found = [notice.where for notice in load_source(tmp_path).notices]
    agrees = wanted is None or wanted == in_front
    assert found == ([] if agrees else ["tokenizer_config.json: $.add_bos_token"])


PROCESSORS: dict[str, Json] = {
    "Bert": component("post_processor", "BertProcessing", cls=["<s>", 3], sep=["</s>", 4]),
    "Roberta": component("post_processor", "RobertaProcessing", cls=["<s>", 3], sep=["</s>", 4]),
    "Sequence": component(
        "post_processor", "Sequence", processors=[component("post_processor", "ByteLevel"), BOS_IN_FRONT]
    ),
}


@pytest.mark.parametrize(("name", "closes"), [("Bert", True), ("Roberta", True), ("Sequence", False)])
def test_what_post_processors_add(tmp_path: Path, name: str, closes: bool) -> None:
    write(tmp_path, "tokenizer.json", document(added_tokens=SPECIALS, post_processor=PROCESSORS[name]))
    config = {"bos_token": "<s>", "eos_token": "</s>", "add_bos_token": True, "add_eos_token": True}
    write(tmp_path, "tokenizer_config.json", config)
    found = [notice.message for notice in load_source(tmp_path).notices]
    assert len(found) == (0 if closes else 1)
    assert closes or "add_eos_token is true, but the post-processor of tokenizer.json puts none at its end" in found[0]


def test_clean_up(model: Path) -> None:
    write(model, "tokenizer_config.json", {"clean_up_tokenization_spaces": True})
    assert load_source(model).settings.clean_up_tokenization_spaces is True
    write(model, "tokenizer_config.json", {"clean_up_tokenization_spaces": "yes"})
    assert refused(model).where == "tokenizer_config.json: $.clean_up_tokenization_spaces"


# --- chat templates ---------------------------------------------------------------------------------------------------


def write_all_templates(folder: Path) -> None:
    write(folder, "chat_template.jinja", "from jinja")
    write(folder, "chat_template.json", {"chat_template": "from json"})
    write(folder, "tokenizer_config.json", {"chat_template": "from config"})
    write(folder, "additional_chat_templates/default.jinja", "from folder")
    write(folder, "additional_chat_templates/rag.jinja", "rag")
    write(folder, "given.jinja", "given")


ORDER = [
    ("given.jinja", "given"),
    ("chat_template.jinja", "from jinja"),
    ("chat_template.json", "from json"),
    ("tokenizer_config.json", "from config"),
    ("additional_chat_templates/default.jinja", "from folder"),
]


def test_the_order_of_the_sources(model: Path) -> None:
    write_all_templates(model)
    for i, (origin, text) in enumerate(ORDER):
        source = load_source(model, chat_template=model / "given.jinja" if i == 0 else None)
        template = source.settings.chat_template
        assert template is not None
        assert (template.origin, template.text) == (origin, text)
        losers = [notice.where for notice in source.notices if "this chat template is not the one in" in notice.message]
        assert losers == [name for name, _ in ORDER[i + 1 :]]
        assert origin in {file.name for file in source.files}
        (model / origin).unlink()
    assert load_source(model, chat_template_name="rag").settings.chat_template is not None


def test_sources_that_agree_need_no_notice(model: Path) -> None:
    write(model, "chat_template.jinja", TEMPLATE)
    write(model, "tokenizer_config.json", {"chat_template": TEMPLATE})
    assert load_source(model).notices == ()


NAMED = [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]


@pytest.mark.parametrize("templates", [NAMED, {"default": "plain", "tool_use": "tools"}])
@pytest.mark.parametrize("file", ["tokenizer_config.json", "chat_template.json"])
def test_named_templates(model: Path, file: str, templates: object) -> None:
    write(model, file, {"chat_template": templates})
    plain = load_source(model).settings.chat_template
    tools = load_source(model, chat_template_name="tool_use").settings.chat_template
    assert plain is not None and (plain.text, plain.origin) == ("plain", f"{file} (default)")
    assert tools is not None and (tools.text, tools.origin) == ("tools", f"{file} (tool_use)")


def test_a_name_that_does_not_exist(model: Path) -> None:
    write(model, "tokenizer_config.json", {"chat_template": NAMED})
    write(model, "additional_chat_templates/rag.jinja", "rag")
    error = refused(model, chat_template_name="rags")
    assert error.message == 'there is no chat template called "rags"; there are "default", "tool_use", "rag"'
    (model / "tokenizer_config.json").unlink()
    (model / "additional_chat_templates" / "rag.jinja").unlink()
    assert "there are none" in refused(model, chat_template_name="rag").message


def test_a_name_is_no_path(model: Path) -> None:
    write(model, "additional_chat_templates/rag.jinja", "rag")
    write(model, "outside.jinja", "x")
    assert "there is no chat template called" in refused(model, chat_template_name="../outside").message


def test_no_template_is_called_default(model: Path) -> None:
    write(model, "tokenizer_config.json", {"chat_template": NAMED[1:]})
    source = load_source(model)
    assert source.settings.chat_template is None
    assert 'no chat template is called default (there are "tool_use")' in about(source, "default").message


def test_two_templates_with_one_name(model: Path) -> None:
    write(model, "tokenizer_config.json", {"chat_template": [NAMED[0], NAMED[0]]})
    assert 'two templates are called "default"' in refused(model).message


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (7, ""),
        ([{"name": "x"}], "[0]"),
        (["x"], "[0]"),
        ([{"name": 1, "template": "x"}], "[0].name"),
        ({"default": 1}, ".default"),
    ],
)
def test_bad_templates_in_json(model: Path, value: object, where: str) -> None:
    write(model, "tokenizer_config.json", {"chat_template": value})
    assert refused(model).where == f"tokenizer_config.json: $.chat_template{where}"


@pytest.mark.parametrize("value", [None, ""])
def test_an_empty_template_is_none(model: Path, value: object) -> None:
    write(model, "tokenizer_config.json", {"chat_template": value})
    assert load_source(model).settings.chat_template is None


@pytest.mark.parametrize("name", ["chat_template.jinja", "additional_chat_templates/x.jinja"])
def test_a_template_that_is_not_utf_8(model: Path, name: str) -> None:
    write(model, name, "")
    (model / name).write_bytes(b"abc\xe9")
    error = refused(model)
    assert (error.where, error.message) == (name, "byte 3 (0xe9) is not UTF-8")


def test_a_given_template_helps_when_the_others_are_broken(model: Path) -> None:
    (model / "chat_template.jinja").write_bytes(b"\xff")
    write(model, "given.jinja", TEMPLATE)
    source = load_source(model, chat_template=model / "given.jinja")
    assert source.settings.chat_template is not None
    assert stops(source) == {5: ("given.jinja: the chat template closes the assistant's turn with it",)}


def test_a_given_template_that_does_not_exist(model: Path) -> None:
    assert "it does not exist" in refused(model, chat_template=model / "gone.jinja").message


def test_a_given_template_has_no_name(model: Path) -> None:
    write(model, "given.jinja", "x")
    assert "both given" in refused(model, chat_template=model / "given.jinja", chat_template_name="x").message


def test_a_given_template_outside_of_the_folder(model: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "t.jinja"
    outside.write_text(TEMPLATE)
    template = load_source(model, chat_template=outside).settings.chat_template
    assert template is not None and template.origin == outside.as_posix()


def test_line_ends_and_byte_order_mark_of_a_template_file(model: Path) -> None:
    write(model, "chat_template.jinja", "\ufeffa\r\nb\n")
    source = load_source(model)
    assert source.settings.chat_template is not None
    assert source.settings.chat_template.text == "\ufeffa\nb\n"
    assert about(source, "byte order mark").where == "chat_template.jinja"


def test_a_template_that_cannot_be_rendered_is_a_notice(model: Path) -> None:
    write(model, "chat_template.jinja", "{% if %}")
    source = load_source(model)
    assert source.settings.chat_template is not None
    assert about(source, "could not be rendered").where == "chat_template.jinja"


@pytest.mark.parametrize(
    "name",
    [
        "tokenizer_config.json",
        "special_tokens_map.json",
        "generation_config.json",
        "config.json",
        "added_tokens.json",
        "chat_template.json",
    ],
)
def test_damaged_json_beside_tokenizer_json(model: Path, name: str) -> None:
    write(model, name, "{")
    where = refused(model).where
    assert where is not None and where.startswith(f"{name}, line 1")
    write(model, name, "[]")
    assert refused(model).where == f"{name}: $"


def test_numbers_beyond_64_bits_beside_tokenizer_json(model: Path) -> None:
    write(model, "tokenizer_config.json", {"model_max_length": 1000000000000000019884624838656})
    assert load_source(model).notices == ()
