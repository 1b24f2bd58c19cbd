"""Files with cuts against the same files without, on the real engine: the ids of every text are the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mtok_export import MtokFile
from mtok_export.engine.native import NativeEngine
from mtok_export.format import model, normalizer, pre_tokenizer
from mtok_export.format.added_tokens import AddedToken
from mtok_export.lowering.cuts import Front, cut_apart, east_asian, spelled_tokens
from mtok_export.lowering.findings import Findings, Place
from tests.lowering.cuts import random_models as made

pytestmark = pytest.mark.engine


def cut(file: MtokFile) -> MtokFile:
    front = Front(file.normalizer, file.pre_tokenizer, file.model, file.added_tokens)
    front = cut_apart(front, Place("$.model", "cuts", Findings()))
    return replace(
        file,
        normalizer=front.normalizer,
        pre_tokenizer=front.pre_tokenizer,
        model=front.model,
        added_tokens=front.added_tokens,
    )


def encoded(file: MtokFile, texts: list[str], folder: Path) -> list[list[int]]:
    path = folder / "tokenizer.mtok"
    path.write_bytes(file.encode())
    with NativeEngine(path, stack_kib=512) as engine:
        return engine.encode_many(texts)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts for the wide matcher however little there is to gain."""
    monkeypatch.setattr(east_asian, "MIN_PAIRS", 1)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("splitting", made.PRE_TOKENIZERS)
@pytest.mark.parametrize("before", made.NORMALIZERS)
def test_random_models(before: str, splitting: str, tmp_path: Path) -> None:
    rng = random.Random(f"{before}, {splitting}")
    changed = 0
    for _ in range(2):
        file = made.file_of(made.random_model(rng), made.NORMALIZERS[before], made.PRE_TOKENIZERS[splitting])
        with_cuts = cut(file)
        if with_cuts == file:
            continue
        changed += 1
        texts = made.random_texts(rng, file.model, 400) if isinstance(file.model, model.Bpe) else []
        assert encoded(with_cuts, texts, tmp_path) == encoded(file, texts, tmp_path)
    assert bool(changed) == (splitting != "bytes")


