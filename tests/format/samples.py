"""Small whole files that the tests cut, change and read."""

from __future__ import annotations

from array import array

from mtok_export.format import MtokFile
from mtok_export.format import decoder as d
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.model import Bpe, Merges, Unigram, Vocab, WordPiece
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import SequenceA, SpecialTokenId, Tail

BPE = MtokFile(
    header=Header(special_ids=(3,), stop_ids=(3, 4), prefix_ids=(), trailing_space=True),
    normalizer=n.Sequence((n.Prepend("▁"), n.Replace(" ", "▁"))),
    pre_tokenizer=p.Sequence((p.Split(r"\s+", False, SplitBehavior.ISOLATED), p.ByteLevel(use_regex=False))),
    model=Bpe(
        vocab=Vocab(("", "", "a", "ab", "b"), array("I", (3, 4, 0, 2, 1))),
        merges=Merges(array("I", (0, 2)), array("I", (1, 0)), array("I", (0, 1))),
        byte_fallback=False,
        byte_level=True,
    ),
    decoder=d.Sequence((d.Replace("▁", " "), d.ByteFallback(), d.Fuse(), d.Strip(" ", 1, 0))),
    added_tokens=(AddedToken(3, True, False, True, "<s>"), AddedToken(4, False, True, False, "é")),
    tail=Tail(
        chat_template="{{ messages }}",
        eos_token="</s>",
        flags=1,
        bos_token="<s>",
        post_processor=(SpecialTokenId(3), SequenceA(), SpecialTokenId(3), SpecialTokenId(3)),
        padding=b"\0",
    ),
)
WORD_PIECE = MtokFile(
    header=Header((0, 1), (), (1,)),
    normalizer=n.BertTable(True, True, True, True, ((0xC0, "A\u0300"), (0xE9, "e\u0301"))),
    pre_tokenizer=p.Bert(),
    model=WordPiece(Vocab(("##a", "[UNK]", "é"), array("I", (2, 0, 1))), "[UNK]", "##", 100),
    decoder=d.WordPiece("##", cleanup=True),
    added_tokens=(),
    tail=Tail(post_processor=()),
)
UNIGRAM = MtokFile(
    header=Header(),
    normalizer=n.Table(((0xAD, ""), (0xFB01, "fi"))),
    pre_tokenizer=p.Metaspace("▁", add_prefix_space=True),
    model=Unigram(Vocab(("<unk>", "▁"), array("I", (0, 1))), array("d", (0.0, -2.5)), 0, byte_fallback=False),
    decoder=d.Metaspace("▁", add_prefix_space=True),
    added_tokens=(),
    tail=Tail(),
)
ALL = (BPE, WORD_PIECE, UNIGRAM)
