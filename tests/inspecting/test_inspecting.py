from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export import export
from mtok_export.engine.model import EngineModel
from mtok_export.errors import MtokError
from mtok_export.format import MtokFile, read
from mtok_export.format import decoder as d
from mtok_export.format import model as m
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.header import Header
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import Tail
from mtok_export.inspecting import SECTION_NAMES, Inspection, characters_per_token, lines, reachability
from mtok_export.inspecting.records import table_summary, tree
from mtok_export.inspecting.scripts import main_script, script_of
from mtok_export.inspecting.vocabulary import kind_of, vocabulary
from mtok_export.places import Opened
from mtok_export.texts import builtin_texts
from tests.engine.random_files import files as runnable_files
from tests.engine.random_files import texts
from tests.format import samples, strategies

ModelDir = Callable[[str], Path]


def opened(file: MtokFile) -> Opened:
    return Opened.of(file.encode(), "x.mtok")


# --- the whole --------------------------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None, derandomize=True)
@given(strategies.files)
def test_any_file_can_be_shown(file: MtokFile) -> None:
    value = Inspection(opened(file)).as_dict()
    assert json.loads(json.dumps(value))["bytes"] == len(file.encode())
    assert sum(section["bytes"] for section in value["sections"]) == value["bytes"]
    ends = [section["offset"] + section["bytes"] for section in value["sections"]]
    assert [0, *ends[:-1]] == [section["offset"] for section in value["sections"]]
    assert all(line.isprintable() for line in lines.file_lines(value))


def test_sections_can_be_asked_for_by_name() -> None:
    inspection = Inspection(opened(samples.BPE))
    present = [section["name"] for section in inspection.sections()]
    assert present == list(SECTION_NAMES)
    for name in present:
        assert inspection.section(name) == inspection.as_dict()[name]
        assert list(lines.section_lines(name, inspection.section(name)))
    with pytest.raises(MtokError, match=r"no section 'nope'.*header, normalizer"):
        inspection.section("nope")
    with pytest.raises(MtokError, match="no section 'padding'"):
        Inspection(opened(samples.WORD_PIECE)).section("padding")


def test_ids_stand_with_their_tokens() -> None:
    header = Inspection(opened(samples.BPE)).section("header")
    assert header["special_ids"] == [{"id": 3, "token": "<s>", "shown": ""}]
    assert header["stop_ids"][1] == {"id": 4, "token": "é", "shown": ""}
    unknown = replace(samples.BPE, header=Header((), (99,)))
    assert Inspection(opened(unknown)).section("header")["stop_ids"] == [{"id": 99, "token": None, "shown": ""}]


def test_the_post_processor_is_readable() -> None:
    steps = Inspection(opened(samples.BPE)).section("post_processor")
    assert [step if step == "text" else step["id"] for step in steps] == [3, "text", 3, 3]


# --- trees ------------------------------------------------------------------------------------------------------------


def test_ops_have_names_parameters_and_sizes() -> None:
    root = tree(opened(samples.BPE).places, "pre_tokenizer")
    assert (root.name, root.op, root.parameters) == ("SEQUENCE", 6, {})
    split, byte_level = root.children
    assert split.parameters == {"pattern": r"\s+", "invert": False, "behavior": "ISOLATED"}
    assert (byte_level.name, byte_level.parameters) == ("BYTE_LEVEL", {"use_regex": False})
    assert root.bytes == 5 + split.bytes + byte_level.bytes


def test_long_runs_of_one_op_are_cut_and_what_follows_is_shown() -> None:
    replacements = tuple(n.Replace(str(number), "x") for number in range(100))
    file = replace(samples.BPE, normalizer=n.Sequence((*replacements, n.Table(()), n.Prepend("x"))))
    root = tree(opened(file).places, "normalizer")
    assert [(child.name, child.more) for child in root.children] == [
        ("REPLACE", 0),
        ("REPLACE", 0),
        ("REPLACE", 97),
        ("TABLE", 0),
        ("PREPEND", 0),
    ]
    text = list(lines.section_lines("normalizer", root.as_dict()))
    assert "    ... and 97 more REPLACE" in text


def test_tables_say_what_they_look_like() -> None:
    forms = table_summary(((0xC0, "A\u0300"), (0xC5, "A\u030a")))
    assert (forms["entries"], forms["looks_like"], forms["kinds"]["NFD"]) == (2, "NFD", 2)
    mixed = table_summary(((0x41, "a"), (0xAD, ""), (0xA0, " "), (0x2F, "x")))
    assert mixed["looks_like"] == "no single form"
    assert (mixed["kinds"]["deleted"], mixed["kinds"]["to a space"], mixed["kinds"]["lower case"]) == (1, 1, 1)
    assert table_summary(())["looks_like"] == "empty"
    assert table_summary(((0xAD, ""),))["first"] == [{"code_point": "U+00AD", "to": ""}]


