"""Small files, each with one defect, named by it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mtok_export.format import MtokFile
from mtok_export.format import decoder as d
from mtok_export.format import model as m
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import SequenceA, SpecialTokenId, Tail

BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))


def ints(*values: int) -> Any:
    return array("I", values)


def vocab(*tokens: str) -> m.Vocab:
    return m.Vocab(tokens, ints(*range(len(tokens))))


def bpe(words: m.Vocab, *merges: tuple[int, int, int], byte_level: bool = False) -> m.Bpe:
    columns = (ints(*(merge[part] for merge in merges)) for part in range(3))
    return m.Bpe(words, m.Merges(*columns), byte_fallback=False, byte_level=byte_level)


def unigram(words: m.Vocab, scores: list[float], **changes: Any) -> m.Unigram:
    return replace(m.Unigram(words, array("d", scores), 0, byte_fallback=False), **changes)


SOUND = MtokFile(
    Header(),
    n.NoNormalizer(),
    p.NoPreTokenizer(),
    bpe(vocab("a", "ab", "b"), (0, 2, 0)),
    d.Fuse(),
    (),
    Tail(),
)
SOUND_WORD_PIECE = replace(SOUND, model=m.WordPiece(vocab("", "##b", "[UNK]", "a"), "[UNK]", "##", 100))
SOUND_UNIGRAM = replace(SOUND, model=unigram(vocab("<unk>", "a", "b"), [0.0, -1.0, -2.0]))


def _with(**changes: Any) -> MtokFile:
    return replace(SOUND, **changes)


def _split(pattern: str) -> MtokFile:
    return _with(pre_tokenizer=p.Split(pattern, False, SplitBehavior.ISOLATED))


def _template(text: str) -> MtokFile:
    return _with(tail=Tail(chat_template=text))


def _byte_fallback(piece_score: float, missing: int = 0) -> MtokFile:
    pieces = BYTES[missing:]
    scores = [piece_score] * len(pieces) + [-1.0, -2.0]
    return _with(model=unigram(vocab(*pieces, "<unk>", "é"), scores, unk_id=len(pieces), byte_fallback=True))


TRAP = (SequenceA(), SpecialTokenId(0), SpecialTokenId(1), SpecialTokenId(2))

ERRORS: dict[str, Callable[[], MtokFile]] = {
    "id-beyond-vocab": lambda: _with(model=bpe(m.Vocab(("a", "ab", "b"), ints(0, 1, 3)))),
    "vocab-order": lambda: _with(model=bpe(vocab("b", "a"))),
    "merge-order": lambda: _with(model=bpe(vocab("a", "aa", "ab", "b"), (0, 3, 0), (0, 0, 1))),
    "merge-twice": lambda: _with(model=bpe(vocab("a", "ab", "b"), (0, 2, 0), (0, 2, 1))),
    "merge-rank": lambda: _with(model=bpe(vocab("a", "ab", "b"), (0, 2, 1_000_000_000))),
    "merge-beyond-vocab": lambda: _with(model=bpe(vocab("a", "ab", "b"), (0, 3, 0))),
    "merge-without-entry": lambda: _with(model=bpe(vocab("a", "b"), (0, 1, 0))),
    "special-beyond-vocab": lambda: replace(SOUND_UNIGRAM, header=Header((7,))),
    "special-is-space": lambda: replace(SOUND_WORD_PIECE, header=Header((0,)), decoder=d.WordPiece("##", cleanup=True)),
    "table-order": lambda: _with(normalizer=n.Sequence((n.Prepend("x"), n.Table(((2, "b"), (1, "a")))))),
    "decoder-endless": lambda: _with(decoder=d.Sequence((d.Fuse(), d.Replace("", "x")))),
    "bytes-mapped-twice": lambda: _with(
        pre_tokenizer=p.ByteLevel(use_regex=False),
        model=bpe(vocab("a", "b"), byte_level=True),
        decoder=d.ByteLevel(),
    ),
    "bytes-not-mapped-back": lambda: _with(pre_tokenizer=p.ByteLevel(use_regex=False)),
    "unk-without-entry": lambda: _with(model=m.WordPiece(vocab("a", "b"), "[UNK]", "##", 100)),
    "max-chars": lambda: replace(SOUND_WORD_PIECE, model=m.WordPiece(vocab("[UNK]", "a"), "[UNK]", "##", 0)),
    "score": lambda: _with(model=unigram(vocab("<unk>", "a"), [0.0, float("nan")])),
    "missing-byte-pieces": lambda: _byte_fallback(-10.0, missing=1),
    "byte-piece-score": lambda: _byte_fallback(0.0),
    "pattern-kills": lambda: _split("[一-"),
    "pattern-recursion": lambda: _split("[一-龥]+"),
    "pattern-dropped": lambda: _split(r"(?<=a)b|\bc"),
    "template-kills": lambda: _template("x\n{{ [1.5] }}"),
    "post-processor-length": lambda: _with(tail=Tail(post_processor=TRAP)),
    "post-processor-text": lambda: _with(tail=Tail(post_processor=(SpecialTokenId(1),))),
    "prefix-twice": lambda: _with(
        header=Header((), (), (1,)), tail=Tail(post_processor=(SpecialTokenId(1), SequenceA()))
    ),
}
"""By the code of the error that it is."""

WARNINGS: dict[str, Callable[[], MtokFile]] = {
    "absent-child": lambda: _with(normalizer=n.Sequence((n.NoNormalizer(),))),
    "unknown-to-3.5": lambda: _with(normalizer=n.Strip(True, False)),
    "strip-right": lambda: _with(normalizer=n.Strip(False, True)),
    "no-effect": lambda: _with(normalizer=n.Replace("", "x")),
    "table-spaces": lambda: _with(normalizer=n.Table(((0xC5, "A"),))),
    "metaspace-deletes": lambda: _with(pre_tokenizer=p.Metaspace("", add_prefix_space=False)),
    "strip-once": lambda: _with(decoder=d.Strip(" ", 2, 0)),
    "cleanup-anyway": lambda: replace(SOUND_WORD_PIECE, decoder=d.WordPiece("##", cleanup=False)),
    "bytes-mapped-back": lambda: _with(decoder=d.ByteLevel()),
    "missing-bytes": lambda: _with(model=bpe(vocab("a"), byte_level=True), decoder=d.ByteLevel()),
    "unk-without-entry": lambda: replace(SOUND_UNIGRAM, model=unigram(vocab("a"), [0.0], unk_id=1)),
    "unknown-id": lambda: _with(header=Header((), (9,))),
    "special-hidden": lambda: _with(model=bpe(vocab("<s", "<s>")), header=Header((0, 1))),
    "added-token-empty": lambda: _with(added_tokens=(AddedToken(0, True, False, False, ""),)),
    "added-token-twice": lambda: _with(
        added_tokens=(AddedToken(0, True, False, False, "x"), AddedToken(1, True, False, False, "x"))
    ),
    "added-token-not-shown": lambda: _with(added_tokens=(AddedToken(7, False, False, False, "<think>"),)),
    "pattern-branch-dropped": lambda: _split(r"a|\bb"),
    "pattern-misread": lambda: _split(r"\p{Lu}+$"),
    "template-filter": lambda: _template("{{ x|join }}"),
    "template-tag": lambda: _template("{% break %}"),
    "template-white-space": lambda: _template("{# x #}\n"),
    "flags": lambda: _with(tail=Tail(flags=2)),
}
"""By the code of the warning that it is."""
