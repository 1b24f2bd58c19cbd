"""The example of a tie: tokenizers and the engine do part on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from mtok_export import export
from mtok_export.engine.native import NativeEngine
from mtok_export.lowering.ties import tie_example

PIECES = [("<unk>", 0.0), ("\u2581", -2.0), ("a", -3.0), ("7", -4.0), ("77", -4.5), ("\u2581a", -4.0)]


@pytest.mark.engine
def test_the_example_shows_the_difference(tmp_path: Path, native: Callable[..., NativeEngine]) -> None:
    tokenizer = Tokenizer(models.Unigram(PIECES, unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    report = export(tmp_path, tmp_path / "tokenizer.mtok")
    (example,) = (limit.example for limit in report.limits if "the same score" in limit.reason)
    assert example == "777"
    assert native(tmp_path / "tokenizer.mtok").encode(example) != tokenizer.encode(example).ids


def test_there_may_be_none() -> None:
    assert tie_example({"a": 0, "b": 1}, [-1.0, -2.0]) is None
