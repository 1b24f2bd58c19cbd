from __future__ import annotations

from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import version
from pathlib import Path

import pytest
import tokenizers

from mtok_export.lowering.hf import _noted_version, library_version


def test_the_version_is_that_of_the_installed_library() -> None:
    assert _noted_version() in (version("tokenizers"), None)
    assert library_version() == tokenizers.__version__


@pytest.mark.parametrize(("folders", "expected"), [(["1.2"], "1.2"), (["1.2", "1.3rc1"], None), ([], None)])
def test_a_version_is_only_noted_where_one_is(
    folders: list[str], expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in folders:
        (tmp_path / f"tokenizers-{folder}.dist-info").mkdir()
    spec = ModuleSpec("tokenizers", None, origin=str(tmp_path / "tokenizers" / "__init__.py"))
    monkeypatch.setattr(PathFinder, "find_spec", lambda *_: spec)
    assert _noted_version() == expected
