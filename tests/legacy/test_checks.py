"""What kills the engine or misleads it is found in a text file before the engine sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.errors import EngineError, FormatError
from mtok_export.format.header import Header
from mtok_export.legacy import (
    BertFile,
    HuggingFaceFile,
    LegacyFile,
    Piece,
    PieceType,
    SentencePieceFile,
    TiktokenFile,
    check,
    faults,
)
from mtok_export.validating import Severity, validate
from tests.legacy.random_files import BYTES, SYMBOLS

UNK = Piece(b"<unk>", 0.0, PieceType.UNKNOWN)
A = Piece(b"a", 0.0, PieceType.NORMAL)

SOUND: tuple[LegacyFile, ...] = (
    SentencePieceFile(Header((0,), (0,), (0,)), (UNK, A)),
    TiktokenFile(Header(), (*BYTES, b"", b"\0ab")),
    BertFile(Header((0,)), (b"[UNK]", b"a")),
    HuggingFaceFile(Header(), (*SYMBOLS, "ab"), (("a", "b"),)),
)

DEADLY: dict[str, tuple[LegacyFile, str, str]] = {
    "a zero byte behind others": (TiktokenFile(Header(), (*BYTES, b"ab\0")), "line 261", "ab"),
    "nothing found for ever": (TiktokenFile(Header(), (b"a", b"")), "line 6", "b"),
    "a byte without a row": (HuggingFaceFile(Header(), SYMBOLS[:97] + SYMBOLS[98:], ()), "line 4", "a"),
    "a merge without a row": (HuggingFaceFile(Header(), SYMBOLS, (("x", "y"),)), "line 261", "xy"),
}
"""The file, where the fault is, and a text that the engine dies of."""

MISLEADING: dict[str, tuple[LegacyFile, str, str]] = {
    "no piece is UNKNOWN": (SentencePieceFile(Header(), (A,)), "line 5", "no piece is UNKNOWN"),
    "no pieces": (SentencePieceFile(Header(), ()), "line 4", "there are no pieces"),
    "no [UNK]": (BertFile(Header(), (b"a",)), "line 4", r"no row is \[UNK\]"),
    "no byte": (TiktokenFile(Header(), (b"<0xZZ>",)), "line 5", "b'<0xZZ>' looks like a byte piece"),
}


@pytest.mark.parametrize("file", SOUND)
def test_sound_files(file: LegacyFile) -> None:
    check(file)
    found = validate(file.encode())
    assert [finding for finding in found if finding.severity is Severity.ERROR] == []


@pytest.mark.engine
@pytest.mark.parametrize(("file", "line", "text"), DEADLY.values(), ids=DEADLY)
def test_what_the_engine_dies_of(
    file: LegacyFile, line: str, text: str, native: Callable[..., NativeEngine], tmp_path: Path
) -> None:
    (fault,) = faults(file)
    assert fault.where == line
    with pytest.raises(FormatError):
        check(file)
    path = tmp_path / "deadly.txt"
    path.write_bytes(file.encode())
    with pytest.raises(EngineError):
        native(path, deadline=2.0).encode(text)


@pytest.mark.parametrize(("file", "line", "message"), MISLEADING.values(), ids=MISLEADING)
def test_what_misleads_the_engine(file: LegacyFile, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{line}: {message}"):
        check(file)


@pytest.mark.parametrize("name", [*DEADLY, *MISLEADING])
def test_validate_names_the_line_and_its_first_byte(name: str) -> None:
    file, line, _ = {**DEADLY, **MISLEADING}[name]
    data = file.encode()
    (finding,) = [finding for finding in validate(data) if finding.severity is Severity.ERROR]
    assert finding.where == line
    assert finding.offset is not None
    assert data[: finding.offset].count(b"\n") + 1 == int(line.removeprefix("line "))
    assert finding.what and finding.why and finding.fix


def test_ids_without_a_row_and_hidden_specials_are_warnings() -> None:
    file = BertFile(Header((3, 1, 2, 9), (8,), (7,)), (b"[UNK]", b"<a>", b"<a><b>", b""))
    found = [(finding.code, finding.what) for finding in validate(file.encode())]
    assert found == [
        ("unknown-id", "2 ids without a row or with an empty one: 3, 9"),
        ("unknown-id", "1 id without a row or with an empty one: 8"),
        ("unknown-id", "1 id without a row or with an empty one: 7"),
        ("special-hidden", "1 special whose text begins with that of an earlier one: 2 '<a><b>' behind 1"),
    ]


@pytest.mark.engine
def test_a_merge_that_no_text_comes_to_is_no_fault(native: Callable[..., NativeEngine], tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    file = HuggingFaceFile(Header(), (*SYMBOLS, "ab"), (("#version:", "0.2"), ("a", "b"), ("xy", "z")))
    path.write_bytes(file.encode())
    assert list(faults(file)) == []
    assert native(path).encode("#version:0.2ab")[-1] == 256


@pytest.mark.engine
def test_pieces_with_a_space_are_never_found(native: Callable[..., NativeEngine], tmp_path: Path) -> None:
    """They are what MNN's own exporter writes."""
    path = tmp_path / "t.txt"
    piece = Piece(b" a", -1.0, PieceType.NORMAL)
    file = SentencePieceFile(Header(), (UNK, A, piece, Piece("\u2581".encode(), -2.0, PieceType.NORMAL)))
    path.write_bytes(file.encode())
    (finding,) = validate(path.read_bytes())
    assert (finding.severity, finding.code, finding.where) == (Severity.ERROR, "piece-with-space", "line 7")
    assert finding.what == "1 NORMAL piece with a space, first ' a'"
    assert native(path).encode("a a") == [3, 1, 3, 1]


