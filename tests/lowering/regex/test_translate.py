from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex import (
    GPT2_PATTERN,
    RegexSyntaxError,
    SplitStep,
    Translation,
    escape_literal,
    oniguruma,
    translate,
    translate_split,
)
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.limits import residue
from mtok_export.lowering.regex.matcher import split
from mtok_export.report import Fidelity
from mtok_export.source.pipeline import SplitBehavior
from tests.lowering.regex.judge import Native, engine_pieces
from tests.lowering.regex.patterns import BEHAVIORS, CHARACTERS, REAL, random_pattern, random_texts, structural_pattern

LETTERS_AND_NUMBERS = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"


def behavior_named(name: str) -> SplitBehavior:
    assert name in get_args(SplitBehavior)
    return name  # type: ignore[return-value]


def uncovered(translation: Translation, texts: list[str]) -> list[str]:
    return [text for text in texts if not any(limit.covers(text) for limit in translation.limits)]


def assert_faithful(pattern: str, name: str, invert: bool, texts: list[str], *, faithful: bool = True) -> Translation:
    """Texts that no limit covers are split as ``tokenizers`` splits them; each example does show a difference."""
    behavior = behavior_named(name)
    translation = translate_split(pattern, behavior, invert, faithful=faithful)
    if translation.refused:
        return translation
    for text in uncovered(translation, texts):
        expected = oniguruma.split(text, pattern, behavior, invert)
        assert split(text, translation.steps) == expected, (pattern, name, invert, text, translation.steps)
    for limit in translation.limits:
        if limit.example is not None:
            expected = oniguruma.split(limit.example, pattern, behavior, invert)
            assert split(limit.example, translation.steps) != expected, (pattern, limit)
    return translation


# --- patterns of real tokenizers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "plain"])
@pytest.mark.parametrize("name", REAL)
def test_real_patterns(name: str, faithful: bool) -> None:
    texts = random_texts(random.Random(1), 150)
    for behavior in BEHAVIORS if len(REAL[name]) < 60 else ("Isolated", "Removed"):
        for invert in (False, True):
            assert_faithful(REAL[name], behavior, invert, texts, faithful=faithful)


@pytest.mark.engine
@pytest.mark.parametrize("name", REAL)
def test_real_patterns_on_the_engine(name: str, native: Native, tmp_path: Path) -> None:
    pattern, texts = REAL[name], random_texts(random.Random(2), 400)
    translation = translate(pattern, faithful=True)
    assert not translation.refused
    kept = uncovered(translation, texts)
    found = engine_pieces(native, tmp_path, translation.steps, texts)
    assert found == [split(text, translation.steps) for text in texts]
    expected = {text: oniguruma.split(text, pattern, "Isolated", False) for text in kept}
    assert {text: pieces for text, pieces in zip(texts, found, strict=True) if text in expected} == expected


@pytest.mark.parametrize(
    "name", ["gpt2", "llama3", "qwen2", "deepseek, the rest", "deepseek, numbers", "falcon", "bert"]
)
def test_what_is_right_stays_as_it_is(name: str) -> None:
    translation = translate(REAL[name], faithful=True)
    assert translation.pattern == REAL[name]
    assert not translation.changed
    assert translation == translate(REAL[name], faithful=False)


@pytest.mark.parametrize("name", ["falcon", "camel case", "bloom", "deepseek, Chinese and Japanese", "two scripts"])
def test_some_are_exact(name: str) -> None:
    assert translate(REAL[name], faithful=True).exact


@pytest.mark.parametrize("name", ["gpt2", "llama3", "qwen2", "cl100k", "deepseek, the rest", "deepseek, numbers"])
def test_byte_level_patterns_are_exact_but_for_rare_characters(name: str) -> None:
    case_variants = CharSet.of_text("\u017f\u212a")
    for limit in translate(REAL[name], faithful=True).limits:
        assert limit.characters is not None
        assert limit.characters <= residue() | case_variants
        assert limit.example is not None


def test_only_what_is_misread_is_rewritten() -> None:
    assert translate(REAL["cl100k"], faithful=True).pattern == REAL["cl100k"].replace("?+", "?").replace("++", "+")


