from __future__ import annotations

import random
from pathlib import Path

import pytest

from mtok_export.errors import EngineError
from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex import SplitStep, oniguruma, translate, translate_split
from mtok_export.lowering.regex.charset import ALL_CHARS, NO_CHARS, CharSet
from mtok_export.lowering.regex.matcher import find_all, split
from mtok_export.lowering.regex.oniguruma import char_set
from mtok_export.lowering.regex.reading import goes_wide
from mtok_export.lowering.regex.wide import MAX_LENGTH, is_modelled, reads_alike, write_class
from mtok_export.lowering.regex.wregex_syntax import fault, loops
from mtok_export.source.pipeline import SplitBehavior
from tests.lowering.regex.judge import Native, engine_pieces
from tests.lowering.regex.patterns import CHARACTERS, REAL, random_texts

STACK_KIB = 512
LONG = 100_000

SETS = {
    "digits": char_set(r"\p{Nd}"),
    "words": char_set(r"\w"),
    "no words": ~char_set(r"\w"),
    "everything": ALL_CHARS,
    "nothing": NO_CHARS,
    "one": CharSet.of_text("。"),
    "metacharacters": CharSet.of_text("\\]^[-.é\n\t"),
    "ranges": CharSet.of_text("abcdefxyz0123é") | CharSet.of([(0x20, 0x2F)]),
}


@pytest.mark.parametrize("name", SETS)
def test_a_class_holds_its_characters_and_no_others(name: str) -> None:
    found = {CHARACTERS[start] for start, _ in find_all(CHARACTERS, f"(?!\U0010ffff){write_class(SETS[name])}")}
    assert found == {char for char in CHARACTERS if ord(char) in SETS[name]}


@pytest.mark.engine
@pytest.mark.parametrize("name", SETS)
def test_the_engine_reads_classes_alike(name: str, native: Native, tmp_path: Path) -> None:
    step = SplitStep(f"(?!\U0010ffff){write_class(SETS[name])}", invert=True, behavior=EngineBehavior.REMOVED)
    assert engine_pieces(native, tmp_path, [step], [CHARACTERS]) == [split(CHARACTERS, [step])]


@pytest.mark.parametrize(
    "pattern",
    ["é", "[一-龥]", "(?:é|ab){1,3}", "(é)", r"é\.\-", "é(?=a)(?!b)", "é?"],
)
def test_what_both_libraries_read_alike(pattern: str) -> None:
    assert reads_alike(pattern)
    assert fault(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "e",
        "é+",
        "é*?",
        "é??",
        "é?+",
        r"é\d",
        "é.",
        "^é",
        "é$",
        "(?i:é)",
        "(?>é)",
        "[é[a]]",
        "[é&&a]",
        "[é-]",
        r"é\p{L}",
    ],
)
def test_what_they_do_not(pattern: str) -> None:
    assert not reads_alike(pattern)


PARTS = (
    *("a", "b", "中", "é", "1", " ", "-", "^", "$", ".", "|", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?i:", "[", "]"),
    *("[^", "&&", "*", "+", "?", "{", "}", "{2}", "{1,3}", "{,2}", "{2,}", "{3,1}", ",", r"\d", r"\h", r"\x41", r"\x"),
    *(r"\u00e9", r"\u00", r"\0", r"\1", r"\b", r"\B", r"\]", r"\-", r"\q", r"\c"),
)


@pytest.mark.engine
def test_what_is_readable_does_not_kill_the_engine(native: Native, tmp_path: Path) -> None:
    choice = random.Random(1)
    read, died = 0, 0
    while read < 20 or died < 5:
        pattern = "中" + "".join(choice.choices(PARTS, k=choice.randint(1, 6)))
        step = SplitStep(pattern, invert=False, behavior=EngineBehavior.ISOLATED)
        if not goes_wide(pattern):
            continue
        if fault(pattern) is None and read < 20:
            engine_pieces(native, tmp_path, [step], ["ab中é1"])
            read += 1
        elif fault(pattern) is not None and died < 5:
            with pytest.raises(EngineError):
                engine_pieces(native, tmp_path, [step], ["ab中é1"])
            died += 1


def test_which_patterns_loop() -> None:
    assert loops("é+")
    assert loops("é{2,}")
    assert not loops("é{2,3}?")


@pytest.mark.engine
@pytest.mark.parametrize(
    "name",
    ["deepseek, Chinese and Japanese", "bloom", "two scripts", "digits", "camel case of any script", "o200k", "kimi"],
)
def test_long_texts_on_a_small_stack(name: str, native: Native, tmp_path: Path) -> None:
    translation = translate(REAL[name], faithful=True)
    assert translation.wregex
    texts = ["一" * LONG, "a" * LONG, "1" * LONG, "aA一 " * (LONG // 4)]
    found = engine_pieces(native, tmp_path, translation.steps, ["".join(dict.fromkeys(text)) * 8 for text in texts])
    assert all(found)
    found = engine_pieces(native, tmp_path, [*translation.steps, *ONE_BY_ONE], texts, stack_kib=STACK_KIB)
    assert [len(pieces) for pieces in found] == [len(text) for text in texts]


ONE_BY_ONE = (SplitStep(r"[\s\S]", invert=False, behavior=EngineBehavior.ISOLATED),)
"""Added at the end, so that the model of the tests need not look for long pieces."""


@pytest.mark.engine
def test_the_longest_literal_on_a_small_stack(native: Native, tmp_path: Path) -> None:
    literal = "、" * MAX_LENGTH
    translation = translate_split(literal, "Isolated", False, literal=True)
    assert translation.exact
    texts = ["、" * LONG]
    assert engine_pieces(native, tmp_path, [*translation.steps, *ONE_BY_ONE], texts, stack_kib=STACK_KIB) == [
        tuple(texts[0])
    ]


@pytest.mark.parametrize(
    "pattern", ["[一-龥]", "[一-龥]+", " ?[一-龥]+", r"\p{Han}|é", r"[\p{Lu}]", "(?i:é)", r"\p{Han}+|\p{Hangul}+"]
)
@pytest.mark.parametrize("behavior", ["Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"])
@pytest.mark.parametrize("invert", [False, True])
def test_sets_beyond_ascii_are_exact(pattern: str, behavior: SplitBehavior, invert: bool) -> None:
    translation = translate_split(pattern, behavior, invert)
    for text in random_texts(random.Random(3), 200):
        if not any(limit.covers(text) for limit in translation.limits):
            assert split(text, translation.steps) == oniguruma.split(text, pattern, behavior, invert), (
                text,
                translation,
            )


@pytest.mark.parametrize("behavior", ["Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"])
@pytest.mark.parametrize("pattern", ["[一-龥]", "[一-龥]+", "é"])
def test_one_set_is_exact_with_every_behavior(pattern: str, behavior: SplitBehavior) -> None:
    assert translate_split(pattern, behavior, False).exact
    assert translate_split(pattern, behavior, True).exact


@pytest.mark.parametrize("name", REAL)
def test_what_is_written_here_is_modelled(name: str) -> None:
    for step in translate(REAL[name], faithful=True).steps:
        assert not goes_wide(step.pattern) or is_modelled(step.pattern)
