from __future__ import annotations

import pytest

from mtok_export.errors import FormatError
from mtok_export.format.tail import (
    CODEC,
    PostProcessorStep,
    SequenceA,
    SpecialTokenId,
    Tail,
    decode_tail,
    encode_tail,
    post_processor_padding,
)

from .triples import Triple, annotated, assert_complete, cases, decoded, encoded

A = SequenceA()

STEPS = (
    Triple("sequence A", "00", A, "SequenceA()"),
    Triple("special token", "01 66 00 00 00", SpecialTokenId(102), "SpecialTokenId(id=102)"),
)
TRIPLES = (
    Triple(
        "nothing",
        "",
        Tail(None, None, None, None),
        "Tail(eos_token=None, flags=None, bos_token=None, post_processor=None, padding=b'')",
    ),
    Triple(
        "chat template alone",
        """
        02 00 00 00     # length
        c3 a9
        """,
        Tail("é", None, None, None),
        "Tail(eos_token=None, flags=None, bos_token=None, post_processor=None, padding=b'')",
    ),
    Triple(
        "up to EOS",
        "00000000 0100 65",
        Tail("", "e", None, None),
        "Tail(eos_token='e', flags=None, bos_token=None, post_processor=None, padding=b'')",
    ),
    Triple(
        "up to the flags",
        "00000000 0000 01",
        Tail("", "", 1, None),
        "Tail(eos_token='', flags=1, bos_token=None, post_processor=None, padding=b'')",
    ),
    Triple(
        "up to BOS",
        """
        01 00 00 00 78  # chat template
        02 00 65 6f     # EOS
        00              # flags
        03 00 3c 73 3e  # BOS
        """,
        Tail("x", "eo", 0, "<s>"),
        "Tail(eos_token='eo', flags=0, bos_token='<s>', post_processor=None, padding=b'')",
    ),
    Triple(
        "a post-processor without ops",
        "00000000 0000 00 0000 0000",
        Tail(post_processor=()),
        "Tail(eos_token='', flags=0, bos_token='', post_processor=(), padding=b'')",
    ),
    Triple(
        "a post-processor",
        """
        00000000 0000 00 0000
        03 00           # ops
        01 65 00 00 00  # special token 101
        00              # sequence A
        01 66 00 00 00  # special token 102
        """,
        Tail(post_processor=(SpecialTokenId(101), A, SpecialTokenId(102))),
        "Tail(eos_token='', flags=0, bos_token='', post_processor=(SpecialTokenId(id=101), SequenceA(), "
        "SpecialTokenId(id=102)), padding=b'')",
    ),
    Triple(
        "padding",
        """
        00000000 0000 00 0000
        01 00           # one op
        00              # sequence A
        00 ff           # and what nobody reads
        """,
        Tail(post_processor=(A,), padding=b"\x00\xff"),
        r"Tail(eos_token='', flags=0, bos_token='', post_processor=(SequenceA(),), padding=b'\x00\xff')",
    ),
    Triple(
        "flags without a meaning",
        "00000000 0000 fe",
        Tail("", "", 0xFE, None),
        "Tail(eos_token='', flags=254, bos_token=None, post_processor=None, padding=b'')",
    ),
)


@cases(STEPS)
def test_steps(triple: Triple) -> None:
    assert encoded(CODEC.encode, triple.record) == triple.data
    record = decoded(CODEC.decode, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


def test_every_step_has_a_layout_and_a_triple() -> None:
    assert_complete(CODEC, STEPS)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(encode_tail, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(decode_tail, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


@pytest.mark.parametrize(
    ("data", "offset", "where", "message"),
    [
        ("0000", 0, "chat_template", "length of chat template takes 4 bytes, but the file ends after 2"),
        ("ffffffff 78", 4, "chat_template", "chat template takes 4294967295 bytes, but the file ends after 1"),
        ("01000000 ff", 4, "chat_template", "chat template is not UTF-8"),
        ("00000000 00", 4, "eos", "length of eos token takes 2 bytes"),
        ("00000000 0000 00 01", 7, "bos", "length of bos token takes 2 bytes"),
        ("00000000 0000 00 0100 c3", 9, "bos", "bos token is not UTF-8: unexpected end of data 0xC3"),
        ("00000000 0000 00 0000 01", 9, "post_processor", "number of post processor ops takes 2 bytes"),
        (
            "00000000 0000 00 0000 0300 00 00",
            9,
            "post_processor",
            "number of post processor ops is 3, but only 2 bytes",
        ),
        ("00000000 0000 00 0000 0200 00 02", 12, "post_processor[1]", "op 2; .* 0 SEQUENCE_A, 1 SPECIAL_TOKEN"),
        ("00000000 0000 00 0000 0100 01 0000", 12, "post_processor[0]", "id takes 4 bytes, but the file ends after 2"),
        ("00000000 0000 00 0000 0100 01 ffffffff", 12, "post_processor[0]", "id is 4294967295"),
        (
            "00000000 0000 00 0000 0100 02000000",
            11,
            "post_processor[0]",
            "it may be the older layout of four bytes per op",
        ),
    ],
)
def test_bad_bytes(data: str, offset: int, where: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(decode_tail, annotated(data))
    assert caught.value.offset == offset
    assert caught.value.where == f"{where}, byte {offset}"


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (Tail(None), "eos: the file ends before chat_template, so this field cannot be written"),
        (Tail("", "", None, ""), "bos: the file ends before flags"),
        (Tail("", "", 0, None, ()), "post_processor: the file ends before bos"),
        (Tail(padding=b"\0"), "padding: the file ends before post_processor"),
        (Tail(flags=256), "flags: flags is 256, not a whole number from 0 to 255"),
        (Tail(chat_template="\udc80"), r"chat_template: chat template holds the lone surrogate U\+DC80"),
        (Tail(bos_token="b" * 65536), "bos: bos token is 65536 bytes long"),
        (Tail(post_processor=(A,) * 65536), "number of post processor ops is 65536"),
        (Tail(post_processor=(A, SpecialTokenId(2**31))), r"post_processor\[1\]: id is 2147483648"),
        (Tail(post_processor=(None,)), "NoneType is no post-processor record"),  # type: ignore[arg-type]
    ],
)
def test_bad_objects(tail: Tail, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        encoded(encode_tail, tail)


def test_a_chat_template_may_be_longer_than_a_string() -> None:
    tail = Tail(chat_template="é" * 40_000)
    assert decoded(decode_tail, encoded(encode_tail, tail)) == tail


@pytest.mark.parametrize("texts", range(4))
@pytest.mark.parametrize("specials", range(10))
def test_padding_where_the_length_is_that_of_the_older_layout(texts: int, specials: int) -> None:
    steps: tuple[PostProcessorStep, ...] = (A,) * texts + (SpecialTokenId(5),) * specials
    length = len(encoded(encode_tail, Tail(post_processor=steps))) - len(encoded(encode_tail, Tail(post_processor=())))
    expected = b"\0" if steps and length == 4 * len(steps) else b""
    assert post_processor_padding(steps) == expected


def test_padding_of_the_known_trap() -> None:
    assert post_processor_padding((SpecialTokenId(1), A, SpecialTokenId(2), SpecialTokenId(3))) == b"\0"
    assert post_processor_padding((SpecialTokenId(1), A, SpecialTokenId(2))) == b""
