from __future__ import annotations

import json
from itertools import product

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, pre_tokenizers

from mtok_export.errors import SourceError
from mtok_export.source.byte_ranks import ranked_model
from mtok_export.source.documents import document, split_to_bytes
from mtok_export.source.known_ranks import CL100K, GPT2, KIMI, KNOWN, LLAMA_3, O200K, QWEN, QWEN_3_5
from mtok_export.source.rust_pattern import to_oniguruma
from mtok_export.texts import builtin_texts
from tests.source.trained import byte_ranks

LETTERS = b"aT1 \n.'\r"
PATTERNS = {"gpt2": GPT2, "cl100k": CL100K, "o200k": O200K, "llama 3": LLAMA_3, "qwen": QWEN, "qwen 3.5": QWEN_3_5}


def cutting_ranks() -> dict[bytes, int]:
    """Ranks that show where a text is cut: every string of up to four of LETTERS is an entry."""
    long = [bytes(letters) for size in (2, 3, 4) for letters in product(LETTERS, repeat=size)]
    entries = [*(bytes((byte,)) for byte in range(256)), *long]
    return {entry: rank for rank, entry in enumerate(entries)}


CUTTING = cutting_ranks()


def tokenizers_for(pattern: str, ranks: dict[bytes, int]) -> tuple[tiktoken.Encoding, Tokenizer]:
    owner = tiktoken.Encoding("test", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    whole = document(ranked_model(ranks, "ranks").model, pre_tokenizer=split_to_bytes(to_oniguruma(pattern, "here")))
    return owner, Tokenizer.from_str(json.dumps(whole))


PAIRS = {name: tokenizers_for(pattern, CUTTING) for name, pattern in PATTERNS.items()}


@pytest.mark.parametrize("name", PATTERNS)
@settings(max_examples=200, deadline=None)
@given(texts=st.lists(st.text("aTé1 \n.'\rsS\t\u3000", max_size=16), min_size=1, max_size=10))
def test_texts_are_cut_as_by_tiktoken(name: str, texts: list[str]) -> None:
    owner, library = PAIRS[name]
    expected = [owner.encode_ordinary(text) for text in texts]
    assert [encoding.ids for encoding in library.encode_batch(texts)] == expected


@pytest.mark.parametrize("pattern", [*PATTERNS.values(), KIMI], ids=[*PATTERNS, "kimi"])
def test_the_built_in_texts_are_cut_as_by_tiktoken(pattern: str) -> None:
    owner, library = tokenizers_for(pattern, dict(byte_ranks()))
    texts = builtin_texts()
    expected = [owner.encode_ordinary(text) for text in texts]
    assert [encoding.ids for encoding in library.encode_batch(texts)] == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\p{N}{1,3}+|a", r"(?>\p{N}{1,3})|a"),
        (r"(?:ab){2}+c", r"(?>(?:ab){2})c"),
        (r"[a\]{1,2}]{3,}+", r"(?>[a\]{1,2}]{3,})"),
        (r"\s++$", r"\s++\z"),
        (r"^a|[$^]\$\^", r"\Aa|[$^]\$\^"),
        (r"\pL+\PN\p{Lu}", r"\p{L}+\P{N}\p{Lu}"),
        (r"[\pL&&[^\pN]]", r"[\p{L}&&[^\p{N}]]"),
        (r"a{1,2}?b{3}c+?", r"a{1,2}?b{3}c+?"),
        (r"(?i:'s)|(?=a)(?!b)(?<!c)(?<=d)(?>e)(f)", r"(?i:'s)|(?=a)(?!b)(?<!c)(?<=d)(?>e)(f)"),
        (r"a{b", r"a{b"),
        (r"\(\)\[", r"\(\)\["),
        (r"\u{61}+\x{62}\u0063", r"\x{61}+\x{62}\u0063"),
    ],
)
def test_the_words_of_oniguruma(pattern: str, expected: str) -> None:
    translated = to_oniguruma(pattern, "here")
    assert translated == expected
    pre_tokenizers.Split(Regex(translated), "isolated")


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("", "the pattern is empty"),
        ("a\\", "a backslash stands at the end"),
        ("[ab", "a class is not closed at character 0"),
        ("(a", "a group is not closed"),
        ("a)", "a parenthesis closes nothing at character 1"),
        ("(?s:.)", "the flags 's'"),
        ("(?x)a", "the flags 'x'"),
        ("[a--b]", "'--' in a class"),
        ("[[:alpha:]]", "'[:' in a class"),
        ("a{2}?", "{2}?"),
    ],
)
def test_what_has_no_counterpart(pattern: str, problem: str) -> None:
    with pytest.raises(SourceError) as caught:
        to_oniguruma(pattern, "here")
    assert str(caught.value).startswith("here: ")
    assert problem in str(caught.value)


def test_every_known_pattern_is_accepted_by_both() -> None:
    for known in KNOWN:
        tiktoken.Encoding("test", pat_str=known.pattern, mergeable_ranks={b"a": 0}, special_tokens={})
        pre_tokenizers.Split(Regex(to_oniguruma(known.pattern, known.name)), "isolated")
