from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export.cli import cli
from mtok_export.format import MtokFile
from tests.validating.defects import ERRORS, SOUND, WARNINGS

ModelDir = Callable[[str], Path]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["validate", *map(str, arguments)])


@pytest.fixture
def save(tmp_path: Path) -> Callable[[MtokFile], Path]:
    def write(file: MtokFile) -> Path:
        path = tmp_path / "x.mtok"
        path.write_bytes(file.encode())
        return path

    return write


Save = Callable[[MtokFile], Path]


def test_a_sound_file(save: Save) -> None:
    path = save(SOUND)
    done = run(path)
    assert (done.exit_code, done.output) == (0, f"{path}: nothing found\n")


def test_an_error_with_its_place_and_exit_code(save: Save) -> None:
    path = save(ERRORS["id-beyond-vocab"]())
    done = run(path)
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert lines[0] == f"{path}: 1 error"
    assert lines[1] == "error id-beyond-vocab at model.vocab[2], byte 41"
    assert [line.split(":")[0].strip() for line in lines[3:5]] == ["why", "do"]


def test_warnings_alone_fail_with_strict(save: Save) -> None:
    path = save(WARNINGS["flags"]())
    assert run(path).exit_code == 0
    assert run(path, "--strict").exit_code == 1


def test_an_engine_version_can_be_chosen(save: Save) -> None:
    path = save(WARNINGS["unknown-to-3.5"]())
    done = run(path)
    assert done.exit_code == 0
    assert "warning unknown-to-3.5 at normalizer, byte 13 (engine 3.5)" in done.output
    assert run(path, "--engine-version", "3.5").exit_code == 1
    assert run(path, "--engine-version", "3.6", "--strict").exit_code == 0
    assert run(path, "--engine-version", "4").exit_code == 2


def test_json(save: Save) -> None:
    done = run(save(ERRORS["pattern-recursion"]()), "--json")
    value = json.loads(done.output)
    assert (value["error"], value["warning"], done.exit_code) == (1, 0, 1)
    (finding,) = value["findings"]
    assert finding["code"] == "pattern-recursion"
    assert finding["where"] == "pre_tokenizer.pattern"
    assert finding["versions"] == ["3.5", "3.6", "next"]
    assert set(finding) == {"severity", "code", "where", "offset", "what", "why", "fix", "versions"}


def test_a_damaged_file_is_a_finding_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    path.write_bytes(SOUND.encode()[:30])
    done = run(path)
    assert done.exit_code == 1
    assert done.output.splitlines()[1].startswith("error unreadable at model")
    assert ", byte " in done.output


def test_control_characters_do_not_reach_the_terminal(save: Save) -> None:
    file = ERRORS["vocab-order"]()
    data = save(file).read_bytes().replace(b"\x01\x00b", b"\x01\x00\x1b").replace(b"\x01\x00a", b"\x01\x00\x07")
    path = save(file)
    path.write_bytes(data)
    done = run(path)
    assert done.exit_code == 1
    assert done.output.replace("\n", "").isprintable()


def test_a_terminal_without_the_characters(save: Save, tmp_path: Path) -> None:
    path = save(ERRORS["pattern-recursion"]())
    done = subprocess.run(
        [sys.executable, "-m", "mtok_export", "validate", str(path)],
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert rb"[\u4e00-\u9fa5]+" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["--no-such-option", "x"], ["x", "--deadline", "0"]])
def test_wrong_use(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize("name", ["gpt2", "qwen2", "llama2", "unigram", "wordpiece-uncased"])
def test_what_is_exported_has_no_errors(name: str, model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "out.mtok"
    assert CliRunner().invoke(cli, ["export", "--path", str(model_dir(name)), "--out", str(out)]).exit_code == 0
    done = run(out)
    assert done.exit_code == 0, done.output


@pytest.mark.engine
def test_running_the_engine(save: Save) -> None:
    done = run(save(ERRORS["template-kills"]()), "--run", "--deadline", "2", "--json")
    assert done.exit_code == 1
    assert {finding["code"] for finding in json.loads(done.output)["findings"]} == {
        "template-kills",
        "engine-template",
    }
