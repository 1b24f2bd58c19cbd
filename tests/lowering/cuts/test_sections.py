"""What becomes of the sections of a file: where cuts go, what they read as, and where there are none."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from mtok_export.engine.model.folding import Patterns
from mtok_export.format import model, normalizer, pre_tokenizer
from mtok_export.lowering.cuts import Front, cut_apart, joints, replaced_characters
from mtok_export.lowering.cuts.folded import relation_of
from mtok_export.lowering.cuts.joints import Joints, joints_of
from mtok_export.lowering.cuts.pattern import coarse, cutting_split
from mtok_export.lowering.cuts.word_list import word_list
from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.regex.fold import EVERYTHING, fold
from mtok_export.lowering.regex.program import write_program
from mtok_export.lowering.regex.reading import read
from mtok_export.packed_tokens import PackedTokens
from mtok_export.source.pipeline import (
    Lowercase,
    Normalizer,
    NormalizerSequence,
    Prepend,
    RegexPattern,
    ReplaceNormalizer,
    StringPattern,
)
from tests.lowering.cuts import random_models as made

META = made.META
NOTHING = pre_tokenizer.NoPreTokenizer()
ENTRIES = [(token, id_) for id_, token in enumerate(("a", "b", META, "ab", f"{META}a", "<unk>", *made.ALL_BYTES))]
MERGES = [("a", "b"), (META, "a")]
SMALL = made.bpe(ENTRIES, MERGES)


def sections(
    before: normalizer.Normalizer, splitting: pre_tokenizer.PreTokenizer, bpe: model.Model = SMALL
) -> tuple[normalizer.Normalizer, tuple[pre_tokenizer.PreTokenizer, ...]]:
    """The normalizer and the pre-tokenizers of a file with cuts."""
    front = cut_apart(Front(before, splitting, bpe, ()), Place("$.model", "cuts", Findings()))
    records = front.pre_tokenizer
    return front.normalizer, records.pre_tokenizers if isinstance(records, pre_tokenizer.Sequence) else (records,)


def kinds(records: tuple[pre_tokenizer.PreTokenizer, ...]) -> list[str]:
    return [type(record).__name__ for record in records]


def test_spaces_are_replaced_behind_the_cuts() -> None:
    before, records = sections(made.NORMALIZERS["as in Llama 2"], NOTHING)
    assert before == normalizer.Prepend(" ")
    assert kinds(records) == ["Split", "Metaspace"]
    assert records[-1] == pre_tokenizer.Metaspace(META, add_prefix_space=False)


def test_what_is_prepended_behind_the_replacement_stays() -> None:
    before, _ = sections(made.NORMALIZERS["prepended behind"], NOTHING)
    assert before == normalizer.Prepend(" ")
    before, _ = sections(normalizer.Sequence((normalizer.Replace(" ", META), normalizer.Prepend("b"))), NOTHING)
    assert before == normalizer.Prepend("b")


def test_a_metaspace_puts_its_space_in_front_before_the_cuts() -> None:
    before, records = sections(normalizer.NoNormalizer(), pre_tokenizer.Metaspace(META, add_prefix_space=True))
    assert before == normalizer.NoNormalizer()
    assert records[0] == pre_tokenizer.Metaspace(" ", add_prefix_space=True)
    assert kinds(records) == ["Metaspace", "Split", "Metaspace"]


@pytest.mark.parametrize(
    "splitting",
    [
        pre_tokenizer.ByteLevel(use_regex=True),
        pre_tokenizer.Bert(),
        pre_tokenizer.Metaspace("", add_prefix_space=False),
        pre_tokenizer.Metaspace("__", add_prefix_space=False),
    ],
)
def test_other_pre_tokenizers_stay_alone(splitting: pre_tokenizer.PreTokenizer) -> None:
    assert sections(normalizer.NoNormalizer(), splitting) == (normalizer.NoNormalizer(), (splitting,))


def test_other_models_stay_alone() -> None:
    replaced = made.NORMALIZERS["spaces replaced"]
    word_piece = model.WordPiece(SMALL.vocab, "<unk>", "##", 100)
    assert sections(replaced, NOTHING, word_piece) == (replaced, (NOTHING,))
    assert sections(replaced, NOTHING, replace(SMALL, byte_level=True)) == (replaced, (NOTHING,))


def test_a_merge_of_an_id_with_two_strings_leaves_everything_as_it_is() -> None:
    replaced = made.NORMALIZERS["spaces replaced"]
    aliased = made.bpe([*ENTRIES, ("z", 0)], MERGES)
    assert sections(replaced, NOTHING, aliased) == (replaced, (NOTHING,))
    unmerged = made.bpe([*ENTRIES, ("z", 5)], MERGES)  # an alias of the unknown token
    assert sections(replaced, NOTHING, unmerged) != (replaced, (NOTHING,))


def test_joints() -> None:
    assert joints_of(SMALL) == Joints(frozenset({("a", "b"), (META, "a")}), None)
    few = made.bpe(ENTRIES[:7], MERGES)
    assert joints_of(few) == Joints(frozenset({("a", "b"), (META, "a")}), frozenset({"a", "b", META}))
    of_bytes = made.bpe([*ENTRIES, ("<0x41>b", len(ENTRIES))], [*MERGES, ("<0x41>", "b")])
    joints = joints_of(of_bytes)
    assert joints is not None
    assert joints.known == frozenset({"a", "b", META})


@pytest.mark.parametrize("seed", range(5))
def test_many_merges_have_the_same_joints(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bpe = made.random_model(random.Random(seed))
    expected = joints_of(bpe)
    assert expected is not None
    monkeypatch.setattr(joints, "MANY", 1)
    packed = PackedTokens.of(bpe.vocab.tokens, len(bpe.vocab))
    assert packed is not None
    assert joints_of(replace(bpe, vocab=replace(bpe.vocab, tokens=packed))) == expected
    monkeypatch.setattr(joints, "_pairs_by_numpy", lambda *_: frozenset())
    assert joints_of(replace(bpe, vocab=replace(bpe.vocab, tokens=packed))) == replace(expected, pairs=frozenset())


def test_a_relation_in_the_classes_of_the_engine() -> None:
    joints = Joints(frozenset({("a", "b"), (META, "a"), ("é", "ж"), ("中", META)}), None)
    rows = relation_of(joints, META)
    letter, space, meta = 1, ord(" "), 7

    def followers(symbol: int) -> set[int]:
        return {other for other in range(128) if rows[symbol] >> other & 1}

    assert followers(ord("a")) == {ord("b")}
    assert followers(space) == followers(meta) == {ord("a")}
    assert followers(letter) == {letter, space, meta}
    assert followers(ord("b")) == set()


def test_nothing_is_cut_beside_what_may_vanish() -> None:
    rows = relation_of(Joints(frozenset({("a", "b")}), frozenset("ab ")), None)
    assert rows[ord("z")] == EVERYTHING
    assert rows[ord("a")] >> ord("z") & 1
    assert not rows[ord("b")] >> ord("a") & 1


def cut_by(pattern: str, text: str) -> list[str]:
    """The pieces of a text, by the Python model of the engine."""
    spans = list(Patterns(falls_back=True).find_all(text, pattern))
    assert "".join(text[start:end] for start, end in spans) == text
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize("seed", range(20))
def test_a_pattern_cuts_where_its_relation_says(seed: int) -> None:
    rng = random.Random(seed)
    joints = joints_of(made.random_model(rng))
    assert joints is not None
    rows = coarse(relation_of(joints, None))
    split = cutting_split(rows)
    reading = read(split.pattern)
    assert not reading.dropped and not reading.ignored

    def joined(left: str, right: str) -> bool:
        return bool(rows[fold(left)[0]] >> fold(right)[0] & 1)

    for text in made.random_texts(rng, made.random_model(rng), 50):
        pieces = cut_by(split.pattern, text)
        assert not any(joined(left[-1], right[0]) for left, right in pairwise(pieces))
        assert all(joined(*pair) for piece in pieces for pair in pairwise(piece))


def test_letters_are_not_told_apart_nor_are_digits() -> None:
    rows = coarse(relation_of(Joints(frozenset({("a", "."), ("x", "Y"), ("1", "2")}), None), None))
    assert rows[ord("Q")] == rows[ord("a")]
    assert rows[ord("Q")] >> ord("b") & 1 and rows[ord("Q")] >> ord(".") & 1
    assert rows[ord("7")] >> ord("8") & 1
    assert coarse(relation_of(Joints(frozenset({("1", ".")}), None), None))[ord("1")] == 1 << ord(".")


def test_where_everything_may_be_joined_nothing_is_cut() -> None:
    few = made.bpe([("a", 0), ("b", 1), ("ab", 2)], [("a", "b")])  # all other letters vanish
    joints = joints_of(few)
    assert joints is not None
    assert coarse(relation_of(joints, None)) == (EVERYTHING,) * 128
    assert sections(made.NORMALIZERS["spaces replaced"], NOTHING, few)[1] == (NOTHING,)


@pytest.mark.parametrize("seed", range(10))
def test_a_list_of_words_matches_its_words_and_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    words = {"".join(rng.choices("ab.[", k=rng.randint(1, 6))) + rng.choice("<>") for _ in range(60)}
    pattern = Patterns(falls_back=True).compile(write_program(word_list(sorted(words))))
    texts = words | {"".join(rng.choices("ab.[<>", k=rng.randint(1, 8))) for _ in range(2_000)}
    for text in texts:
        found = next((word for word in words if text.startswith(word)), None)
        assert pattern(text.encode(), 0) == (len(found) if found else -1)


def replaced(pattern: str, content: str) -> ReplaceNormalizer:
    return ReplaceNormalizer(StringPattern(pattern), content)


@pytest.mark.parametrize(
    ("steps", "gone"),
    [
        (None, ""),
        (replaced(" ", META), " "),
        (replaced(" ", " a"), ""),
        (replaced("  ", " "), ""),
        (NormalizerSequence((replaced(" ", META), Prepend(META))), " "),
        (NormalizerSequence((replaced(" ", META), Prepend(" "))), ""),
        (NormalizerSequence((replaced(" ", META), replaced("x", " "))), "x"),
        (NormalizerSequence((replaced("x", " "), replaced(" ", META))), " x"),
        (NormalizerSequence((replaced(" ", META), Lowercase())), ""),
        (ReplaceNormalizer(RegexPattern(" "), META), ""),
    ],
)
def test_characters_that_the_normalizer_leaves_nowhere(steps: Normalizer | None, gone: str) -> None:
    assert replaced_characters(steps) == gone
