from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

import pytest

from mtok_export.errors import FormatError
from mtok_export.format import MtokFile, check, faults, post_processor_padding
from mtok_export.format import decoder as d
from mtok_export.format import model as m
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.header import Header
from mtok_export.format.tail import SequenceA, SpecialTokenId, Tail

from . import samples

BARE = replace(samples.BPE, header=Header())
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
TRAP = (SpecialTokenId(1), SequenceA(), SpecialTokenId(2), SpecialTokenId(3))


def ints(*values: int) -> Any:
    return array("I", values)


def bpe(tokens: tuple[str, ...], ids: Any, merges: m.Merges | None = None) -> m.Bpe:
    merges = merges or m.Merges(ints(), ints(), ints())
    return m.Bpe(m.Vocab(tokens, ids), merges, byte_fallback=False, byte_level=False)


def merges_of(*pairs: tuple[int, int]) -> m.Bpe:
    left, right = (ints(*(pair[side] for pair in pairs)) for side in (0, 1))
    return bpe(("a", "b", "c"), ints(0, 1, 2), m.Merges(left, right, ints(*range(len(pairs)))))


def unigram(tokens: tuple[str, ...], **changes: Any) -> m.Unigram:
    vocab = m.Vocab(tokens, ints(*range(len(tokens))))
    model = m.Unigram(vocab, array("d", [0.0] * len(tokens)), 0, byte_fallback=False)
    return replace(model, **changes)


@pytest.mark.parametrize("file", samples.ALL, ids=["bpe", "word piece", "unigram"])
def test_sound_files(file: MtokFile) -> None:
    check(file)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": bpe((), ints())},
        {"model": bpe(("", "", "", "a"), ints(3, 1, 2, 0))},
        {"model": bpe(("", ""), ints(0, 0))},
        {"model": bpe(("a", "a"), ints(1, 0))},
        {"model": bpe(("a", "b"), ints(0, 0))},
        {"model": bpe(("a", "\uffff", "\U00010000"), ints(2, 1, 0))},
        {"model": merges_of((0, 1), (0, 2), (1, 0), (2, 2))},
        {"model": unigram(BYTES, byte_fallback=True), "header": Header((255,))},
        {"model": unigram(("a",), scores=array("d", [float("-inf")])), "header": Header((0,), (7,), (8,))},
        {"normalizer": n.Replace("", "x")},
        {"pre_tokenizer": p.Sequence(())},
        {"decoder": d.Replace("a", "")},
        {"tail": Tail(None, None, None, None)},
        {"tail": Tail(post_processor=())},
        {"tail": Tail(post_processor=TRAP, padding=post_processor_padding(TRAP))},
        {"header": Header((10,), (11,), (12,))},
    ],
)
def test_what_the_engine_takes(changes: dict[str, Any]) -> None:
    check(replace(samples.BPE, **changes))


