from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

import pytest

from mtok_export.errors import FormatError
from mtok_export.format.model import Bpe, Merges, Unigram, Vocab, WordPiece, decode_model, encode_model
from mtok_export.format.spec import ModelOp

from .triples import Triple, annotated, cases, decoded, encoded


def ints(*values: int) -> Any:
    return array("I", values)


NO_ARRAY: Any = [0]
NO_MERGES = Merges(ints(), ints(), ints())
NO_VOCAB = Vocab((), ints())

BPE = Triple(
    "bpe",
    """
    00
    03 00 00 00     # vocab size
    01              # byte fallback
    00              # byte level
    02 00 00 00     # merges
    01 00 61        # a
    01 00 00 00     # is 1
    02 00 61 62     # ab
    02 00 00 00     # is 2
    03 00 e2 96 81  # ▁
    00 00 00 00     # is 0
    00 00 00 00 01 00 00 00 01 00 00 00  # 0 and 1, rank 1
    01 00 00 00 02 00 00 00 00 00 00 00  # 1 and 2, rank 0
    """,
    Bpe(
        vocab=Vocab(("a", "ab", "▁"), ints(1, 2, 0)),
        merges=Merges(ints(0, 1), ints(1, 2), ints(1, 0)),
        byte_fallback=True,
        byte_level=False,
    ),
    "Bpe(vocab=Vocab(3 entries), merges=Merges(2 pairs), byte_fallback=True, byte_level=False)",
)
WORD_PIECE = Triple(
    "word piece",
    """
    01
    02 00 00 00           # vocab size
    05 00 5b 55 4e 4b 5d  # [UNK]
    02 00 23 23           # ##
    64 00 00 00           # max chars
    03 00 23 23 61        # ##a
    01 00 00 00
    05 00 5b 55 4e 4b 5d  # [UNK]
    00 00 00 00
    """,
    WordPiece(Vocab(("##a", "[UNK]"), ints(1, 0)), "[UNK]", "##", 100),
    "WordPiece(vocab=Vocab(2 entries), unk_token='[UNK]', continuing_subword_prefix='##', max_chars=100)",
)
UNIGRAM = Triple(
    "unigram",
    """
    02
    02 00 00 00              # vocab size
    01 00 00 00              # unk
    01                       # byte fallback
    01 00 61                 # a
    00 00 00 00
    00 00 00 00 00 00 f8 bf  # -1.5
    03 00 75 6e 6b           # unk
    01 00 00 00
    9a 99 99 99 99 99 b9 3f  # 0.1
    """,
    Unigram(Vocab(("a", "unk"), ints(0, 1)), array("d", [-1.5, 0.1]), 1, byte_fallback=True),
    "Unigram(vocab=Vocab(2 entries), unk_id=1, byte_fallback=True)",
)
TRIPLES = (
    BPE,
    WORD_PIECE,
    UNIGRAM,
    Triple(
        "nothing at all",
        "00 00000000 00 01 00000000",
        Bpe(NO_VOCAB, NO_MERGES, byte_fallback=False, byte_level=True),
        "Bpe(vocab=Vocab(0 entries), merges=Merges(0 pairs), byte_fallback=False, byte_level=True)",
    ),
    Triple(
        "aliases and empty strings",
        """
        00 04000000 00 00 00000000
        0000 03000000
        0000 02000000
        0100 61 00000000
        0100 62 00000000
        """,
        Bpe(Vocab(("", "", "a", "b"), ints(3, 2, 0, 0)), NO_MERGES, byte_fallback=False, byte_level=False),
        "Bpe(vocab=Vocab(4 entries), merges=Merges(0 pairs), byte_fallback=False, byte_level=False)",
    ),
    Triple(
        "no scores",
        "02 00000000 00000000 00",
        Unigram(NO_VOCAB, array("d"), 0, byte_fallback=False),
        "Unigram(vocab=Vocab(0 entries), unk_id=0, byte_fallback=False)",
    ),
)


@cases(TRIPLES)
def test_encode(triple: Triple) -> None:
    assert encoded(encode_model, triple.record) == triple.data


@cases(TRIPLES)
def test_decode(triple: Triple) -> None:
    record = decoded(decode_model, triple.data)
    assert record == triple.record
    assert repr(record) == triple.text


def test_every_model_has_a_triple() -> None:
    assert {triple.data[0] for triple in TRIPLES} == set(ModelOp)


def test_columns_are_arrays() -> None:
    model = decoded(decode_model, UNIGRAM.data)
    assert (model.vocab.ids.typecode, model.scores.typecode) == ("I", "d")
    assert decoded(decode_model, BPE.data).merges.left.typecode == "I"


