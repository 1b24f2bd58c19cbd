from __future__ import annotations

from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import Notice, load_pipeline, pipeline
from mtok_export.source.components import HARMLESS_FIELDS
from mtok_export.source.pipeline import (
    AddedToken,
    Metaspace,
    MetaspaceDecoder,
    NormalizerSequence,
    RegexPattern,
    ReplaceNormalizer,
    Split,
    StringPattern,
    Unigram,
)
from tests.source.documents import (
    BPE,
    COMPONENTS,
    PADDING,
    TEMPLATE,
    UNIGRAM,
    WORD_PIECE,
    Json,
    added_token,
    component,
    document,
    encoded,
)


def load(**slots: Any) -> Any:
    return load_pipeline(encoded(document(**slots)), "tokenizer.json")[0]


def notices(**slots: Any) -> tuple[Notice, ...]:
    return load_pipeline(encoded(document(**slots)), "tokenizer.json")[1]


BAD: dict[str, tuple[Json, str, str]] = {
    "unknown normalizer": (
        document(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "NFX"}]}),
        "$.normalizer.normalizers[1].type",
        '"NFX" is no normalizer type; known are BertNormalizer, Strip, StripAccents, NFC',
    ),
    "unknown pre-tokenizer": (
        document(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Truncate"}]}),
        "$.pre_tokenizer.pretokenizers[0].type",
        '"Truncate" is no pre_tokenizer type',
    ),
    "unknown post-processor": (
        document(post_processor={"type": "X"}),
        "$.post_processor.type",
        '"X" is no post_processor',
    ),
    "unknown decoder": (document(decoder={"type": "X"}), "$.decoder.type", '"X" is no decoder type'),
    "unknown model": (document(model={"type": "X"}), "$.model.type", "known are BPE, WordPiece, WordLevel, Unigram"),
    "component without type": (document(decoder={"suffix": "x"}), "$.decoder", 'the field "type" is missing'),
    "unknown field in a nested component": (
        document(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC", "form": "C"}]}),
        "$.normalizer.normalizers[0].form",
        'the field "form" of normalizer NFC is unknown; known are type',
    ),
    "pattern of a nested component": (
        document(
            normalizer={
                "type": "Sequence",
                "normalizers": [{"type": "NFC"}, {"type": "NFD"}, {"type": "Replace", "pattern": "x", "content": ""}],
            }
        ),
        "$.normalizer.normalizers[2].pattern",
        'an object is needed here, not the string "x"',
    ),
    "pattern of an unknown kind": (
        document(pre_tokenizer=component("pre_tokenizer", "Split", pattern={"Glob": "*"})),
        "$.pre_tokenizer.pattern",
        '"Glob" is no pattern type; known are String, Regex',
    ),
    "Metaspace that contradicts itself": (
        document(pre_tokenizer=component("pre_tokenizer", "Metaspace", add_prefix_space=False)),
        "$.pre_tokenizer.add_prefix_space",
        "add_prefix_space is false, but prepend_scheme is first",
    ),
    "old Metaspace without a prefix": (
        document(decoder={"type": "Metaspace", "replacement": "_", "add_prefix_space": False}),
        "$.decoder.add_prefix_space",
        "add_prefix_space is false, but prepend_scheme is missing",
    ),
    "merge with two spaces": (
        document(model={**BPE, "merges": ["a b", "a  b"]}),
        "$.model.merges[1]",
        'the merge "a  b" has 2 spaces; it must have exactly one',
    ),
    "merge without a space": (document(model={**BPE, "merges": ["ab"]}), "$.model.merges[0]", "has 0 spaces"),
    "merge of a part that is no token": (
        document(model={**BPE, "merges": [["a", "b"], ["a", "c"]]}),
        "$.model.merges[1]",
        'the merge needs the token "c", which is not in the vocab',
    ),
    "merge into what is no token": (
        document(model={**BPE, "merges": ["a b", "b a"]}),
        "$.model.merges[1]",
        'the merge makes the token "ba", which is not in the vocab',
    ),
    "bad merge behind a version line": (
        document(model={**BPE, "merges": ["#version: 0.2", "a b", "a c"]}),
        "$.model.merges[2]",
        'needs the token "c"',
    ),
    "merge of three parts": (
        document(model={**BPE, "merges": [["a", "b", ""]]}),
        "$.model.merges[0]",
        "a merge has two parts, this one 3",
    ),
    "merge of a number": (
        document(model={**BPE, "merges": [["a", 1]]}),
        "$.model.merges[0]",
        "a string is needed here",
    ),
    "merge of an array": (document(model={**BPE, "merges": [["a", ["b"]]]}), "$.model.merges[0]", "a string is needed"),
    "merges of both kinds": (
        document(model={**BPE, "merges": [["a", "b"], "a b"]}),
        "$.model.merges[1]",
        "strings and arrays are mixed",
    ),
    "merges of no kind": (document(model={**BPE, "merges": ["a b", 3]}), "$.model.merges[1]", "not the number 3"),
    "merge whose prefix cannot be cut off": (
        document(model={**BPE, "continuing_subword_prefix": "##"}),
        "$.model.merges[0]",
        'continuing_subword_prefix cannot be cut off the second part, "b"',
    ),
    "merge whose prefix would cut a character": (
        document(
            model={**BPE, "vocab": {"a": 0, "xé": 1}, "merges": [["a", "xé"]], "continuing_subword_prefix": "##"},
        ),
        "$.model.merges[0]",
        "cannot be cut off",
    ),
    "no merges": (document(model={"type": "BPE", "vocab": {}}), "$.model", 'the field "merges" is missing'),
    "negative id": (document(model={**BPE, "vocab": {"a": 0, "b": -1}}), "$.model.vocab.b", "-1 is out of range"),
    "id too large": (
        document(model={**BPE, "vocab": {"<x>": 2**32}}),
        '$.model.vocab["<x>"]',
        "4294967296 is out of range; from 0 to 4294967295 is allowed",
    ),
    "id is no integer": (document(model={**BPE, "vocab": {"a": 1.0}}), "$.model.vocab.a", "not the number 1.0"),
    "id is a string": (document(model={**BPE, "vocab": {"a": "1"}}), "$.model.vocab.a", 'not the string "1"'),
    "id is a flag": (
        document(model={**BPE, "vocab": {"a": True}}),
        "$.model.vocab.a",
        "an integer is needed here, not true",
    ),
    "dropout out of range": (document(model={**BPE, "dropout": 1.5}), "$.model.dropout", "1.5 is out of range"),
    "vocab of a Unigram is an object": (document(model={**UNIGRAM, "vocab": {"a": 0}}), "$.model.vocab", "an array"),
    "vocab of a BPE is an array": (document(model={**BPE, "vocab": []}), "$.model.vocab", "an object is needed here"),
    "piece without a score": (
        document(model={**UNIGRAM, "vocab": [["a", 0.0], ["b"]]}),
        "$.model.vocab[1]",
        "length 1",
    ),
    "piece is no string": (
        document(model={**UNIGRAM, "vocab": [[1, 0.0]]}),
        "$.model.vocab[0][0]",
        "a string is needed",
    ),
    "score is no number": (
        document(model={**UNIGRAM, "vocab": [["a", "0"]]}),
        "$.model.vocab[0][1]",
        "a number is needed",
    ),
    "score is a flag": (document(model={**UNIGRAM, "vocab": [["a", True]]}), "$.model.vocab[0][1]", "not true"),
    "unk_id out of range": (
        document(model={**UNIGRAM, "unk_id": 2}),
        "$.model.unk_id",
        "2 is out of range; the vocab has 2",
    ),
    "unk_id with an empty vocab": (document(model={**UNIGRAM, "vocab": []}), "$.model.unk_id", "0 is out of range"),
    "model without type that fits nothing": (document(model={"vocab": {}}), "$.model", "the other fields fit no model"),
    "added token with a bad id": (
        document(added_tokens=[added_token("x", -1)]),
        "$.added_tokens[0].id",
        "out of range",
    ),
    "added token with a bad flag": (
        document(added_tokens=[added_token("x", 3), added_token("y", 4, lstrip=1)]),
        "$.added_tokens[1].lstrip",
        "true or false is needed here, not the number 1",
    ),
    "added token that contradicts itself": (
        document(added_tokens=[added_token("x", 3), added_token("x", 3, special=True)]),
        "$.added_tokens[1]",
        '"x" stands there a second time, with other flags',
    ),
    "token of a post-processor": (
        document(post_processor=component("post_processor", "BertProcessing", sep=["b", -1])),
        "$.post_processor.sep[1]",
        "-1 is out of range",
    ),
    "template that names no token": (
        document(post_processor=component("post_processor", "TemplateProcessing", special_tokens={})),
        "$.post_processor.single[0]",
        'special_tokens has no entry "a"',
    ),
    "ids of a template's token": (
        document(
            post_processor={
                "type": "TemplateProcessing",
                **TEMPLATE,
                "special_tokens": {"[a]": {"id": "a", "ids": [0, "1"], "tokens": ["a"]}},
            }
        ),
        '$.post_processor.special_tokens["[a]"].ids[1]',
        "an integer is needed here",
    ),
    "charsmap that is no base64": (
        document(normalizer=component("normalizer", "Precompiled", precompiled_charsmap="?")),
        "$.normalizer.precompiled_charsmap",
        "this is not base64 text",
    ),
    "charsmap that is cut off": (
        document(
            normalizer=component(
                "normalizer",
                "Precompiled",
                precompiled_charsmap=COMPONENTS["normalizer"]["Precompiled"]["precompiled_charsmap"][:400],
            )
        ),
        "$.normalizer.precompiled_charsmap",
        "a trie of 1024 bytes does not fit into a character map of 300 bytes",
    ),
    "padding strategy": (document(padding={**PADDING, "strategy": "Fixed"}), "$.padding.strategy", "is needed here"),
    "version": (document(version="1.1"), "$.version", '"1.1" is unknown; known is "1.0"'),
    "unknown field at the top": (document(tokeniser=1), "$.tokeniser", 'the field "tokeniser" of tokenizer is unknown'),
}


@pytest.mark.parametrize("variant", BAD)
def test_bad_document(variant: str) -> None:
    source, where, message = BAD[variant]
    with pytest.raises(SourceError) as caught:
        load_pipeline(encoded(source), "x.json")
    assert caught.value.where == f"x.json: {where}"
    assert message in caught.value.message
    assert "\n" not in str(caught.value)


def test_every_harmless_field_has_a_reason() -> None:
    for fields in HARMLESS_FIELDS.values():
        for reason in fields.values():
            assert len(reason.split()) > 3


def test_patterns_are_kept_apart() -> None:
    first = load(pre_tokenizer=component("pre_tokenizer", "Split", pattern={"String": "."})).pre_tokenizer
    second = load(pre_tokenizer=component("pre_tokenizer", "Split", pattern={"Regex": "."})).pre_tokenizer
    assert isinstance(first, Split) and isinstance(second, Split)
    assert (first.pattern, second.pattern) == (StringPattern("."), RegexPattern("."))


def test_old_and_new_metaspace() -> None:
    old = {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True, "str_rep": "\u2581"}
    assert load(pre_tokenizer=old).pre_tokenizer == Metaspace("\u2581", "always", split=True)
    new = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "never", "split": None}
    assert load(decoder=new).decoder == MetaspaceDecoder("\u2581", "never", split=True)


