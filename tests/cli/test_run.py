"""``mtok encode``, ``mtok decode`` and ``mtok chat``: a file on its own in an engine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mtok_export.cli import cli
from mtok_export.engine.native import NativeEngine
from mtok_export.errors import SourceError
from tests import hand_made as hm
from tests.verify import pairs

VOCAB = {"a": 0, "b": 1, "ab": 2, "\u2581": 3, "": 4, "<0xE9>": 5, "é": 6, "\n": 7, "\r": 8, "<0x00>": 9}
TEMPLATE = (
    "{% for m in messages %}[{{ m.role }}:{{ m.content }}{% if m.tool_calls %}{{ m.tool_calls[0].name }}{% endif %}]\n"
    "{% endfor %}{% if add_generation_prompt %}a{% endif %}"
)


def good(template: str = TEMPLATE) -> bytes:
    return hm.mtok(
        hm.bpe(VOCAB, [("a", "b")]),
        head=hm.header(special=[4], prefix=[4]),
        decoder=hm.BYTE_FALLBACK,
        added_tokens=[(4, True, "<s>")],
        end=hm.tail(template),
    )


Save = Callable[[bytes], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def write(data: bytes) -> Path:
        path = tmp_path / "hand-made.mtok"
        path.write_bytes(data)
        return path

    return write


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)], input=stdin)


ENGINES = pytest.mark.parametrize("engine", ["native", "model:3.5", "auto"])


# --- encode -----------------------------------------------------------------------------------------------------------


@pytest.mark.engine
@ENGINES
def test_ids_with_their_pieces(save: Save, engine: str) -> None:
    done = run("encode", save(good()), "ab<s>éb", "--engine", engine)
    assert done.exit_code == 0
    pieces = [line.split() for line in done.stdout.splitlines()]
    assert pieces == [["4", "'<s>'"], ["2", "'ab'"], ["4", "'<s>'"], ["6", "'\\xe9'"], ["1", "'b'"]]
    assert run("encode", save(good()), "ab", "--engine", engine, "--ids-only").stdout == "4 2\n"


@pytest.mark.engine
def test_encode_as_json(save: Save) -> None:
    value = json.loads(run("encode", save(good()), "é", "--json", "--engine", "native").stdout)
    assert value["engine"].startswith("native ")
    assert (value["text"], value["ids"], value["notes"], value["faults"]) == ("é", [4, 6], [], [])
    assert value["tokens"] == [{"id": 4, "piece": "<s>"}, {"id": 6, "piece": "é"}]


@pytest.mark.parametrize(
    ("data", "options", "ids"),
    [
        (b"a\n", [], "4 0"),
        (b"a\r\n", [], "4 0"),
        (b"a\n\n", [], "4 0 7"),
        (b"a", [], "4 0"),
        (b"\xc3\xa9\n", ["--keep-newline"], "4 6 7"),
        (b"a\r\n", ["--keep-newline"], "4 0 8 7"),
        (b"", [], "4"),
    ],
)
def test_standard_input(save: Save, data: bytes, options: list[str], ids: str) -> None:
    done = run("encode", save(good()), "-", "--engine", "model", "--ids-only", *options, stdin=data)
    assert (done.exit_code, done.stdout) == (0, f"{ids}\n")


def test_input_that_is_no_text(save: Save) -> None:
    done = run("encode", save(good()), "-", "--engine", "model", stdin=b"ab\xff")
    assert done.exit_code == 1
    assert str(done.exception) == "stdin: byte 2 (0xff) is not UTF-8"
    done = run("encode", save(good()), "a\udcff", "--engine", "model")
    assert (done.exit_code, type(done.exception).__name__) == (1, "EngineError")
    assert "lone surrogate U+DCFF" in str(done.exception)


@pytest.mark.engine
def test_a_text_with_a_zero_byte_is_not_cut_in_silence(save: Save) -> None:
    done = run("encode", save(good()), "-", "--ids-only", "--engine", "native", stdin=b"a\0b")
    assert (done.exit_code, done.stdout) == (0, "4 0 9 1\n")
    assert done.stderr.startswith("note: texts with U+0000 (1) were encoded by the model of the engine")


def test_a_text_that_starts_with_a_dash(save: Save) -> None:
    assert run("encode", save(good()), "--engine", "model", "--ids-only", "--", "-a").stdout == "4 0\n"


# --- decode -----------------------------------------------------------------------------------------------------------


@pytest.mark.engine
@ENGINES
def test_ids_become_text_in_two_ways(save: Save, engine: str) -> None:
    done = run("decode", save(good()), 4, 2, 3, 5, 99, "--engine", engine)
    assert done.exit_code == 0
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["4", "'<s>'", "''"],
        ["2", "'ab'", "'ab'"],
        ["3", "'\\u2581'", "'", "'"],
        ["5", "'<0xE9>'", "b'\\xe9'"],
        ["99", "''", "''"],
        ["streaming", "'ab", "\\ufffd'"],
        ["whole", "'ab\\u2581\\ufffd'"],
    ]


def test_decode_as_json_and_raw(save: Save) -> None:
    value = json.loads(run("decode", save(good()), 2, 6, "--json", "--engine", "model").stdout)
    assert (value["streaming"], value["whole"], value["ids"]) == ("abé", "abé", [2, 6])
    assert value["tokens"][1] == {"id": 6, "piece": "é", "streamed": "é"}
    done = run("decode", save(good()), 2, 5, 7, "--raw", "--engine", "model")
    assert (done.exit_code, done.stdout_bytes) == (0, b"ab\xe9\n")


def test_ids_from_standard_input(save: Save) -> None:
    done = run("decode", save(good()), "-", "--raw", "--engine", "model", stdin="0 1\n2\n")
    assert done.stdout == "abab"


@pytest.mark.parametrize("word", ["x", "-1", "2147483648", "1.0", "\u0661", "9" * 5000])
def test_what_is_no_id(save: Save, word: str) -> None:
    done = run("decode", save(good()), "--engine", "model", "--", word)
    assert done.exit_code == 2
    assert "is no id, a whole number from 0 to 2147483647" in " ".join(done.stderr.split())


def test_decode_needs_an_id(save: Save) -> None:
    assert run("decode", save(good())).exit_code == 2


# --- chat -------------------------------------------------------------------------------------------------------------

MESSAGES = [{"role": "user", "content": "aé"}, {"role": "assistant", "content": "", "tool_calls": [{"name": "b"}]}]


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    path = tmp_path / "messages.json"
    path.write_text(json.dumps(MESSAGES), encoding="utf-8")
    return path


@pytest.mark.engine
def test_a_conversation_is_rendered_and_encoded(save: Save, messages: Path) -> None:
    path = save(good())
    text = "[user:aé]\n[assistant:b]\na"
    with NativeEngine(path) as engine:
        ids = engine.encode(text)
    done = run("chat", path, messages)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:3] == ["'[user:a\\xe9]\\n'", "'[assistant:b]\\n'", "'a'"]
    assert [int(line.split()[0]) for line in lines[3:]] == ids
    assert run("chat", path, messages, "--raw").stdout == text
    assert run("chat", path, messages, "--ids-only").stdout == " ".join(map(str, ids)) + "\n"
    value = json.loads(run("chat", path, "-", "--json", stdin=json.dumps({"messages": MESSAGES})).stdout)
    assert (value["text"], value["ids"]) == (text, ids)


def test_the_model_renders_nothing(save: Save, messages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("chat", save(good()), messages, "--engine", "model")
    assert (done.exit_code, "the model has no template engine" in done.output) == (2, True)
    monkeypatch.setattr("mtok_export.verify.engines.installed_version", lambda _python: None)
    done = run("chat", save(good()), messages)
    assert done.exit_code == 1
    assert "chat needs the native engine" in str(done.exception)


@pytest.mark.engine
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ("3", "a list of messages is needed"),
        ("[]", "a list of messages is needed"),
        ('{"messages": {}}', "a list of messages is needed"),
        ("[3]", "$[0]: a message must be an object"),
        ('[{"role": "user", "content": ""}, {"content": "x"}]', "$[1]: a message needs a role"),
        ('[{"role": "user", "content": "\\ud800"}]', "lone surrogate U+D800"),
    ],
)
def test_messages_that_are_none(save: Save, text: str, words: str) -> None:
    done = run("chat", save(good()), "-", stdin=text)
    assert done.exit_code == 1
    assert words in str(done.exception)


def test_a_message_file_that_is_not_there(save: Save, tmp_path: Path) -> None:
    done = run("chat", save(good()), tmp_path / "none.json")
    assert (done.exit_code, "does not exist" in str(done.exception)) == (1, True)


# --- files made to kill the engine ------------------------------------------------------------------------------------


def in_a_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mtok_export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def far_id() -> bytes:
    return hm.mtok(hm.bpe({**VOCAB, "far": 0x0FFF_FFFF}))


@pytest.mark.engine
@pytest.mark.parametrize(
    ("command", "data", "words"),
    [
        (["encode", "a"], far_id(), "failed at loading"),
        (["encode", "a", "--engine", "model"], far_id(), "the id 268435455 is beyond the 11 entries"),
        (["decode", "0"], far_id(), "failed at loading"),
        (["chat"], far_id(), "failed at loading"),
        (["chat"], good(pairs.ENDLESS), "rendering a conversation of 2 messages"),
        (["encode", "a"], good()[:100], "byte "),
        (["decode", "0"], good()[:100], "byte "),
        (["chat"], good()[:100], "byte "),
        (["encode", "a"], b"", "byte 0"),
        (["chat"], b"{}", "JSON"),
    ],
)
def test_a_file_that_kills_the_engine(save: Save, messages: Path, command: list[str], data: bytes, words: str) -> None:
    path = save(data)
    rest = command[1:] or [str(messages)]
    done = in_a_process(command[0], path, *rest, "--deadline", 2)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("mtok: ")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.engine
def test_what_a_damaged_file_gives_is_shown_and_not_trusted(save: Save) -> None:
    unsorted = bytearray(good())
    at = unsorted.index(hm.string("a"))
    unsorted[at : at + 3] = hm.string("z")
    done = in_a_process("encode", save(bytes(unsorted)), "b", "--ids-only")
    assert done.returncode == 1
    assert done.stdout.startswith("4")
    assert "look-ups would miss" in done.stderr
    assert "may be luck" in done.stderr


# --- help -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["encode", "decode", "chat"])
def test_every_option_is_explained(command: str) -> None:
    text = run(command, "--help").output
    assert all(option in text for option in ("--engine", "--engine-python", "--deadline", "--json"))


def test_the_commands_import_no_heavy_library(save: Save) -> None:
    script = (
        "import sys; from mtok_export.cli import cli;"
        f"cli(['encode', {str(save(good()))!r}, 'ab', '--engine', 'model', '--ids-only'], standalone_mode=False);"
        "print(*sorted({'transformers', 'torch', 'tokenizers', 'numpy', 'MNN'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "4 2\n\n"


def test_what_chat_would_leave_out_is_refused(save: Save) -> None:
    done = run("chat", save(good()), "-", stdin='{"messages": [{"role": "user", "content": "a"}], "tools": []}')
    assert done.exit_code == 1
    assert isinstance(done.exception, SourceError)
    assert "here are tools as well" in str(done.exception)
