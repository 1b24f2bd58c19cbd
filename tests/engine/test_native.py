"""The wrapper of the real engine: what it returns, and that it outlives what kills the engine."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mtok_export.engine import native_child
from mtok_export.engine.native import NativeEngine, installed_version
from mtok_export.errors import EngineError
from tests import hand_made as hm

pytestmark = pytest.mark.engine

VOCAB = {"a": 0, "b": 1, "ab": 2, " ": 3, "<s>": 4, "<0xE9>": 5, "é": 6, "<0x00>": 7}
TEMPLATE = "{{ bos_token }}{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}"
ENDLESS = "{% macro again() %}x{{ again() }}{% endmacro %}{{ again() }}"
WREGEX = "[一-龥]+"  # handled by a recursive matcher: a long run needs a large stack


def good_file() -> bytes:
    return hm.mtok(
        hm.bpe(VOCAB, [("a", "b")]),
        head=hm.header(special=[4], prefix=[4]),
        decoder=hm.BYTE_FALLBACK,
        added_tokens=[(4, True, "<s>")],
        end=hm.tail(TEMPLATE, bos="<s>"),
    )


Save = Callable[[bytes], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def write(data: bytes) -> Path:
        path = tmp_path / "hand-made.mtok"
        path.write_bytes(data)
        return path

    return write


def test_a_good_file_encodes_decodes_and_renders(save: Save) -> None:
    with NativeEngine(save(good_file())) as engine:
        assert engine.encode("abb a<s>é") == [4, 2, 1, 3, 0, 4, 6]
        assert engine.encode("") == [4]
        assert engine.decode_id(2) == b"ab"
        assert engine.decode_ids([6, 0, 8, -1]) == ["é".encode(), b"a", b"", b""]
        assert engine.chat([{"role": "user", "content": "hä"}]) == "<s>[user:hä]"
        assert engine.version == installed_version()
        assert "Load module failed" in engine.log


def test_many_texts_come_back_in_their_order(save: Save) -> None:
    texts = ["ab" * (n % 7) + "a" * (n % 5) for n in range(3000)]
    texts[1000] = "b" * 3_000_000  # more than one frame may hold with others
    with NativeEngine(save(good_file())) as engine:
        ids = engine.encode_many(texts)
    assert ids == [[4] + [2] * (n % 7) + [0] * (n % 5) if n != 1000 else [4] + [1] * 3_000_000 for n in range(3000)]


def test_bytes_that_are_no_utf8_come_back_as_they_are(save: Save) -> None:
    with NativeEngine(save(good_file())) as engine:
        assert engine.decode_id(5) == b"\xe9"


def test_a_nul_cuts_texts_and_decoded_bytes(save: Save) -> None:
    assert NativeEngine.cuts_at_nul
    with NativeEngine(save(good_file())) as engine:
        assert engine.encode("a\0b") == engine.encode("a")
        assert engine.decode_id(7) == b""
        assert engine.chat([{"role": "user", "content": "a\0b"}]) == "<s>[user:a]"


def test_a_lone_surrogate_is_refused_and_the_engine_lives(save: Save) -> None:
    with NativeEngine(save(good_file())) as engine:
        with pytest.raises(EngineError, match=r"lone surrogate U\+D800 at character 1"):
            engine.encode_many(["a", "b\ud800"])
        with pytest.raises(EngineError, match=r"lone surrogate U\+DFFF"):
            engine.chat([{"role": "user", "content": "\udfff"}])
        assert engine.encode("a") == [4, 0]


@pytest.mark.parametrize("token_id", [1 << 31, -(1 << 31) - 1])
def test_an_id_that_would_wrap_round_is_refused(save: Save, token_id: int) -> None:
    with NativeEngine(save(good_file())) as engine, pytest.raises(EngineError, match="outside the range"):
        engine.decode_id(token_id)


def test_legacy_files_take_their_template_from_llm_config(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.txt"
    path.write_text("430 1\n0 0 0\n\n2\nYQ==\nYg==\n", encoding="utf-8")
    config = {"jinja": {"chat_template": "<{{ messages[0].content }}{{ eos_token }}>", "eos": "E"}}
    with NativeEngine(path, llm_config=config) as engine:
        assert engine.encode("aba") == [0, 1, 0]
        assert engine.chat([{"role": "user", "content": "hi"}]) == "<hiE>"


# --- files that kill the engine ---------------------------------------------------------------------------------------


def test_a_body_cut_in_the_vocabulary(save: Save) -> None:
    data = good_file()
    path = save(data[: data.index(b"<0xE9>")])
    with (
        pytest.raises(EngineError, match=r"failed at loading hand-made\.mtok: (its process|no answer)"),
        NativeEngine(path, deadline=3.0),
    ):
        pass


def test_an_id_far_beyond_the_vocabulary(save: Save) -> None:
    path = save(hm.mtok(hm.bpe({**VOCAB, "far": 0x0FFF_FFFF})))
    with pytest.raises(EngineError, match="failed at loading"), NativeEngine(path, deadline=3.0):
        pass


def test_a_wrong_magic_number(save: Save) -> None:
    with (
        pytest.raises(EngineError, match=r"refuses the file(.|\n)*magic number is wrong"),
        NativeEngine(save(b"429 4")),
    ):
        pass


def test_a_request_that_kills_the_engine_is_named_and_the_next_one_works(save: Save) -> None:
    path = save(hm.mtok(hm.bpe({"一": 0, "a": 1}), pre_tokenizer=hm.split(WREGEX)))
    deadly = "一" * 20_000
    with NativeEngine(path, stack_kib=512) as engine:
        assert engine.encode("a一一") == [1, 0, 0]
        with pytest.raises(EngineError, match=r"failed at encoding text 2, .*20,000 characters.* was killed by SIG"):
            engine.encode_many(["a", "一", deadly, "a"])
        assert engine.encode("a") == [1]
        results = engine.encode_each(["a", deadly, "\ud800", "一"])
        assert (results[0], results[3]) == ([1], [0])
        assert "SIG" in str(results[1])
        assert "lone surrogate" in str(results[2])
        with pytest.raises(EngineError, match="encoding text 1,"):
            engine.encode_each([deadly, deadly, "a"], max_deaths=1)
        assert engine.encode("a") == [1]


def test_the_stack_limit_decides(save: Save) -> None:
    path = save(hm.mtok(hm.bpe({"一": 0}), pre_tokenizer=hm.split(WREGEX)))
    text = "一" * 4000
    with NativeEngine(path, stack_kib=8192) as engine:
        assert engine.encode(text) == [0] * 4000
    with NativeEngine(path, stack_kib=512) as engine, pytest.raises(EngineError, match="killed by SIGSEGV"):
        engine.encode(text)


def test_a_template_without_end_is_stopped(save: Save) -> None:
    path = save(hm.mtok(hm.bpe(VOCAB), end=hm.tail(ENDLESS)))
    with NativeEngine(path, deadline=2.0) as engine:
        with pytest.raises(EngineError, match=r"rendering a conversation of 1 messages: (no answer|its process)"):
            engine.chat([{"role": "user", "content": "hi"}])
        assert engine.encode("ab") == [0, 1]


def test_a_request_that_takes_too_long_is_stopped(save: Save) -> None:
    path = save(hm.mtok(hm.bpe({"a": 0, "aa": 1}, [("a", "a")])))  # the merge loop is quadratic
    with NativeEngine(path, deadline=0.5) as engine:
        with pytest.raises(EngineError, match=r"encoding text 1, .*: no answer within 0.5 s, so it was stopped"):
            engine.encode_many(["aa", "a" * 1_000_000])
        assert engine.encode("aaa") == [1, 0]


def test_what_the_engine_prints_is_kept(save: Save) -> None:
    path = save(hm.mtok(hm.bpe({"a": 0}), pre_tokenizer=hm.split("a(?=b)")))
    with NativeEngine(path) as engine:
        engine.encode("a")
        assert "unsupported regex branch" in engine.log
    assert "unsupported regex branch" in engine.log


# --- the process ------------------------------------------------------------------------------------------------------


def test_the_work_folder_goes_and_the_process_ends(save: Save, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(work))
    with NativeEngine(save(good_file())) as engine:
        assert len(list(work.iterdir())) == 1
        engine.encode("a")
    assert list(work.iterdir()) == []
    with pytest.raises(EngineError, match="not open"):
        engine.encode("a")
    with engine:
        assert engine.encode("a") == [4, 0]


def test_opening_twice_is_refused(save: Save) -> None:
    with NativeEngine(save(good_file())) as engine, pytest.raises(EngineError, match="open already"):
        engine.__enter__()


def test_an_interrupted_request_leaves_no_answers_behind(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bytes:
        raise KeyboardInterrupt

    with NativeEngine(save(good_file())) as engine:
        with monkeypatch.context() as patch:
            patch.setattr("mtok_export.engine.native_process.FrameProcess.receive", interrupt)
            with pytest.raises(KeyboardInterrupt):
                engine.encode_many(["a", "b"])
        assert engine.encode("ab") == [4, 2]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(EngineError, match=r"none\.mtok: the file cannot be handed"),
        NativeEngine(tmp_path / "none.mtok"),
    ):
        pass


def test_a_python_that_cannot_be_run(save: Save, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "python")
    with pytest.raises(EngineError, match="cannot be run"), NativeEngine(save(good_file()), python=nowhere):
        pass
    with pytest.raises(EngineError, match="cannot be run"):
        installed_version(nowhere)


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python without the engine."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")


def test_a_python_without_the_engine(save: Save, bare_python: str) -> None:
    assert installed_version(bare_python) is None
    with pytest.raises(EngineError, match=r"cannot import the package mnn.*pip install 'mtok-export\[engine\]'"):
        NativeEngine(save(good_file()), python=bare_python).__enter__()


def test_another_python_can_hold_the_engine(save: Save, tmp_path: Path) -> None:
    link = tmp_path / "other-python"
    link.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    link.chmod(0o755)
    assert installed_version(str(link)) == installed_version()
    with NativeEngine(save(good_file()), python=str(link)) as engine:
        assert engine.encode("ab") == [4, 2]


@pytest.mark.skipif("MTOK_ENGINE_PYTHONS" not in os.environ, reason="MTOK_ENGINE_PYTHONS names no other Pythons")
def test_every_engine_version_that_is_offered(save: Save) -> None:
    for python in os.environ["MTOK_ENGINE_PYTHONS"].split(os.pathsep):
        with NativeEngine(save(good_file()), python=python) as engine:
            assert engine.encode("abb a<s>é") == [4, 2, 1, 3, 0, 4, 6]
            assert engine.decode_ids([5, 6]) == [b"\xe9", "é".encode()]
            assert engine.version == installed_version(python)


def test_the_child_keeps_to_an_old_syntax_and_to_the_standard_library() -> None:
    source = Path(native_child.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - {"MNN"} <= set(sys.stdlib_module_names)


@pytest.mark.skipif(not hasattr(os, "kill") or os.name == "nt", reason="needs signals")
def test_a_child_whose_parent_has_died_ends_by_itself(save: Save, tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from mtok_export.engine.native import NativeEngine\n"
        "engine = NativeEngine(sys.argv[1]).__enter__()\n"
        "print(engine._runner._process._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(save(good_file()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    child = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail(f"process {child} is still there")
