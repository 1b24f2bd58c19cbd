"""What an installed package holds."""

from __future__ import annotations

import sys
from fnmatch import fnmatch
from pathlib import Path

import mtok_export

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(mtok_export.__file__).resolve().parent


def test_every_file_that_is_no_module_is_packaged() -> None:
    settings = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["mtok_export"]
    names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
    others = [name for name in names if not name.endswith((".py", ".pyc"))]
    assert "py.typed" in others
    assert [name for name in others if not any(fnmatch(name, pattern) for pattern in patterns)] == []
