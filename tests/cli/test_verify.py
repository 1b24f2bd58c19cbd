"""``mtok verify`` as people and pipelines run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export.cli import cli
from mtok_export.format import read
from mtok_export.verify import DEADLINE_SECONDS, Row
from tests.verify import pairs
from tests.verify.conftest import Pair, damaged, pair

__all__ = ["damaged", "pair"]

ROWS = [row for row in Row if row is not Row.OWNER_IDS]
"""What is compared of a tokenizer.json, which has no other owner."""

Damaged = Callable[[pairs.Damage], Path]


def mtok(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as it is installed."""
    command = [sys.executable, "-m", "mtok_export", *map(str, arguments)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


def in_process(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.mark.engine
def test_a_good_pair_exits_0_with_a_table(pair: Pair) -> None:
    done = mtok("verify", "--path", pair.directory, pair.file, "--engine", "native", PYTHONUTF8="0", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{pair.file}: engine native 3.")
    assert lines[1].split() == ["compared", "equal", "by", "version", "different", "named"]
    for line, row in zip(lines[2:8], ROWS, strict=True):
        assert line.startswith(f"  {row.value} ")
        compared, equal, by_version, different, named = line.removeprefix(f"  {row.value}").split()
        assert compared == equal
        assert (by_version, different, named) == ("0", "0", "0")
    assert lines[-1] == "equal"
    assert done.stdout.isascii()


@pytest.mark.engine
def test_differences_exit_1_and_show_the_place(pair: Pair, damaged: Damaged) -> None:
    path = damaged(pairs.swap_ids("\u0120the", "\u0120y"))
    done = mtok("verify", "--path", pair.directory, path, "--show", 1)
    assert (done.returncode, done.stderr) == (1, "")
    shown = done.stdout[done.stdout.index("ids: 1 of ") :].splitlines()
    assert shown[1].startswith("  'The night train was late again, ")
    assert "from id 30 on:" in shown[1]
    assert "'\\u0120the'" in shown[2]
    assert "'\\u0120the'" in shown[3], "the file calls the wrong id so"
    assert done.stdout.splitlines()[-1].startswith("different: ")
    assert done.stdout.isascii()


def test_json_holds_everything(pair: Pair, damaged: Damaged) -> None:
    path = damaged(pairs.double_prefix)
    done = in_process("verify", "--path", pair.directory, path, "--engine", "model", "--json")
    assert done.exit_code == 1
    value = json.loads(done.stdout)
    assert (value["passed"], value["complete"], value["engine"]) == (False, False, "model of 3.6")
    assert [aspect["aspect"] for aspect in value["aspects"]] == [row.value for row in ROWS]
    ids = value["aspects"][0]
    assert ids["compared"] == ids["different"] == len(ids["differences"]) == value["texts"]
    assert ids["differences"][0]["found"]["pieces"][1]["piece"] == pairs.BOS
    assert value["aspects"][4]["not_run"] == "needs the native engine"


def test_what_was_not_compared_is_said(pair: Pair) -> None:
    done = in_process("verify", "--path", pair.directory, pair.file, "--engine", "model:3.5")
    assert done.exit_code == 0
    assert "  chat ids              not run: needs the native engine\n" in done.stdout
    assert done.stdout.endswith("equal (not compared: chat ids, chat text)\n")


def test_named_differences_are_allowed_where_that_is_asked(model_dir: Callable[[str], Path], tmp_path: Path) -> None:
    directory, path, report = model_dir("llama2"), tmp_path / "o.mtok", tmp_path / "r.json"
    pairs.write_file(directory, path, report)
    command = ("verify", "--path", directory, path, "--engine", "model", "--report", report)
    assert in_process(*command).exit_code == 1
    done = in_process(*command, "--allow-named")
    assert done.exit_code == 0
    assert "    named    $.decoder" in done.stdout
    assert "of them named by the report" in done.stdout.splitlines()[-1]
    assert in_process(*command[:-2], "--allow-named").exit_code == 1, "without the report nothing is named"


def test_texts_of_a_file(pair: Pair, damaged: Damaged, tmp_path: Path) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text('"q1 the"\n', encoding="utf-8")
    path = damaged(pairs.swap_ids("\u0120the", "\u0120y"))
    command = ("verify", "--path", pair.directory, path, "--engine", "model", "--json")
    done = in_process(*command, "--texts", texts)
    assert json.loads(done.stdout)["aspects"][0]["differences"][-1]["subject"] == "q1 the"
    texts.write_text("{}\n", encoding="utf-8")
    done = in_process(*command, "--texts", texts)
    assert (done.exit_code, type(done.exception).__name__) == (1, "SourceError")


# --- files made to kill the engine ------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (pairs.far_id, ["is not below the vocab size", "failed: ", "failed at loading"]),
        (pairs.with_template(pairs.ENDLESS), ["rendering a conversation", "the file cannot be trusted"]),
    ],
    ids=["id beyond the vocabulary", "endless template"],
)
def test_a_file_that_kills_the_engine(pair: Pair, damaged: Damaged, damage: pairs.Damage, words: list[str]) -> None:
    done = mtok("verify", "--path", pair.directory, damaged(damage), "--engine", "native", "--deadline", 2)
    assert (done.returncode, done.stderr) == (1, "")
    for word in words:
        assert word in done.stdout


def test_a_file_that_is_cut_off(pair: Pair, tmp_path: Path) -> None:
    path = tmp_path / "cut.mtok"
    path.write_bytes(pair.file.read_bytes()[:5000])
    done = mtok("verify", "--path", pair.directory, path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"mtok: {path}, model, byte ")
    assert done.stderr.count("\n") == 1


# --- wrong use --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["verify"], "FILE"),
        (["verify", "x"], "--path"),
        (["verify", "x", "--path", "y", "--engine", "real"], "'real' is no engine"),
        (["verify", "x", "--path", "y", "--engine", "model:2"], "unknown engine version '2'"),
        (["verify", "x", "--path", "y", "--engine", "model", "--engine-python", "p"], "needs no other Python"),
        (["verify", "x", "--path", "y", "--deadline", "0"], "--deadline"),
        (["verify", "x", "--path", "y", "--texts", "/no/such/file"], "--texts"),
    ],
)
def test_wrong_use(arguments: list[str], word: str) -> None:
    done = in_process(*arguments)
    assert done.exit_code == 2
    assert word in done.output


