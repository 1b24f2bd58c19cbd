"""What we accept, ``tokenizers`` accepts, and makes the same of it; and the other way round.

Where we are stricter on purpose, STRICTER says why, and the test holds that the library is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import load_pipeline
from tests.source import library
from tests.source.documents import (
    BPE,
    BYTE_LEVEL,
    COMPONENTS,
    PADDING,
    TEMPLATE,
    TRUNCATION,
    UNIGRAM,
    WORD_LEVEL,
    WORD_PIECE,
    Json,
    added_token,
    component,
    document,
    encoded,
)

VALUES: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.0, 2**32, 2**64, "", "x", "xy", [], ["x"], {}, {"x": 1})
"""What is tried in every field."""

ALL_FIELDS = [
    (slot, name, field) for slot, types in COMPONENTS.items() for name, fields in types.items() for field in fields
]

GUESSED = "the library guesses the component from its fields; no released version writes one without its type"
AS_BERT = "the library makes a BertProcessing of a RobertaProcessing with a bad flag, and says nothing"
UNUSABLE = "the library panics on the first text"
UNMAPPED = "the template names a token that special_tokens lacks: the library fails on the first text"


def stricter(slot: str, name: str, field: str, value: Any) -> str | None:
    """Why we refuse this field although the library does not; ``None`` where we do not."""
    if name == "RobertaProcessing" and field in ("trim_offsets", "add_prefix_space") and not isinstance(value, bool):
        return AS_BERT
    if (name, field) == ("TemplateProcessing", "special_tokens") and value == {}:
        return UNMAPPED
    return None


def check(text: bytes, reason: str | None) -> str | None:
    """What is wrong with our reading of a document; with a ``reason``, only we must refuse it."""
    found = library.difference(text)
    if reason is None:
        return found
    return None if found is not None and found.startswith("only we refuse it") else f"not stricter ({reason}): {found}"


@pytest.mark.parametrize(("slot", "name"), [(slot, name) for slot, types in COMPONENTS.items() for name in types])
def test_component_with_all_fields(slot: str, name: str) -> None:
    text = encoded(document(**{slot: component(slot, name)}))
    assert library.difference(text) is None
    assert library.load(text) is not None


@pytest.mark.parametrize(("slot", "name", "field"), ALL_FIELDS)
def test_missing_field(slot: str, name: str, field: str) -> None:
    changed = component(slot, name)
    del changed[field]
    reason = AS_BERT if name == "RobertaProcessing" and field in ("trim_offsets", "add_prefix_space") else None
    assert check(encoded(document(**{slot: changed})), reason) is None


@pytest.mark.parametrize(("slot", "name", "field"), ALL_FIELDS)
def test_other_values_in_a_field(slot: str, name: str, field: str) -> None:
    problems = []
    for value in VALUES:
        text = encoded(document(**{slot: component(slot, name, **{field: value})}))
        problems.append(check(text, stricter(slot, name, field, value)))
    assert [problem for problem in problems if problem is not None] == []


@pytest.mark.parametrize(("slot", "name"), [(slot, name) for slot, types in COMPONENTS.items() for name in types])
def test_unknown_field_is_refused_though_the_library_drops_it(slot: str, name: str) -> None:
    text = encoded(document(**{slot: component(slot, name, surprise=1)}))
    assert library.load(text) is not None
    with pytest.raises(SourceError) as caught:
        load_pipeline(text, "tokenizer.json")
    assert caught.value.where == f"tokenizer.json: $.{slot}.surprise"
    assert "surprise" in caught.value.message


def model_without_type(model: Json, **changes: Any) -> Json:
    return {key: value for key, value in {**model, **changes}.items() if key != "type"}


SAME: dict[str, Json] = {
    "no version": {key: value for key, value in document().items() if key != "version"},
    "other version": document(version="2.0"),
    "version null": document(version=None),
    "version is a number": document(version=1.0),
    "only a model": {"model": BPE},
    "unknown field at the top": document(surprise=1),
    "no model": {"version": "1.0"},
    "model null": document(model=None),
    "model is an array": document(model=[]),
    "added tokens null": document(added_tokens=None),
    "added tokens an object": document(added_tokens={}),
    "added token is a string": document(added_tokens=["x"]),
    **{f"{slot} is {value!r}": document(**{slot: value})
       for slot in ("normalizer", "pre_tokenizer", "post_processor", "decoder")
       for value in ({}, [], "NFC", 1, False, {"type": "Nothing"}, {"type": None}, {"type": 1}, {"type": "nfc"})},
    **{f"BPE: merges {merges!r}": document(model={**BPE, "merges": merges}) for merges in (
        None, [], {}, "a b", ["a b"], [["a", "b"]], ["a b", ["a", "b"]], [["a", "b"], "a b"], ["a  b"], [" a b"],
        ["a b "], ["a b\n"], ["a\tb"], ["a\u00a0b"], ["ab"], [""], ["a"], ["a c"], ["c a"], ["b a"], [["a", "b", "c"]],
        [["a"]], [[]], [["a", 1]], [["a", None]], [["a", ["b"]]], [{"a": "b"}], [None], [1],
        ["#version: 0.2", "a b"], ["#version: 0.2"], ["a b", "#version: x"], ["#a b"], [["#version", "b"]],
        ["a b", "a b"], [["a", "b"], ["a", "b"]],
    )},
    "BPE: a part that holds a space": document(model={**BPE, "vocab": {"a ": 0, "b": 1, "a b": 2}, "merges": [["a ", "b"]]}),
    "BPE: empty parts": document(model={**BPE, "vocab": {"": 0, "b": 1}, "merges": [["", "b"]]}),
    "BPE: the last of a repeated merge counts": document(model={
        **BPE,
        "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5},
        "merges": ["a b", "b c", "ab c", "a b"],
    }),
    "BPE: a version line between tokens that exist": document(model={
        **BPE, "vocab": {"#versionx": 0, "b": 1, "#versionxb": 2, "bb": 3}, "merges": ["#versionx b", "b b"]
    }),
    "BPE: a version line as a pair is a merge": document(model={
        **BPE, "vocab": {"#versionx": 0, "b": 1, "#versionxb": 2}, "merges": [["#versionx", "b"]]
    }),
    "BPE: prefix": document(model={
        **BPE, "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2}, "merges": ["a ##b"]
    }),
    "BPE: prefix kept in the result": document(model={
        **BPE, "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "a##b": 2}, "merges": ["a ##b"]
    }),
    "BPE: prefix cut off where there is none": document(model={
        **BPE, "continuing_subword_prefix": "##", "vocab": {"a": 0, "xyb": 1, "ab": 2}, "merges": ["a xyb"]
    }),
    "BPE: prefix of two bytes": document(model={
        **BPE, "continuing_subword_prefix": "é", "vocab": {"a": 0, "xyb": 1, "ab": 2}, "merges": ["a xyb"]
    }),
    "BPE: prefix longer than the part": document(model={**BPE, "continuing_subword_prefix": "##"}),
    "BPE: empty prefix": document(model={**BPE, "continuing_subword_prefix": ""}),
    **{f"vocab {vocab!r}": document(model={**BPE, "vocab": vocab, "merges": []}) for vocab in (
        {}, [], None, {"a": -1}, {"a": 1.0}, {"a": "1"}, {"a": None}, {"a": True}, {"a": 2**32}, {"a": 10**12},
        {"a": 0, "b": 5}, {"": 0}, {"a": 3, "b": 1}, {"\u2581a": 0, "\U0001f600": 1},
    )},
    **{f"BPE: dropout {dropout!r}": document(model={**BPE, "dropout": dropout}) for dropout in (0, 0.25, 1, 1.5, -0.5)},
    "BPE: unk_token that is not in the vocab": document(model={**BPE, "unk_token": "<unk>"}),
    "BPE without type": document(model=model_without_type(BPE)),
    "WordPiece without type": document(model=model_without_type(WORD_PIECE)),
    "WordLevel without type": document(model=model_without_type(WORD_LEVEL)),
    "Unigram without type": document(model=model_without_type(UNIGRAM)),
    "no type, fields fit nothing": document(model={"vocab": {"a": 0}}),
    "no type, no vocab": document(model={"merges": []}),
    "WordPiece: empty vocab": document(model={**WORD_PIECE, "vocab": {}}),
    "WordLevel: empty vocab": document(model={**WORD_LEVEL, "vocab": {}}),
    **{f"Unigram: unk_id {unk!r}": document(model={**UNIGRAM, "unk_id": unk}) for unk in (1, 2, 5, -1, 1.0, 2**64, "0")},
    **{f"Unigram: vocab {vocab!r}, unk_id {unk}": document(model={**UNIGRAM, "vocab": vocab, "unk_id": unk})
       for unk in (0, None)
       for vocab in ([], [["a", -1]], [["a"]], [["a", 1, 2]], [["a", "x"]], [[1, 1]], [["a", None]], [["a", True]],
                     [["a", -1.0], ["a", -2.0]], [["", 0.0]], {"a": 0}, ["a"], [{"a": 0}])},
    **{f"{slot}: Metaspace add_prefix_space={old!r} prepend_scheme={new!r}": document(**{slot: {
           "type": "Metaspace", "replacement": "_",
           **({} if old == "missing" else {"add_prefix_space": old}),
           **({} if new == "missing" else {"prepend_scheme": new}),
       }})
       for slot in ("pre_tokenizer", "decoder")
       for old in ("missing", True, False, None, 1)
       for new in ("missing", "always", "never", "first", "Always", None)},
    "Metaspace: str_rep of old files": document(
        pre_tokenizer={"type": "Metaspace", "replacement": "_", "add_prefix_space": True, "str_rep": "_"}
    ),
    **{f"Metaspace: replacement {text!r}": document(pre_tokenizer={"type": "Metaspace", "replacement": text})
       for text in ("\u2581", "\U0001f600", "e\u0301", " ")},
    **{f"{name}: pattern {pattern!r}": document(**{slot: component(slot, name, pattern=pattern)})
       for slot, name in (("pre_tokenizer", "Split"), ("normalizer", "Replace"), ("decoder", "Replace"))
       for pattern in ("a", {"String": "a", "Regex": "b"}, {"Other": "a"}, {"regex": "a"}, {"String": 1},
                       {"String": None}, {"Regex": ""}, {"String": ""}, {"Regex": r"(?<n>a)\g<n>"}, {"Regex": r"\p{L}+"})},
    **{f"{name}: behavior {behavior}": document(pre_tokenizer=component("pre_tokenizer", name, behavior=behavior))
       for name in ("Split", "Punctuation")
       for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous", "removed", "merged")},
    **{f"BertProcessing: sep {sep!r}": document(post_processor=component("post_processor", "BertProcessing", sep=sep))
       for sep in (["a"], ["a", 0, 1], [0, "a"], ["a", -1], ["a", 2**32], ["a", 1.0], ["a", True], ["elsewhere", 77])},
    **{f"TemplateProcessing: single {pieces!r}": document(post_processor={
           "type": "TemplateProcessing", **TEMPLATE, "single": pieces})
       for pieces in ("$A", ["a", "$A"], [{"Sequence": {"id": "A"}}], [{"Sequence": {"type_id": 0}}],
                      [{"Sequence": {"id": "C", "type_id": 0}}], [{"Sequence": {"id": "a", "type_id": 0}}],
                      [{"Sequence": {"id": "A", "type_id": -1}}], [{"Sequence": {"id": "A", "type_id": 2**32}}],
                      [{"Other": {"id": "A", "type_id": 0}}], [{"Sequence": {"id": "A", "type_id": 0}}] * 2, [{}], [])},
    **{f"TemplateProcessing: special_tokens {table!r}": document(post_processor={
           "type": "TemplateProcessing", **TEMPLATE, "special_tokens": table})
       for table in ([], {"a": {"ids": [0], "tokens": ["a"]}}, {"a": {"id": "a", "tokens": ["a"]}},
                     {"a": {"id": "a", "ids": [0]}}, {"a": {"id": "a", "ids": [-1], "tokens": ["a"]}},
                     {"a": {"id": "a", "ids": None, "tokens": ["a"]}}, {"a": {"id": "a", "ids": [0, 1], "tokens": ["a"]}},
                     {"a": {"id": "a", "ids": [], "tokens": []}}, {"a": {"id": "a", "ids": [0], "tokens": [1]}})},
    "Sequence in a Sequence": document(normalizer=component(
        "normalizer", "Sequence", normalizers=[component("normalizer", "Sequence"), {"type": "NFD"}])),
    **{f"null in the {slot} Sequence": document(**{slot: component(slot, "Sequence", **{field: [None]})})
       for slot, field in (("normalizer", "normalizers"), ("pre_tokenizer", "pretokenizers"),
                           ("post_processor", "processors"), ("decoder", "decoders"))},
    **{f"truncation without {field}": document(truncation={k: v for k, v in TRUNCATION.items() if k != field})
       for field in (*TRUNCATION, "nothing")},
    **{f"padding without {field}": document(padding={k: v for k, v in PADDING.items() if k != field})
       for field in (*PADDING, "nothing")},
    **{f"truncation: {field} {value!r}": document(truncation={**TRUNCATION, field: value})
       for field in TRUNCATION for value in (None, 0, -1, 1.0, "Right", "right", "LongestFirst", "longest_first")},
    **{f"padding: {field} {value!r}": document(padding={**PADDING, field: value})
       for field in PADDING for value in (None, 0, -1, 1.5, "Right", "BatchLongest", "Fixed", {"Fixed": -1}, {"Fixed": 0})},
    **{f"added token without {field}": document(added_tokens=[{k: v for k, v in added_token("x", 3).items() if k != field}])
       for field in added_token("x", 3)},
    **{f"added token: {field} {value!r}": document(added_tokens=[{**added_token("x", 3), field: value}])
       for field in added_token("x", 3) for value in (None, True, 1, "3", 3.0, -1, 2**32)},
    "added token twice": document(added_tokens=[added_token("x", 3), added_token("x", 4), added_token("y", 5)]),
    "added token without content": document(added_tokens=[added_token("", 3), added_token("x", 4)]),
}  # fmt: skip


@pytest.mark.parametrize("variant", SAME)
def test_same_verdict_and_same_reading(variant: str) -> None:
    assert library.difference(encoded(SAME[variant])) is None


def nested(levels: int, innermost: Json) -> Json:
    for _ in range(levels):
        innermost = {"type": "Sequence", "normalizers": [innermost]}
    return innermost


@pytest.mark.parametrize("levels", [1, 61, 62, 63, 64])
def test_depth_of_nesting(levels: int) -> None:
    for innermost in ({"type": "NFC"}, component("normalizer", "Replace")):
        assert library.difference(encoded(document(normalizer=nested(levels, innermost)))) is None


UNTYPED = [
    ("normalizer", "BertNormalizer"),
    ("normalizer", "Strip"),
    ("normalizer", "Replace"),
    ("normalizer", "Prepend"),
    ("normalizer", "Sequence"),
    ("post_processor", "BertProcessing"),
    ("post_processor", "RobertaProcessing"),
    ("post_processor", "TemplateProcessing"),
    ("decoder", "BPEDecoder"),
    ("decoder", "WordPiece"),
    ("decoder", "CTC"),
    ("decoder", "Replace"),
    ("decoder", "Strip"),
]

STRICTER: dict[str, tuple[Json, str]] = {
    **{f"{slot} {name} without type": (document(**{slot: COMPONENTS[slot][name]}), GUESSED) for slot, name in UNTYPED},
    **{
        f"{slot} {name} as Other": (document(**{slot: component(slot, name, type="Other")}), GUESSED)
        for slot, name in UNTYPED
        if (slot, name) not in (("normalizer", "Strip"), ("decoder", "Sequence"))
    },
    "enumeration as an object": (
        document(pre_tokenizer=component("pre_tokenizer", "Punctuation", behavior={"Isolated": None})),
        "no writer uses this form of an enumeration",
    ),
    "structure as an array": (
        document(post_processor={"type": "TemplateProcessing", **TEMPLATE, "single": [{"Sequence": ["A", 0]}]}),
        "no writer uses this form of a structure",
    ),
    "template names an unknown token": (
        document(post_processor=component("post_processor", "TemplateProcessing", special_tokens={})),
        UNMAPPED,
    ),
    "template for one sequence uses B": (
        document(post_processor={"type": "TemplateProcessing", **TEMPLATE, "single": TEMPLATE["pair"]}),
        UNUSABLE,
    ),
    "added token twice with other flags": (
        document(added_tokens=[added_token("x", 3), added_token("x", 3, lstrip=True)]),
        "the library uses some flags of the first and some of the second",
    ),
    "charsmap with an empty trie": (
        document(normalizer=component("normalizer", "Precompiled", precompiled_charsmap="AAAAAA==")),
        UNUSABLE,
    ),
    "charsmap with a trie of 5 bytes": (
        document(normalizer=component("normalizer", "Precompiled", precompiled_charsmap="BQAAAGFiY2RlZmdo")),
        UNUSABLE,
    ),
    "unknown field of truncation": (document(truncation={**TRUNCATION, "surprise": 1}), "the library drops it"),
    "unknown field of padding": (document(padding={**PADDING, "surprise": 1}), "the library drops it"),
    "unknown field of an added token": (document(added_tokens=[added_token("x", 3, surprise=1)]), "dropped there"),
    "unknown field of a template piece": (
        document(
            post_processor={
                "type": "TemplateProcessing",
                **TEMPLATE,
                "single": [{"Sequence": {"id": "A", "type_id": 0, "surprise": 1}}],
            }
        ),
        "the library drops it",
    ),
    "truncation as an array": (document(truncation=["Right", 5, "LongestFirst", 0]), "no writer uses this form"),
    "padding strategy as an object with null": (
        document(padding={**PADDING, "strategy": {"BatchLongest": None}}),
        "no writer uses this form of an enumeration",
    ),
}


@pytest.mark.parametrize("variant", STRICTER)
def test_stricter_on_purpose(variant: str) -> None:
    source, reason = STRICTER[variant]
    assert check(encoded(source), reason) is None


@pytest.mark.parametrize("text", ["(", "[", r"\p{Nothing}", "a**{"])
def test_laxer_in_one_point_a_regex_is_not_compiled(text: str) -> None:
    """Compiling takes Oniguruma, which only the library has; the lowering hands every Regex to it."""
    source = encoded(document(normalizer=component("normalizer", "Replace", pattern={"Regex": text})))
    pipeline, _ = load_pipeline(source, "tokenizer.json")
    assert library.written_by_us(pipeline)["normalizer"]["pattern"] == {"Regex": text}


def test_laxer_in_another_point_a_field_of_the_next_version_is_read() -> None:
    """Versions after 0.23 write it into every file; the released ones refuse every unknown field at the top."""
    pipeline, _ = load_pipeline(encoded(document(role_to_token={"eos_token": "a"})), "tokenizer.json")
    assert pipeline == load_pipeline(encoded(document()), "tokenizer.json")[0]


CHARSMAPS = {
    "good": COMPONENTS["normalizer"]["Precompiled"]["precompiled_charsmap"],
    "without padding": COMPONENTS["normalizer"]["Precompiled"]["precompiled_charsmap"].rstrip("="),
    "empty": "",
    "not base64": "@@@",
    "line end inside": "BAAA\nAGFiY2Q=",
    "three bytes": "AAAA",
    "trie longer than the text": "CAAAAGFiY2Q=",
    "strings that are not UTF-8": "BAAAAGFiY2T//g==",
    "the alphabet for URLs": "BAAAAP_--_8=",
    "bits left over": "BAAAAGFiY2R=",
    "too much padding": "BAAAAGFiY2Q===",
}


@pytest.mark.parametrize("variant", CHARSMAPS)
def test_charsmap(variant: str) -> None:
    source = component("normalizer", "Precompiled", precompiled_charsmap=CHARSMAPS[variant])
    assert library.difference(encoded(document(normalizer=source))) is None


def texts() -> Iterator[tuple[str, str]]:
    yield "empty", ""
    yield "white space", " \n"
    yield "array", "[]"
    yield "string", '"x"'
    yield "NaN", '{"model":{"type":"Unigram","vocab":[["x",NaN]]}}'
    yield "infinity", '{"model":{"type":"Unigram","vocab":[["x",1e400]]}}'
    yield "byte order mark", '\ufeff{"model":{"type":"BPE","vocab":{},"merges":[]}}'
    yield "lone surrogate", '{"model":{"type":"BPE","vocab":{"\\ud800":0},"merges":[]}}'
    yield "pair of surrogates", '{"version":"1.0","model":{"type":"BPE","vocab":{"\\ud83d\\ude00":0},"merges":[]}}'
    yield "text after the end", '{"model":{"type":"BPE","vocab":{},"merges":[]}} x'
    yield "trailing comma", '{"model":{"type":"BPE","vocab":{},"merges":[],}}'
    yield "comment", '{"model":{"type":"BPE","vocab":{},"merges":[]}} // x'
    yield "token twice", '{"version":"1.0","model":{"type":"BPE","vocab":{"a":0,"b":1,"a":2},"merges":[]}}'
    yield "vocab twice", '{"model":{"type":"BPE","vocab":{"x":0},"vocab":{"a":0},"merges":[]}}'
    yield "U+0000", '{"version":"1.0","model":{"type":"BPE","vocab":{"\\u0000":0},"merges":[]}}'


@pytest.mark.parametrize(("variant", "text"), list(texts()))
def test_texts(variant: str, text: str) -> None:
    assert library.difference(text.encode()) is None


def test_byte_level_component_keeps_its_name_in_every_slot() -> None:
    slots = {
        "normalizer": {"type": "ByteLevel"},
        **{slot: {"type": "ByteLevel", **BYTE_LEVEL} for slot in ("pre_tokenizer", "post_processor", "decoder")},
    }
    assert library.difference(encoded(document(**slots))) is None
