"""What an installed package holds."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import mtok_export

ROOT = Path(mtok_export.__file__).resolve().parent


def test_every_file_that_is_no_module_is_packaged() -> None:
    settings = (ROOT.parent / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^mtok_export = \[(.*)\]$", settings, re.MULTILINE)
    assert listed is not None
    patterns = re.findall(r'"([^"]*)"', listed[1])
    names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
    others = [name for name in names if not name.endswith((".py", ".pyc"))]
    assert "py.typed" in others
    assert [name for name in others if not any(fnmatch(name, pattern) for pattern in patterns)] == []