@pytest.mark.parametrize("seed", range(12))
def test_random_runs(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    longest = rng.choice((1, 2, 5, 9))
    bpe = made.with_runs(made.random_model(rng), "\n", longest, rng)
    tokens = made.run_tokens(bpe, "\n", range(rng.choice((1, 1, 1, 2)), longest + 1))
    before = made.NORMALIZERS[rng.choice(("nothing", "spaces replaced", "more replaced", "as in Llama 2"))]
    file = made.file_of(bpe, before, pre_tokenizer.NoPreTokenizer(), tokens)
    texts = made.random_texts(rng, bpe, 400)
    assert encoded(cut(file), texts, tmp_path) == encoded(file, texts, tmp_path)


@pytest.mark.parametrize("seed", range(16))
def test_random_tags(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelled_tokens, "MIN_TOKENS", 1)
    rng = random.Random(seed)
    bpe, tokens, texts = made.with_tags(made.random_model(rng), rng)
    before = made.NORMALIZERS[rng.choice(("spaces replaced", "spaces replaced", "more replaced"))]
    file = made.file_of(bpe, before, pre_tokenizer.NoPreTokenizer(), tokens)
    assert encoded(cut(file), texts, tmp_path) == encoded(file, texts, tmp_path)


def test_tags_are_taught_where_there_are_many_of_them() -> None:
    tags = [f"<{number}>" for number in range(spelled_tokens.MIN_TOKENS)]
    names = ["<", ">", *map(str, range(10)), made.META, *made.ALL_BYTES, *tags]
    bpe = made.bpe([(name, id_) for id_, name in enumerate(names)], [])
    tokens = tuple(AddedToken(names.index(tag), False, False, False, tag) for tag in tags)
    file = made.file_of(bpe, made.NORMALIZERS["spaces replaced"], pre_tokenizer.NoPreTokenizer(), tokens)
    assert cut(file).added_tokens == ()
    assert cut(replace(file, added_tokens=tokens[1:])).added_tokens == tokens[1:]
    prepending = replace(file, normalizer=made.NORMALIZERS["as in Llama 2"])
    assert cut(prepending).added_tokens == tokens


LONGEST = 9


def runs_file(
    merges: Sequence[tuple[str, str]], before: normalizer.Normalizer = made.NORMALIZERS["spaces replaced"]
) -> MtokFile:
    """A file with an added token for each run of up to nine line ends."""
    runs = ["\n" * length for length in range(1, LONGEST + 1)]
    results = ["".join(merge) for merge in merges]
    names = dict.fromkeys(["a", "b", made.META, *runs, *results, *made.ALL_BYTES])
    bpe = made.bpe([(name, id_) for id_, name in enumerate(names)], merges)
    tokens = made.run_tokens(bpe, "\n", range(1, LONGEST + 1))
    return made.file_of(bpe, before, pre_tokenizer.NoPreTokenizer(), tokens)


GEMMA = made.run_merges("\n", LONGEST)
WITH_OTHERS = [("a", "b"), *GEMMA]


def test_runs_that_the_merges_yield_are_not_searched_for(tmp_path: Path) -> None:
    file = runs_file(WITH_OTHERS)
    other = AddedToken(0, False, False, True, "ba")
    file = replace(file, added_tokens=(*file.added_tokens, other))
    texts = [f"{text}{chr(10) * length}{text}" for length in range(400) for text in ("", "ab", " ", "ba")]
    assert cut(file).added_tokens == (other,)
    assert encoded(cut(file), texts, tmp_path) == encoded(file, texts, tmp_path)


def swapped(merges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The merge of two line ends first of all."""
    return [merges[-1], *merges[:-1]]


@pytest.mark.parametrize(
    ("merges", "reason"),
    [
        (swapped(GEMMA), "two line ends merge before longer runs do"),
        (GEMMA[:-1], "two line ends do not merge"),
        ([*GEMMA, ("\n" * LONGEST, "\n")], "a longer run than those of the tokens is made"),
        ([*GEMMA, ("a", "\n")], "a run merges with what is before it"),
        ([*GEMMA, ("\n\n", "b")], "a run merges with what is behind it"),
    ],
)
def test_merges_that_do_not_yield_runs(merges: list[tuple[str, str]], reason: str, tmp_path: Path) -> None:
    file = runs_file(merges)
    texts = ["a\n\n\nb", "\n" * 23, "a" + "\n" * 12 + "b", "\nb\n\nb", "\n" * 10, "a\nb"]
    assert cut(file).added_tokens == file.added_tokens, reason
    searched_for_less = replace(cut(file), added_tokens=())
    assert encoded(searched_for_less, texts, tmp_path) != encoded(file, texts, tmp_path), reason


@pytest.mark.parametrize(
    "before",
    [
        normalizer.Prepend("a"),
        normalizer.Sequence((normalizer.Prepend("a"), made.NORMALIZERS["spaces replaced"])),
        normalizer.Replace("\n", " "),
        normalizer.Replace("b", "\n"),
        normalizer.Bert(True, False, False, False),
    ],
)
def test_normalizers_that_see_more_than_a_stretch(before: normalizer.Normalizer, tmp_path: Path) -> None:
    file = runs_file(WITH_OTHERS, before)
    texts = ["a\n\n\nb", "ab\nab\nb\nb", "b\n"]
    assert cut(file).added_tokens == file.added_tokens
    searched_for_less = replace(cut(file), added_tokens=())
    assert encoded(searched_for_less, texts, tmp_path) != encoded(file, texts, tmp_path)


@pytest.mark.parametrize("other", [AddedToken(0, False, True, False, "ba"), AddedToken(0, False, False, False, "\nba")])
def test_other_tokens_that_would_be_found_elsewhere(other: AddedToken, tmp_path: Path) -> None:
    file = runs_file(WITH_OTHERS)
    file = replace(file, added_tokens=(*file.added_tokens, other))
    assert cut(file).added_tokens == file.added_tokens
    texts = ["a\n\nba", "\n" * 12 + "bab"]
    searched_for_less = replace(cut(file), added_tokens=(other,))
    assert encoded(searched_for_less, texts, tmp_path) != encoded(file, texts, tmp_path)


def test_long_texts_on_a_small_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(east_asian, "MIN_PAIRS", 1)
    rng = random.Random(1)
    file = made.file_of(made.random_model(rng), made.NORMALIZERS["spaces replaced"], pre_tokenizer.NoPreTokenizer())
    chars = made.LETTERS + made.EAST_ASIAN
    texts = ["中" * 100_000, "a" * 20_000 + " " * 20_000, "".join(rng.choice(chars) for _ in range(100_000))]
    for text, ids in zip(texts, encoded(cut(file), texts, tmp_path), strict=True):
        assert len(ids) >= len(text) / 8
