"""Real tokenizers on the real engine: they load, and their ids are those of the tokenizers library."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from tokenizers import Tokenizer

from mtok_export import Aspect, Report, export
from mtok_export.engine.native import NativeEngine
from mtok_export.texts import builtin_texts, special_texts
from tests.corpus.names import ALL

pytestmark = [pytest.mark.corpus, pytest.mark.engine]


SAME_IDS = ("aranizer-bpe-32k", "deepseek-v4", "deepseek_v3", "gemma3", "gpt4o", "llama2")
"""Tokenizers whose ids must be those of the library on every text without LINE_SEPARATORS."""

LINE_SEPARATORS = frozenset("\0\x85\u2028\u2029")
"""U+0000 ends a text in the engine's Python binding; the others are no white space to its patterns."""


def library(directory: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@pytest.fixture(scope="module")
def exported(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Report]]:
    folder = tmp_path_factory.mktemp("exported")
    made: dict[str, tuple[Path, Report]] = {}

    def get(name: str) -> tuple[Path, Report]:
        if name not in made:
            path = folder / f"{name}.mtok"
            made[name] = path, export(corpus / name, path)
        return made[name]

    return get


def different(directory: Path, path: Path, report: Report) -> list[str]:
    """The texts on which the engine's ids, with the suffix that it cannot add, are not the library's."""
    hf = library(directory)
    contents = [token["content"] for token in orjson.loads((directory / "tokenizer.json").read_bytes())["added_tokens"]]
    texts = [text for text in (*builtin_texts(), *special_texts(contents)) if "\0" not in text]
    assert report.summary is not None
    suffix = list(report.summary.suffix_ids)
    with NativeEngine(path) as engine:
        found = engine.encode_many(texts)
    expected = hf.encode_batch(texts)
    return [text for text, ids, encoding in zip(texts, found, expected, strict=True) if ids + suffix != encoding.ids]


@pytest.mark.parametrize("name", SAME_IDS)
def test_ids_are_those_of_the_library(name: str, corpus: Path, exported: Callable[[str], tuple[Path, Report]]) -> None:
    path, report = exported(name)
    wrong = [text for text in different(corpus / name, path, report) if not LINE_SEPARATORS & set(text)]
    assert wrong == []


@pytest.mark.parametrize("name", ALL)
def test_a_difference_in_ids_is_named(name: str, corpus: Path, exported: Callable[[str], tuple[Path, Report]]) -> None:
    """Every text whose ids differ is touched by a limit on ids in the report."""
    path, report = exported(name)
    wrong = different(corpus / name, path, report)
    limits = [limit for limit in report.limits if Aspect.IDS in limit.aspects and limit.path != "$.post_processor"]
    assert [text for text in wrong if not any(limit.touches(text) for limit in limits)] == []


@pytest.mark.parametrize("name", ALL)
def test_the_same_bytes_twice_and_from_shuffled_keys(name: str, corpus: Path, tmp_path: Path) -> None:
    """Exporting again gives the same bytes, and so do JSON files with their keys in another order."""
    first, again, other = (tmp_path / f"{n}.mtok" for n in ("first", "again", "other"))
    export(corpus / name, first)
    export(corpus / name, again)
    assert first.read_bytes() == again.read_bytes()
    shuffled = tmp_path / "shuffled"
    shuffled.mkdir()
    for source in (corpus / name).glob("*.json"):
        value = shuffle(orjson.loads(source.read_bytes()), random.Random(7))
        (shuffled / source.name).write_bytes(orjson.dumps(value))
    export(shuffled, other)
    assert first.read_bytes() == other.read_bytes()


def shuffle(value: object, chance: random.Random) -> object:
    """The same JSON with the keys of every object in another order; lists stay, since their order means something."""
    if isinstance(value, list):
        return [shuffle(item, chance) for item in value]
    if isinstance(value, dict):
        items = [(key, shuffle(item, chance)) for key, item in value.items()]
        chance.shuffle(items)
        return dict(items)
    return value
