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


def stricter(name: str, field: str, value: Any) -> str | None:
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
        problems.append(check(text, stricter(name, field, value)))
    assert [problem for problem in problems if problem is not None] == []


@pytest.mark.parametrize(("slot", "name"), [(slot, name) for slot, types in COMPONENTS.items() for name in types])
def test_unknown_field_is_refused_though_the_library_drops_it(slot: str, name: str) -> None:
    text = encoded(document(**{slot: component(slot, name, surprise=1)}))
    assert library.load(text) is not None
    with pytest.raises(SourceError) as caught:
        load_pipeline(text, "tokenizer.json")
    assert caught.value.where == f"tokenizer.json: $.{slot}.surprise"
    assert "surprise" in caught.value.message


def without(source: Json, field: str) -> Json:
    return {key: value for key, value in source.items() if key != field}


MERGES: tuple[Any, ...] = (
    *(None, [], {}, "a b", [None], [1], [{"a": "b"}], [[]], [["a"]], [["a", 1]], [["a", None]], [["a", ["b"]]]),
    *(["a b"], [["a", "b"]], ["a b", ["a", "b"]], [["a", "b"], "a b"], [["a", "b", "c"]]),
    *(["a  b"], [" a b"], ["a b "], ["a b\n"], ["a\tb"], ["a\u00a0b"], ["ab"], [""], ["a"]),
    *(["a c"], ["c a"], ["b a"], ["#a b"], [["#version", "b"]]),
    *(["#version: 0.2", "a b"], ["#version: 0.2"], ["a b", "#version: x"], ["a b", "a b"], [["a", "b"], ["a", "b"]]),
)
ID_VOCABS: tuple[Any, ...] = (
    *({}, [], None, {"a": -1}, {"a": 1.0}, {"a": "1"}, {"a": None}, {"a": True}, {"a": 2**32}, {"a": 10**12}),
    *({"a": 0, "b": 5}, {"": 0}, {"a": 3, "b": 1}, {"\u2581a": 0, "\U0001f600": 1}),
)
SCORED_VOCABS: tuple[Any, ...] = (
    *([], [["a", -1]], [["a"]], [["a", 1, 2]], [["a", "x"]], [[1, 1]], [["a", None]], [["a", True]]),
    *([["a", -1.0], ["a", -2.0]], [["", 0.0]], {"a": 0}, ["a"], [{"a": 0}]),
)


def bpe(vocab: Any, merges: Any, **fields: Any) -> Json:
    return document(model={"type": "BPE", "vocab": vocab, "merges": merges, **fields})


def model_documents() -> Iterator[tuple[str, Json]]:
    for merges in MERGES:
        yield f"BPE: merges {merges!r}", document(model={**BPE, "merges": merges})
    for vocab in ID_VOCABS:
        yield f"BPE: vocab {vocab!r}", bpe(vocab, [])
        yield f"WordLevel: vocab {vocab!r}", document(model={**WORD_LEVEL, "vocab": vocab})
    for scored in SCORED_VOCABS:
        yield f"Unigram: vocab {scored!r}", document(model={**UNIGRAM, "vocab": scored})
        yield f"Unigram without unk: vocab {scored!r}", document(model={**UNIGRAM, "vocab": scored, "unk_id": None})
    for unk_id in (1, 2, 5, -1, 1.0, 2**64, "0"):
        yield f"Unigram: unk_id {unk_id!r}", document(model={**UNIGRAM, "unk_id": unk_id})
    for dropout in (0, 0.25, 1, 1.5, -0.5):
        yield f"BPE: dropout {dropout}", document(model={**BPE, "dropout": dropout})
    yield "BPE: unk_token that is not in the vocab", document(model={**BPE, "unk_token": "<unk>"})
    yield "WordPiece: empty vocab", document(model={**WORD_PIECE, "vocab": {}})
    for model in (BPE, WORD_PIECE, WORD_LEVEL, UNIGRAM):
        yield f"{model['type']} without type", document(model=without(model, "type"))
    yield "no type, fields fit nothing", document(model={"vocab": {"a": 0}})
    yield "no type, no vocab", document(model={"merges": []})
    yield "model null", document(model=None)
    yield "model is an array", document(model=[])