def test_case_stays_exact_within_ascii() -> None:
    steps = translate_split(REAL["o200k"], "Isolated", False, thorough=False).steps
    assert [step.pattern.count(r"[\x01\x05A-Z]") for step in steps] == [2]


def test_taking_more_steps_brings_scripts_nearer() -> None:
    choice = random.Random(4)
    texts = ["".join(choice.choices("aAbé É中国文字Яя's .-!\n1", k=choice.randint(1, 10))) for _ in range(1_000)]
    expected = [oniguruma.split(text, REAL["kimi"], "Isolated", False) for text in texts]
    near, nearer = (translate_split(REAL["kimi"], "Isolated", False, thorough=each).steps for each in (False, True))
    wrong = sum(split(text, near) != pieces for text, pieces in zip(texts, expected, strict=True))
    still_wrong = sum(split(text, nearer) != pieces for text, pieces in zip(texts, expected, strict=True))
    assert still_wrong < wrong / 2


# --- random patterns --------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from(BEHAVIORS), st.booleans(), st.booleans())
@settings(derandomize=True, max_examples=200, deadline=None)
def test_no_silent_difference(seed: int, behavior: str, invert: bool, faithful: bool) -> None:
    choice = random.Random(seed)
    pattern = random_pattern(choice)
    if oniguruma.syntax_error(pattern) is None:
        assert_faithful(pattern, behavior, invert, random_texts(choice, 25), faithful=faithful)


SHORT_TEXTS = tuple("".join(chars) for size in range(1, 6) for chars in product("abc", repeat=size))


@given(st.integers(0, 2**32), st.sampled_from(BEHAVIORS), st.booleans())
@settings(derandomize=True, max_examples=100, deadline=None)
def test_groups_counts_and_assertions(seed: int, name: str, invert: bool) -> None:
    """On every short text of three letters: what is called exact is exact."""
    pattern, behavior = structural_pattern(random.Random(seed)), behavior_named(name)
    if oniguruma.syntax_error(pattern) is None:
        translation = translate_split(pattern, behavior, invert)
        for text in SHORT_TEXTS if translation.exact else ():
            expected = oniguruma.split(text, pattern, behavior, invert)
            assert split(text, translation.steps) == expected, (pattern, name, invert, text, translation.steps)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:aaa|(?:bc)*+)((?>ab)|[ab]|c?)|(?!(?!aa))",  # the choice that stands first may be empty and is never undone
        "(?:a|ab)(?:c|bcd)?d?",
        "(?:a?b?)*?c|a",
        "(?>a*)a|(?>a?)b",
        "(?:a|(?!b)|c)a*",
        "(?:(?:ab|a)+b)?c",
    ],
)
def test_choices_that_were_once_wrong_or_nearly(pattern: str) -> None:
    for behavior in BEHAVIORS:
        translation = assert_faithful(pattern, behavior, False, list(SHORT_TEXTS))
        assert not translation.refused or behavior == "Removed"


def test_few_patterns_are_refused() -> None:
    choice = random.Random(7)
    kinds: Counter[str] = Counter()
    for pattern in (random_pattern(choice) for _ in range(120)):
        if oniguruma.syntax_error(pattern) is None:
            translation = translate(pattern, faithful=True)
            kinds["refused" if translation.refused else "exact" if translation.exact else "limited"] += 1
    assert kinds["refused"] < 0.1 * kinds.total()
    assert kinds["exact"] > 0.3 * kinds.total()


@pytest.mark.engine
def test_random_patterns_on_the_engine(native: Native, tmp_path: Path) -> None:
    choice = random.Random(8)
    compared = 0
    while compared < 20:
        pattern, behavior, invert = (
            random_pattern(choice),
            behavior_named(choice.choice(BEHAVIORS)),
            choice.random() < 0.3,
        )
        if oniguruma.syntax_error(pattern) is not None:
            continue
        translation = translate_split(pattern, behavior, invert)
        texts = uncovered(translation, random_texts(choice, 40))
        if translation.refused or not texts:
            continue
        expected = [oniguruma.split(text, pattern, behavior, invert) for text in texts]
        assert engine_pieces(native, tmp_path, translation.steps, texts) == expected, (pattern, behavior, invert)
        compared += 1


