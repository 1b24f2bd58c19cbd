from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.source.json_values import JsonObject, child_path, parse_json, parse_object
from tests.source.documents import BPE, added_token, component, document, encoded


def refused(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        parse_object(data, "t.json")
    return caught.value


BAD_TEXTS: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "t.json", "the file is empty"),
    "white space": (b" \r\n\t", "t.json", "nothing but white space"),
    "UTF-8 mark": (b"\xef\xbb\xbf{}", "t.json", "starts with a UTF-8 byte order mark"),
    "UTF-16 mark": ("{}".encode("utf-16"), "t.json", "starts with a UTF-16 byte order mark"),
    "not UTF-8": (b'{"a":\n "\xff"}', "t.json, line 2, byte column 3", "byte 8 (0xff) is not UTF-8"),
    "surrogate as bytes": (b'{"a":"\xed\xa0\x80"}', "t.json, line 1, byte column 7", "byte 6 (0xed) is not UTF-8"),
    "array": (b"[]", "t.json: $", "the top level must be an object, not an array of length 0"),
    "string": (b'"abc"', "t.json: $", 'the top level must be an object, not the string "abc"'),
    "null": (b"null", "t.json: $", "the top level must be an object, not null"),
    "NaN": (b'{"a": NaN}', "t.json", "NaN is no JSON number"),
    "infinity": (b'{"a": -Infinity}', "t.json", "-Infinity is no JSON number"),
    "number too large": (b'{"a": [1, 1e999]}', "t.json: $.a[1]", "too large for a 64-bit floating point number"),
    "lone surrogate": (b'{"a": {"b c": ["", "x\\ud800"]}}', 't.json: $.a["b c"][1]', r"\ud800"),
    "lone surrogate in a key": (b'{"a": {"\\udfff": 1}}', "t.json: $.a", r"\udfff"),
    "surrogates in the wrong order": (b'{"a": "\\ude00\\ud83d"}', "t.json: $.a", "lone surrogate"),
    "cut off in a string": (b'{"a": "b', "t.json, line 1, column 7", "the text is not JSON"),
    "cut off in an object": (b'{"a":\n{"b": 1', "t.json, line 2, column 8", "the JSON text ends too early"),
    "trailing comma": (b'{"a": [1,\n2,]}', "t.json, line 2, column 2", "trailing comma"),
    "text behind": (b"{} {}", "t.json, line 1, column 4", "unexpected content"),
    "single quotes": (b"{'a': 1}", "t.json, line 1, column 2", "the text is not JSON"),
    "control character": (b'{"a": "\n"}', "t.json, line 1, column 8", "control character"),
    "too deep": (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "t.json", "more than 127 levels deep"),
}


@pytest.mark.parametrize("variant", BAD_TEXTS)
def test_bad_text(variant: str) -> None:
    data, where, message = BAD_TEXTS[variant]
    error = refused(data)
    assert error.where is not None
    if variant == "cut off in a string":  # the parser names the start of the string or its end, by version
        assert error.where.startswith("t.json, line 1, column ")
        return
    assert error.where == where
    assert message in error.message


def test_a_file_cut_anywhere_gives_one_clear_error() -> None:
    whole = encoded(
        document(
            normalizer=component("normalizer", "Replace", content="é\u2581\U0001f600"),
            added_tokens=[added_token("<x>", 3)],
        )
    )
    assert parse_object(whole, "t.json").items["model"] == BPE
    for end in range(len(whole)):
        error = refused(whole[:end])
        assert error.where is not None and error.where.startswith("t.json")
        assert "\n" not in str(error)


def test_a_file_cut_inside_of_a_character() -> None:
    whole = json.dumps({"a": "é\U0001f600"}, ensure_ascii=False).encode()
    for end in range(len(whole)):
        assert str(refused(whole[:end])).startswith("t.json")