def merge_documents() -> Iterator[tuple[str, Json]]:
    yield "a part that holds a space", bpe({"a ": 0, "b": 1, "a b": 2}, [["a ", "b"]])
    yield "empty parts", bpe({"": 0, "b": 1}, [["", "b"]])
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}
    yield "the last of a repeated merge counts", bpe(vocab, ["a b", "b c", "ab c", "a b"])
    versions = {"#versionx": 0, "b": 1, "#versionxb": 2, "bb": 3}
    yield "a version line between tokens that exist", bpe(versions, ["#versionx b", "b b"])
    yield "a version line as a pair is a merge", bpe(versions, [["#versionx", "b"]])
    hashes: Json = {"continuing_subword_prefix": "##"}
    yield "prefix", bpe({"a": 0, "##b": 1, "ab": 2}, ["a ##b"], **hashes)
    yield "prefix kept in the result", bpe({"a": 0, "##b": 1, "a##b": 2}, ["a ##b"], **hashes)
    yield "prefix cut off where there is none", bpe({"a": 0, "xyb": 1, "ab": 2}, ["a xyb"], **hashes)
    yield "prefix longer than the part", bpe({"a": 0, "b": 1, "ab": 2}, ["a b"], **hashes)
    two_bytes: Json = {"continuing_subword_prefix": "é"}
    yield "prefix of two bytes", bpe({"a": 0, "xyb": 1, "ab": 2}, ["a xyb"], **two_bytes)
    yield "empty prefix", bpe({"a": 0, "b": 1, "ab": 2}, ["a b"], continuing_subword_prefix="")


def metaspace_documents() -> Iterator[tuple[str, Json]]:
    base: Json = {"type": "Metaspace", "replacement": "_"}
    for slot in ("pre_tokenizer", "decoder"):
        for old in ("missing", True, False, None, 1):
            for new in ("missing", "always", "never", "first", "Always", None):
                fields = {"add_prefix_space": old, "prepend_scheme": new}
                stated = {key: value for key, value in fields.items() if value != "missing"}
                yield f"{slot}: Metaspace {stated}", document(**{slot: {**base, **stated}})
    yield "str_rep of old files", document(pre_tokenizer={**base, "add_prefix_space": True, "str_rep": "_"})
    for text in ("\u2581", "\U0001f600", "e\u0301", " "):
        yield f"Metaspace: replacement {text!r}", document(pre_tokenizer={**base, "replacement": text})


PATTERNS: tuple[Any, ...] = (
    *("a", {"String": "a", "Regex": "b"}, {"Other": "a"}, {"regex": "a"}, {"String": 1}, {"String": None}),
    *({"Regex": ""}, {"String": ""}, {"Regex": r"(?<n>a)\g<n>"}, {"Regex": r"\p{L}+"}),
)
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous", "removed", "merged")


def splitting_documents() -> Iterator[tuple[str, Json]]:
    for slot, name in (("pre_tokenizer", "Split"), ("normalizer", "Replace"), ("decoder", "Replace")):
        for pattern in PATTERNS:
            yield f"{slot} {name}: {pattern!r}", document(**{slot: component(slot, name, pattern=pattern)})
    for name in ("Split", "Punctuation"):
        for behavior in BEHAVIORS:
            source = component("pre_tokenizer", name, behavior=behavior)
            yield f"{name}: behavior {behavior}", document(pre_tokenizer=source)


def piece(kind: str, **fields: Any) -> list[Json]:
    return [{kind: fields}]


SINGLES: tuple[Any, ...] = (
    *("$A", ["a", "$A"], [{}], [], piece("Sequence", id="A"), piece("Sequence", type_id=0)),
    *(piece("Sequence", id="C", type_id=0), piece("Sequence", id="a", type_id=0), piece("Other", id="A", type_id=0)),
    *(piece("Sequence", id="A", type_id=-1), piece("Sequence", id="A", type_id=2**32)),
    piece("Sequence", id="A", type_id=0) * 2,
)
SPECIAL_TOKENS: tuple[Any, ...] = (
    *([], {"a": {"ids": [0], "tokens": ["a"]}}, {"a": {"id": "a", "tokens": ["a"]}}, {"a": {"id": "a", "ids": [0]}}),
    *({"a": {"id": "a", "ids": [-1], "tokens": ["a"]}}, {"a": {"id": "a", "ids": None, "tokens": ["a"]}}),
    *({"a": {"id": "a", "ids": [0, 1], "tokens": ["a"]}}, {"a": {"id": "a", "ids": [], "tokens": []}}),
    {"a": {"id": "a", "ids": [0], "tokens": [1]}},
)
PAIRS: tuple[Any, ...] = (
    *(["a"], ["a", 0, 1], [0, "a"], ["a", -1], ["a", 2**32], ["a", 1.0], ["a", True], ["elsewhere", 77]),
)


