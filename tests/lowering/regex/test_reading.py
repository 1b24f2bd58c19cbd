from __future__ import annotations

import random
from pathlib import Path

import pytest

from mtok_export.engine.model import folding
from mtok_export.format.spec import SplitBehavior
from mtok_export.lowering.regex import SplitStep
from mtok_export.lowering.regex.matcher import find_all, split
from mtok_export.lowering.regex.program import (
    ANY_BUT_NEWLINE,
    LETTERS,
    NUMBERS,
    Chars,
    Group,
    NotAhead,
    Program,
    mask_of,
)
from mtok_export.lowering.regex.reading import UnreadableError, goes_wide, read
from tests.lowering.regex.judge import Native, engine_pieces
from tests.lowering.regex.patterns import CHARACTERS, random_texts

A, B, PLUS = Chars(mask_of("a")), Chars(mask_of("b")), Chars(mask_of("+"))

PARTS = (
    *("a", "b", "1", "é", "中", " ", "\n", "-", "^", "$", ".", "|", "|", "(", ")", "(?:", "(?i:", "(?i)", "(?>", "(?="),
    *(
        "(?!",
        "(?<=",
        "(?<n>",
        "[",
        "]",
        "[^",
        "&&",
        "*",
        "+",
        "?",
        "{",
        "}",
        "{2}",
        "{1,3}",
        "{,2}",
        "{2,}",
        ",",
        r"\d",
    ),
    *(r"\W", r"\s", r"\h", r"\R", r"\p{L}", r"\P{Lu}", r"\p{N}", r"\p", "[:alpha:]", r"\n", r"\x41", r"\x01", r"\x"),
    *(r"\u00e9", r"\0", r"\1", r"\b", r"\A", r"\z", r"\]", r"\[", r"\-", r"\q", "(?#c)", "A", "B", "z", r"\p{P}", "_"),
)


@pytest.mark.parametrize(
    ("pattern", "program"),
    [
        ("a|b*", ((A,), (Chars(B.mask, 0, None),))),
        ("(a|b)+", ((Group(((A,), (B,)), 1, None),),)),
        ("(?!a)b", ((NotAhead(((A,),)), B),)),
        (r"\p{Lu}\d", ((Chars(LETTERS), Chars(NUMBERS)),)),
        (".", ((Chars(ANY_BUT_NEWLINE),),)),
        ("(?i:a)", ((Group(((Chars(mask_of("aA")),),)),),)),
        (r"a{2,}", ((Chars(A.mask, 2, None),),)),
        # what it takes for something else
        ("a++", ((Chars(A.mask, 1, None), PLUS),)),
        ("a*?b", ((Chars(A.mask, 0, None), B),)),
        ("(?>a)", ((Group(((),)),),)),
        ("(?i)a", ((Group(((),)), A),)),
        (r"\pL", ((Chars(0), Chars(mask_of("L"))),)),
        (r"\z", ((Chars(mask_of("z")),),)),
        ("^a$", ((Chars(mask_of("^")), A, Chars(mask_of("$"))),)),
        ("[a&&b]", ((Chars(mask_of("ab&")),),)),
        (r"\p{Han}", ((Chars(0),),)),
    ],
)
def test_what_the_engine_reads(pattern: str, program: Program) -> None:
    assert read(pattern).program == program


@pytest.mark.parametrize("pattern", [r"\b|a", "(?=b)|a", "(?<=b)|a", r"(x)\1|a"])
def test_some_branches_are_dropped(pattern: str) -> None:
    reading = read(pattern)
    assert reading.program == ((A,),)
    assert reading.dropped == 1


def test_nothing_is_read_after_a_stray_parenthesis() -> None:
    assert read("a)b").ignored == ")b"


def test_a_count_that_no_integer_holds() -> None:
    with pytest.raises(UnreadableError, match="2147483648"):
        read("a{2147483648}")


def test_which_patterns_go_to_the_wide_matcher() -> None:
    assert goes_wide("é")
    assert not goes_wide("e")
    assert not goes_wide(r"é\p{L}")


def random_patterns(seed: int, count: int) -> list[str]:
    """Patterns, mostly without much sense, that the byte matcher takes."""
    choice = random.Random(seed)
    made = ["".join(choice.choices(PARTS, k=choice.randint(1, 7))) for _ in range(count)]
    return [pattern for pattern in made if not goes_wide(pattern) and read(pattern).program]


def test_matches_are_those_of_the_model_of_the_engine() -> None:
    choice = random.Random(3)
    engine = folding.Patterns(falls_back=False)
    patterns = random_patterns(4, 1_000)
    assert len(patterns) > 500
    for pattern in patterns:
        for text in random_texts(choice, 3):
            assert list(find_all(text, pattern)) == list(engine.find_all(text, pattern)), (pattern, text)


@pytest.mark.engine
def test_pieces_are_those_of_the_engine(native: Native, tmp_path: Path) -> None:
    choice = random.Random(5)
    for pattern in random_patterns(6, 30):
        step = SplitStep(pattern, choice.random() < 0.3, choice.choice(list(SplitBehavior)))
        texts = random_texts(choice, 30)
        assert engine_pieces(native, tmp_path, [step], texts) == [split(text, [step]) for text in texts], step


@pytest.mark.engine
def test_every_character_of_the_tests_has_a_piece(native: Native, tmp_path: Path) -> None:
    step = SplitStep(r"[\s\S]", invert=False, behavior=SplitBehavior.ISOLATED)
    assert engine_pieces(native, tmp_path, [step], [CHARACTERS]) == [tuple(CHARACTERS)]