# --- vocabulary -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        ("<0x0A>", "byte pieces"),
        (" the", "Latin"),
        ("Привет", "Cyrillic"),
        ("aж", "mixed scripts"),
        ("12", "digits"),
        (" \n", "white space"),
        ("!?", "punctuation and symbols"),
        ("\udce2\udc80", "parts of characters"),
    ],
)
def test_entries_are_sorted_by_what_they_are_made_of(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_counts_of_the_vocabulary() -> None:
    words = m.Vocab(("", "", "<0x41>", "a", "a", "Ġb"), array("I", (4, 9, 3, 0, 1, 0)))
    model = m.Bpe(words, m.Merges(array("I"), array("I"), array("I")), byte_fallback=False, byte_level=True)
    counts = vocabulary(replace(samples.BPE, model=model))
    expected: dict[str, Any] = {
        "entries": 6,
        "highest_id": 9,
        "ids_without_entry": 2,
        "ids_beyond": 1,
        "empty_entries": 2,
        "ids_with_several_entries": 1,
        "strings_with_several_entries": 1,
        "byte_pieces": 1,
        "byte_level": True,
    }
    assert {key: counts[key] for key in expected} == expected
    assert counts["kinds"] == {"Latin": 3, "empty": 2, "byte pieces": 1}
    assert counts["characters"]["longest"] == 6


def test_figures_of_the_model() -> None:
    bpe = Inspection(opened(samples.BPE)).section("model")
    assert (bpe["kind"], bpe["merges"], bpe["highest_rank"], bpe["ranks_left_out"]) == ("BPE", 2, 1, 0)
    word_piece = Inspection(opened(samples.WORD_PIECE)).section("model")
    assert (word_piece["kind"], word_piece["continuing_entries"], word_piece["max_chars"]) == ("WordPiece", 1, 100)
    unigram = Inspection(opened(samples.UNIGRAM)).section("model")
    assert (unigram["lowest_score"], unigram["entries_with_score_0"]) == (-2.5, 1)


# --- scripts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("char", "script"),
    [("a", "Latin"), ("ß", "Latin"), ("ж", "Cyrillic"), ("中", "Han"), ("あ", "Hiragana"), ("ア", "Katakana"),
     ("한", "Hangul"), ("ع", "Arabic"), ("א", "Hebrew"), ("अ", "Devanagari"), ("ก", "Thai"), ("አ", "Ethiopic"),
     ("\U0001e900", "Adlam"), ("1", None), ("٣", None), ("!", None), (" ", None), ("😀", None), ("×", None)],
)  # fmt: skip
def test_scripts_of_characters(char: str, script: str | None) -> None:
    assert script_of(char) == script or (char == "٣" and script_of(char) in (None, "Arabic"))


def test_the_script_of_a_text_is_that_of_most_letters() -> None:
    assert main_script("abc ж!") == "Latin"
    assert main_script("12 !") is None


def test_characters_per_token_by_script() -> None:
    words = m.Vocab(("a", "ab", "b", "ж"), array("I", range(4)))
    merges = m.Merges(array("I", (0,)), array("I", (2,)), array("I", (0,)))
    file = replace(
        samples.BPE,
        header=Header((), (), (3,)),
        normalizer=n.NoNormalizer(),
        pre_tokenizer=p.NoPreTokenizer(),
        model=m.Bpe(words, merges, byte_fallback=False, byte_level=False),
        added_tokens=(),
    )
    figures = characters_per_token(["abab", "ab", "ж", "1"], EngineModel(file), file.header.prefix_ids)
    assert [line.as_dict() for line in figures] == [
        {"script": "Latin", "texts": 2, "characters": 6, "tokens": 3, "characters_per_token": 2.0},
        {"script": "Cyrillic", "texts": 1, "characters": 1, "tokens": 1, "characters_per_token": 1.0},
        {"script": "none", "texts": 1, "characters": 1, "tokens": 0, "characters_per_token": None},
    ]


# --- reachability -----------------------------------------------------------------------------------------------------


def unreachable(file: MtokFile) -> dict[str, set[str]]:
    return {group.reason: {entry for _, entry in group.entries} for group in reachability(file).unreachable}


def plain(model: m.Model, **changes: Any) -> MtokFile:
    bare = MtokFile(Header(), n.NoNormalizer(), p.NoPreTokenizer(), model, d.Fuse(), (), Tail())
    return replace(bare, **changes)


