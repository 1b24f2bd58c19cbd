"""Fixtures for all tests: model directories, the real engine, the fetched corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mtok_export.engine.native import NativeEngine, installed_version
from tests import tokenizer_zoo

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _engine_is_installed(request: pytest.FixtureRequest) -> None:
    """A test that needs the engine fails without it: a skipped test would prove nothing."""
    if request.node.get_closest_marker("engine") is not None and installed_version() is None:
        pytest.fail("this test runs the real engine, which is not installed: pip install -e '.[engine]'", pytrace=False)


@pytest.fixture
def model_dir(tmp_path: Path) -> Callable[[str], Path]:
    """Writes the model directory of a tokenizer of the zoo and returns its path; each test has its own."""
    return lambda name: tokenizer_zoo.write_model_dir(name, tmp_path / "models" / name)


@pytest.fixture
def native() -> Iterator[Callable[..., NativeEngine]]:
    """Opens the real engine on a file; takes what ``NativeEngine`` takes, and closes it after the test."""
    with ExitStack() as stack:

        def start(path: Path, **options: Any) -> NativeEngine:
            return stack.enter_context(NativeEngine(path, **options))

        yield start


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the real tokenizers, one folder each; the environment variable MTOK_CORPUS may name another."""
    folder = Path(os.environ.get("MTOK_CORPUS", ROOT / ".corpus"))
    lines = (ROOT / "scripts" / "corpus.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    missing = sorted({row[0] for row in rows if not (folder / row[0] / row[4]).is_file()})
    if missing:
        names = ", ".join(missing)
        pytest.fail(f"not in {folder}: {names}; run: python scripts/fetch_corpus.py --out {folder}", pytrace=False)
    return folder
