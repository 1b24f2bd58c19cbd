"""The ids of added tokens, against the library, on random cases."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mtok_export.source import load_pipeline
from tests.source import library
from tests.source.documents import UNIGRAM, WORD_LEVEL, WORD_PIECE, Json, added_token, document, encoded

NAMES = ["a", "b", "c", "d", "x", "y", "z", "w", ""]


def random_vocab(rng: random.Random) -> dict[str, int]:
    return {name: rng.randrange(12) for name in rng.sample("abcdef", rng.randrange(6))}


def random_model(rng: random.Random) -> Json:
    vocab = random_vocab(rng)
    return rng.choice(
        [
            {"type": "BPE", "vocab": vocab, "merges": []},
            {**WORD_PIECE, "vocab": vocab},
            {**WORD_LEVEL, "vocab": vocab},
            {**UNIGRAM, "unk_id": None, "vocab": [[rng.choice("abcdef"), -1.0] for _ in vocab]},
        ]
    )


def random_tokens(rng: random.Random) -> list[Json]:
    special = {name: rng.random() < 0.5 for name in NAMES}
    names = [rng.choice(NAMES) for _ in range(rng.randrange(7))]
    return [added_token(name, rng.randrange(14), special=special[name]) for name in names]


@pytest.mark.parametrize("seed", range(20))
def test_ids_are_those_of_the_library(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        model, tokens = random_model(rng), random_tokens(rng)
        text = encoded(document(model=model, added_tokens=tokens))
        pipeline, notices = load_pipeline(text, "tokenizer.json")
        theirs = library.load(text)
        assert theirs is not None
        ours = {token.content: token.id for token in pipeline.added_tokens}
        assert ours == {token["content"]: theirs.token_to_id(token["content"]) for token in tokens if token["content"]}
        stated = {token["content"]: token["id"] for token in reversed(tokens) if token["content"]}
        assert (ours != stated) == any("do not have the id they state" in notice.message for notice in notices)


def messages(**slots: Any) -> list[str]:
    return [notice.message for notice in load_pipeline(encoded(document(**slots)), "tokenizer.json")[1]]


def test_a_changed_id_is_named_with_both() -> None:
    (message,) = messages(added_tokens=[added_token("x", 10), added_token("a", 7)])
    assert message.startswith('2 added tokens do not have the id they state ("x": 10 -> 3, "a": 7 -> 0)')


def test_dropped_tokens_are_named() -> None:
    found = messages(added_tokens=[added_token("", 3), added_token("x", 3), added_token("x", 3)])
    assert "1 added tokens have no content" in found[0]
    assert "1 added tokens stand there more than once" in found[1]


def test_an_id_of_the_vocab_given_to_an_added_token_is_named() -> None:
    vocab = {"a": 0, "b": 2}
    found = messages(model={"type": "BPE", "vocab": vocab, "merges": []}, added_tokens=[added_token("x", 2)])
    assert any('2 belongs to "b" of the vocab and to the added token "x"' in message for message in found)


def test_ids_that_older_versions_of_the_library_give_are_named() -> None:
    vocab = {"a": 0, "b": 9}
    tokens = [added_token("b", 9), added_token("x", 10)]
    found = messages(model={"type": "BPE", "vocab": vocab, "merges": []}, added_tokens=tokens)
    assert any('tokenizers before 0.22 gives "x" the id 10, newer versions 2' in message for message in found)