# --- literals ---------------------------------------------------------------------------------------------------------


@given(st.text(CHARACTERS + "\\^$.|?*+()[]{}/", max_size=3), st.sampled_from(BEHAVIORS), st.booleans(), st.booleans())
@settings(derandomize=True, max_examples=200, deadline=None)
def test_literals(text: str, name: str, invert: bool, faithful: bool) -> None:
    behavior = behavior_named(name)
    translation = translate_split(text, behavior, invert, literal=True, faithful=faithful)
    choice = random.Random(text)
    texts = ["".join(choice.choice([text, *choice.choices(CHARACTERS, k=2)]) for _ in range(6)) for _ in range(15)]
    for each in uncovered(translation, texts):
        expected = oniguruma.split(each, text, behavior, invert, literal=True)
        assert split(each, translation.steps) == expected, (each, translation.steps)


def test_metacharacters_alone_are_escaped() -> None:
    assert escape_literal("a b/c-d") == "a b/c-d"
    assert escape_literal("{x}.|") == r"\{x\}\.\|"
    assert translate_split("a.b", "Removed", False, literal=True, faithful=False).steps == (
        SplitStep(r"a\.b", invert=False, behavior=EngineBehavior.REMOVED),
    )


def test_a_space_that_joins_what_is_before_it() -> None:
    translation = translate_split(" ", "MergedWithPrevious", False, literal=True)
    assert translation.exact
    assert split("a  b c", translation.steps) == ("a ", " ", "b ", "c")


# --- limits and refusals ----------------------------------------------------------------------------------------------


def test_bad_patterns_are_the_sources_fault() -> None:
    with pytest.raises(RegexSyntaxError, match="closing parenthesis"):
        translate("a(b", faithful=True)


@pytest.mark.parametrize(("pattern", "reason"), [(r"\bab", "before a match"), (r"(a)\1", r"\1"), (r"a\Kb", "keep")])
def test_what_cannot_be_said_is_refused(pattern: str, reason: str) -> None:
    refused = translate(pattern, faithful=True).refused
    assert len(refused) == 1
    assert reason in refused[0]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a++b", "possessive"),
        ("a+?a|c", "lazy"),
        ("a$", "literal"),
        ("(?=a)b|c", "dropped"),
        (r"[\p{Lu}]", "another set"),
        ("[[:alpha:]]", "another set"),
        ("(?>a|ab)c", "not known"),
        ("(?:a|ab)c", "never entered again"),
        ("(?:ab)+", "stops repeating"),
    ],
)
def test_plain_says_what_is_misread(pattern: str, reason: str) -> None:
    translation = translate(pattern, faithful=False)
    assert translation.pattern == pattern
    assert not translation.changed
    assert any(reason in limit.reason for limit in translation.limits)


@pytest.mark.parametrize("pattern", [r"\b", "(?=a)", REAL["bloom"], "é(?<=é)", "é{,2}", "(?>é)", "[[:alpha:]é]"])
def test_plain_refuses_what_kills_the_engine(pattern: str) -> None:
    assert oniguruma.syntax_error(pattern) is None
    assert translate(pattern, faithful=False).refused


def test_plain_names_what_behaviors_do() -> None:
    for behavior in ("MergedWithNext", "Contiguous", "MergedWithPrevious"):
        translation = translate_split("a", behavior_named(behavior), False, faithful=False)
        assert not translation.exact
        assert translate_split("a", behavior_named(behavior), False).exact
    assert translate_split("a+", "MergedWithPrevious", False, faithful=False).exact


def test_an_endless_loop_of_the_wide_matcher_is_bounded() -> None:
    (limit,) = translate("[一-龥]+", faithful=False).limits
    assert limit.fidelity is Fidelity.BOUNDED
    assert limit.bound is not None


def test_the_pattern_of_the_engine_itself() -> None:
    assert translate(GPT2_PATTERN, faithful=True).pattern == REAL["gpt2"]


def test_only_a_single_step_has_a_pattern() -> None:
    with pytest.raises(ValueError, match="2 steps"):
        _ = translate(REAL["deepseek, Chinese and Japanese"], faithful=True).pattern
