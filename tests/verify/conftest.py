"""A good pair of directory and file, made once, and a comparison that takes less time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mtok_export.format import read
from mtok_export.source import Source
from mtok_export.texts import builtin_texts
from mtok_export.verify import verification
from mtok_export.verify.chat_reference import ChatAnswers, chat_reference
from tests.verify import pairs

SOME_TEXTS = builtin_texts()[::6]
"""Enough for a damage to show; a test of the command takes all texts."""


@dataclass(frozen=True)
class Pair:
    """A model directory, the file made from it, and the report."""

    directory: Path
    file: Path
    report: Path


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("pair")
    directory, report = pairs.write_directory(folder / "model"), folder / "report.json"
    return Pair(directory, pairs.write_file(directory, folder / "good.mtok", report), report)


@pytest.fixture
def damaged(pair: Pair, tmp_path: Path) -> Callable[[pairs.Damage], Path]:
    """Writes the good file with a damage."""

    def write(damage: pairs.Damage) -> Path:
        path = tmp_path / "damaged.mtok"
        path.write_bytes(damage(read(pair.file)).encode())
        return path

    return write


_ANSWERS: dict[tuple[Path, str], ChatAnswers] = {}


@dataclass(frozen=True)
class _Kept:
    kept: ChatAnswers

    def answers(self, _seconds: float) -> ChatAnswers:
        return self.kept


@contextmanager
def _ask_once(source: Source, template: str, scenes: Any, *, seconds: float) -> Iterator[Any]:
    """Like ``chat_reference``, but transformers is started once for a directory and template."""
    assert source.folder is not None
    if (source.folder, template) not in _ANSWERS:
        with chat_reference(source, template, scenes, seconds=seconds) as reference:
            _ANSWERS[source.folder, template] = reference.answers(20.0)
    yield _Kept(_ANSWERS[source.folder, template])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the texts, and transformers once."""
    monkeypatch.setattr(verification, "builtin_texts", lambda: SOME_TEXTS)
    monkeypatch.setattr(verification, "chat_reference", _ask_once)
