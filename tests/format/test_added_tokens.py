from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format.added_tokens import AddedToken, decode_added_tokens, encode_added_tokens

from .triples import Triple, annotated, cases, decoded, encoded

TRIPLES = (
    Triple("none", "00000000", (), "()"),
    Triple(
        "two",
        """
        02 00 00 00
        07 00 00 00     # id
        01              # special
        00 00           # lstrip, rstrip
        03 00 3c 73 3e  # <s>
        00 e1 f5 05     # id 100,000,000
        00
        01 01
        02 00 c3 a9     # é
        """,
        (
            AddedToken(id=7, special=True, lstrip=False, rstrip=False, content="<s>"),
            AddedToken(id=100_000_000, special=False, lstrip=True, rstrip=True, content="é"),
        ),
        "(AddedToken(id=7, special=True, lstrip=False, rstrip=False, content='<s>'), "
        "AddedToken(id=100000000, special=False, lstrip=True, rstrip=True, content='é'))",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(encode_added_tokens, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(decode_added_tokens, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        ("ffffff", 0, "number of added tokens takes 4 bytes, but the file ends after 3"),
        ("02000000" + "00" * 17, 0, "number of added tokens is 2, each at least 9 bytes long, but only 17 bytes left"),
        ("01000000 ffffffff 00 00 00 0000", 4, "id is 4294967295, over the limit of 2147483647"),
        ("01000000 00000000 00 00 02 0000", 10, "rstrip is 2"),
        ("01000000 00000000 00 00 00 0100 80", 13, "content is not UTF-8: invalid start byte 0x80"),
    ],
)
def test_bad_bytes(data: str, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(decode_added_tokens, annotated(data))
    assert caught.value.offset == offset


def test_an_id_out_of_range() -> None:
    token = AddedToken(2**31, special=False, lstrip=False, rstrip=False, content="a")
    with pytest.raises(FormatError, match=r"\[0\]: id is 2147483648, not a whole number from 0 to 2147483647"):
        encoded(encode_added_tokens, (token,))
