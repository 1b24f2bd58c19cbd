from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format import normalizer as n
from mtok_export.format.spec import MAX_SEQUENCE_DEPTH

from .triples import Triple, annotated, assert_complete, cases, decoded, encoded

TRIPLES = (
    Triple("none", "00", n.NoNormalizer(), "NoNormalizer()"),
    Triple("nfkc", "01", n.Nfkc(), "Nfkc()"),
    Triple(
        "prepend",
        """
        02           # PREPEND
        03 00        # 3 bytes
        e2 96 81     # ▁
        """,
        n.Prepend("▁"),
        "Prepend(prepend='▁')",
    ),
    Triple(
        "replace",
        """
        03           # REPLACE
        01 00 20     # pattern: a space
        03 00 e2 96 81
        """,
        n.Replace(" ", "▁"),
        "Replace(pattern=' ', content='▁')",
    ),
    Triple(
        "replace by nothing",
        """
        03
        02 00 60 60  # ``
        00 00        # empty content
        """,
        n.Replace("``", ""),
        "Replace(pattern='``', content='')",
    ),
    Triple(
        "sequence",
        """
        04           # SEQUENCE
        02 00 00 00  # of two
        02 01 00 78  # PREPEND x
        04           # and of a sequence
        01 00 00 00  # of one
        01           # NFKC
        """,
        n.Sequence((n.Prepend("x"), n.Sequence((n.Nfkc(),)))),
        "Sequence(normalizers=(Prepend(prepend='x'), Sequence(normalizers=(Nfkc(),))))",
    ),
    Triple("empty sequence", "04 00000000", n.Sequence(()), "Sequence(normalizers=())"),
    Triple(
        "bert",
        """
        05
        01           # clean text
        01           # handle Chinese characters
        00           # strip accents
        01           # lowercase
        """,
        n.Bert(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True),
        "Bert(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True)",
    ),
    Triple(
        "table",
        """
        06
        03 00 00 00  # three entries
        ad 00 00 00  # U+00AD
        00 00        # goes away
        01 fb 00 00  # U+FB01
        02 00 66 69  # f i
        00 f9 02 00  # U+2F900
        04 00 f0 a0 94 9c
        """,
        n.Table(((0xAD, ""), (0xFB01, "fi"), (0x2F900, "\U0002051c"))),
        "Table()",
    ),
    Triple("empty table", "06 00000000", n.Table(()), "Table()"),
    Triple(
        "bert with a table",
        """
        07
        01 00 01 00  # clean text, strip accents
        01 00 00 00  # one entry
        e9 00 00 00  # U+00E9
        03 00 65 cc 81
        """,
        n.BertTable(
            clean_text=True,
            handle_chinese_chars=False,
            strip_accents=True,
            lowercase=False,
            entries=((0xE9, "e\u0301"),),
        ),
        "BertTable(clean_text=True, handle_chinese_chars=False, strip_accents=True, lowercase=False)",
    ),
    Triple(
        "bert with a table that is not there",
        "07 01 00 00 01  # without strip accents the record ends here",
        n.BertTable(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=True),
        "BertTable(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=True)",
    ),
    Triple(
        "strip",
        "08 01 00  # left, not right",
        n.Strip(strip_left=True, strip_right=False),
        "Strip(strip_left=True, strip_right=False)",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(n.encode_normalizer, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    assert decoded(n.decode_normalizer, triple.data) == triple.record


@cases(TRIPLES)
def test_text(triple: Triple) -> None:
    assert repr(triple.record) == triple.text


def test_every_record_has_a_layout_and_a_triple() -> None:
    assert_complete(n.CODEC, TRIPLES)


def test_records_of_one_kind_are_written_as_one_by_one() -> None:
    records = (n.Replace("a", "é"), n.Replace("▁" * 100, ""), n.Nfkc(), n.Nfkc(), n.Prepend("x"), n.Replace("", "b"))
    alone = b"".join(encoded(n.encode_normalizer, record) for record in records)
    assert encoded(n.encode_normalizer, n.Sequence(records)) == b"\x04\x06\0\0\0" + alone


def nested(depth: int) -> n.Normalizer:
    record: n.Normalizer = n.Nfkc()
    for _ in range(depth):
        record = n.Sequence((record,))
    return record


def test_sequences_as_deep_as_allowed() -> None:
    record = nested(MAX_SEQUENCE_DEPTH)
    assert decoded(n.decode_normalizer, encoded(n.encode_normalizer, record)) == record


def test_sequences_too_deep() -> None:
    with pytest.raises(FormatError, match=f"more than {MAX_SEQUENCE_DEPTH} deep"):
        encoded(n.encode_normalizer, nested(MAX_SEQUENCE_DEPTH + 1))
    data = annotated("04 01000000" * (MAX_SEQUENCE_DEPTH + 1) + "01")
    with pytest.raises(FormatError, match=f"more than {MAX_SEQUENCE_DEPTH} deep") as caught:
        decoded(n.decode_normalizer, data)
    assert caught.value.offset == 5 * (MAX_SEQUENCE_DEPTH + 1)


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        ("09", 0, "unknown normalizer op 9; the known ones are 0 NONE, 1 NFKC, .* 8 STRIP"),
        ("05 01 02 00 00", 2, "handle chinese chars is 2"),
        ("02 02 00 c3 28", 3, "prepend is not UTF-8: invalid continuation byte 0xC3"),
        ("02 03 00 ed a0 80", 3, "prepend is not UTF-8"),
        ("02 05 00 61", 3, "prepend takes 5 bytes, but the file ends after 1"),
        ("03 01 00 61 01", 4, "length of content takes 2 bytes, but the file ends after 1"),
        (
            "04 ffffffff 01 01",
            1,
            "number of normalizers is 4294967295, each at least 1 byte long, but only 2 bytes left",
        ),
        ("04 02000000 01 63", 6, r"normalizer op 99"),
        (
            "06 02000000 61000000 0000 62000000",
            1,
            "number of entries is 2, each at least 6 bytes long, but only 10 bytes left",
        ),
        ("06 01000000 00001100 0000", 5, "entry 0 is for 0x110000, which is no code point"),
        ("06 01000000 61000000 0100 ff", 11, "replacement in entry 0 is not UTF-8"),
        ("07 00 00 01 00", 5, "number of entries takes 4 bytes, but the file ends after 0"),
        ("", 0, "normalizer op takes 1 byte"),
    ],
)
def test_bad_bytes(data: str, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(n.decode_normalizer, annotated(data))
    assert caught.value.offset == offset


def test_an_error_names_the_child() -> None:
    with pytest.raises(FormatError) as caught:
        decoded(n.decode_normalizer, annotated("04 02000000 01  04 01000000 08 01 07"))
    assert caught.value.where == "normalizers[1].normalizers[0], byte 13"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (n.Prepend("\ud800"), r"prepend holds the lone surrogate U\+D800 at character 0"),
        (n.Replace("é" * 32768, ""), "pattern is 65536 bytes long, over the limit of 65535"),
        (n.Table(((0x110000, ""),)), "entry 0 is for 0x110000"),
        (n.Table(((-1, ""),)), "entry 0 is for -0x1"),
        (n.Table(((97, "\udfff"),)), "replacement in entry 0 holds the lone surrogate"),
        (n.BertTable(True, True, False, True, ((97, "b"),)), "entries can only be written together with strip_accents"),
        (n.Sequence((n.Nfkc(), n.Prepend("\ud800"))), r"normalizers\[1\]: prepend holds"),
        (n.Sequence((n.Nfkc(), n.Replace("a", "b"), n.Replace("", "\ud800"))), r"normalizers\[2\]: content holds"),
        (n.Sequence((n.Replace("a", "é" * 32768), n.Nfkc())), r"normalizers\[0\]: content is 65536 bytes long"),
        (n.Strip(2, False), "strip left is 2"),  # type: ignore[arg-type]
        ("NFKC", "str is no normalizer record"),
    ],
)
def test_bad_objects(record: n.Normalizer, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        encoded(n.encode_normalizer, record)
