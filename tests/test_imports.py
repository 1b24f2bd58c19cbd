"""Who may import whom: the flow of the package, held by a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mtok_export

ROOT = Path(mtok_export.__file__).resolve().parent

LEAVES = {"errors", "_version", "byte_alphabet", "characters", "facts", "lazy", "panics", "records"}
ALLOWED: dict[str, set[str]] = {
    "format": set(),
    "source": set(),
    "report": {"source"},
    "templating": {"shown"},
    "lowering": {"source", "format", "report", "templating"},
    "legacy": {"source", "format", "report"},
    "engine": {"format", "legacy"},
    "texts": set(),
}
"""Package to the packages that it may import, beside itself and LEAVES; what is not here may import anything."""


def imports(path: Path) -> Iterator[str]:
    """The project's own packages that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "mtok_export" and rest:
                yield rest.split(".")[0]


def modules(package: str) -> list[Path]:
    one = ROOT / f"{package}.py"
    return [one] if one.is_file() else sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", ALLOWED)
def test_the_import_direction_holds(package: str) -> None:
    allowed = ALLOWED[package] | LEAVES | {package}
    found = {(path.name, name) for path in modules(package) for name in imports(path) if name not in allowed}
    assert modules(package)
    assert found == set()