def test_every_option_is_explained() -> None:
    text = in_process("verify", "--help").output
    options = ["--path", "--engine", "--engine-python", "--deadline", "--texts", "--report", "--allow-named", "--show"]
    for option in [*options, "--chat-template", "--chat-template-name", "--json"]:
        assert option in text
    assert f"(default: {DEADLINE_SECONDS:g})" in " ".join(text.split())


# --- export --verify --------------------------------------------------------------------------------------------------


@pytest.mark.engine
def test_export_verifies_before_it_replaces(pair: Pair, tmp_path: Path) -> None:
    out = tmp_path / "out.mtok"
    out.write_bytes(b"old")
    done = mtok("export", "--path", pair.directory, "--out", out, "--verify", "--engine", "native")
    assert (done.returncode, done.stdout) == (0, "")
    assert out.read_bytes() == pair.file.read_bytes()
    assert f"{out}: engine native" in done.stderr
    assert "\nequal\n" in done.stderr


def test_a_difference_stops_the_export_and_nothing_changes(model_dir: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    out, report = folder / "out.mtok", folder / "report.json"
    out.write_bytes(b"old")
    command = ("export", "--path", model_dir("llama2"), "--out", out, "--report", report, "--verify", "--quiet")
    done = mtok(*command, "--engine", "model")
    assert (done.returncode, done.stdout) == (1, "")
    assert "streaming: 2 of " in done.stderr
    assert done.stderr.splitlines()[-1].startswith("mtok: the new file does not do what the tokenizer does")
    assert out.read_bytes() == b"old"
    assert list(folder.iterdir()) == [out]
    assert mtok(*command, "--engine", "model", "--allow-named").stderr == ""
    assert read(out)
    assert report.is_file()


def test_the_options_of_verify_need_it(tmp_path: Path) -> None:
    for option in (["--allow-named"], ["--engine", "model"], ["--deadline", "3"], ["--engine-python", "x"]):
        done = in_process("export", "--path", tmp_path, "--out", tmp_path / "x", *option)
        assert done.exit_code == 2
        assert "go with --verify" in done.output
