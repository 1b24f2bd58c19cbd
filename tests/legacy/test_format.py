"""The four text formats, line by line: bytes, records, and what is refused."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.errors import FormatError, SourceError
from mtok_export.format.header import Header
from mtok_export.legacy import (
    BertFile,
    HuggingFaceFile,
    LegacyFile,
    Piece,
    PieceType,
    SentencePieceFile,
    TiktokenFile,
    decode,
    is_legacy,
)
from mtok_export.tokenizer_file import read_file
from tests.legacy.files import any_file

HEADER = Header((1, 2), (2,), (1,))

TRIPLES: tuple[tuple[bytes, LegacyFile], ...] = (
    (
        b"430 0\n2 1 1\n1 2 2 1\n3\nPHVuaz4= 0.0 2\nPHM+ 0.0 3\n4paBYQ== -1.5 1\n",
        SentencePieceFile(
            HEADER,
            (
                Piece(b"<unk>", 0.0, PieceType.UNKNOWN),
                Piece(b"<s>", 0.0, PieceType.CONTROL),
                Piece("\u2581a".encode(), -1.5, PieceType.NORMAL),
            ),
        ),
    ),
    (
        b"430 0\n0 0 0\n\n2\nPHM+ -1000 3\n 0 5\n",
        SentencePieceFile(
            Header(),
            (Piece(b"<s>", -1000.0, PieceType.CONTROL, "-1000"), Piece(b"", 0.0, PieceType.UNUSED, "0")),
        ),
    ),
    (b"430 1\n2 1 1\n1 2 2 1\n4\nYQ==\n/w==\n\nYWI=\n", TiktokenFile(HEADER, (b"a", b"\xff", b"", b"ab"))),
    (b"430 2\n0 0 0\n \n2\nW1VOS10=\nIyNh\n", BertFile(Header(trailing_space=True), (b"[UNK]", b"##a"))),
    (
        "430 3\n2 1 1\n1 2 2 1\n4 2\na\nĠ\n\nĠa\nĠ a\na a\n".encode(),
        HuggingFaceFile(HEADER, ("a", "Ġ", "", "Ġa"), (("Ġ", "a"), ("a", "a"))),
    ),
)


@pytest.mark.parametrize(("data", "file"), TRIPLES)
def test_lines_and_records_are_the_same_thing(data: bytes, file: LegacyFile) -> None:
    assert decode(data) == file
    assert file.encode() == data
    assert is_legacy(data)


@settings(deadline=None)
@given(file=any_file)
def test_what_is_written_is_read_and_written_again(file: LegacyFile) -> None:
    data = file.encode()
    again = decode(data)
    assert again == file
    assert again.encode() == data


@settings(deadline=None, max_examples=300)
@given(file=any_file, data=st.data())
def test_damaged_bytes_are_refused_or_read_as_they_are(file: LegacyFile, data: st.DataObject) -> None:
    good = file.encode()
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    damaged = (
        good[:at] + data.draw(st.binary(max_size=3) | st.sampled_from([b"\n", b" ", b"=", b"0"])) + good[at + cut :]
    )
    try:
        again = decode(damaged, name="t.txt")
    except FormatError as error:
        assert str(error).startswith("t.txt")
    else:
        assert again.encode() == damaged


def refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decode(data, name="t.txt")


@pytest.mark.parametrize("data", [data for data, _ in TRIPLES])
def test_cr_lf_is_refused_by_name(data: bytes) -> None:
    refused(data.replace(b"\n", b"\r\n"), r"^t\.txt, line 1, byte 5: the line ends with CR LF instead of LF")


@pytest.mark.parametrize("data", [data for data, _ in TRIPLES])
def test_a_file_that_is_cut_anywhere_is_refused(data: bytes) -> None:
    for end in range(len(data)):
        with pytest.raises(FormatError):
            decode(data[:end])


@pytest.mark.parametrize("data", [data for data, _ in TRIPLES])
def test_lines_beyond_the_counts_are_refused(data: bytes) -> None:
    lines = data.count(b"\n")
    refused(data + b"YQ==\nYQ==", rf"line {lines + 1}, byte {len(data)}: there are 2 lines more than the counts say")


def test_no_count_is_trusted() -> None:
    huge = b"430 1\n0 0 0\n\n2147483647\nYQ==\n"
    refused(huge, r"line 5, byte 24: 2,147,483,647 tokens are announced, but only 1 whole lines follow")
    for count in (b"2147483648", b"-1", b"01", b"x", b"", b"1 1", b" 1"):
        refused(huge.replace(b"2147483647", count), r"line 4, byte 13: .* is not the number of tokens: a number")
    pair = "'1' is not the number of tokens and the number of merges: 2 numbers"
    refused(b"430 3\n0 0 0\n\n1\na\n", pair)


def test_the_header_is_read_as_in_mtok_files() -> None:
    refused(b"430 1\n1 0 0\n\n0\n", r"^t\.txt, header, line 3, byte 12: .*0 ids, but line 2 announces 1 \+ 0 \+ 0")
    refused(b"430 1\n0 0\n\n0\n", r"^t\.txt, header, line 2, byte 6: .*holds 2 numbers, not the 3 counts")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"YQ== -1.0", "is not a piece, its score and its type"),
        (b"YQ==  -1.0 1", "is not a piece, its score and its type"),
        (b"YQ== -1.0 1 ", "is not a piece, its score and its type"),
        (b"YQ= -1.0 1", "'YQ=' is not base64"),
        (b"YR== -1.0 1", "'YR==' is not base64"),
        (b"YQ== nan 1", "the score 'nan' is not a finite decimal number"),
        (b"YQ== 1e999 1", "the score '1e999' is not a finite decimal number"),
        (b"YQ== 1_0 1", "is not a finite decimal number"),
        (b"YQ== -1.0 7", "the type '7' is none of 1 NORMAL, 2 UNKNOWN, 3 CONTROL, 4 USER_DEFINED, 5 UNUSED, 6 BYTE"),
        (b"YQ== -1.0 01", "the type '01' is none of"),
    ],
)
def test_bad_pieces_are_named_with_their_line(row: bytes, message: str) -> None:
    refused(b"430 0\n0 0 0\n\n2\nYQ== 0 1\n" + row + b"\n", rf"^t\.txt, line 6, byte 24: .*{re.escape(message)}")


def test_bad_tokens_are_named_with_their_line() -> None:
    for kind in (b"1", b"2"):
        refused(b"430 " + kind + b"\n0 0 0\n\n2\nYQ==\nYQ\n", r"^t\.txt, line 6, byte 20: 'YQ' is not base64")
    refused(b"430 3\n0 0 0\n\n2 0\na\nb\xff\n", r"line 6, byte 19: byte 2 of 'b\\\\xff' is no UTF-8")
    for merge in (b"ab", b"a b c", b" b", b"a ", b"a  b", b""):
        refused(b"430 3\n0 0 0\n\n1 1\na\n" + merge + b"\n", r"line 6, byte 19: '.*' is no merge")


@pytest.mark.parametrize(
    ("data", "line"), [(b"", "''"), (b"430 4\n", "'430 4'"), (b"430 01\n", "'430 01'"), (b"{}", "'{}'")]
)
def test_other_files_are_no_text_files(data: bytes, line: str) -> None:
    assert not is_legacy(data)
    refused(data, f"^t.txt, byte 0: not a text tokenizer file: line 1 is {line}, not '430 0' to '430 3'")


def test_a_type_is_not_read_as_another() -> None:
    with pytest.raises(FormatError, match="line 1, byte 0: '430 1' is that of type TIKTOKEN, not of type BERT"):
        BertFile.decode(b"430 1\n0 0 0\n\n0\n")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (HuggingFaceFile(Header(), ("a\nb",), ()), r"token 0 cannot be written: 'a\\nb' holds a line feed"),
        (HuggingFaceFile(Header(), ("a\r",), ()), r"'a\\r' ends with a carriage return"),
        (HuggingFaceFile(Header(), ("\ud800",), ()), r"token 0 .*half a surrogate pair"),
        (HuggingFaceFile(Header(), (), (("a b", "c"),)), r"merge 0 cannot be written: 'a b' of .* holds a space"),
        (HuggingFaceFile(Header(), (), (("", "c"),)), "a part of .* is empty"),
        (SentencePieceFile(Header(), (Piece(b"", math.inf, PieceType.NORMAL),)), "score of piece 0 is inf"),
        (TiktokenFile(Header((-1,)), ()), "header: number 0 of the special ids is -1"),
    ],
)
def test_what_a_line_cannot_hold_is_not_written(file: LegacyFile, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        file.encode()


def test_a_file_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.txt"
    path.write_bytes(TRIPLES[2][0])
    assert read_file(path) == TRIPLES[2][1]
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        read_file(tmp_path / "none.txt")
