"""Packages that import their modules when a name is first asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtok_export.lazy import names_of


@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("mtok_export.lowering.regex", "translating", "translate"),
        ("mtok_export.legacy", "legacy_file", "decode"),
    ],
)
def test_a_name_stays_what_it_is_when_its_module_is_imported(package: str, module: str, name: str) -> None:
    code = f"import {package} as p; before = p.{name}; import {package}.{module}; assert p.{name} is before"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_name_that_its_module_would_hide() -> None:
    with pytest.raises(ValueError, match="package: read would be hidden"):
        names_of("package", {"read": "read", "other": "read"})


def test_modules_are_there_as_if_imported() -> None:
    code = "import mtok_export as p; assert p.format.MtokFile is p.MtokFile; assert {'export', 'Report'} <= set(dir(p))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'package' has no attribute 'x'"):
        names_of("package", {})("x")
