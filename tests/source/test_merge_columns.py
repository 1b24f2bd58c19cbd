"""The ids of merges by their bytes are those that looking up strings gives."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtok_export.source import merge_columns as module
from mtok_export.source.merge_columns import merge_columns

PARTS = ["a", "b", "ab", "é", "▁", "a b", " ", "\n", "\0", "#version", "", "long enough for several words", "\ud800"]
VOCAB = {
    part: id_ * 3
    for id_, part in enumerate(dict.fromkeys((*PARTS, *(one + other for one in PARTS for other in PARTS))))
}
WITHOUT_ZEROS = {token: id_ for token, id_ in VOCAB.items() if "\0" not in token}
PART = st.sampled_from(PARTS)
PAIR = st.tuples(PART, PART).map(list)
MERGES = st.lists(PAIR, min_size=1, max_size=12) | st.lists(PAIR.map(" ".join), min_size=1, max_size=12)
ODD = st.lists(
    st.sampled_from(["a b", "a", "a b b", "a\nb", "\na b", "#version: 0.2", "é x", ["a", "b"], ["a"], ["a", 1]])
)


@pytest.mark.parametrize("block", [1, 3, 1 << 14])
@given(raw=MERGES, without=st.sampled_from(["", *PARTS[:4]]))
def test_both_ways_agree(block: int, raw: list[object], without: str) -> None:
    vocab = {token: id_ for token, id_ in WITHOUT_ZEROS.items() if token != without}
    with mock.patch.object(module, "_BLOCK", block):
        as_text = isinstance(raw[0], str)
        by_bytes = module._by_bytes(raw, vocab, as_text)
        by_strings = module._by_strings(raw, vocab, as_text, "")
    if by_bytes is not None or not any(map(_holds_marks, raw)):
        assert by_bytes == by_strings


def _holds_marks(merge: object) -> bool:
    """Whether a merge is left to strings, since it holds what is put between merges, or may be a version line."""
    if not isinstance(merge, str):
        return "\0" in "\n".join(merge)  # type: ignore[arg-type]
    return "#version" in merge or "\n" in merge or merge.count(" ") != 1


@pytest.mark.parametrize("block", [1, 2, 1 << 14])
@pytest.mark.parametrize("many", [0, 1 << 30], ids=["by bytes", "by strings"])
@given(raw=ODD)
def test_odd_merges(many: int, block: int, raw: list[object]) -> None:
    """What is no flawless merge is left to the loop that knows what to say of it."""
    with mock.patch.multiple(module, MANY=many, _BLOCK=block):
        found = merge_columns(raw, WITHOUT_ZEROS, "")
    if raw and all(merge == "a b" for merge in raw):
        ids = [VOCAB[token] for token in ("a", "b", "ab")]
        assert found is not None and [set(column) for column in found] == [{id_} for id_ in ids]
    elif raw and all(merge == ["a", "b"] for merge in raw):
        assert found is not None
    elif raw:
        assert found is None


@pytest.mark.parametrize("many", [0, 1 << 30], ids=["by bytes", "by strings"])
def test_a_prefix_is_cut_off(many: int) -> None:
    vocab = {"a": 0, "b": 1, "ab": 2, "a##b": 3, "##b": 4}
    with mock.patch.object(module, "MANY", many):
        found = merge_columns(["a ##b"], vocab, "##")
    assert found is not None and [column.tolist() for column in found] == [[0], [4], [2]]


@pytest.mark.parametrize("raw", [["a\nb"], ["#version b"], ["a b", "#version b"], ["a b", "a\0b c"]])
def test_what_is_left_to_strings(raw: list[str]) -> None:
    parts = ("a", "b", "c", "#version", "ab", "#versionb", "a\0b", "a\0bc")
    vocab = {part: id_ for id_, part in enumerate(parts) if "\0" not in part}
    assert module._by_bytes(["a b"], vocab, True) is not None
    assert module._by_bytes(raw, vocab, True) is None


def test_the_fast_way_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for the strings after all gets them; without both ways nothing is found."""
    monkeypatch.setattr(module, "MANY", 0)
    monkeypatch.setattr(module, "_by_strings", lambda *_: None)
    assert merge_columns(["a b"], WITHOUT_ZEROS, "") is not None
    assert merge_columns(["a b"], VOCAB, "") is None
