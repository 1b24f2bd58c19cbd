from __future__ import annotations

import pytest

from mtok_export.lowering.regex.behind import resolve
from mtok_export.lowering.regex.boundaries import pieces_between
from mtok_export.lowering.regex.build import Builder, RefusedError
from mtok_export.lowering.regex.ir import Ir
from mtok_export.lowering.regex.lower import lower
from mtok_export.lowering.regex.normal import normal
from mtok_export.lowering.regex.parse import parse
from mtok_export.lowering.regex.program import write_program


def operators(pattern: str) -> Ir:
    return Builder(pattern).build(parse(pattern))


def lowered(pattern: str) -> str:
    program, unproved = lower(resolve(operators(pattern)))
    assert not unproved
    return write_program(normal(program))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        # a possessive or atomic part that could not have given anything back
        ("a++b", "a+b"),
        (r"a?+\p{L}", r"a\p{L}|(?!a)\p{L}"),
        (r"[^\s\p{L}]?+\p{L}+", r"[^\p{L}\s]?\p{L}+"),
        (r" ?[^\s\p{L}]++[\r\n]*", r" ?[^\p{L}\s]+[\n\r]*"),
        ("(?>ab|cd)e", "(?:ab|cd)e"),
        # one that could
        ("a++a", "(?:a+)a"),
        ("a*+ab", "a*(?!a)ab"),
        ("(?>a|ab)c", "(?:a|ab)c"),
        # lazy marks
        ("a+?b", "a+b"),
        ("a*?", ""),
        ("a.+?b", r"a.[^\nb]*b"),
        ("a??b", "a?b"),
        ("[ab]??b", "a?b"),
        ("[ab]??bc", "bc|[ab]bc"),
        ("(?:ab|c)*?d", "(?:(?!d)(?:ab|c)){0,2147483647}d"),
        # groups that are never entered again
        ("(?:a|ab)c", "ac|abc"),
        ("a*(?:b|bc)d", "a*(?:bd|bcd)"),
        ("(?:'s|'t)x", "(?:'s|'t)x"),
        ("x(?:|a)y?", "xy?"),
        ("(?:ab)+", "(?:ab){1,2147483647}"),
        ("(?:a?)b", "a?b"),
        ("(?:a+)*b", "a*b"),
        ("(?:a{1,3})+b", "a+b"),
        # assertions
        ("(?=ab)a", "(?!(?!ab))a"),
        ("a$", "a(?!.)"),
        (r"a\z", r"a(?![\s\S])"),
        (r"a\Z", r"a(?!.|\n[\s\S])"),
        (r"\w+(?<!_)", r"[\p{L}\p{N}\x05_]*[\p{L}\p{N}\x05]"),
        (r"\w+\b", r"[\p{L}\p{N}\x05_]+(?![\p{L}\p{N}\x05_])"),
        (r"\d{1,3}(?=(?:\d{3})*\b)", r"\p{N}{1,3}(?!(?!(?:\p{N}{3}){0,2147483647}(?![\p{L}\p{N}\x05_])))"),
        ("a(?<=b)", ""),
        # spellings
        (r"(?<n>a)\u0062\x{63}", "abc"),
        (r"\h", "[0-9A-Fa-f]"),
        ("[[:punct:]]", r"[\p{P}\p{S}]"),
        ("[a-z&&[^b]]", "[ac-z]"),
        ("(?i)a|b", "[Aa]|[Bb]"),
        (r"\R", r"\r\n|[\n\v\f\r]"),
        ("(?m:.)", r"[\s\S]"),
    ],
)
def test_what_becomes_of_a_pattern(pattern: str, expected: str) -> None:
    assert lowered(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?:a|ab)+c", "what each round took first"),
        ("(?:a|ab)*?c", "lazy quantifier of a group"),
        ("(?:a|b*(?=c))+d", "without taking a character"),
    ],
)
def test_what_is_not_proved_equal_is_named(pattern: str, reason: str) -> None:
    _, unproved = lower(operators(pattern))
    assert any(reason in each for each in unproved)


def test_writing_out_every_choice_has_an_end() -> None:
    program, unproved = lower(operators("(?:a|ab)" * 30 + "c"))
    assert unproved
    assert len(write_program(program)) < 1_000


@pytest.mark.parametrize("pattern", [r"\bab", "(?<=a)b", "^a", r"\Ga", "a|(?<!b)c", "(?>a*)(?<=b)"])
def test_the_text_before_a_match_cannot_be_looked_at(pattern: str) -> None:
    with pytest.raises(RefusedError, match="look"):
        resolve(operators(pattern))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(?<=[a-z])(?=[A-Z])", r"(?:[a-z](?![A-Z])|[^a-z]){0,2147483647}[\s\S]"),
        ("(?<=a)", r"[^a]*[\s\S]"),
        ("^", r"(?:\n(?![\s\S])|.){0,2147483647}[\s\S]"),
    ],
)
def test_cuts_become_pieces(pattern: str, expected: str) -> None:
    pieces = pieces_between(operators(pattern))
    assert pieces is not None
    assert write_program(normal(lower(pieces)[0])) == expected


@pytest.mark.parametrize("pattern", ["a", "(?=a)", "(?<=ab)", "$"])
def test_other_patterns_are_no_cuts(pattern: str) -> None:
    assert pieces_between(operators(pattern)) is None
