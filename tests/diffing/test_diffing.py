from __future__ import annotations

import json
from array import array
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from mtok_export.diffing import Change, diff, template_diff
from mtok_export.format import MtokFile
from mtok_export.format import decoder as d
from mtok_export.format import model as m
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import SequenceA
from tests.format import samples, strategies

BPE = samples.BPE
UNIGRAM = samples.UNIGRAM


def changes(old: MtokFile, new: MtokFile) -> dict[tuple[str, str], list[Change]]:
    return {(each.section, each.kind): list(each.first) for each in diff(old, new)}


def ints(*values: int) -> Any:
    return array("I", values)


def _bpe() -> m.Bpe:
    assert isinstance(BPE.model, m.Bpe)
    return BPE.model


def _vocab(tokens: tuple[str, ...], *ids: int) -> MtokFile:
    return replace(BPE, model=replace(_bpe(), vocab=m.Vocab(tokens, ints(*ids))))


def _merges(*merges: tuple[int, int, int]) -> MtokFile:
    columns = (ints(*(merge[part] for merge in merges)) for part in range(3))
    return replace(BPE, model=replace(_bpe(), merges=m.Merges(*columns)))


def _tail(**values: Any) -> MtokFile:
    return replace(BPE, tail=replace(BPE.tail, **values))


def _pre_tokenizer(*records: p.PreTokenizer) -> MtokFile:
    return replace(BPE, pre_tokenizer=p.Sequence(records))


def _moved() -> MtokFile:
    """The ids of ``a`` and ``b`` swapped, in the merges, too."""
    merges = m.Merges(ints(1, 2), ints(0, 1), ints(0, 1))
    vocab = m.Vocab(("", "", "a", "ab", "b"), ints(3, 4, 1, 2, 0))
    return replace(BPE, model=m.Bpe(vocab, merges, byte_fallback=False, byte_level=True))


SPLIT = p.Split(r"\s+", False, SplitBehavior.ISOLATED)
BYTES = p.ByteLevel(use_regex=False)

