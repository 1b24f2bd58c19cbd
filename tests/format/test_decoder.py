from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format import decoder as d

from .triples import Triple, annotated, assert_complete, cases, decoded, encoded

TRIPLES = (
    Triple("byte level", "00", d.ByteLevel(), "ByteLevel()"),
    Triple("byte fallback", "01", d.ByteFallback(), "ByteFallback()"),
    Triple(
        "metaspace",
        """
        02
        03 00 e2 96 81  # replacement
        00              # add prefix space
        """,
        d.Metaspace("▁", add_prefix_space=False),
        "Metaspace(replacement='▁', add_prefix_space=False)",
    ),
    Triple(
        "word piece",
        """
        03
        02 00 23 23     # prefix ##
        01              # cleanup
        """,
        d.WordPiece("##", cleanup=True),
        "WordPiece(prefix='##', cleanup=True)",
    ),
    Triple("fuse", "04", d.Fuse(), "Fuse()"),
    Triple(
        "replace",
        """
        05
        03 00 e2 96 81  # pattern
        01 00 20        # content
        """,
        d.Replace("▁", " "),
        "Replace(pattern='▁', content=' ')",
    ),
    Triple(
        "strip",
        """
        06
        01 00 20        # content
        01 00 00 00     # at the start
        ff ff ff 7f     # at the end
        """,
        d.Strip(" ", start=1, stop=2147483647),
        "Strip(content=' ', start=1, stop=2147483647)",
    ),
    Triple(
        "sequence",
        """
        07
        02 00 00 00
        01              # BYTE_FALLBACK
        04              # FUSE
        """,
        d.Sequence((d.ByteFallback(), d.Fuse())),
        "Sequence(decoders=(ByteFallback(), Fuse()))",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(d.encode_decoder, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(d.decode_decoder, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


def test_every_record_has_a_layout_and_a_triple() -> None:
    assert_complete(d.CODEC, TRIPLES)


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        ("08", 0, "unknown decoder op 8; the known ones are 0 BYTE_LEVEL"),
        ("06 0000 00000080 00000000", 3, "start is 2147483648, over the limit of 2147483647"),
        ("06 0000 00000000 000000", 7, "stop takes 4 bytes, but the file ends after 3"),
        ("03 0000 ff", 3, "cleanup is 255"),
        ("07 01000000" * 33 + "04", 165, "sequences nest more than 32 deep"),
    ],
)
def test_bad_bytes(data: str, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(d.decode_decoder, annotated(data))
    assert caught.value.offset == offset


@pytest.mark.parametrize("start", [-1, 2**31, 1.0, None])
def test_a_count_out_of_range(start: int) -> None:
    with pytest.raises(FormatError, match=r"start is .*, not a whole number from 0 to 2147483647"):
        encoded(d.encode_decoder, d.Strip(" ", start=start, stop=0))
