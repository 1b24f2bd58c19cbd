"""What is done where there are very many entries and merges, done for few: the same file, and the same report."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from mtok_export import UnsupportedError, export
from mtok_export.lowering import lower
from mtok_export.lowering.cuts import joints
from mtok_export.packed_tokens import PackedTokens
from mtok_export.source import load_source, merge_columns, merge_table
from tests import tokenizer_zoo

ordering, unreachable = (
    importlib.import_module(f"mtok_export.lowering.{name}") for name in ("ordering", "unreachable")
)

Json = dict[str, Any]


@contextmanager
def as_if_very_many(few: int) -> Iterator[None]:
    """Numpy does it all; ``few`` is how many merges of one length are so few that a loop takes them."""
    importlib.import_module("numpy")
    changes = [(merge_table, "MANY", 0), (merge_columns, "MANY", 0), (ordering, "_MANY", 1), (joints, "MANY", 0)]
    with ExitStack() as stack:
        for module, name, value in (*changes, (unreachable, "_FEW", few)):
            stack.enter_context(mock.patch.object(module, name, value))
        yield


def written(folder: Path, out: Path) -> tuple[bytes, Json] | str:
    """The file and the report, or what is said instead."""
    try:
        report = export(folder, out)
    except UnsupportedError as error:
        return str(error)
    return out.read_bytes(), json.loads(report.to_json())


def with_holes(source: Json) -> None:
    """Ids without an entry, and added tokens with ids that have none."""
    model = source["model"]
    if isinstance(model["vocab"], dict):
        top = max(model["vocab"].values())
        model["vocab"] = {token: id_ + (id_ > top // 2) * 7 for token, id_ in model["vocab"].items()}
        source["added_tokens"] = []
        source["post_processor"] = None


def with_added_tokens(source: Json) -> None:
    """Tokens beyond the vocabulary, of every kind that a file shows."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    top = max([len(source["model"]["vocab"]) - 1, *(token["id"] for token in source["added_tokens"])])
    for place, content in enumerate(("<new>", "\0", "<new é>", "zz\nz", "\ufffd"), 1):
        source["added_tokens"].append({"id": top + place, "content": content, "special": place == 1, **flags})


def with_a_long_entry(source: Json) -> None:
    """A token that no file can hold."""
    vocab = source["model"]["vocab"]
    if isinstance(vocab, dict):
        vocab["x" * 65_536] = max(vocab.values()) + 1
    else:
        vocab.append(["x" * 65_536, -9.5])
    source["added_tokens"] = [token for token in source["added_tokens"] if token["id"] < len(vocab) - 1]


CHANGES: dict[str, Callable[[Json], None]] = {
    "as it is": lambda _source: None,
    "holes": with_holes,
    "added tokens": with_added_tokens,
    "a long entry": with_a_long_entry,
}


@pytest.mark.parametrize("few", [0, 1 << 30], ids=["in rows", "one by one"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", tokenizer_zoo.NAMES)
def test_the_same_file_and_report(name: str, change: str, few: int, tmp_path: Path) -> None:
    folder = tokenizer_zoo.write_model_dir(name, tmp_path / "model")
    source = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    CHANGES[change](source)
    (folder / "tokenizer.json").write_text(json.dumps(source), encoding="utf-8")
    expected = written(folder, tmp_path / "out.mtok")
    with as_if_very_many(few):
        assert written(folder, tmp_path / "out.mtok") == expected
    assert isinstance(expected, str) == (change == "a long entry")


@pytest.mark.parametrize("name", tokenizer_zoo.NAMES)
def test_tokens_are_packed(name: str, tmp_path: Path) -> None:
    folder = tokenizer_zoo.write_model_dir(name, tmp_path / "model")
    with as_if_very_many(0):
        file, _ = lower(load_source(folder))
    assert isinstance(file.model.vocab.tokens, PackedTokens)
