from __future__ import annotations

import random

import pytest
from tokenizers import Regex, normalizers

from mtok_export.lowering.regex.ast import (
    Alternation,
    Anchor,
    AnchorKind,
    CharClass,
    ClassRange,
    Exotic,
    Flags,
    Group,
    GroupKind,
    Literal,
    Look,
    Mode,
    Repeat,
    Sequence,
)
from mtok_export.lowering.regex.build import Builder, RefusedError
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.errors import RegexSyntaxError
from mtok_export.lowering.regex.ir import One
from mtok_export.lowering.regex.oniguruma import char_set, syntax_error
from mtok_export.lowering.regex.parse import parse

A, B = Literal(0x61), Literal(0x62)


def test_branches_and_counts() -> None:
    assert parse("ab|a*?|b++") == Alternation(
        (Sequence((A, B)), Repeat(A, 0, None, Mode.LAZY), Repeat(B, 1, None, Mode.POSSESSIVE))
    )


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a{2,3}+", Repeat(Repeat(A, 2, 3, Mode.GREEDY), 1, None, Mode.GREEDY)),
        ("a{2}?", Repeat(Repeat(A, 2, 2, Mode.GREEDY), 0, 1, Mode.GREEDY)),
        ("a{2,3}?", Repeat(A, 2, 3, Mode.LAZY)),
        ("a{3,2}", Repeat(A, 2, 3, Mode.POSSESSIVE)),
        ("a{,2}", Repeat(A, 0, 2, Mode.GREEDY)),
        ("a{,}", Sequence((A, Literal(0x7B), Literal(0x2C), Literal(0x7D)))),
    ],
)
def test_intervals_of_oniguruma(pattern: str, expected: Repeat | Sequence) -> None:
    assert parse(pattern) == expected


def test_an_option_holds_to_the_end_of_its_group() -> None:
    insensitive = Flags(ignore_case=True)
    inner = Alternation((Literal(0x61, insensitive), Literal(0x62, insensitive)))
    assert parse("a(?i)a|b") == Sequence((A, Group(GroupKind.OPTION_TO_END, inner)))
    assert parse("(?i:a)b") == Sequence((Group(GroupKind.OPTION, Literal(0x61, insensitive)), B))


def test_comments_and_extended_mode_leave_nothing() -> None:
    assert parse("a(?#b)*") == Repeat(A, 0, None, Mode.GREEDY)
    extended = Flags(extended=True)
    body = Sequence((Literal(0x61, extended), Literal(0x62, extended)))
    assert parse("(?x: a b # c\n)") == Group(GroupKind.OPTION, body)


def test_groups_and_assertions() -> None:
    assert parse("(?<n>a)") == Group(GroupKind.NAMED, A, "n")
    assert parse("(?>a)(?<!b)^") == Sequence(
        (Group(GroupKind.ATOMIC, A), Look(B, behind=True, negated=True), Anchor(AnchorKind.LINE_START))
    )


@pytest.mark.parametrize("pattern", ["\\x61", "\\x{61}", "\\u0061", "\\141", "\\o{141}", "a", "(?x) a "])
def test_ways_to_write_a_character(pattern: str) -> None:
    node = parse(pattern)
    literal = node.body if isinstance(node, Group) else node
    assert isinstance(literal, Literal)
    assert literal.code == 0x61


def test_numbers_beyond_ascii_are_bytes() -> None:
    assert parse(r"\xC3\xA9") == Literal(0xE9)
    with pytest.raises(RegexSyntaxError, match="UTF-8"):
        parse(r"\xC3")


def test_classes() -> None:
    assert parse("[a-b&&[^b]]") == CharClass(
        negated=False, operands=((ClassRange(0x61, 0x62),), (CharClass(negated=True, operands=((B,),)),))
    )


@pytest.mark.parametrize("pattern", [r"(a)\1", r"\K", r"\X", "(?~a)", "(?(1)a)(b)", r"(?<n>a)\k<n>", "(*FAIL)", r"\y"])
def test_syntax_without_a_counterpart_is_named(pattern: str) -> None:
    parsed = parse(pattern)
    nodes = parsed.items if isinstance(parsed, Sequence) else (parsed,)
    assert any(isinstance(node, Exotic) for node in nodes)
    with pytest.raises(RefusedError, match="no counterpart"):
        Builder(pattern).build(parsed)


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("a)", 1, "unmatched closing"),
        ("(a", 2, "without its closing"),
        ("ab*+*[z-a]", 9, "empty range"),
        ("*a", 0, "nothing to repeat"),
        ("[a", 2, "without its closing bracket"),
        ("\\", 1, "ends with a backslash"),
        ("a\\u12", 5, "four hexadecimal"),
        ("^*", 2, "after an assertion"),
    ],
)
def test_errors_say_where(pattern: str, position: int, message: str) -> None:
    with pytest.raises(RegexSyntaxError, match=message) as caught:
        parse(pattern)
    assert caught.value.position == position