def test_a_special_that_is_a_space_is_a_warning() -> None:
    file = SentencePieceFile(Header((1,)), (UNK, Piece("\u2581".encode(), 0.0, PieceType.NORMAL)))
    (finding,) = validate(file.encode())
    assert (finding.severity, finding.code) == (Severity.WARNING, "special-is-space")
    assert finding.what == "1 special shown as white space, first 1 as ' '"


def test_type_3_is_always_warned_of() -> None:
    (finding,) = validate(SOUND[3].encode())
    assert (finding.severity, finding.code) == (Severity.WARNING, "pattern-takes-stack")


@pytest.mark.engine
@pytest.mark.skipif("sys.platform == 'win32'")
def test_the_stack_that_type_3_takes(native: Callable[..., NativeEngine], tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(SOUND[3].encode())
    engine = native(path, stack_kib=512)
    for run in ("a", "!", " ", "\u4e2d"):
        size = len(run.encode())
        assert len(engine.encode(run * (1_900 // size))) > 600
        with pytest.raises(EngineError, match="SIGSEGV"):
            engine.encode(run * (3_000 // size))


def test_a_damaged_file_is_one_finding() -> None:
    (finding,) = validate(b"430 1\n0 0 0\n\n2\nYQ==\n")
    assert (finding.code, finding.where, finding.offset) == ("unreadable", "line 5", 15)
    (finding,) = validate(b"430 1\r\n0 0 0\r\n\r\n0\r\n")
    assert "CR LF" in finding.what


@pytest.mark.engine
def test_the_engine_trusts_counts_and_survives_cr_lf_in_types_0_to_2(
    native: Callable[..., NativeEngine], tmp_path: Path
) -> None:
    path = tmp_path / "t.txt"
    for file in SOUND[:3]:
        data = file.encode()
        rows = data.split(b"\n")[3]
        for count in (b"-1", b"x"):
            path.write_bytes(data.replace(b"\n" + rows + b"\n", b"\n" + count + b"\n", 1))
            with pytest.raises(EngineError, match="killed by SIGABRT"):
                native(path)
        path.write_bytes(data.replace(b"\n" + rows + b"\n", b"\n999\n", 1))
        assert native(path).decode_ids([1, 998]) == [file_row(file, 1), b""]
        path.write_bytes(data.replace(b"\n", b"\r\n"))
        assert native(path).encode("a") == LegacyEngineModel(file).encode("a")
    path.write_bytes(SOUND[3].encode().replace(b"\n", b"\r\n"))
    with pytest.raises(EngineError, match="killed by SIGABRT"):
        native(path).encode("a")


def file_row(file: LegacyFile, id_: int) -> bytes:
    return LegacyEngineModel(file).decode_id(id_)
