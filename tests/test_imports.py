"""Who may import whom: the flow of the package, held by a test."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mtok_export

ROOT = Path(mtok_export.__file__).resolve().parent

LEAVES = {
    "errors",
    "_version",
    "byte_alphabet",
    "byte_strings",
    "characters",
    "facts",
    "lazy",
    "packed_tokens",
    "panics",
    "records",
}
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


UNNEEDED = frozenset(
    ("huggingface_hub", "jinja2", "numpy", "regex", "sentencepiece", "tempfile", "tqdm", "transformers")
)
OWN = ("cli.chat", "cli.diff", "cli.verify", "engine", "inspecting", "source.readers", "texts", "validating", "verify")


def test_an_export_imports_nothing_that_it_does_not_need(model_dir: Callable[[str], Path], tmp_path: Path) -> None:
    """Start-up is a good part of the time that an export takes."""
    folder = model_dir("llama2")
    (folder / "chat_template.jinja").write_text("{{ messages[0].content }}", encoding="utf-8")
    script = (
        "import sys, mtok_export.cli\n"
        "try: mtok_export.cli.main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print(*sorted(sys.modules))\n"
    )
    command = ["export", "--path", str(folder), "--out", str(tmp_path / "out.mtok"), "--quiet"]
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "mtok_export.lowering.whole" in loaded
    assert loaded & (UNNEEDED | {f"mtok_export.{name}" for name in OWN}) == set()