def test_nested_sequences() -> None:
    inner = component("normalizer", "Sequence", normalizers=[component("normalizer", "Replace")])
    found = load(normalizer=component("normalizer", "Sequence", normalizers=[inner])).normalizer
    assert found == NormalizerSequence((NormalizerSequence((ReplaceNormalizer(StringPattern("a"), "b"),)),))


def test_merges_as_strings_and_as_pairs_are_the_same() -> None:
    strings, pairs = (load(model={**BPE, "merges": merges}).model for merges in (["a b"], [["a", "b"]]))
    assert strings == pairs
    assert isinstance(strings, pipeline.BPE) and strings.merges == (("a", "b"),)


def test_repeated_merges_and_version_lines_are_named() -> None:
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4}
    model = {**BPE, "vocab": vocab, "merges": ["#version: 0.2", "a b", "b c", "a b"]}
    assert load(model=model).model.merges == (("b", "c"), ("a", "b"))
    found = notices(model=model)
    assert [notice.where for notice in found] == ["tokenizer.json: $.model.merges"] * 2
    assert "1 version lines" in found[0].message
    assert '1 merges stand there more than once, such as "a b"' in found[1].message


def test_merges_that_are_the_same_only_by_id() -> None:
    """Two tokens with one id make two strings of one merge; the library looks merges up by id, the last one counts."""
    model = {
        "type": "BPE",
        "vocab": {"a": 0, "x": 0, "b": 1, "c": 2, "ab": 3, "xb": 4, "bc": 5},
        "merges": ["a b", "b c", "x b"],
    }
    assert load(model=model).model.merges == (("b", "c"), ("x", "b"))