@pytest.mark.parametrize(
    ("changes", "where", "message"),
    [
        ({"header": Header((), (), (0, 2**31))}, "header.prefix_ids[1]", "2147483648, not from 0 to 2147483647"),
        ({"header": Header((-1,))}, "header.special_ids[0]", "the id is -1"),
        (
            {"header": Header((0, 2)), "model": unigram(("<unk>", "a"))},
            "header.special_ids[1]",
            "id 2 is not below the vocab size 2: its text would be that of the unk token",
        ),
        (
            {"normalizer": n.Sequence((n.Nfkc(), n.Sequence((n.NoNormalizer(),))))},
            "normalizer.normalizers[1].normalizers[0]",
            "NONE cannot stand in a sequence",
        ),
        (
            {"normalizer": n.Sequence((n.Table(((98, "a"), (97, "b"))),))},
            "normalizer.normalizers[0].entries[1]",
            r"U\+0061 does not follow U\+0062 in ascending order",
        ),
        (
            {"normalizer": n.BertTable(True, True, True, True, ((97, "b"), (97, "c")))},
            "normalizer.entries[1]",
            r"U\+0061 does not follow U\+0061",
        ),
        (
            {"pre_tokenizer": p.Sequence((p.NoPreTokenizer(),))},
            "pre_tokenizer.pre_tokenizers[0]",
            "NONE cannot stand in a sequence",
        ),
        ({"decoder": d.Replace("", "x")}, "decoder.pattern", "loop for ever"),
        (
            {"decoder": d.Sequence((d.Fuse(), d.Metaspace("", True)))},
            "decoder.decoders[1].replacement",
            "loop for ever",
        ),
        ({"model": bpe(("b", "a"), ints(0, 1))}, "model.vocab[1]", "'a' stands behind 'b', which sorts after it"),
        ({"model": bpe(("a", "b", ""), ints(0, 1, 2))}, "model.vocab[2]", "'' stands behind 'b'"),
        # UTF-16 would have these the other way round.
        ({"model": bpe(("\U00010000", "\uffff"), ints(0, 1))}, "model.vocab[1]", "which sorts after it"),
        ({"model": bpe(("a", "b"), ints(0, 2))}, "model.vocab[1]", "id 2 is not below the vocab size 2"),
        ({"model": bpe(("a", "b"), ints(0))}, "model.vocab", "2 tokens, but 1 ids"),
        ({"model": merges_of((1, 0), (0, 1))}, "model.merges[1]", r"\(0, 1\) does not follow \(1, 0\)"),
        ({"model": merges_of((0, 1), (0, 1))}, "model.merges[1]", "does not follow"),
        ({"model": merges_of((0, 2), (0, 1))}, "model.merges[1]", "does not follow"),
        ({"model": merges_of((0, 1), (3, 0))}, "model.merges[1]", "left id 3 is not below the vocab size 3"),
        (
            {"model": bpe(("a",), ints(0), m.Merges(ints(0), ints(0), ints(10**9)))},
            "model.merges[0]",
            "rank 1000000000 is over the limit of 999999999",
        ),
        ({"model": merges_of((0, 3))}, "model.merges[0]", "right id 3 is not below"),
        (
            {"model": bpe(("a",), ints(0), m.Merges(ints(0), ints(), ints(0)))},
            "model.merges",
            "1 left ids, 0 right ids and 1 ranks",
        ),
        (
            {"model": m.WordPiece(m.Vocab(("a",), ints(0)), "[UNK]", "##", 100)},
            "model.unk_token",
            r"'\[UNK\]' has no entry",
        ),
        ({"model": unigram(("a",), unk_id=1)}, "model.unk_id", "1 is not from 0 to 0"),
        ({"model": unigram(("a", "b"), scores=array("d", [0.0]))}, "model.scores", "2 tokens, but 1 scores"),
        ({"model": unigram(("a",), scores=array("d", [float("nan")]))}, "model.scores[0]", "not a number"),
        (
            {"model": unigram(BYTES[1:], byte_fallback=True)},
            "model.byte_fallback",
            "1 of the 256 byte pieces are missing, such as <0x00>",
        ),
        ({"tail": Tail(flags=3)}, "flags", "the flags are 0x3, but only bit 0 has a meaning"),
        ({"tail": Tail(post_processor=TRAP)}, "post_processor", "take it for an older layout"),
        (
            {"tail": Tail(post_processor=(SequenceA(),), padding=b"abc")},
            "post_processor",
            "take it for an older layout",
        ),
    ],
)
def test_what_the_engine_would_stumble_over(changes: dict[str, Any], where: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        check(replace(BARE, **changes))
    assert caught.value.where == where


def test_all_faults_in_file_order() -> None:
    file = replace(samples.BPE, header=Header((-1,)), model=bpe(("b", "a"), ints(5, 1)), tail=Tail(flags=2))
    assert [fault.where for fault in faults(file)] == [
        "header.special_ids[0]",
        "model.vocab[1]",
        "model.vocab[0]",
        "flags",
    ]


def test_what_is_read_can_be_written_whether_or_not_it_is_sound() -> None:
    file = replace(samples.BPE, model=bpe(("b", "a"), ints(5, 1)), decoder=d.Replace("", "x"), tail=Tail(flags=2))
    assert MtokFile.decode(file.encode()) == file


@pytest.mark.parametrize("at", [1, 511, 512, 513, 1023, 1024, 1199])
def test_a_long_vocabulary_out_of_order(at: int) -> None:
    tokens = [f"{number:04}" for number in range(1200)]
    sound = bpe(tuple(tokens), ints(*range(1200)))
    tokens[at - 1 : at + 1] = reversed(tokens[at - 1 : at + 1])
    assert list(faults(replace(BARE, model=sound))) == []
    found = list(faults(replace(BARE, model=bpe(tuple(tokens), ints(*range(1200))))))
    assert [fault.where for fault in found] == [f"model.vocab[{at}]"]
