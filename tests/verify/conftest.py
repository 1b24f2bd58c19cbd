"""A good pair of directory and file, made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mtok_export.format import read
from tests.verify import pairs


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
