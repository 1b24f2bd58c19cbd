from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format.header import Header, decode_header, encode_header

from .triples import Triple, cases, decoded, encoded


def triple(name: str, text: str, record: Header, shown: str) -> Triple:
    return Triple(name, text.encode().hex(), record, shown)


TRIPLES = (
    triple(
        "no ids",
        "430 4\n0 0 0\n\n",
        Header(),
        "Header(special_ids=(), stop_ids=(), prefix_ids=(), trailing_space=False)",
    ),
    triple(
        "all three lists",
        "430 4\n3 2 1\n0 2147483647 7 7 2 1\n",
        Header((0, 2147483647, 7), (7, 2), (1,)),
        "Header(special_ids=(0, 2147483647, 7), stop_ids=(7, 2), prefix_ids=(1,), trailing_space=False)",
    ),
    triple(
        "a space before the line end",
        "430 4\n0 1 0\n5 \n",
        Header((), (5,), (), trailing_space=True),
        "Header(special_ids=(), stop_ids=(5,), prefix_ids=(), trailing_space=True)",
    ),
    triple(
        "nothing but a space",
        "430 4\n0 0 0\n \n",
        Header(trailing_space=True),
        "Header(special_ids=(), stop_ids=(), prefix_ids=(), trailing_space=True)",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(encode_header, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(decode_header, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        (b"", 0, "before it begins: it is empty"),
        (b"43", 2, "the file ends inside line 1 of the header"),
        (b"430 4", 5, "the file ends inside line 1 of the header"),
        (b"430 4\n0 0", 6, "the file ends inside line 2 of the header"),
        (b"430 4\n0 0 0\n", 12, "the file ends inside line 3 of the header"),
        (b"430 4\r\n0 0 0\r\n\r\n", 5, "line 1 of the header ends with CR LF instead of LF"),
        (b"430 4\n0 0 0\r\n\n", 11, "line 2 of the header ends with CR LF"),
        (b"430 4\n0 1 0\n5\r\n", 13, "line 3 of the header ends with CR LF"),
        (b"430 0\n1 1 1\n", 0, r"a text tokenizer file of type 0 \(SENTENCEPIECE\), not a .mtok file"),
        (b"430 1\n", 0, r"type 1 \(TIKTOKEN\)"),
        (b"430 2\r\n", 0, r"type 2 \(BERT\)"),
        (b"430 3\n", 0, r"type 3 \(HUGGINGFACE\)"),
        (b"430 5\n", 0, "not a .mtok file: line 1 is '430 5', not '430 4'"),
        (b"430  4\n", 0, "line 1 is '430  4', not '430 4'"),
        (b"431 4\n", 0, "line 1 is '431 4', not '430 4'"),
        (b"430\n", 0, "line 1 is '430', not '430 4'"),
        (b"\xff\xfe\x00\x01", 0, r"line 1 is '\\\\xff\\\\xfe"),
        (b'{"version": "1.0"}', 0, "not a .mtok file but JSON"),
        (b"\xef\xbb\xbf430 4\n", 0, "a text file with a byte order mark"),
        (b"version https://git-lfs.github.com/spec/v1\n", 0, "a Git LFS pointer"),
        (b"PK\x03\x04", 0, "a zip archive"),
        (b"430 4\n0 0\n\n", 6, "line 2 of the header holds 2 numbers, not the 3 counts"),
        (b"430 4\n\n\n", 6, "line 2 of the header holds 0 numbers"),
        (b"430 4\n0 0 0 0\n\n", 6, "line 2 of the header holds 4 numbers"),
        (b"430 4\n0 1 0 \n5\n", 12, "'' in the header is not a plain number"),
        (b"430 4\n0 x 0\n\n", 8, "'x' in the header is not a plain number"),
        (b"430 4\n1 1 0\n7 -1\n", 14, "'-1' in the header is not a plain number"),
        (b"430 4\n1 0 0\n+1\n", 12, r"'\+1' in the header"),
        (b"430 4\n1 0 0\n01\n", 12, "'01' in the header"),
        (b"430 4\n1 0 0\n1.0\n", 12, "'1.0' in the header"),
        (b"430 4\n1 0 0\n\xd9\xa1\n", 12, "in the header is not a plain number"),
        (b"430 4\n1 0 0\n2147483648\n", 12, "'2147483648' in the header is not a plain number from 0 to 2147483647"),
        (b"430 4\n1 0 0\n" + b"9" * 5000 + b"\n", 12, "'99999999999999999999' in the header"),
        (b"430 4\n2 0 0\n5  6\n", 14, "'' in the header"),
        (b"430 4\n1 0 0\n5  \n", 14, "'' in the header"),
        (b"430 4\n1 0 0\n 5\n", 12, "'' in the header"),
        (b"430 4\n1 0 0\n5\t\n", 12, "in the header is not a plain number"),
        (b"430 4\n1 0 0\n5 6\n", 12, r"line 3 of the header holds 2 ids, but line 2 announces 1 \+ 0 \+ 0"),
        (b"430 4\n1 1 1\n5 6\n", 12, r"line 3 of the header holds 2 ids, but line 2 announces 1 \+ 1 \+ 1"),
        (b"430 4\n2147483647 0 0\n\n", 21, "line 3 of the header holds 0 ids, but line 2 announces 2147483647"),
    ],
)
def test_bad_bytes(data: bytes, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(decode_header, data)
    assert caught.value.offset == offset


@pytest.mark.parametrize("value", [-1, 2**31, None, 1.5])
def test_an_id_out_of_range(value: int) -> None:
    with pytest.raises(FormatError, match=r"number 1 of the stop ids is .*, not a whole number from 0 to 2147483647"):
        encoded(encode_header, Header((1,), (2, value), ()))