def test_nesting_has_an_end() -> None:
    with pytest.raises(RegexSyntaxError, match="nested too deeply"):
        parse("(" * 5_000 + ")" * 5_000)


PARTS = (
    *(
        "a",
        "b",
        "1",
        "é",
        "中",
        " ",
        "\n",
        "-",
        "^",
        "$",
        ".",
        "|",
        "(",
        ")",
        "(?:",
        "(?i:",
        "(?i)",
        "(?>",
        "(?=",
        "(?!",
    ),
    *(
        "(?<=",
        "(?<!",
        "(?<n>",
        "[",
        "]",
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
        "{3,1}",
    ),
    *("{,}", ",", r"\d", r"\W", r"\s", r"\h", r"\R", r"\p{L}", r"\P{Lu}", r"\p{^N}", "[:alpha:]", "[:^digit:]", r"\n"),
    *(r"\x41", r"\x{e9}", r"\u00e9", r"\101", r"\0", r"\1", r"\b", r"\A", r"\z", r"\Z", r"\B", r"\G", r"\]", r"\["),
    *(r"\-", r"\q", "(?#c)", "(?x)", "#", r"\N", r"\O", r"\xC3\xA9", "(?-i:", "(?m:", r"\\"),
)


def test_what_the_library_compiles_is_read_and_what_it_refuses_is_refused() -> None:
    choice = random.Random(1)
    compiled = 0
    for _ in range(8_000):
        pattern = "".join(choice.choices(PARTS, k=choice.randint(1, 7)))
        fault = syntax_error(pattern)
        compiled += fault is None
        try:
            parse(pattern)
        except RegexSyntaxError as error:
            assert fault is not None, (pattern, str(error))
        else:
            assert fault is None, (pattern, fault)
    assert compiled > 1_000


ITEMS = (
    *("a", "b-d", "k", "s", "Z", "-", "^", "&&", r"\d", r"\w", r"\W", r"\s", r"\S", r"\h", r"\H", r"\p{Lu}", r"\P{L}"),
    *(r"\p{^N}", "[:alpha:]", "[:^upper:]", "[:punct:]", "[x-z]", "[^b]", "é", r"\x{c0}-\x{ff}", r"\n", "]", r"\b"),
    *("[a-[b]]", r"\p{Greek}"),
)
SAMPLE = "\n".join(
    map(chr, (*range(0x250), *range(0x370, 0x400), *range(0x1E00, 0x2100), 0x3000, 0x4E00, 0x1C89, 0x1F600))
)


def test_classes_hold_what_the_library_finds_in_them() -> None:
    choice = random.Random(2)
    compared = 0
    for _ in range(300):
        inside = "".join(choice.choices(ITEMS, k=choice.randint(1, 4)))
        pattern = choice.choice(("", "(?i)")) + f"[{choice.choice(('', '^'))}{inside}]"
        if syntax_error(pattern) is not None:
            continue
        ir = Builder(pattern).build(parse(pattern))
        if not isinstance(ir, One):
            continue
        kept = normalizers.Replace(Regex(f"(?!{pattern})\\O"), "").normalize_str(SAMPLE)
        assert {char for char in SAMPLE if ord(char) in ir.chars} == set(kept), pattern
        compared += 1
    assert compared > 150


@pytest.mark.parametrize(
    "expression",
    [r"\d", r"\s", r"\h", r"\p{L}", r"\p{Lu}", r"\p{Alpha}", r"\p{Punct}", r"\p{Han}", r"\p{M}", r"\p{Cn}"],
)
def test_most_sets_are_the_same_inside_a_class(expression: str) -> None:
    assert char_set(expression) == char_set(f"[{expression}]")
    assert ~char_set(expression) == char_set(f"[^{expression}]")


@pytest.mark.parametrize("expression", [r"\w", r"\p{Word}"])
def test_a_word_character_is_not(expression: str) -> None:
    assert char_set(expression) - char_set(f"[{expression}]") == CharSet.of_text("²³¹¼½¾")
