from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.spec import SplitBehavior

from .triples import Triple, annotated, assert_complete, cases, decoded, encoded

TRIPLES = (
    Triple("none", "00", p.NoPreTokenizer(), "NoPreTokenizer()"),
    Triple("byte level", "01 01", p.ByteLevel(use_regex=True), "ByteLevel(use_regex=True)"),
    Triple("digits", "02 00", p.Digits(individual_digits=False), "Digits(individual_digits=False)"),
    Triple(
        "metaspace",
        """
        03
        03 00 e2 96 81  # replacement
        01              # add prefix space
        """,
        p.Metaspace("▁", add_prefix_space=True),
        "Metaspace(replacement='▁', add_prefix_space=True)",
    ),
    Triple(
        "split",
        """
        04
        03 00 5c 73 2b  # \\s+
        00              # invert
        01              # REMOVED
        """,
        p.Split(r"\s+", invert=False, behavior=SplitBehavior.REMOVED),
        r"Split(pattern='\\s+', invert=False, behavior=<SplitBehavior.REMOVED: 1>)",
    ),
    Triple(
        "inverted split",
        "04 01 00 61 01 02  # MERGED_WITH_PREVIOUS",
        p.Split("a", invert=True, behavior=SplitBehavior.MERGED_WITH_PREVIOUS),
        "Split(pattern='a', invert=True, behavior=<SplitBehavior.MERGED_WITH_PREVIOUS: 2>)",
    ),
    Triple("bert", "05", p.Bert(), "Bert()"),
    Triple(
        "sequence",
        """
        06
        02 00 00 00
        02 01           # DIGITS, each by itself
        01 00           # BYTE_LEVEL without the pattern
        """,
        p.Sequence((p.Digits(True), p.ByteLevel(False))),
        "Sequence(pre_tokenizers=(Digits(individual_digits=True), ByteLevel(use_regex=False)))",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(p.encode_pre_tokenizer, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(p.decode_pre_tokenizer, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


def test_every_record_has_a_layout_and_a_triple() -> None:
    assert_complete(p.CODEC, TRIPLES)


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        ("07", 0, "unknown pre-tokenizer op 7; the known ones are 0 NONE, 1 BYTE_LEVEL"),
        ("01 02", 1, "use regex is 2, but it can only be 0 or 1"),
        ("04 0000 00 03", 4, "behavior is 3; the known ones are 0 ISOLATED, 1 REMOVED, 2 MERGED_WITH_PREVIOUS"),
        ("04 0000 00", 4, "behavior takes 1 byte, but the file ends after 0"),
        ("03 ffff 61 00", 3, "replacement takes 65535 bytes, but the file ends after 2"),
        ("06 03000000 05 05", 1, "number of pre tokenizers is 3"),
        ("06 01000000" * 33 + "05", 165, "sequences nest more than 32 deep"),
    ],
)
def test_bad_bytes(data: str, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(p.decode_pre_tokenizer, annotated(data))
    assert caught.value.offset == offset


def test_an_error_names_the_child() -> None:
    with pytest.raises(FormatError) as caught:
        decoded(p.decode_pre_tokenizer, annotated("06 02000000 05 01 09"))
    assert caught.value.where == "pre_tokenizers[1], byte 7"


def test_behavior_without_a_number() -> None:
    with pytest.raises(FormatError, match="behavior is 3, which is no SplitBehavior"):
        encoded(p.encode_pre_tokenizer, p.Split("a", False, 3))  # type: ignore[arg-type]
