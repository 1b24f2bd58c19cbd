"""``llm_config.json``: the chat template goes in, all else stays to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.errors import SourceError
from mtok_export.legacy.llm_config import LlmConfig, load_llm_config, with_template

TEMPLATE = '{{ bos_token }}\n{% for m in messages %}"{{ m.content }}" «é»{% endfor %}'


def config(text: str) -> LlmConfig:
    return LlmConfig("llm_config.json", text, json.loads(text))


def changed(text: str, **tokens: str | None) -> str:
    return with_template(config(text), TEMPLATE, **{"bos_token": "<s>", "eos_token": "</s>", **tokens}).text


JINJA = {"chat_template": TEMPLATE, "eos": "</s>", "context": {"bos_token": "<s>"}}

SURROUNDINGS = (
    ('{"hidden_size": 8, "jinja": ', ', "rope": 1E-06}\n'),
    ('{\n    "a": 1.0,\n\t"jinja" :', '\n    , "a": [1,2 ,3]}'),
    ('{"jinja":', "}"),
    ('\n { "b": {"jinja": 1}, "c": "\\"jinja\\": }", "jinja": ', " } \n"),
)


@pytest.mark.parametrize(("before", "after"), SURROUNDINGS)
@pytest.mark.parametrize("old", ["{}", '{"chat_template": "old", "eos": "x"}', '{\n  "context": {}\n}'])
def test_what_stands_round_it_stays_to_the_byte(before: str, after: str, old: str) -> None:
    new = changed(before + old + after)
    assert new.startswith(before)
    assert new.endswith(after)
    assert json.loads(new)["jinja"] == JINJA


@pytest.mark.parametrize(
    ("old", "start", "end"),
    [
        ("{}", "{", "}"),
        ('{"a": 1}', '{"a": 1, ', "}"),
        ('{\n    "a": 1e-06\n}\n', '{\n    "a": 1e-06,\n    "jinja": {\n        "chat_template"', "\n    }\n}\n"),
        ('{ "a" : [ ] , "b":2 }', '{ "a" : [ ] , "b":2, ', " }"),
    ],
)
def test_it_goes_behind_the_others_where_there_is_none(old: str, start: str, end: str) -> None:
    new = changed(old)
    assert new.startswith(start)
    assert new.endswith(end)
    assert json.loads(new) == {**json.loads(old), "jinja": JINJA}


def test_other_keys_and_variables_stay_and_old_tokens_go() -> None:
    old = '{"jinja": {"x": 1, "bos": "<b>", "eos": "<e>", "context": {"date": "now", "bos_token": "<b>"}}}'
    new = json.loads(changed(old, bos_token=None, eos_token=None))
    assert new == {"jinja": {"x": 1, "bos": "<b>", "context": {"date": "now"}, "chat_template": TEMPLATE}}
    assert list(json.loads(changed(old))["jinja"]) == ["x", "bos", "eos", "context", "chat_template"]


def test_without_a_bos_no_context_is_made() -> None:
    assert json.loads(changed("{}", bos_token=None))["jinja"].keys() == {"chat_template", "eos"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
jinjas = st.dictionaries(st.sampled_from(["x", "eos", "chat_template"]), st.text(max_size=3), max_size=3)


@given(
    members=st.dictionaries(st.text(max_size=4).filter(lambda key: key != "jinja"), values, max_size=4),
    jinja=st.none() | jinjas,
    place=st.integers(0, 4),
    indent=st.none() | st.integers(0, 4),
    template=st.text(st.characters(exclude_categories=["Cs"])),
)
def test_any_file_keeps_its_members_and_their_order(
    members: dict[str, object], jinja: dict[str, str] | None, place: int, indent: int | None, template: str
) -> None:
    items = list(members.items())
    if jinja is not None:
        items.insert(place, ("jinja", jinja))
    text = json.dumps(dict(items), indent=indent)
    new = with_template(config(text), template, bos_token=None, eos_token=None)
    values = json.loads(new.text)
    assert new.values == values
    assert new.chat_template == template
    assert list(values) == [*dict(items), *(["jinja"] if jinja is None else [])]
    assert {key: value for key, value in values.items() if key != "jinja"} == members


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", r"\$: the top level must be an object"),
        ('{"jinja": []}', r"\$\.jinja: it must be an object, not an array of length 0"),
        ('{"jinja": null}', r"\$\.jinja: it must be an object, not null"),
        ('{"jinja": {"context": "x"}}', r"\$\.jinja\.context: it must be an object, not the string \"x\""),
        ("{", "llm_config.json"),
    ],
)
def test_files_that_are_not_as_they_must_be(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "llm_config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        load_llm_config(path)
    with pytest.raises(SourceError, match="does not exist"):
        load_llm_config(tmp_path / "none.json")
