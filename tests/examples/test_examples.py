"""The examples run as they stand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MODEL = EXAMPLES / "model"


def with_mtok_on_path(folder: Path) -> dict[str, str]:
    """An environment in which ``mtok`` is the command under test."""
    command = folder / "bin" / "mtok"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mtok_export "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.mark.engine
def test_the_shell_script_exports_and_verifies(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = EXAMPLES / "export_and_verify.sh"
    done = subprocess.run(
        ["bash", str(script), str(MODEL), str(out)],
        env=with_mtok_on_path(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in out.iterdir()} == {"tokenizer.mtok", "export-report.json", "verify-report.json"}
    assert json.loads((out / "verify-report.json").read_text(encoding="utf-8"))["passed"] is True


@pytest.mark.engine
def test_the_steps_of_the_workflow_run(tmp_path: Path) -> None:
    """Every ``run`` that calls mtok, in order, in one folder."""
    text = (EXAMPLES / "workflow.yml").read_text(encoding="utf-8")
    steps = re.findall(r"run: (mtok .*)", text)
    assert [step.split()[1] for step in steps] == ["export", "validate", "verify"]
    environment = {**with_mtok_on_path(tmp_path), "MODEL_DIR": str(MODEL)}
    for step in steps:
        done = subprocess.run(
            ["bash", "-c", step], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{step}: {done.stderr}"
    kept = {line.strip() for line in text.partition("path: |")[2].splitlines()}
    assert {"tokenizer.mtok", "export-report.json", "verify-report.json"} <= kept & {p.name for p in tmp_path.iterdir()}


def test_the_library_example_prints_ids_and_text(tmp_path: Path) -> None:
    script = EXAMPLES / "use_as_library.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script), str(MODEL), str(tmp_path / "out.mtok")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "text: Hello, world!" in done.stdout
