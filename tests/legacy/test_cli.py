"""The command on text files: export, inspect, validate, diff, encode, decode, chat, verify."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export import MtokFile, export
from mtok_export.cli import cli
from mtok_export.legacy import HuggingFaceFile, SentencePieceFile, TiktokenFile
from mtok_export.tokenizer_file import read_file

ModelDir = Callable[[str], Path]


def mtok(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.fixture
def text_file(model_dir: ModelDir, tmp_path: Path) -> Path:
    out = tmp_path / "qwen2.txt"
    export(model_dir("qwen2"), out)
    return out


# --- export -----------------------------------------------------------------------------------------------------------


def test_legacy_writes_a_text_file_and_says_what_it_loses(model_dir: ModelDir, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = mtok("export", "--path", model_dir("qwen2"), "--out", tmp_path, "--legacy", "--report", report)
    assert done.exit_code == 0
    assert isinstance(read_file(tmp_path / "tokenizer.txt"), HuggingFaceFile)
    lines = done.output.splitlines()
    assert lines[0].startswith(f"{tmp_path / 'tokenizer.txt'}: ")
    assert "text type 3 HUGGINGFACE" in lines[0]
    (measured,) = [line for line in lines if line.startswith("  measured")]
    assert "on the built-in texts, by the model of 3.6: ids " in measured
    value = json.loads(report.read_text())
    assert [row["aspect"] for row in value["measured"]["aspects"]][:2] == ["ids", "ids without specials"]
    assert all(row["equal"] <= row["compared"] for row in value["measured"]["aspects"])
    (split,) = [limit for limit in value["limits"] if "letters, digits and white space beyond" in limit["reason"]]
    assert split["example"]


@pytest.mark.parametrize(
    ("options", "name", "kind"),
    [
        ((), "x.mtok", MtokFile),
        ((), "x.txt", HuggingFaceFile),
        ((), "x", MtokFile),
        (("--legacy",), "x", HuggingFaceFile),
        (("--format", "txt"), "x.mtok", HuggingFaceFile),
        (("--format", "mtok"), "x.txt", MtokFile),
        (("--legacy-type", "tiktoken"), "x", TiktokenFile),
        (("--legacy", "--legacy-type", "TIKTOKEN"), "x.txt", TiktokenFile),
    ],
)
def test_what_is_written(options: tuple[str, ...], name: str, kind: type, model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / name
    assert mtok("export", "--path", model_dir("gpt2"), "--out", out, *options).exit_code == 0
    assert isinstance(read_file(out), kind)


def test_what_is_no_tokenizer_json_becomes_a_text_file(model_dir: ModelDir, tmp_path: Path) -> None:
    folder = model_dir("gpt2")
    document = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").unlink()
    model = document["model"]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
    merges = "".join(f"{merge if isinstance(merge, str) else ' '.join(merge)}\n" for merge in model["merges"])
    (folder / "merges.txt").write_text("#version: 0.2\n" + merges, encoding="utf-8")
    done = mtok("export", "--path", folder, "--out", tmp_path, "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    file = read_file(tmp_path / "tokenizer.txt")
    assert isinstance(file, HuggingFaceFile)
    assert len(file.merges) == len(model["merges"])
    assert mtok("export", "--path", folder, "--out", tmp_path / "x.mtok", "--quiet").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--legacy", "--format", "mtok"), "--legacy asks for a text file"),
        (("--format", "mtok", "--legacy-type", "BERT"), "a .mtok file has no legacy type, and BERT is asked for"),
        (("--legacy", "--plain"), "there is no plain one"),
        (("--legacy", "--legacy-type", "BERT"), "type BERT holds WordPiece models alone"),
        (("--legacy", "--strict"), "cannot be expressed in a .txt file"),
    ],
)
def test_what_does_not_go_together(options: tuple[str, ...], message: str, model_dir: ModelDir, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = mtok("export", "--path", model_dir("gpt2"), "--out", out, *options)
    assert done.exit_code != 0
    assert message in done.output + str(done.exception)
    assert not out.exists()


# --- llm_config.json --------------------------------------------------------------------------------------------------

CONFIG = '{\n  "hidden_size": 8,\n  "jinja": {"bos": "x"},\n  "eps": 1E-6\n}\n'


def test_the_template_goes_into_llm_config(model_dir: ModelDir, tmp_path: Path) -> None:
    config = tmp_path / "llm_config.json"
    config.write_text(CONFIG)
    done = mtok("export", "--path", model_dir("llama3"), "--out", tmp_path / "t.txt", "--llm-config", config)
    assert done.exit_code == 0
    text = config.read_text()
    assert text.startswith('{\n  "hidden_size": 8,\n  "jinja": {\n    "bos": "x",\n    "chat_template": "')
    assert text.endswith('\n  },\n  "eps": 1E-6\n}\n')
    jinja = json.loads(text)["jinja"]
    assert jinja["eos"] == "<|eot_id|>"
    assert jinja["context"] == {"bos_token": "<|begin_of_text|>"}


def test_without_llm_config_the_template_is_said_to_be_nowhere(model_dir: ModelDir, tmp_path: Path) -> None:
    done = mtok("export", "--path", model_dir("llama3"), "--out", tmp_path / "t.txt")
    assert "--llm-config writes it where the engine looks for it" in done.output


@pytest.mark.parametrize(
    ("name", "out", "config", "message"),
    [
        ("llama3", "t.mtok", CONFIG, "a .mtok file has its chat template in itself"),
        ("gpt2", "t.txt", CONFIG, "there is no chat template to write into it"),
        ("llama3", "t.txt", "[]", "the top level must be an object"),
        ("llama3", "t.txt", '{"jinja": 1}', "it must be an object, not the number 1"),
    ],
)
def test_llm_config_that_cannot_be_used(
    name: str, out: str, config: str, message: str, model_dir: ModelDir, tmp_path: Path
) -> None:
    path = tmp_path / "llm_config.json"
    path.write_text(config)
    done = mtok("export", "--path", model_dir(name), "--out", tmp_path / out, "--llm-config", path)
    assert done.exit_code == 1
    assert message in str(done.exception)
    assert path.read_text() == config
    assert not (tmp_path / out).exists()


@pytest.mark.engine
def test_conversations_of_a_text_file(model_dir: ModelDir, tmp_path: Path) -> None:
    out, config, report = (tmp_path / name for name in ("t.txt", "llm_config.json", "report.json"))
    config.write_text(CONFIG)
    options = ("--llm-config", config, "--report", report, "--verify", "--allow-named", "--engine", "native")
    done = mtok("export", "--path", model_dir("llama3"), "--out", out, *options)
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.output.splitlines() if line.startswith("  chat text")]
    assert line.split()[2:4] == ["9", "9"]
    done = mtok("verify", "--path", model_dir("llama3"), out, "--report", report, "--allow-named", "--json")
    assert done.exit_code == 0
    rows = {row["aspect"]: row for row in json.loads(done.output)["aspects"]}
    assert rows["chat text"]["compared"] == rows["chat text"]["equal"] > 0
    messages = tmp_path / "messages.json"
    messages.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    done = mtok("chat", out, messages, "--raw")
    assert "<|start_header_id|>user" in done.output
    moved = tmp_path / "elsewhere.json"
    config.rename(moved)
    assert mtok("chat", out, messages, "--raw").output == "Hi"
    assert "<|start_header_id|>user" in mtok("chat", out, messages, "--raw", "--llm-config", moved).output


# --- the others -------------------------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.parametrize("engine", ["native", "model"])
def test_encode_and_decode(engine: str, text_file: Path) -> None:
    done = mtok("encode", text_file, "water and<|im_end|>", "--engine", engine, "--ids-only")
    assert done.exit_code == 0
    ids = done.output.split()
    done = mtok("decode", text_file, *ids, "--engine", engine, "--json")
    value = json.loads(done.output)
    assert value["streaming"] == value["whole"] == "water and<|im_end|>"
    assert value["tokens"][-1] == {"id": int(ids[-1]), "piece": "<|im_end|>", "streamed": "<|im_end|>"}


def test_a_file_with_a_fault_is_run_and_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"430 2\n0 0 0\n\n1\nYQ==\n")
    done = mtok("encode", path, "a b", "--engine", "model", "--ids-only")
    assert done.exit_code == 1
    assert done.output.startswith("0 100\n")
    assert "no row is [UNK]" in done.output


def test_inspect(text_file: Path, tmp_path: Path) -> None:
    file = read_file(text_file)
    assert isinstance(file, HuggingFaceFile)
    done = mtok("inspect", text_file, "--json")
    value = json.loads(done.output)
    assert (value["type"], value["type_name"]) == (3, "HUGGINGFACE")
    assert [section["name"] for section in value["sections"]] == ["header", "rows", "merges"]
    assert sum(section["bytes"] for section in value["sections"]) == value["bytes"] == text_file.stat().st_size
    rows = value["sections"][2]
    assert text_file.read_bytes()[rows["offset"] :].count(b"\n") == len(file.merges) == value["merges"]["merges"]
    assert value["rows"]["rows"] == len(file.tokens)
    assert [each["id"] for each in value["header"]["special_ids"]] == list(file.header.special_ids)
    done = mtok("inspect", text_file)
    assert done.output.splitlines()[0].endswith("type 3 HUGGINGFACE")
    assert "results without a row: 0" in mtok("inspect", text_file, "--section", "merges").output
    texts = tmp_path / "texts.txt"
    texts.write_text("water\n")
    assert "Latin" in mtok("inspect", text_file, "--texts", texts).output


@pytest.mark.parametrize("option", ["--chat-template", "--unreachable"])
def test_inspect_has_options_for_mtok_files_alone(option: str, text_file: Path) -> None:
    done = mtok("inspect", text_file, option)
    assert done.exit_code == 2
    assert f"{option} is for .mtok files, and this is a text file" in done.output


def test_inspect_of_every_type(model_dir: ModelDir, tmp_path: Path) -> None:
    for name, kind, figure in (
        ("llama2", "SENTENCEPIECE", "types"),
        ("gpt2", "TIKTOKEN", "single_bytes"),
        ("wordpiece-cased", "BERT", "continuing_entries"),
    ):
        out = tmp_path / f"{kind}.txt"
        assert mtok("export", "--path", model_dir(name), "--out", out, "--legacy-type", kind).exit_code == 0
        value = json.loads(mtok("inspect", out, "--json").output)
        assert value["type_name"] == kind
        assert value["rows"][figure]
        assert mtok("inspect", out).exit_code == 0
        assert "there is no section 'merges'" in str(mtok("inspect", out, "--section", "merges").exception)


def test_validate(text_file: Path) -> None:
    done = mtok("validate", text_file)
    assert (done.exit_code, done.output.splitlines()[0]) == (0, f"{text_file}: 1 warning")
    assert mtok("validate", text_file, "--strict").exit_code == 1
    text_file.write_bytes(text_file.read_bytes().replace(b"\n", b"\r\n"))
    done = mtok("validate", text_file)
    assert done.exit_code == 1
    assert "the line ends with CR LF instead of LF" in done.output


def test_diff(model_dir: ModelDir, text_file: Path, tmp_path: Path) -> None:
    same = tmp_path / "same.txt"
    same.write_bytes(text_file.read_bytes())
    done = mtok("diff", text_file, same)
    assert (done.exit_code, done.output) == (0, "the same bytes\n")
    lines = text_file.read_text().split("\n")
    lines[4 + 70], lines[-2] = "\u0120new", "x y"
    same.write_text("\n".join(lines))
    done = mtok("diff", text_file, same)
    assert done.exit_code == 1
    kinds = [line.rpartition(":")[0] for line in done.output.splitlines() if not line.startswith(" ")]
    assert kinds == ["rows: tokens changed", "merges: merges removed", "merges: merges added"]
    other = tmp_path / "other.txt"
    assert mtok("export", "--path", model_dir("llama2"), "--out", other).exit_code == 0
    assert "type: '3 HUGGINGFACE' -> '0 SENTENCEPIECE'" in mtok("diff", text_file, other).output
    binary = tmp_path / "x.mtok"
    assert mtok("export", "--path", model_dir("llama2"), "--out", binary).exit_code == 0
    assert "type: '0 SENTENCEPIECE' -> '4 PIPELINE'" in mtok("diff", other, binary).output


def test_diff_of_pieces(model_dir: ModelDir, tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    assert mtok("export", "--path", model_dir("llama2"), "--out", one).exit_code == 0
    file = read_file(one)
    assert isinstance(file, SentencePieceFile)
    lines = one.read_text().split("\n")
    lines[4 + 3] = lines[4 + 3].rpartition(" ")[0] + " 4"
    other.write_text("\n".join([*lines[:3], f"{len(file.pieces) + 1}", *lines[4:-1], "YQ== -0.5 1", ""]))
    output = mtok("diff", one, other, "--json").output
    kinds = [(each["kind"], each["count"]) for each in json.loads(output)["differences"]]
    assert kinds == [("tokens added", 1), ("piece types changed", 1)]


@pytest.mark.engine
def test_verify_needs_the_report_to_pass(model_dir: ModelDir, tmp_path: Path) -> None:
    out, report = tmp_path / "t.txt", tmp_path / "r.json"
    assert mtok("export", "--path", model_dir("gpt2"), "--out", out, "--report", report).exit_code == 0
    assert mtok("verify", "--path", model_dir("gpt2"), out).exit_code == 1
    done = mtok("verify", "--path", model_dir("gpt2"), out, "--report", report, "--allow-named")
    assert done.exit_code == 0, done.output
