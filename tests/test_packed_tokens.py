"""Packed tokens are the sequence that the tokens are."""

from __future__ import annotations

import importlib
from array import array
from bisect import bisect_left
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.errors import FormatError
from mtok_export.format.checks import _bpe_faults
from mtok_export.format.columns import encode_vocab
from mtok_export.format.model import Bpe, Merges, Vocab
from mtok_export.format.wire import Writer
from mtok_export.packed_tokens import LONGEST, PackedTokens, chained

packed_tokens = importlib.import_module("mtok_export.packed_tokens")

TOKEN = st.text(st.characters(exclude_characters="\0", exclude_categories=()), max_size=6) | st.text("ab", max_size=40)
TOKENS = st.lists(TOKEN, max_size=30)
UTF8 = st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20), max_size=30)


def packed(tokens: list[str]) -> PackedTokens:
    found = PackedTokens.of(tokens, len(tokens))
    assert found is not None
    return found


@pytest.mark.parametrize("block", [1, 4, 1 << 12])
@given(
    tokens=TOKENS, start=st.integers(-40, 40), stop=st.none() | st.integers(-40, 40), step=st.sampled_from((1, 2, -1))
)
def test_the_same_sequence(block: int, tokens: list[str], start: int, stop: int | None, step: int) -> None:
    ours = packed(tokens)
    with mock.patch.object(packed_tokens, "_BLOCK", block):
        assert list(ours) == tokens and len(ours) == len(tokens) and ours == tokens and tuple(tokens) == ours
        assert list(ours[start:stop:step]) == tokens[start:stop:step]
        assert [ours[place] for place in range(-len(tokens), len(tokens))] == tokens * 2
        order = np.random.default_rng(len(tokens)).permutation(len(tokens))
        assert list(ours.arranged(order)) == [tokens[place] for place in order]
    assert ours != [*tokens, "a"] and ours != packed([*tokens, ""]) and ours != "a"
    with pytest.raises(IndexError):
        ours[len(tokens)]


def test_a_zero_is_not_packed_and_nothing_very_long() -> None:
    assert PackedTokens.of(["a", "\0"], 2) is None
    assert PackedTokens.of(["a", "b" * (LONGEST + 1)], 2) is None
    assert PackedTokens.of(["a", "b" * LONGEST], 2) is not None
    assert chained([packed(["a"]), ("\0",), ["b"]]) == ("a", "\0", "b")
    assert isinstance(chained([packed(["a"]), ("",), ["b"]]), PackedTokens)
    assert chained([("a",), ["b"]]) == ("a", "b")


@given(st.lists(TOKENS, max_size=5))
def test_chained(parts: list[list[str]]) -> None:
    joined = [token for part in parts for token in part]
    assert list(chained([packed(parts[0]), *parts[1:]] if parts else [])) == joined


@given(TOKENS, TOKEN)
def test_place_among_sorted_tokens(tokens: list[str], token: str) -> None:
    in_order = sorted(tokens, key=lambda token: token.encode("utf-8", "surrogatepass"))
    ours = packed(in_order)
    for wanted in (token, *in_order):
        assert ours.place_of(wanted) == bisect_left(in_order, wanted)
        ids = array("I", range(len(in_order)))
        assert Vocab(ours, ids).id_of(wanted) == Vocab(tuple(in_order), ids).id_of(wanted)


def test_place_at_every_length_of_a_run() -> None:
    rows = ["a" * size for size in range(40)]
    for wanted in (*rows, "a" * 20 + "b", "a" * 16 + "\0", "a" * 7 + "A", "b", "\0"):
        assert packed(rows).place_of(wanted) == bisect_left(rows, wanted)


def section(tokens: object, scored: bool) -> bytes | str:
    writer = Writer()
    count = len(tokens)  # type: ignore[arg-type]
    ids = array("I", [id_ * 7_654_321 % (1 << 31) for id_ in range(count)])
    scores = array("d", [id_ / 3 for id_ in range(count)]) if scored else None
    try:
        encode_vocab(writer, tokens, ids, scores)  # type: ignore[arg-type]
    except FormatError as error:
        return str(error)
    return writer.getvalue()


@pytest.mark.parametrize("scored", [False, True])
@given(tokens=TOKENS | UTF8)
def test_the_same_bytes_in_a_file(scored: bool, tokens: list[str]) -> None:
    assert section(packed(tokens), scored) == section(tuple(tokens), scored)


@pytest.mark.parametrize("size", [0xFFFF, 0x10000])
def test_as_long_as_a_string_can_be(size: int) -> None:
    tokens = ["a", "b" * size, "c"]
    ours = PackedTokens("".join(f"{token}\0" for token in tokens).encode())
    assert section(ours, False) == section(tuple(tokens), False)
    assert isinstance(section(ours, False), bytes) == (size == 0xFFFF)


@given(TOKENS)
def test_the_same_faults(tokens: list[str]) -> None:
    ids = array("I", range(len(tokens)))

    def said(kept: object) -> list[str]:
        vocab = Vocab(kept, ids)  # type: ignore[arg-type]
        model = Bpe(vocab, Merges(array("I"), array("I"), array("I")), byte_fallback=False, byte_level=False)
        return list(map(str, _bpe_faults(model)))

    assert said(packed(tokens)) == said(tuple(tokens))
