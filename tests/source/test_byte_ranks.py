from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.errors import SourceError
from mtok_export.source.byte_ranks import check_single_bytes, last_pair, ranked_model, to_chars
from mtok_export.source.documents import byte_level, document, special_token, split_to_bytes
from mtok_export.texts import builtin_texts
from tests.source.trained import byte_ranks

WORDS = r"\S+|\s+"
BYTES = [bytes((byte,)) for byte in range(256)]


def library(ranks: Mapping[bytes, int], pattern: str = WORDS) -> Tokenizer:
    model = ranked_model(ranks, "ranks").model
    return Tokenizer.from_str(json.dumps(document(model, pre_tokenizer=split_to_bytes(pattern), decoder=byte_level())))


def owner(ranks: Mapping[bytes, int], pattern: str = WORDS) -> tiktoken.Encoding:
    return tiktoken.Encoding("test", pat_str=pattern, mergeable_ranks=dict(ranks), special_tokens={})


@st.composite
def random_ranks(draw: st.DrawFn) -> dict[bytes, int]:
    """All bytes and some longer entries, in any order: parts above the whole, entries that nothing leads to."""
    entries = draw(st.lists(st.binary(min_size=2, max_size=6).map(in_few_letters), unique=True, max_size=40))
    order: Sequence[bytes] = draw(st.permutations([*b"abc", *entries])) if draw(st.booleans()) else entries
    named = [entry if isinstance(entry, bytes) else bytes((entry,)) for entry in order]
    rest = [byte for byte in BYTES if byte not in named]
    step = draw(st.integers(1, 3))
    return {entry: i * step for i, entry in enumerate([*rest, *named] if draw(st.booleans()) else [*named, *rest])}


def in_few_letters(data: bytes) -> bytes:
    return bytes(b"abc"[byte % 3] for byte in data)


@settings(max_examples=300, deadline=None)
@given(random_ranks(), st.lists(st.text("abc ", max_size=14), max_size=8))
def test_ids_are_those_of_tiktoken(ranks: dict[bytes, int], texts: list[str]) -> None:
    texts = [*texts, *(entry.decode() for entry in ranks if len(entry) > 1)]
    expected = [owner(ranks).encode_ordinary(text) for text in texts]
    assert [encoding.ids for encoding in library(ranks).encode_batch(texts)] == expected


def test_ids_on_the_texts() -> None:
    ranks = byte_ranks()
    texts = builtin_texts()
    expected = [owner(ranks).encode_ordinary(text) for text in texts]
    assert [encoding.ids for encoding in library(ranks).encode_batch(texts)] == expected


def test_the_pair_that_is_joined_last() -> None:
    ranks = {b"a": 0, b"b": 1, b"ab": 2, b"ba": 3, b"aba": 4, b"bb": 5}
    assert last_pair(b"ab", ranks) == (b"a", b"b")
    assert last_pair(b"aba", ranks) == (b"ab", b"a")
    assert last_pair(b"abab", ranks) == (b"ab", b"ab")
    assert last_pair(b"aab", {**ranks, b"aab": 6}) == (b"a", b"ab")
    assert last_pair(b"abba", ranks) == (b"ab", b"ba")
    assert last_pair(b"bbb", {b"bbb": 0}) is None


def test_an_entry_that_nothing_leads_to_is_found_whole() -> None:
    ranks = {**{byte: i for i, byte in enumerate(BYTES)}, b"abcd": 256}
    model = ranked_model(ranks, "ranks").model
    assert model["merges"] == []
    assert model["ignore_merges"] is True
    assert library(ranks).encode("abcd abcde").ids == [256, 32, *b"abcde"]
    assert owner(ranks).encode_ordinary("abcd abcde") == [256, 32, *b"abcde"]


def test_where_all_entries_are_reached_nothing_is_looked_up_whole() -> None:
    assert ranked_model(byte_ranks(), "ranks").model["ignore_merges"] is False


def test_an_entry_may_be_made_of_parts_with_higher_ranks() -> None:
    ranks = {**{byte: i for i, byte in enumerate(BYTES)}, b"abc": 256, b"ab": 257}
    assert ranked_model(ranks, "ranks").model["merges"] == [["ab", "c"], ["a", "b"]]
    assert library(ranks).encode("xabc").ids == owner(ranks).encode_ordinary("xabc") == [ord("x"), 256]


def test_the_first_id() -> None:
    model = ranked_model(byte_ranks(), "ranks", first_id=100).model
    assert min(model["vocab"].values()) == 100
    assert model["vocab"][to_chars(b" ")] == 132


def test_an_entry_that_spells_a_special_token_is_left_out() -> None:
    ranks = {**{byte: i for i, byte in enumerate(BYTES)}, b"<s": 256, b"<s>": 257, b"<s>a": 258}
    made = ranked_model(ranks, "ranks", reserved=("<s>", "</s>"))
    assert made.model["merges"] == [["<", "s"]]
    assert "<s>" not in made.model["vocab"]
    assert [notice.message for notice in made.notices] == [
        '1 entries spell a special token, such as "<s>"; the special token is found before them, so they are left out'
    ]
    whole = document(
        made.model, pre_tokenizer=split_to_bytes(WORDS), decoder=byte_level(), added_tokens=[special_token("<s>", 7000)]
    )
    assert Tokenizer.from_str(json.dumps(whole)).encode("<s>a<s").ids == [7000, ord("a"), 256]


def test_an_empty_entry_is_left_out() -> None:
    ranks = {**{byte: i for i, byte in enumerate(BYTES)}, b"": 256}
    assert len(ranked_model(ranks, "ranks").model["vocab"]) == 256


def test_missing_bytes() -> None:
    ranks = {byte: i for i, byte in enumerate(BYTES) if byte not in (b"\x00", b"\xff")}
    with pytest.raises(SourceError, match="2 of the 256 bytes have no rank, the first is 0x00"):
        check_single_bytes(ranks, "ranks")
    check_single_bytes(byte_ranks(), "ranks")


def test_the_byte_alphabet() -> None:
    assert to_chars(bytes(BYTE_TO_CHAR)) == "".join(BYTE_TO_CHAR.values())
    assert to_chars("é ".encode()) == "Ã©Ġ"


@pytest.mark.parametrize(("ids", "in_vocab"), [((900, 901), False), ((901, 900), False), ((900, 902), True)])
def test_added_tokens_keep_their_ids(ids: tuple[int, int], in_vocab: bool) -> None:
    tokens = [special_token(f"<{id_}>", id_) for id_ in ids]
    model = ranked_model(byte_ranks(), "ranks").model
    size = len(model["vocab"])
    tokens = [special_token(token.content, token.id - 900 + size) for token in tokens]
    whole = document(model, pre_tokenizer=split_to_bytes(WORDS), added_tokens=tokens)
    tokenizer = Tokenizer.from_str(json.dumps(whole))
    assert [tokenizer.token_to_id(token.content) for token in tokens] == [token.id for token in tokens]
    assert (len(model["vocab"]) > size) == in_vocab
