from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import mtok_export.source

PACKAGE = Path(mtok_export.source.__file__).parent
NEUTRAL = ("errors", "byte_alphabet", "byte_strings", "packed_tokens", "records")
ALLOWED = tuple(f"mtok_export.{name}" for name in ("source", *NEUTRAL))
WORKERS = ("template_worker.py", "slow_worker.py")
"""Scripts that run in processes of their own."""


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
    return found


def test_source_imports_errors_and_itself_only() -> None:
    for path in PACKAGE.glob("*.py"):
        for name in imported(path):
            root = name.split(".")[0]
            if path.name not in WORKERS:
                assert root not in ("tokenizers", "transformers", "torch"), f"{path.name} imports {name}"
            assert root != "mtok_export" or name.startswith(ALLOWED), f"{path.name} imports {name}"


def test_the_workers_import_nothing_of_the_project() -> None:
    for worker in WORKERS:
        assert not any(name.startswith("mtok_export") for name in imported(PACKAGE / worker))


def test_loading_imports_neither_hugging_face_nor_jinja(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "BPE", "vocab": {}, "merges": []}}')
    (tmp_path / "chat_template.jinja").write_text("{{ messages[0].content }}")
    script = (
        "import sys, importlib.util, types\n"
        "package = types.ModuleType('mtok_export')\n"  # so that only this half of the package is loaded
        f"package.__path__ = [{str(PACKAGE.parent)!r}]\n"
        "sys.modules['mtok_export'] = package\n"
        "from mtok_export.source import load_source\n"
        f"load_source({str(tmp_path)!r})\n"
        "heavy = {'tokenizers', 'transformers', 'torch', 'jinja2', 'huggingface_hub', 'sentencepiece', 'numpy'}\n"
        "loaded = {name.split('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