def test_ids_that_belong_to_two_tokens_are_named() -> None:
    (notice,) = notices(model={**BPE, "vocab": {"a": 0, "b": 1, "c": 1, "d": 2}, "merges": []})
    assert notice.where == "tokenizer.json: $.model.vocab"
    assert '1 ids belong to several tokens, such as 1 to "b", "c"' in notice.message


def test_holes_in_the_ids_are_named() -> None:
    (notice,) = notices(model={**BPE, "vocab": {"a": 0, "b": 5}, "merges": []})
    assert "4 ids below the highest one, 5, have no token; the first are 1, 2, 3" in notice.message


def test_added_tokens_behind_the_vocab_leave_no_hole() -> None:
    assert notices(added_tokens=[added_token("a", 0), added_token("x", 3), added_token("y", 4)]) == ()


@pytest.mark.parametrize("space", ["", " ", "\n  "])
def test_repeated_tokens_are_named(space: str) -> None:
    text = f'{{"model":{{"type":"BPE","merges":[],"vocab":{{"a":{space}0,"b":{space}1,"c":{space}2,"a":{space}7}}}}}}'
    loaded, found = load_pipeline(text.encode(), "tokenizer.json")
    assert isinstance(loaded.model, pipeline.BPE) and loaded.model.vocab == {"a": 7, "b": 1, "c": 2}
    assert found[0].where == "tokenizer.json: $.model.vocab"
    assert found[0].message == '1 tokens stand there more than once, such as "a"; the last id counts'


