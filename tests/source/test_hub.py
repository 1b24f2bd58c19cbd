"""A model on the Hub in place of a directory, against a small Hub on 127.0.0.1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants, snapshot_download

from mtok_export.errors import MtokError, SourceError
from mtok_export.source import Source, hub, load_source
from tests import hub_server
from tests.hub_server import BROKEN, GATED, Hub, commit_of
from tests.source.documents import document, encoded

REPO = "some/model"
TOKENIZER = encoded(document())
FILES = {
    "tokenizer.json": TOKENIZER,
    "tokenizer_config.json": b'{"eos_token": "b"}',
    "additional_chat_templates/rag.jinja": b"rag",
    "model.safetensors": b"weights" * 1000,
    "README.md": b"read me",
    "tokenization_mine.py": b"raise SystemExit",
    "q4.gguf": b"GGUF",
}
OLDER = {**FILES, "tokenizer_config.json": b'{"eos_token": "a"}'}
INSIDE = {"tokenizer/tokenizer.json": TOKENIZER, "unet/config.json": b"{}"}
MODELS = {
    REPO: {"main": FILES, "v1.0": OLDER},
    "some/inside": {"main": INSIDE},
    "some/weights": {"main": {"model.safetensors": b"x", "q4.gguf": b"GGUF"}},
}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and a working directory in which no model lies."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server(cache: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    assert cache is None
    with hub_server.serve(MODELS) as running:
        use(monkeypatch, running.url)
        yield running


def use(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Let the library ask another address than it was told to when it was imported."""

    def elsewhere(*arguments: Any, **options: Any) -> str:
        return str(snapshot_download(*arguments, **{**options, "endpoint": endpoint, "token": False}))

    monkeypatch.setattr("huggingface_hub.snapshot_download", elsewhere)


def refused(path: str, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load_source(path, **options)
    assert "\n" not in str(caught.value)
    assert caught.value.hint is not None
    return caught.value


def eos(source: Source) -> str | None:
    return source.settings.eos_token.content if source.settings.eos_token else None


def test_only_the_tokenizer_files_are_fetched(server: Hub) -> None:
    source = load_source(REPO)
    assert source.tokenizer_json == TOKENIZER
    assert eos(source) == "b"
    assert server.fetched() == {"tokenizer.json", "tokenizer_config.json", "additional_chat_templates/rag.jinja"}
    assert source.notices[0].where == REPO
    assert source.notices[0].message == f"the files are those of commit {commit_of('main')} on the Hub"


def test_a_second_time_nothing_is_fetched(server: Hub) -> None:
    load_source(REPO)
    server.requests.clear()
    load_source(REPO)
    assert server.fetched() == set()


@pytest.mark.usefixtures("server")
def test_a_revision_may_be_a_tag_or_a_commit() -> None:
    assert eos(load_source(REPO, revision="v1.0")) == "a"
    assert eos(load_source(REPO, revision=commit_of("v1.0"))) == "a"
    assert eos(load_source(REPO)) == "b"


def test_a_tokenizer_folder(server: Hub) -> None:
    assert load_source("some/inside").origin == "tokenizer/tokenizer.json"
    assert server.fetched() == {"tokenizer/tokenizer.json"}


def test_python_files_are_fetched_only_if_they_may_run(server: Hub) -> None:
    hub.fetch(REPO, "main", trust_remote_code=True)
    assert "tokenization_mine.py" in server.fetched()


def test_a_path_that_exists_wins(server: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "some" / "model"
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_bytes(TOKENIZER)
    assert load_source("some/model").notices == ()
    assert server.requests == []
    assert "this is a path" in refused("some/model", revision="main").message


@pytest.mark.parametrize("path", ["nowhere", "/some/model", "./some/model", "a/b/c", "some/model.json", "../model"])
def test_what_is_no_id_is_not_looked_for_on_the_hub(path: str, server: Hub) -> None:
    with pytest.raises(SourceError, match="there is no such file or directory"):
        load_source(path)
    assert "neither a path nor the id" in refused(path, revision="main").message
    assert server.requests == []


@pytest.mark.parametrize(
    ("repo", "problem"),
    [
        ("some/other", "there is no such file or directory, and no such model on the Hub (or it is a private one)"),
        (GATED, "the model is gated: its owner lets only those have it who have agreed to its terms"),
        ("some/weights", "the model on the Hub has no tokenizer file"),
        ("some/a--b", "this is no valid id of a model on the Hub"),
    ],
)
@pytest.mark.usefixtures("server")
def test_each_refusal_is_one_line(repo: str, problem: str) -> None:
    error = refused(repo)
    assert (error.where, error.message) == (repo, problem)


def test_a_hub_in_trouble(server: Hub) -> None:
    error = refused(BROKEN)
    assert "the Hub cannot be reached (" in error.message
    assert "500" in error.message
    assert server.fetched() == set()


@pytest.mark.usefixtures("server")
def test_an_unknown_revision() -> None:
    assert refused(REPO, revision="v9").message == "the model on the Hub has no revision 'v9'"


@pytest.mark.usefixtures("server")
def test_the_cache_does_without_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    load_source(REPO)
    use(monkeypatch, "http://127.0.0.1:9")
    assert eos(load_source(REPO)) == "b"
    error = refused("some/other")
    assert "the cache does not have it, and the Hub cannot be reached (" in error.message
    assert error.hint == "check the connection, or give a directory"


@pytest.mark.usefixtures("cache")
def test_offline_by_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    error = refused(REPO)
    assert "HF_HUB_OFFLINE keeps off the Hub" in error.message
    assert error.hint == "unset HF_HUB_OFFLINE, or give a directory"


@pytest.mark.usefixtures("cache")
def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MtokError) as caught:
        load_source(REPO)
    assert caught.value.hint == "pip install huggingface_hub, or give a directory"


def mtok(endpoint: str, home: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    variables = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1"}
    return subprocess.run(
        [sys.executable, "-m", "mtok_export", *map(str, arguments)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command_line(tmp_path: Path, model_dir: Callable[[str], Path]) -> None:
    directory = model_dir("qwen2")
    files = {path.name: path.read_bytes() for path in directory.iterdir()}
    out, local, report = (tmp_path / name for name in ("hub.mtok", "local.mtok", "report.json"))
    with hub_server.serve({"Some/Qwen": {"main": files, "older": files}}) as running:
        arguments = ("--path", "Some/Qwen", "--revision", "older")
        done = mtok(running.url, tmp_path, "export", *arguments, "--out", out, "--report", report)
        assert done.returncode == 0, done.stderr
        assert f"Some/Qwen: the files are those of commit {commit_of('older')} on the Hub" in done.stderr
        options = ("--engine", "model", "--json", "--report", report)
        verified = mtok(running.url, tmp_path, "verify", *arguments, out, *options)
        assert json.loads(verified.stdout)["unnamed"] == 0
        missing = mtok(running.url, tmp_path, "export", "--path", "Some/Other", "--out", out)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith(
        "mtok: Some/Other: there is no such file or directory, and no such model on the Hub"
    )
    assert len(missing.stderr.splitlines()) == 1
    assert mtok(running.url, tmp_path, "export", "--path", directory, "--out", local).returncode == 0
    assert out.read_bytes() == local.read_bytes()
