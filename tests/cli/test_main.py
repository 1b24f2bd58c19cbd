"""The command as a process: exit codes, closed and full streams, odd names of files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mtok_export.cli

COMMAND = (sys.executable, "-m", "mtok_export")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and devices of POSIX systems")


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    mtok = " ".join(COMMAND)
    return subprocess.run(
        ["sh", "-c", line.replace("MTOK", mtok)], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def folder(model_dir: Callable[[str], Path], tmp_path: Path) -> Path:
    model_dir("whitespace-bpe").rename(tmp_path / "model")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (
            "MTOK export --path model --out out.mtok --json > /dev/full",
            1,
            "mtok: cannot print: No space left on device",
        ),
        ("MTOK export --path model --out out.mtok 2>&-", 0, ""),
        ("MTOK export --path model --out out.mtok >&-", 0, "out.mtok"),
        ("MTOK export --path model --out ''", 2, "it is empty"),
        ("MTOK export --path '' --out out.mtok", 2, "it is empty"),
        ("MTOK verify --path model out.mtok --deadline inf", 2, "--deadline"),
        ("MTOK verify --path model out.mtok --deadline nan", 2, "--deadline"),
        ("MTOK encode out.mtok - <&-", 1, "mtok: stdin: it is closed"),
        ("MTOK nothing", 2, "No such command"),
        ("MTOK export --quiet --path model --out " + "n" * 250, 0, ""),
        ("MTOK export --quiet --path model --out " + "n" * 257, 1, "no file can be written there"),
    ],
)
def test_one_message_and_an_exit_code(folder: Path, line: str, code: int, words: str) -> None:
    done = shell(line, folder)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert words in done.stderr
    assert not list(folder.glob(".mtok-*"))


def test_a_link_stays_and_its_target_is_replaced(folder: Path) -> None:
    (folder / "real.mtok").write_bytes(b"old")
    (folder / "link.mtok").symlink_to("real.mtok")
    assert shell("MTOK export --quiet --path model --out link.mtok", folder).returncode == 0
    assert (folder / "link.mtok").is_symlink()
    assert (folder / "real.mtok").read_bytes().startswith(b"430 4\n")


def test_an_interrupt_ends_the_command_as_shells_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mtok_export.cli.cli, "invoke", interrupted)
    monkeypatch.setattr(sys, "argv", ["mtok", "export"])
    with pytest.raises(SystemExit) as ended:
        mtok_export.cli.main()
    assert ended.value.code == 130


@pytest.mark.parametrize("command", ["inspect", "validate", "decode"])
def test_a_pipe_is_not_waited_for(folder: Path, command: str) -> None:
    os.mkfifo(folder / "pipe.mtok")
    done = shell(f"MTOK {command} pipe.mtok {'1' if command == 'decode' else ''}", folder)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "no regular file" in done.stderr


@pytest.mark.parametrize("options", ["--plain", "--legacy"])
def test_what_composes_nothing_is_not_asked_to(folder: Path, options: str) -> None:
    done = shell(f"MTOK export --path model --out out.mtok --composing none {options}", folder)
    assert done.returncode == 1
    assert "composes nothing" in done.stderr


def test_a_command_that_is_ended_cleans_up(folder: Path) -> None:
    assert shell("MTOK export --quiet --path model --out out.mtok", folder).returncode == 0
    (folder / "scratch").mkdir()
    line = "TMPDIR=scratch timeout -s TERM 2 MTOK verify --path model out.mtok --engine native"
    done = shell(line, folder)
    assert done.returncode in (1, 124)  # 1: it was quicker than that
    assert list((folder / "scratch").iterdir()) == []