def test_a_score_keeps_its_bits() -> None:
    # Signalling NaN: arithmetic would change it, and no two NaN are equal, so the bytes are compared.
    odd = UNIGRAM.data.replace(annotated("00 00 00 00 00 00 f8 bf"), annotated("01 00 00 00 00 00 f0 7f"))
    assert encoded(encode_model, decoded(decode_model, odd)) == odd


def test_the_longest_token() -> None:
    model = replace(BPE.record, vocab=Vocab(("a" * 65535,), ints(0)))
    assert decoded(decode_model, encoded(encode_model, model)) == model


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        ("03", 0, "unknown model op 3; the known ones are 0 BPE, 1 WORDPIECE, 2 UNIGRAM"),
        (
            "00 ffffffff 00 00 00000000",
            1,
            "vocab size is 4294967295, each at least 6 bytes long, but only 6 bytes left",
        ),
        ("00 00000000 00 00 01000000", 7, "number of merges is 1, each at least 12 bytes long, but only 0 bytes left"),
        ("00 00000000 02 00 00000000", 5, "byte fallback is 2"),
        ("00 01000000 00 00 00000000 0500 6161 0000", 13, "token takes 5 bytes, but the file ends after 4"),
        ("00 01000000 00 00 00000000 0100 61 000000", 14, "id takes 4 bytes, but the file ends after 3"),
        ("00 01000000 00 00 00000000 0100 ff 00000000", 13, "token is not UTF-8: invalid start byte 0xFF"),
        ("00 01000000 00 00 00000000 0100 61 00000080", 14, "id is 2147483648, over the limit of 2147483647"),
        ("00 02000000 00 00 00000000 0600 616161616161 00000000", 23, "length of token takes 2 bytes"),
        ("00 02000000 00 00 00000000 0500 6161616161 00000000 00", 22, "length of token takes 2 bytes"),
        ("00 00000000 00 00 01000000 00000000 ffffffff 00000000", 15, "right is 4294967295, over the limit"),
        ("01 00000000 0000 0000 00000080", 9, "max chars is 2147483648"),
        ("02 01000000 00000000 00 0000 0000", 1, "vocab size is 1, each at least 14 bytes long, but only 9 bytes left"),
        (
            "02 01000000 00000000 00 0100 61 00000000 00000000000000",
            17,
            "score takes 8 bytes, but the file ends after 7",
        ),
        ("02 00000000 ffffffff 00", 5, "unk id is 4294967295"),
    ],
)
def test_bad_bytes(data: str, offset: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        decoded(decode_model, annotated(data))
    assert caught.value.offset == offset


def test_an_error_names_the_entry() -> None:
    data = BPE.data.replace(b"\x02\x00ab", b"\x02\x00a\xff")
    with pytest.raises(FormatError) as caught:
        decoded(decode_model, data)
    assert caught.value.where == f"vocab[1], byte {data.index(0xFF)}"


def test_an_error_names_the_merge() -> None:
    data = BPE.data[:-1] + b"\x80"
    with pytest.raises(FormatError, match="rank is 2147483648") as caught:
        decoded(decode_model, data)
    assert caught.value.where == f"merges[1], byte {len(data) - 4}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab": Vocab(("a", "\ud83d"), ints(0, 1))}, r"vocab\[1\]: token holds the lone surrogate U\+D83D"),
        ({"vocab": Vocab(("a", "é" * 40000), ints(0, 1))}, r"vocab\[1\]: token is 80000 bytes long"),
        ({"vocab": Vocab(("a", "b"), ints(0, 2**31))}, r"vocab\[1\]: id is 2147483648, over the limit of 2147483647"),
        ({"vocab": Vocab(("a", "b"), ints(0))}, "2 tokens, but 1 ids"),
        ({"vocab": Vocab(("a",), NO_ARRAY)}, r'ids must be an array\("I"\), not list'),
        ({"vocab": Vocab(("a",), array("Q", [0]))}, r'ids must be an array\("I"\)'),
        ({"merges": Merges(ints(1), ints(), ints(1))}, "merges have 1 left ids, 0 right ids and 1 ranks"),
        ({"merges": Merges(ints(1, 1), ints(1, 2**32 - 1), ints(1, 1))}, r"merges\[1\]: right is 4294967295"),
        ({"merges": Merges(array("L", [1]), ints(1), ints(1))}, r'merges: left must be an array\("I"\)'),
    ],
)
def test_bad_columns(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        encoded(encode_model, replace(BPE.record, **changes))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (replace(UNIGRAM.record, scores=array("d")), "2 tokens, but 0 scores"),
        (replace(UNIGRAM.record, scores=array("f", [0, 0])), r'scores must be an array\("d"\)'),
        (replace(UNIGRAM.record, unk_id=None), "unk id is None"),
        (replace(WORD_PIECE.record, max_chars=2**31), "max chars is 2147483648"),
        (NO_VOCAB, "Vocab is no model record"),
    ],
)
def test_bad_models(model: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        encoded(encode_model, model)