def test_an_id_elsewhere_in_the_file_makes_no_repeated_token() -> None:
    model = {**BPE, "vocab": {"a": 0, "b": 5}, "merges": []}
    found = notices(model=model, padding={**PADDING, "pad_id": 3}, truncation=None)
    assert all("more than once" not in notice.message for notice in found)


def test_repeated_pieces_of_a_unigram_are_named() -> None:
    (notice,) = notices(model={**UNIGRAM, "vocab": [["<unk>", 0], ["a", -1], ["a", -2.5]]})
    assert '1 pieces stand there more than once, such as "a"' in notice.message


def test_scores_are_floating_point_numbers() -> None:
    model = load(model={**UNIGRAM, "vocab": [["<unk>", 0], ["a", -1]]}).model
    assert isinstance(model, Unigram)
    assert [type(score) for _, score in model.vocab] == [float, float]


def test_tokens_of_the_post_processor_with_another_id_are_named() -> None:
    found = notices(post_processor=component("post_processor", "BertProcessing", sep=["b", 7], cls=["[X]", 0]))
    assert [notice.where for notice in found] == [
        "tokenizer.json: $.post_processor.sep",
        "tokenizer.json: $.post_processor.cls",
    ]
    assert '"b" has the id 1, but 7 is used' in found[0].message
    assert 'no token "[X]" is in the tokenizer' in found[1].message
    nested = component("post_processor", "Sequence", processors=[component("post_processor", "TemplateProcessing")])
    nested["processors"][0]["special_tokens"] = {"a": {"id": "a", "ids": [2], "tokens": ["a"]}}
    (notice,) = notices(post_processor=nested)
    assert notice.where == "tokenizer.json: $.post_processor.processors[0].special_tokens.a"


def test_added_tokens_keep_the_order_of_the_file() -> None:
    tokens = load(
        added_tokens=[added_token("y", 4, special=True), added_token("b", 1), added_token("x", 3)]
    ).added_tokens
    assert [(token.content, token.id) for token in tokens] == [("y", 3), ("b", 1), ("x", 4)]
    assert tokens[0] == AddedToken(
        3, "y", special=True, single_word=False, lstrip=False, rstrip=False, normalized=False
    )


def test_word_piece_keeps_its_fields() -> None:
    model = load(model=WORD_PIECE).model
    assert (model.unk_token, model.continuing_subword_prefix, model.max_input_chars_per_word) == ("[UNK]", "##", 100)
