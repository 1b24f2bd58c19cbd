from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.lowering.regex.fold import EVERYTHING
from mtok_export.lowering.regex.matcher import first_match
from mtok_export.lowering.regex.normal import normal
from mtok_export.lowering.regex.program import (
    LETTERS,
    MARKS,
    NUMBERS,
    PUNCTUATION,
    SPACES,
    SYMBOL_SET,
    UNBOUNDED,
    WORD,
    Chars,
    Group,
    Node,
    NotAhead,
    Program,
    mask_of,
    write_program,
    write_set,
)
from mtok_export.lowering.regex.reading import read

SYMBOLS = b"ab \x01"

named = st.sampled_from((LETTERS, NUMBERS, SPACES, MARKS, PUNCTUATION, SYMBOL_SET, WORD))
masks = st.one_of(
    st.integers(0, EVERYTHING),
    st.builds(lambda left, right: left | right, named, named),
    st.builds(lambda left, right: EVERYTHING & ~(left | right), named, st.integers(0, 127).map(lambda code: 1 << code)),
    st.text("ab-]^\\[.*+?(){}|$ /\n", min_size=1, max_size=3).map(mask_of),
)
small_masks = st.sets(st.sampled_from(SYMBOLS), min_size=1).map(lambda codes: sum(1 << code for code in codes))
counts = st.sampled_from(((1, 1), (0, 1), (0, None), (1, None), (2, 2), (1, 3), (2, None)))


def programs(sets: st.SearchStrategy[int]) -> st.SearchStrategy[Program]:
    chars: st.SearchStrategy[Node] = st.builds(lambda mask, bounds: Chars(mask, *bounds), sets, counts)

    def nested(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        inner = program_of(nodes)
        return st.one_of(st.builds(lambda program, bounds: Group(program, *bounds), inner, counts), inner.map(NotAhead))

    return program_of(st.recursive(chars, nested, max_leaves=6))


def program_of(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Program]:
    branch = st.lists(nodes, max_size=3).map(tuple)
    return st.lists(branch, min_size=1, max_size=3).map(tuple)


@given(masks)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_sets_are_read_as_they_are_written(mask: int) -> None:
    text = write_set(mask)
    assert text.isascii()
    assert read(text).program == ((Chars(mask),),)


@given(programs(masks))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_programs_are_read_as_they_are_written(program: Program) -> None:
    reading = read(write_program(program))
    assert reading.program == program
    assert not reading.ignored


@given(programs(small_masks), st.lists(st.sampled_from(SYMBOLS), max_size=7).map(bytes))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_the_normal_shape_matches_alike(program: Program, text: bytes) -> None:
    normalized = normal(program)
    for at in range(len(text) + 1):
        assert first_match(text, at, normalized) == first_match(text, at, program)
    assert normal(normalized) == normalized


def test_unlike_programs_stay_unlike() -> None:
    a = Chars(mask_of("a"))
    capped, uncapped = ((Group(((a, a),), 1, None),),), ((Group(((a, a),), 1, UNBOUNDED),),)
    assert normal(capped) != normal(uncapped)


def test_names_are_used_where_they_fit() -> None:
    assert write_set(LETTERS) == r"\p{L}"
    assert write_set(EVERYTHING & ~SPACES) == r"\S"
    assert write_set(EVERYTHING & ~(SPACES | LETTERS)) == r"[^\p{L}\s]"
    assert write_set(mask_of("-")) == "-"
    assert write_set(mask_of("a-]")) == r"[\-\]a]"
