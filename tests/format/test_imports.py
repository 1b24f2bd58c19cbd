from __future__ import annotations

import ast
from importlib.resources import files

NEUTRAL = ("errors", "byte_strings", "packed_tokens", "records")
"""Modules that know nothing of tokenizers or of files."""


def test_format_imports_nothing_of_the_project_but_what_is_neutral() -> None:
    """The lowest layer must not lean on those above it."""
    allowed = tuple(f"mtok_export.{name}" for name in (*NEUTRAL, "format"))
    for module in files("mtok_export.format").iterdir():
        if not module.name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, module.name
                names = [node.module or ""]
            for name in names:
                if name.partition(".")[0] == "mtok_export":
                    assert name.startswith(allowed), module.name
