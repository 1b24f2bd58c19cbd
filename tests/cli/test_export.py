"""``mtok export`` as people and pipelines run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export import MtokFile, __version__
from mtok_export.cli import cli
from mtok_export.format import read

COMMAND = [sys.executable, "-m", "mtok_export"]

ModelDir = Callable[[str], Path]


def mtok(*arguments: object, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as it is installed."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def in_process(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_directory_becomes_a_file_and_a_summary(model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "new.mtok"
    done = mtok("export", "--path", model_dir("qwen2"), "--out", out)
    assert (done.returncode, done.stdout) == (0, "")
    file = read(out)
    assert isinstance(file, MtokFile)
    lines = done.stderr.splitlines()
    assert lines[0] == f"{out}: {out.stat().st_size:,} bytes, faithful, for engine 3.5.0 and later"
    assert [line.split()[0] for line in lines[1:6]] == ["model", "specials", "stop", "template", "limits"]


def test_a_directory_as_target_gets_the_default_name(model_dir: ModelDir, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert mtok("export", "--path", model_dir("gpt2"), "--out", folder, "--quiet").stderr == ""
    assert only_file(folder).name == "tokenizer.mtok"


def test_the_tokenizer_json_itself_is_a_path(model_dir: ModelDir, tmp_path: Path) -> None:
    directory = model_dir("gpt2")
    one, other = tmp_path / "one.mtok", tmp_path / "other.mtok"
    assert mtok("export", "--path", directory, "--out", one).returncode == 0
    assert mtok("export", "--path", directory / "tokenizer.json", "--out", other).returncode == 0
    assert one.read_bytes() == other.read_bytes()


def test_json_is_the_report(model_dir: ModelDir, tmp_path: Path) -> None:
    out, report = tmp_path / "new.mtok", tmp_path / "report.json"
    done = mtok(
        "export", "--path", model_dir("wordpiece-uncased"), "--out", out, "--report", report, "--json", "--quiet"
    )
    assert done.returncode == 0
    assert done.stdout == report.read_text(encoding="utf-8")
    value = json.loads(done.stdout)
    assert (value["tool"], value["tool_version"], value["encoding"]) == ("mtok-export", __version__, "faithful")
    assert value["summary"]["bytes"] == out.stat().st_size == sum(value["summary"]["sections"].values())
    assert {file["name"] for file in value["files"]} >= {"tokenizer.json", "tokenizer_config.json"}
    assert value["limits"]
    assert all(limit["path"] and limit["component"] and limit["reason"] for limit in value["limits"])


def test_plain_says_which_unicode_its_tables_follow(model_dir: ModelDir, tmp_path: Path) -> None:
    done = mtok("export", "--path", model_dir("qwen2"), "--out", tmp_path / "p.mtok", "--plain", "--json", "--quiet")
    value = json.loads(done.stdout)
    assert value["encoding"] == "plain"
    assert value["tables"].startswith("unicodedata ")


def test_strict_refuses_what_is_not_exact_and_keeps_the_old_file(model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "kept.mtok"
    out.write_bytes(b"old")
    done = mtok("export", "--path", model_dir("wordpiece-uncased"), "--out", out, "--strict")
    assert done.returncode == 1
    assert "$.normalizer: BertNormalizer" in done.stderr
    assert out.read_bytes() == b"old"


def test_stop_tokens_are_added(model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "new.mtok"
    directory = model_dir("gpt2")
    assert mtok("export", "--path", directory, "--out", out, "--stop-token", "7").returncode == 0
    assert 7 in read(out).header.stop_ids
    done = mtok("export", "--path", directory, "--out", out, "--stop-token", "<no such token>")
    assert done.returncode == 1
    assert "<no such token>" in done.stderr


def test_parts_that_cannot_be_said_are_listed_at_once(model_dir: ModelDir, tmp_path: Path) -> None:
    directory = model_dir("gpt2")
    value = json.loads((directory / "tokenizer.json").read_text(encoding="utf-8"))
    value["pre_tokenizer"] = {"type": "UnicodeScripts"}
    value["decoder"] = {"type": "BPEDecoder", "suffix": "</w>"}
    value["model"]["end_of_word_suffix"] = "</w>"
    (directory / "tokenizer.json").write_text(json.dumps(value), encoding="utf-8")
    out = tmp_path / "none.mtok"
    done = mtok("export", "--path", directory, "--out", out)
    assert done.returncode == 1
    for path in ("$.pre_tokenizer: UnicodeScripts", "$.decoder: BPEDecoder", "$.model: BPE"):
        assert path in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["export"], 2, "--path"),
        (["export", "--path", "x"], 2, "--out"),
        (["export", "--path", "x", "--out", "y", "--no-such-flag"], 2, "--no-such-flag"),
        (["no-such-command"], 2, "no-such-command"),
        (["export", "--path", "no-such-directory", "--out", "y"], 1, "no-such-directory"),
        (["export", "--path", ".", "--out", "y"], 1, "tokenizer.json"),
    ],
    ids=["no path", "no out", "unknown flag", "unknown command", "no directory", "nothing in the directory"],
)
def test_wrong_use_and_missing_input(arguments: list[str], code: int, word: str, tmp_path: Path) -> None:
    done = mtok(*arguments, cwd=tmp_path, PYTHONPATH=str(Path(__file__).resolve().parents[2]))
    assert (done.returncode, done.stdout) == (code, "")
    assert word in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_truncated_source_is_one_line_and_changes_nothing(model_dir: ModelDir, tmp_path: Path) -> None:
    directory, folder = model_dir("wordlevel"), tmp_path / "out"
    folder.mkdir()
    out = folder / "kept.mtok"
    out.write_bytes(b"old")
    whole = (directory / "tokenizer.json").read_bytes()
    for size in [0, 1, 2, *range(10, len(whole) - 1, len(whole) // 60), len(whole) - 2]:
        (directory / "tokenizer.json").write_bytes(whole[:size])
        done = in_process("export", "--path", directory, "--out", out)
        assert done.exit_code == 1
        assert type(done.exception).__name__ == "SourceError"
        assert str(done.exception).count("\n") == 0
        assert "tokenizer.json" in str(done.exception)
    assert out.read_bytes() == b"old"
    assert only_file(folder) == out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(model_dir: ModelDir, tmp_path: Path) -> None:
    """A file-size limit stands in for a full disk: the write fails half way, with the data of a real export."""
    out = tmp_path / "kept.mtok"
    out.write_bytes(b"old")
    script = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "from mtok_export.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "export", "--path", str(model_dir("gpt2")), "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"mtok: {out}: cannot write")
    assert done.stderr.count("\n") == 1
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.mtok", "models"]


def test_a_missing_folder_is_one_line(model_dir: ModelDir, tmp_path: Path) -> None:
    done = mtok("export", "--path", model_dir("gpt2"), "--out", tmp_path / "no" / "such" / "file.mtok")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("option", ["--out", "--report"])
def test_a_name_with_a_slash_at_its_end_is_that_of_a_directory(
    option: str, model_dir: ModelDir, tmp_path: Path
) -> None:
    names = {"--out": tmp_path / "out.mtok", "--report": tmp_path / "report.json"} | {option: f"{tmp_path}/none/"}
    done = mtok("export", "--path", model_dir("gpt2"), *(word for pair in names.items() for word in pair))
    assert done.returncode == 1
    assert done.stderr == f"mtok: {tmp_path}/none/: there is no such directory (make it, or leave the slash out)\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["models"]


def test_the_report_cannot_take_the_name_of_the_file(model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "same"
    done = mtok("export", "--path", model_dir("gpt2"), "--out", out, "--report", out)
    assert (done.returncode, out.exists()) == (1, False)


def test_a_failing_report_leaves_the_old_file(model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "kept.mtok"
    out.write_bytes(b"old")
    done = mtok("export", "--path", model_dir("gpt2"), "--out", out, "--report", tmp_path / "no" / "report.json")
    assert (done.returncode, out.read_bytes()) == (1, b"old")


@pytest.mark.parametrize(
    ("name", "needed"),
    [("gpt2", ["tokenizers"]), ("llama2", []), ("unigram", []), ("wordpiece-uncased", [])],
    ids=["patterns are asked of tokenizers", "llama2", "unigram", "wordpiece"],
)
def test_the_main_path_imports_no_heavy_library(
    name: str, needed: list[str], model_dir: ModelDir, tmp_path: Path
) -> None:
    """Transformers and torch never, and tokenizers only where something is asked of it."""
    script = (
        "import sys; from mtok_export import export;"
        f"export({str(model_dir(name))!r}, {str(tmp_path / 'o.mtok')!r}, plain=True);"
        "print(*sorted({'transformers', 'torch', 'tokenizers', 'numpy', 'MNN'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == needed


def test_the_same_bytes_under_another_hash_seed_and_locale(model_dir: ModelDir, tmp_path: Path) -> None:
    directory = model_dir("qwen2")
    files = []
    for seed, language in (("1", "C"), ("2", "C.UTF-8")):
        out = tmp_path / f"{seed}.mtok"
        done = mtok("export", "--path", directory, "--out", out, PYTHONHASHSEED=seed, LC_ALL=language, PYTHONUTF8="0")
        assert done.returncode == 0
        files.append(out.read_bytes())
    assert files[0] == files[1]


def test_every_option_is_explained() -> None:
    text = in_process("export", "--help").output
    for option in (
        "--path",
        "--out",
        "--plain",
        "--strict",
        "--report",
        "--chat-template",
        "--stop-token",
        "--quiet",
        "--json",
    ):
        assert option in text


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json"])
def test_a_source_is_never_the_target(name: str, model_dir: ModelDir) -> None:
    directory = model_dir("qwen2")
    before = (directory / name).read_bytes()
    done = mtok("export", "--path", directory, "--out", directory / name)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert (directory / name).read_bytes() == before


def test_a_pipe_is_no_target(model_dir: ModelDir, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = mtok("export", "--path", model_dir("gpt2"), "--out", tmp_path / "o.mtok", "--report", pipe)
    assert (done.returncode, pipe.is_fifo(), (tmp_path / "o.mtok").exists()) == (1, True, False)