CASES: dict[str, tuple[MtokFile, MtokFile, tuple[str, str], list[Change]]] = {
    "special id added": (
        BPE,
        replace(BPE, header=Header((3, 4), (3, 4), (), True)),
        ("header", "special_ids added"),
        [Change("special_ids", None, 4)],
    ),
    "stop ids in another order": (
        BPE,
        replace(BPE, header=Header((3,), (4, 3), (), True)),
        ("header", "stop_ids in another order"),
        [Change("stop_ids", [3, 4], [4, 3])],
    ),
    "another parameter": (
        BPE,
        _pre_tokenizer(replace(SPLIT, pattern=r"\d+"), BYTES),
        ("pre_tokenizer", "ops"),
        [Change("pre_tokenizer.pre_tokenizers[0].pattern", r"\s+", r"\d+")],
    ),
    "a record in between": (
        BPE,
        _pre_tokenizer(SPLIT, p.Digits(individual_digits=True), BYTES),
        ("pre_tokenizer", "ops"),
        [Change("pre_tokenizer.pre_tokenizers[1]", None, {"op": "DIGITS", "individual_digits": True})],
    ),
    "a record left out": (
        BPE,
        _pre_tokenizer(BYTES),
        ("pre_tokenizer", "ops"),
        [
            Change(
                "pre_tokenizer.pre_tokenizers[0]",
                {"op": "SPLIT", "pattern": r"\s+", "invert": False, "behavior": "ISOLATED"},
                None,
            )
        ],
    ),
    "another record": (
        BPE,
        replace(BPE, decoder=d.Fuse()),
        ("decoder", "ops"),
        [Change("decoder", {"op": "SEQUENCE", "records": 4}, {"op": "FUSE"})],
    ),
    "table entries": (
        UNIGRAM,
        replace(UNIGRAM, normalizer=n.Table(((0xAD, " "), (0xFB02, "fl")))),
        ("normalizer", "ops"),
        [
            Change("normalizer.entries U+00AD", "", " "),
            Change("normalizer.entries U+FB01", "fi", None),
            Change("normalizer.entries U+FB02", None, "fl"),
        ],
    ),
    "entry with another id": (
        BPE,
        _moved(),
        ("model", "entries with another id"),
        [Change("a", 0, 1), Change("b", 1, 0)],
    ),
    "entry added": (
        BPE,
        _vocab(("", "", "a", "ab", "b", "c"), 3, 4, 0, 2, 1, 5),
        ("model", "entries added"),
        [Change("c", None, 5)],
    ),
    "entry removed": (
        _vocab(("", "", "a", "ab", "b", "c"), 3, 4, 0, 2, 1, 5),
        BPE,
        ("model", "entries removed"),
        [Change("c", 5, None)],
    ),
    "merge with another rank": (
        BPE,
        _merges((0, 1, 1), (2, 0, 0)),
        ("model", "merges with another rank"),
        [Change("'a' + 'b'", 0, 1), Change("'ab' + 'a'", 1, 0)],
    ),
    "merge removed": (BPE, _merges((0, 1, 0)), ("model", "merges removed"), [Change("'ab' + 'a'", 1, None)]),
    "parameter of the model": (
        BPE,
        replace(BPE, model=m.Bpe(BPE.model.vocab, _bpe().merges, byte_fallback=False, byte_level=False)),
        ("model", "parameters"),
        [Change("model.byte_level", True, False)],
    ),
    "another model": (BPE, UNIGRAM, ("model", "kind"), [Change("model", "Bpe", "Unigram")]),
    "score": (
        UNIGRAM,
        replace(UNIGRAM, model=m.Unigram(UNIGRAM.model.vocab, array("d", (0.0, -3.0)), 0, byte_fallback=False)),
        ("model", "entries with another score"),
        [Change("▁", -2.5, -3.0)],
    ),
    "added token dropped": (
        BPE,
        replace(BPE, added_tokens=BPE.added_tokens[:1]),
        ("added_tokens", "tokens removed"),
        [Change("é", 4, None)],
    ),
    "added token changed": (
        BPE,
        replace(BPE, added_tokens=(BPE.added_tokens[0], AddedToken(7, False, True, False, "é"))),
        ("added_tokens", "tokens changed"),
        [Change("é: id", 4, 7)],
    ),
    "added tokens in another order": (
        BPE,
        replace(BPE, added_tokens=BPE.added_tokens[::-1]),
        ("added_tokens", "tokens in another order"),
        [Change("added_tokens", None, None)],
    ),
    "eos": (BPE, _tail(eos_token="<e>"), ("eos", "eos_token"), [Change("eos_token", "</s>", "<e>")]),
    "flags": (BPE, _tail(flags=0), ("flags", "flags"), [Change("flags", 1, 0)]),
    "template": (
        BPE,
        _tail(chat_template="{{ x }}"),
        ("chat_template", "text"),
        [Change("chat_template", "{{ messages }}", "{{ x }}")],
    ),
    "post-processor": (
        BPE,
        _tail(post_processor=(SequenceA(),)),
        ("post_processor", "ops"),
        [Change("post_processor", [3, "text", 3, 3], ["text"])],
    ),
    "padding": (BPE, _tail(padding=b""), ("padding", "bytes"), [Change("padding", "00", "")]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_differs(name: str) -> None:
    old, new, key, expected = CASES[name]
    assert changes(old, new)[key] == expected


@pytest.mark.parametrize("name", [name for name in CASES if name != "another model"])
def test_nothing_else_is_said_to_differ(name: str) -> None:
    old, new, key, _ = CASES[name]
    assert set(changes(old, new)) == {key}


def test_long_sequences_are_compared_from_both_ends() -> None:
    records = tuple(n.Replace(str(number), "x") for number in range(1_200))
    old, new = (
        replace(BPE, normalizer=n.Sequence(records[:half] + middle + records[half:]))
        for half, middle in ((600, ()), (600, (n.Prepend("x"),)))
    )
    assert changes(old, new) == {
        ("normalizer", "ops"): [Change("normalizer.normalizers[600]", None, {"op": "PREPEND", "prepend": "x"})]
    }


def test_all_are_counted_and_the_first_given() -> None:
    (found,) = diff(BPE, _vocab(("", "", "a", "ab", "b", "x", "y"), 3, 4, 0, 2, 1, 5, 6), most=1)
    assert (found.kind, found.count, len(found.first)) == ("entries added", 2, 1)


def test_the_templates_as_a_unified_diff() -> None:
    assert template_diff("a\nb", "a\nc", ("x", "y")) == ["--- x", "+++ y", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]
    assert template_diff(None, "") == []


@settings(max_examples=100, deadline=None, derandomize=True)
@given(strategies.files)
def test_a_file_does_not_differ_from_itself(file: MtokFile) -> None:
    assert diff(file, MtokFile.decode(file.encode())) == ()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(strategies.files, strategies.files)
def test_files_without_differences_have_the_same_bytes(old: MtokFile, new: MtokFile) -> None:
    """But for the space at the end of the header's third line, and repeated records of which look-ups see one."""
    found = diff(old, new)
    json.dumps([each.as_dict() for each in found])
    assert all(each.count for each in found)
    if not found:
        assert replace(old, header=replace(old.header, trailing_space=False)) == replace(
            new, header=replace(new.header, trailing_space=False)
        )