def test_numbers_beyond_64_bits_are_read_as_floating_point_numbers() -> None:
    """``model_max_length`` is often ``int(1e30)``."""
    assert parse_json(b"1000000000000000019884624838656", "t.json") == 1e30


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("a", "$.a"),
        ("a_B9", "$.a_B9"),
        (3, "$[3]"),
        ("[CLS]", '$["[CLS]"]'),
        ("9", '$["9"]'),
        ("", '$[""]'),
        ('"', '$["\\""]'),
    ],
)
def test_child_path(key: str | int, path: str) -> None:
    assert child_path("$", key) == path


def test_child_path_cuts_long_keys() -> None:
    assert len(child_path("$", "x" * 5000)) < 100


SOURCE: dict[str, Any] = {
    "yes": True,
    "null": None,
    "text": "ab",
    "letter": "é",
    "number": 7,
    "float": 7.0,
    "list": [{"x": 1}, 2],
    "object": {"inner": {}},
}


def source() -> JsonObject:
    return parse_object(encoded(SOURCE), "t.json")


GETTERS: dict[str, tuple[Callable[[JsonObject], object], str, str]] = {
    "missing": (lambda o: o.string("gone"), "$", 'the field "gone" is missing'),
    "null for a string": (lambda o: o.string("null"), "$.null", "a string is needed here, not null"),
    "number for a string": (lambda o: o.string("number"), "$.number", "a string is needed here, not the number 7"),
    "null for a flag": (lambda o: o.boolean("null", default=True), "$.null", "true or false is needed here, not null"),
    "number for a flag": (lambda o: o.boolean("number"), "$.number", "true or false is needed here, not the number 7"),
    "string for an optional flag": (lambda o: o.optional_boolean("text"), "$.text", 'not the string "ab"'),
    "flag for an integer": (lambda o: o.unsigned("yes"), "$.yes", "an integer is needed here, not true"),
    "float for an integer": (lambda o: o.unsigned("float"), "$.float", "an integer is needed here, not the number 7.0"),
    "above the limit": (
        lambda o: o.unsigned("number", limit=6),
        "$.number",
        "7 is out of range; from 0 to 6 is allowed",
    ),
    "two characters": (lambda o: o.character("text"), "$.text", 'exactly one character is needed here, not "ab"'),
    "unknown name": (lambda o: o.choice("text", {"x": 1, "y": 2}), "$.text", '"ab" is unknown; known are x, y'),
    "no name": (lambda o: o.choice("number", {"x": 1}), "$.number", "a string is needed here, not the number 7"),
    "no array": (lambda o: o.array("object"), "$.object", "an array is needed here, not an object"),
    "no object": (lambda o: o.object("list"), "$.list", "an object is needed here, not an array of length 2"),
    "no object in the array": (lambda o: o.objects("list"), "$.list[1]", "an object is needed here, not the number 2"),
    "path of an inner object": (lambda o: o.object("object").object("inner").value("x"), "$.object.inner", "missing"),
}


@pytest.mark.parametrize("variant", GETTERS)
def test_getters_tell_what_is_wrong(variant: str) -> None:
    get, where, message = GETTERS[variant]
    with pytest.raises(SourceError) as caught:
        get(source())
    assert caught.value.where == f"t.json: {where}"
    assert message in caught.value.message


def test_getters_give_what_is_there() -> None:
    found = source()
    assert found.boolean("yes") is True
    assert found.boolean("gone", default=False) is False
    assert (found.optional_boolean("null"), found.optional_boolean("gone"), found.optional_boolean("yes")) == (
        None,
        None,
        True,
    )
    assert (found.optional_string("null"), found.optional_string("text")) == (None, "ab")
    assert found.character("letter") == "é"
    assert (found.unsigned("number"), found.unsigned("gone", default=5), found.optional_unsigned("null")) == (
        7,
        5,
        None,
    )
    assert found.choice("gone", {"x": 1}, default="x") == 1
    assert found.element("list", 0).path == "t.json: $.list[0]"
    assert [name for name, _ in found.object("object").members()] == ["inner"]