def post_processor_documents() -> Iterator[tuple[str, Json]]:
    for pair in PAIRS:
        bert = component("post_processor", "BertProcessing", sep=pair)
        yield f"BertProcessing: sep {pair!r}", document(post_processor=bert)
    template: Json = {"type": "TemplateProcessing", **TEMPLATE}
    for pieces in SINGLES:
        yield f"TemplateProcessing: single {pieces!r}", document(post_processor={**template, "single": pieces})
    for table in SPECIAL_TOKENS:
        changed = {**template, "special_tokens": table}
        yield f"TemplateProcessing: special_tokens {table!r}", document(post_processor=changed)


WRONG_SLOTS: tuple[Any, ...] = (
    *({}, [], "NFC", 1, False),
    *({"type": "Nothing"}, {"type": None}, {"type": 1}, {"type": "nfc"}),
)


def slot_documents() -> Iterator[tuple[str, Json]]:
    for slot, field in (
        ("normalizer", "normalizers"),
        ("pre_tokenizer", "pretokenizers"),
        ("post_processor", "processors"),
        ("decoder", "decoders"),
    ):
        for value in WRONG_SLOTS:
            yield f"{slot} is {value!r}", document(**{slot: value})
        yield f"null in the {slot} Sequence", document(**{slot: component(slot, "Sequence", **{field: [None]})})
        inner = [component(slot, "Sequence")]
        yield f"Sequence in a {slot} Sequence", document(**{slot: component(slot, "Sequence", **{field: inner})})


ADDED_TOKENS: tuple[Any, ...] = (
    *(None, {}, ["x"]),
    [added_token("x", 3), added_token("x", 4), added_token("y", 5)],
    [added_token("", 3), added_token("x", 4)],
)
PARAMETERS: tuple[Any, ...] = (
    *(None, 0, -1, 1.5, "Right", "right", "LongestFirst", "longest_first", "BatchLongest", "Fixed"),
    *({"Fixed": -1}, {"Fixed": 0}),
)


def other_documents() -> Iterator[tuple[str, Json]]:
    yield "no version", without(document(), "version")
    for version in ("2.0", None, 1.0):
        yield f"version {version!r}", document(version=version)
    yield "only a model", {"model": BPE}
    yield "no model", {"version": "1.0"}
    yield "unknown field at the top", document(surprise=1)
    for tokens in ADDED_TOKENS:
        yield f"added_tokens {tokens!r}", document(added_tokens=tokens)
    token = added_token("x", 3)
    for field in token:
        yield f"added token without {field}", document(added_tokens=[without(token, field)])
        for value in (None, True, 1, "3", 3.0, -1, 2**32):
            yield f"added token: {field} {value!r}", document(added_tokens=[{**token, field: value}])
    for slot, full in (("truncation", TRUNCATION), ("padding", PADDING)):
        yield f"whole {slot}", document(**{slot: full})
        for field in full:
            yield f"{slot} without {field}", document(**{slot: without(full, field)})
            for other in PARAMETERS:
                yield f"{slot}: {field} {other!r}", document(**{slot: {**full, field: other}})


SAME: dict[str, Json] = {
    **dict(model_documents()),
    **dict(merge_documents()),
    **dict(metaspace_documents()),
    **dict(splitting_documents()),
    **dict(post_processor_documents()),
    **dict(slot_documents()),
    **dict(other_documents()),
}


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


TEXTS = dict(texts())


@pytest.mark.parametrize("variant", TEXTS)
def test_texts(variant: str) -> None:
    assert library.difference(TEXTS[variant].encode()) is None


def test_byte_level_component_keeps_its_name_in_every_slot() -> None:
    slots = {
        "normalizer": {"type": "ByteLevel"},
        **{slot: {"type": "ByteLevel", **BYTE_LEVEL} for slot in ("pre_tokenizer", "post_processor", "decoder")},
    }
    assert library.difference(encoded(document(**slots))) is None