def bpe(tokens: tuple[str, ...], *merges: tuple[str, str], byte_level: bool = False) -> m.Bpe:
    ids = {token: number for number, token in enumerate(tokens)}
    rows = sorted((ids[left], ids[right], rank) for rank, (left, right) in enumerate(merges))
    columns = (array("I", [row[part] for row in rows]) for part in range(3))
    ordered = tuple(sorted(tokens))
    words = m.Vocab(ordered, array("I", map(ids.__getitem__, ordered)))
    return m.Bpe(words, m.Merges(*columns), byte_fallback=False, byte_level=byte_level)


def test_bpe_entries_that_no_merge_leads_to() -> None:
    model = bpe(("a", "b", "c", "ab", "abc", "bc"), ("a", "b"), ("b", "c"))
    assert unreachable(plain(model)) == {"the merges do not lead to it": {"abc"}}


def test_byte_pieces_of_characters_that_have_an_entry() -> None:
    model = bpe(("A", "<0x41>", "<0x42>", "<0xC3>", "<0xFF>"))
    assert unreachable(plain(model)) == {
        "its character has an entry of its own": {"<0x41>"},
        "no text holds these bytes": {"<0xFF>"},
    }


def test_bytes_that_no_text_holds() -> None:
    alphabet = ("À", "Ã", "©", "Ã©", "©Ã", "ÃÃ")
    model = bpe(alphabet, ("Ã", "©"), ("©", "Ã"), ("Ã", "Ã"), byte_level=True)
    assert unreachable(plain(model, decoder=d.ByteLevel())) == {"no text holds these bytes": {"À", "ÃÃ"}}


def test_characters_that_the_normalizer_never_leaves() -> None:
    model = bpe(("a", "A", "b", "x", "\u2581"))
    normalizer = n.Sequence((n.Replace("b", "x"), n.Bert(False, False, False, True), n.Prepend("\u2581")))
    reasons = {"the normalizer leaves none of one of its characters": {"A", "b"}}
    assert unreachable(plain(model, normalizer=normalizer)) == reasons


def test_word_pieces_that_no_word_can_be() -> None:
    words = m.Vocab(("##abcd", "##b", "[UNK]", "a b", "a!", "abc", "x"), array("I", range(7)))
    file = plain(m.WordPiece(words, "[UNK]", "##", 4), pre_tokenizer=p.Bert())
    assert unreachable(file) == {
        "it is longer than the longest word": {"##abcd"},
        "the pre-tokenizer cuts inside it": {"a b", "a!"},
    }


def test_pieces_that_others_always_beat() -> None:
    words = m.Vocab(("<unk>", "a", "ab", "b", "ba"), array("I", range(5)))
    file = plain(m.Unigram(words, array("d", (0.0, -1.0, -5.0, -1.0, -1.5)), 0, byte_fallback=False))
    assert unreachable(file) == {"other pieces with the same text always win": {"ab"}}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(file=runnable_files(), some=st.lists(texts, min_size=20, max_size=60))
def test_no_text_gives_an_entry_that_is_called_unreachable(file: MtokFile, some: list[str]) -> None:
    """An id counts where none of its entries can be reached, and no token or prefix gives it."""
    result = reachability(file)
    out = {id_ for group in result.unreachable for id_, _ in group.entries}
    reached = {
        id_
        for entry, id_ in zip(file.model.vocab.tokens, file.model.vocab.ids, strict=True)
        if not any((id_, entry) in group.entries for group in result.unreachable)
    }
    given_otherwise = {*file.header.prefix_ids, *(token.id for token in file.added_tokens)}
    ids = {id_ for found in EngineModel(file).encode_many(some) for id_ in found}
    assert ids & (out - reached - given_otherwise) == set()


@pytest.mark.parametrize("name", ["gpt2", "qwen2", "llama2", "unigram", "wordpiece-uncased"])
def test_the_built_in_texts_give_no_unreachable_entry(name: str, model_dir: ModelDir, tmp_path: Path) -> None:
    export(model_dir(name), tmp_path / "x.mtok")
    file = read(tmp_path / "x.mtok")
    result = reachability(file)
    out = {id_ for group in result.unreachable for id_, _ in group.entries}
    ids = {id_ for found in EngineModel(file).encode_many(builtin_texts()) for id_ in found}
    assert ids & out == set()


def test_split_patterns_do_not_count() -> None:
    model = bpe(("a", "b", "ab"), ("a", "b"))
    file = plain(model, pre_tokenizer=p.Split("a", False, SplitBehavior.ISOLATED))
    assert unreachable(file) == {}
