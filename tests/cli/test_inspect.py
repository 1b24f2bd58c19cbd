from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export.cli import cli
from mtok_export.errors import FormatError, MtokError, SourceError
from mtok_export.format import MtokFile
from mtok_export.format.tail import Tail
from tests.format import samples
from tests.validating.defects import SOUND

ModelDir = Callable[[str], Path]
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["inspect", *map(str, arguments)])


@pytest.fixture
def save(tmp_path: Path) -> Callable[[MtokFile], Path]:
    def write(file: MtokFile) -> Path:
        path = tmp_path / "x.mtok"
        path.write_bytes(file.encode())
        return path

    return write


Save = Callable[[MtokFile], Path]


def test_every_section_has_a_heading(save: Save) -> None:
    path = save(samples.BPE)
    done = run(path)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == f"{path}: {path.stat().st_size:,} bytes, type 4"
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == [
        "header:",
        "normalizer:",
        "pre_tokenizer:",
        "model:",
        "decoder:",
        "added_tokens:",
        "chat_template:",
        "eos:",
        "flags:",
        "bos:",
        "post_processor:",
        "padding:",
    ]


@pytest.mark.parametrize("name", ["gpt2", "qwen2", "llama2", "unigram", "wordpiece-uncased"])
def test_json_adds_up(name: str, model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "out.mtok"
    assert CliRunner().invoke(cli, ["export", "--path", str(model_dir(name)), "--out", str(out)]).exit_code == 0
    done = run(out, "--json")
    assert done.exit_code == 0
    value = json.loads(done.output)
    assert sum(section["bytes"] for section in value["sections"]) == value["bytes"] == out.stat().st_size
    assert sum(section["share"] for section in value["sections"]) == pytest.approx(1, abs=1e-4)
    assert value["model"]["vocabulary"]["entries"] == sum(value["model"]["vocabulary"]["kinds"].values())
    assert done.output.isascii()


def test_one_section(save: Save) -> None:
    path = save(samples.BPE)
    assert run(path, "--section", "decoder").output.splitlines() == [
        "decoder:",
        "  SEQUENCE (7)",
        "    REPLACE (5) pattern='▁' content=' '",
        "    BYTE_FALLBACK (1)",
        "    FUSE (4)",
        "    STRIP (6) content=' ' start=1 stop=0",
    ]
    assert list(json.loads(run(path, "--section", "eos", "--json").output)) == ["eos"]
    done = run(path, "--section", "nope")
    assert (done.exit_code, type(done.exception)) == (1, MtokError)


def test_the_template_alone_byte_for_byte(save: Save) -> None:
    template = "{{ 'é\x1b[31m' }}\r\n\n"
    path = save(replace(SOUND, tail=Tail(chat_template=template)))
    done = subprocess.run(
        [sys.executable, "-m", "mtok_export", "inspect", str(path), "--chat-template"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert done.stdout == template.encode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_template_has_no_control_characters(save: Save) -> None:
    import pty

    path = save(replace(SOUND, tail=Tail(chat_template="a\x1b[31m\n\tb\u202e")))
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "mtok_export", "inspect", str(path), "--chat-template"]
    subprocess.run(command, cwd=ROOT, stdout=slave, check=True)
    shown = os.read(master, 1_000)
    os.close(slave)
    os.close(master)
    assert shown.replace(b"\r\n", b"\n") == b"a\\x1b[31m\n    b\\u202e\n"


def test_a_file_without_a_template_prints_nothing(save: Save) -> None:
    done = run(save(replace(SOUND, tail=Tail(None, None, None, None))), "--chat-template")
    assert (done.exit_code, done.output) == (0, "")


def test_control_characters_do_not_reach_the_terminal(save: Save) -> None:
    path = save(samples.BPE)
    path.write_bytes(path.read_bytes().replace(b"</s>", b"\x1b[1m").replace(b"\xc3\xa9", b"\xc2\x9b"))
    done = run(path)
    assert done.exit_code == 0
    assert r"\x1b[1m" in done.output
    assert r"\x9b" in done.output
    assert done.output.replace("\n", "").isprintable()


def test_unreachable_entries_and_texts(save: Save, tmp_path: Path) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text('"ab"\n{"text": "a"}\n', encoding="utf-8")
    path = save(SOUND)
    done = run(path, "--unreachable", "--texts", texts, "--json")
    value = json.loads(done.output)
    assert value["unreachable"] == {"entries": 3, "empty": 0, "found_as_tokens": 0, "unreachable": 0, "reasons": []}
    assert value["characters_per_token"] == [
        {"script": "Latin", "texts": 2, "characters": 3, "tokens": 2, "characters_per_token": 1.5}
    ]
    done = run(path, "--unreachable", "--texts", texts)
    assert "entries that no text can give: 0 of 3" in done.output
    assert done.output.splitlines()[-1].split() == ["Latin", "2", "3", "2", "1.500"]


def test_files_that_are_damaged_or_missing(save: Save, tmp_path: Path) -> None:
    path = save(SOUND)
    path.write_bytes(path.read_bytes()[:30])
    done = run(path)
    assert (done.exit_code, type(done.exception)) == (1, FormatError)
    assert "byte " in str(done.exception)
    assert isinstance(run(tmp_path / "missing").exception, SourceError)


@pytest.mark.parametrize(
    "arguments", [[], ["x", "--no-such-option"], ["x", "--chat-template", "--json"]], ids=["none", "unknown", "both"]
)
def test_wrong_use(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2
