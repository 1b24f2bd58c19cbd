"""Small tokenizers of every family, exported, on the real engine, against the tokenizers library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from mtok_export import Aspect, Fidelity, Report, export
from mtok_export.engine.native import NativeEngine
from mtok_export.texts import builtin_texts, special_texts
from tests import tokenizer_zoo

pytestmark = pytest.mark.engine

LINE_SEPARATORS = frozenset("\x85\u2028\u2029")
TEXTS = tuple(text for text in builtin_texts() if "\0" not in text)

EXACT = ("gpt2", "deepseek", "llama2", "gemma")
"""Families whose ids are right on every built-in text without LINE_SEPARATORS."""


def exported(directory: Path, tmp_path: Path, *, plain: bool) -> tuple[Path, Report]:
    path = tmp_path / "out.mtok"
    return path, export(directory, path, plain=plain)


def different(name: str, path: Path, report: Report, native: Callable[[Path], NativeEngine]) -> list[str]:
    """The texts on which the engine's ids, with the suffix that it cannot add, are not the library's."""
    tokenizer: Tokenizer = tokenizer_zoo.tokenizer(name)
    contents = [token.content for _, token in sorted(tokenizer.get_added_tokens_decoder().items())]
    texts = [text for text in (*TEXTS, *special_texts(contents)) if "\0" not in text]
    assert report.summary is not None
    suffix = list(report.summary.suffix_ids)
    expected = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    found = native(path).encode_many(texts)
    return [text for text, ids, right in zip(texts, found, expected, strict=True) if ids + suffix != right]


@pytest.mark.parametrize("name", EXACT)
def test_ids_are_those_of_the_library(
    name: str, model_dir: Callable[[str], Path], tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> None:
    path, report = exported(model_dir(name), tmp_path, plain=False)
    assert [text for text in different(name, path, report, native) if not LINE_SEPARATORS & set(text)] == []


@pytest.mark.parametrize("plain", [False, True], ids=["faithful", "plain"])
@pytest.mark.parametrize("name", tokenizer_zoo.NAMES)
def test_no_difference_without_a_limit(
    name: str, plain: bool, model_dir: Callable[[str], Path], tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> None:
    path, report = exported(model_dir(name), tmp_path, plain=plain)
    wrong = different(name, path, report, native)
    limits = [limit for limit in report.limits if Aspect.IDS in limit.aspects and limit.path != "$.post_processor"]
    assert [text for text in wrong if not any(limit.touches(text) for limit in limits)] == []


@pytest.mark.parametrize("name", tokenizer_zoo.NAMES)
def test_faithful_is_never_further_off_than_plain(
    name: str, model_dir: Callable[[str], Path], tmp_path: Path, native: Callable[[Path], NativeEngine]
) -> None:
    counts = []
    for plain in (False, True):
        path, report = exported(model_dir(name), tmp_path, plain=plain)
        counts.append(len(different(name, path, report, native)))
    assert counts[0] <= counts[1]


@pytest.mark.parametrize("name", tokenizer_zoo.NAMES)
def test_every_component_is_in_the_report(name: str, model_dir: Callable[[str], Path], tmp_path: Path) -> None:
    _, report = exported(model_dir(name), tmp_path, plain=False)
    assert {component.path.split(".")[1] for component in report.components if component.path.startswith("$.")} >= {
        "model",
        "decoder",
    }
    limited = {(limit.path, limit.component) for limit in report.limits}
    for component in report.components:
        assert (component.fidelity is not Fidelity.EXACT) == ((component.path, component.component) in limited)


@pytest.mark.parametrize("plain", [False, True], ids=["faithful", "plain"])
@pytest.mark.parametrize(
    "decoder", [None, {"type": "WordPiece", "prefix": "##", "cleanup": True}], ids=["none", "wordpiece"]
)
def test_specials_beyond_the_vocabulary_are_not_found_at_spaces(
    decoder: object,
    plain: bool,
    model_dir: Callable[[str], Path],
    tmp_path: Path,
    native: Callable[[Path], NativeEngine],
) -> None:
    """Such a token has no entry, and under a WordPiece decoder no entry streams as one space."""
    directory = model_dir("qwen2")
    source = directory / "tokenizer.json"
    value = json.loads(source.read_text(encoding="utf-8"))
    value["decoder"] = decoder
    source.write_text(json.dumps(value), encoding="utf-8")
    path, _ = exported(directory, tmp_path, plain=plain)
    expected = Tokenizer.from_file(str(source)).encode("two words and more").ids
    assert native(path).encode("two words and more") == expected
