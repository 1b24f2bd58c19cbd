from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import load_source
from mtok_export.source.files import decode_text, read_file
from tests.source.documents import document, encoded

unix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files on Windows")


def refused(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load_source(path)
    assert "\n" not in str(caught.value)
    return caught.value


def write_tokenizer(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tokenizer.json"
    path.write_bytes(encoded(document()))
    return path


def test_a_folder_a_file_and_a_folder_with_a_tokenizer_folder(tmp_path: Path) -> None:
    inside = write_tokenizer(tmp_path / "one")
    write_tokenizer(tmp_path / "two" / "tokenizer")
    assert [file.name for file in load_source(tmp_path / "one").files] == ["tokenizer.json"]
    assert [file.name for file in load_source(inside).files] == ["tokenizer.json"]
    assert [file.name for file in load_source(str(tmp_path / "two")).files] == ["tokenizer/tokenizer.json"]


def test_the_top_of_a_folder_comes_before_its_tokenizer_folder(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "tokenizer")
    write_tokenizer(tmp_path)
    assert [file.name for file in load_source(tmp_path).files] == ["tokenizer.json"]


def test_files_beside_the_tokenizer_folder_are_found(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "tokenizer")
    (tmp_path / "tokenizer" / "tokenizer_config.json").write_text('{"eos_token": "a"}')
    (tmp_path / "tokenizer_config.json").write_text('{"eos_token": "b"}')
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": 2}')
    source = load_source(tmp_path)
    assert [stop.id for stop in source.settings.stop_tokens] == [0, 2]
    assert {file.name for file in source.files} == {
        "tokenizer/tokenizer.json",
        "tokenizer/tokenizer_config.json",
        "generation_config.json",
    }


def test_a_file_with_another_name_is_read_alone(tmp_path: Path) -> None:
    write_tokenizer(tmp_path).rename(tmp_path / "small.json")
    (tmp_path / "tokenizer_config.json").write_text('{"eos_token": "a"}')
    source = load_source(tmp_path / "small.json")
    assert source.settings.eos_token is None
    assert [file.name for file in source.files] == ["small.json"]


def test_hashes_and_the_text_are_those_of_the_file(tmp_path: Path) -> None:
    path = write_tokenizer(tmp_path)
    source = load_source(tmp_path)
    assert source.tokenizer_json == path.read_bytes()
    assert source.files[0].size == path.stat().st_size
    assert len(source.files[0].sha256) == 64
    path.write_bytes(path.read_bytes() + b"\n")
    assert load_source(tmp_path).files[0].sha256 != source.files[0].sha256


def test_nothing_there(tmp_path: Path) -> None:
    error = refused(tmp_path / "gone")
    assert error.where == str(tmp_path / "gone")
    assert "no such file or directory" in error.message


def test_an_empty_folder(tmp_path: Path) -> None:
    error = refused(tmp_path)
    assert (
        "neither tokenizer.json nor tokenizer/tokenizer.json, nor any of tekken.json, tokenizer.model" in error.message
    )
    assert error.hint is not None


def test_a_folder_called_tokenizer_json(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    error = refused(tmp_path)
    assert (error.where, error.message) == ("tokenizer.json", "it is a directory, and a file is needed")


def test_a_folder_called_tokenizer_config_json(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    (tmp_path / "tokenizer_config.json").mkdir()
    assert refused(tmp_path).where == "tokenizer_config.json"


@unix
@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja"])
def test_a_named_pipe(tmp_path: Path, name: str) -> None:
    write_tokenizer(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    error = refused(tmp_path)
    assert (error.where, error.message) == (name, "it is a named pipe, and a file is needed")


@unix
def test_a_socket_and_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(SourceError, match="it is a socket"):
            read_file(Path("s"), "s")
    with pytest.raises(SourceError, match="it is a device"):
        read_file(Path("/dev/null"), "null")


@unix
def test_links(tmp_path: Path) -> None:
    target = write_tokenizer(tmp_path / "blobs")
    folder = tmp_path / "snapshot"
    folder.mkdir()
    link = folder / "tokenizer.json"
    link.symlink_to(target)
    assert load_source(folder).files[0].name == "tokenizer.json"
    target.unlink()
    assert refused(folder).message == "it is a link whose target does not exist"
    assert "a link whose target does not exist" in refused(link).message
    link.unlink()
    link.symlink_to(link)
    assert refused(folder).message.startswith("it cannot be read: ")
    assert refused(link).message.startswith("it cannot be read: ")


@unix
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tokenizer(tmp_path)

    def denied(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)  # permissions do not stop the superuser, who may run this
    error = refused(tmp_path)
    assert (error.where, error.message) == ("tokenizer.json", "it cannot be read: Permission denied")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not stop the superuser")
def test_no_permission_for_real(tmp_path: Path) -> None:
    path = write_tokenizer(tmp_path)
    path.chmod(0)
    assert "it cannot be read" in refused(tmp_path).message
    path.chmod(0o600)
    tmp_path.chmod(0)
    try:
        assert "cannot be" in refused(tmp_path).message
    finally:
        tmp_path.chmod(0o700)


def test_line_ends_of_a_text_file_are_one_character() -> None:
    assert decode_text(b"a\r\nb\rc\nd", "x") == "a\nb\nc\nd"
    with pytest.raises(SourceError, match=r"x: byte 1 \(0xff\) is not UTF-8"):
        decode_text(b"a\xff", "x")
