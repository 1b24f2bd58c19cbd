"""Lowering to text files, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mtok_export import Aspect, UnsupportedError
from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.legacy import (
    BertFile,
    HuggingFaceFile,
    LegacyType,
    Piece,
    PieceType,
    SentencePieceFile,
    TiktokenFile,
    lower_legacy,
)
from mtok_export.report import Limit
from mtok_export.source.conversion import Owner, ScoredPiece
from mtok_export.source.pipeline import (
    BPE,
    AddedToken,
    BertNormalizer,
    BertPreTokenizer,
    BertProcessing,
    ByteLevelDecoder,
    ByteLevelPreTokenizer,
    Pipeline,
    Prepend,
    ReplaceNormalizer,
    StringPattern,
    Unigram,
    WordPiece,
)
from mtok_export.source.settings import Settings, Source, StopToken

SYMBOLS = {BYTE_TO_CHAR[byte]: byte for byte in range(256)}
BYTE_LEVEL = ByteLevelPreTokenizer(add_prefix_space=False, trim_offsets=True, use_regex=True)


def bpe(vocab: dict[str, int], *merges: tuple[str, str], **changes: Any) -> BPE:
    plain = BPE(vocab, merges, None, None, None, None, False, False, False)
    return replace(plain, **changes)


def byte_level(model: BPE, *added: AddedToken) -> Source:
    decoder = ByteLevelDecoder(add_prefix_space=False, trim_offsets=True, use_regex=True)
    return Source(Pipeline(None, BYTE_LEVEL, model, None, decoder, added), Settings(), ())


def added(id_: int, content: str, **flags: bool) -> AddedToken:
    rest = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return AddedToken(id=id_, content=content, **{**rest, **flags})


def reasons(limits: tuple[Limit, ...], aspect: Aspect) -> list[str]:
    return [limit.reason for limit in limits if aspect in limit.aspects]


# --- type 3 -----------------------------------------------------------------------------------------------------------


def test_added_tokens_stand_in_the_byte_alphabet_and_in_the_special_list() -> None:
    tokens = (added(257, "<a b>"), added(258, "«é»", special=False), added(256, "<end>"))
    file, _ = lower_legacy(byte_level(bpe(SYMBOLS), *tokens))
    assert isinstance(file, HuggingFaceFile)
    assert file.tokens[256:] == ("<end>", "<aĠb>", "Â«Ã©Â»")
    assert file.header.special_ids == (258, 256, 257)  # the longest first, by their bytes
    assert LegacyEngineModel(file).encode("<a b>«é»x<end>") == [257, 258, ord("x"), 256]


def test_the_merges_are_counted_right_and_holes_are_empty_lines() -> None:
    file, _ = lower_legacy(byte_level(bpe({**SYMBOLS, "ab": 259}, ("a", "b")), added(257, "<s>")))
    lines = file.encode().decode().split("\n")
    assert lines[3] == "260 1"
    assert lines[4 + 256 : 4 + 260] == ["", "<s>", "", "ab"]
    assert lines[4 + 260 :] == ["a b", ""]


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (
            bpe({char: i for i, char in enumerate(SYMBOLS) if char != "Ā"}),
            "1 of the 256 bytes have no token, first 0x00",
        ),
        (bpe(SYMBOLS, ("a", "b")), "1 merges make no token, first 'ab': the engine dies"),
        (bpe({**SYMBOLS, "a b": 256}), None),
        (bpe({**SYMBOLS, "a\nb": 256}), r"a line cannot hold it: 'a\\nb' holds a line feed"),
        (bpe({**SYMBOLS, "a b": 256}, ("a ", "b")), r"'a ' of \('a ', 'b'\) holds a space"),
    ],
)
def test_what_a_line_cannot_hold_or_the_engine_dies_of(model: BPE, reason: str | None) -> None:
    if reason is None:
        lower_legacy(byte_level(model))
        return
    with pytest.raises(UnsupportedError, match=reason):
        lower_legacy(byte_level(model))


def test_all_problems_are_listed_at_once() -> None:
    with pytest.raises(UnsupportedError) as caught:
        lower_legacy(byte_level(bpe({"a": 0, "b": 1, "\n": 2}, ("a", "b"))))
    assert len(caught.value.problems) == 3


def test_ids_far_beyond_the_others_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="the highest id is 2,000,000,000 and 257 ids have a token"):
        lower_legacy(byte_level(bpe({**SYMBOLS, "x y": 2_000_000_000})))


@pytest.mark.parametrize("legacy_type", [LegacyType.TIKTOKEN, LegacyType.HUGGINGFACE])
def test_added_tokens_far_beyond_the_others_are_refused(legacy_type: LegacyType) -> None:
    with pytest.raises(UnsupportedError, match="the highest id is 2,000,000,000 and 257 ids have a token"):
        lower_legacy(byte_level(bpe(SYMBOLS), added(2_000_000_000, "<x>")), legacy_type)


# --- type 1 -----------------------------------------------------------------------------------------------------------


def test_tokens_become_their_bytes() -> None:
    source = byte_level(bpe({**SYMBOLS, "Ġa": 256}, ("Ġ", "a")), added(258, "<é>"))
    file, _ = lower_legacy(source, LegacyType.TIKTOKEN)
    assert isinstance(file, TiktokenFile)
    assert file.tokens[:256] == tuple(bytes((byte,)) for byte in range(256))
    assert file.tokens[256:] == (b" a", b"", "<é>".encode())


def test_a_tiktoken_source_becomes_type_1_and_is_told_of_type_3() -> None:
    source = replace(byte_level(bpe(SYMBOLS)), owner=Owner.TIKTOKEN)
    file, report = lower_legacy(source)
    assert file.kind is LegacyType.TIKTOKEN
    assert "--legacy-type HUGGINGFACE" in report.notices[-1].message
    assert lower_legacy(source, LegacyType.TIKTOKEN)[1].notices == ()


def test_a_zero_byte_behind_others_gets_an_empty_row() -> None:
    file, report = lower_legacy(byte_level(bpe({**SYMBOLS, "aĀ": 256, "ĀĀ": 257})), LegacyType.TIKTOKEN)
    assert isinstance(file, TiktokenFile)
    assert file.tokens[256:] == (b"", b"")
    assert any("2 tokens with a zero byte" in reason for reason in reasons(report.limits, Aspect.IDS))
    assert LegacyEngineModel(file).encode("a\0") == [ord("a"), 0]


def test_empty_rows_are_never_found_where_bytes_are_missing() -> None:
    vocab = {"a": 0, "b": 1, "ab": 3}
    file, report = lower_legacy(byte_level(bpe(vocab, ("a", "b"))), LegacyType.TIKTOKEN)
    assert LegacyEngineModel(file).encode("abcb") == [3, 1]
    assert any("254 of 256 are no token" in reason for reason in reasons(report.limits, Aspect.IDS))


def test_pieces_of_sentencepiece_become_bytes_too() -> None:
    model = Unigram((("<unk>", 0.0), ("<0x0A>", 0.0), ("\u2581a", -1.0)), 0, True)
    source = Source(Pipeline(None, None, model, None, None, ()), Settings(), ())
    file, _ = lower_legacy(source, LegacyType.TIKTOKEN)
    assert isinstance(file, TiktokenFile)
    assert file.tokens == (b"<unk>", b"\n", b" a")


# --- type 0 -----------------------------------------------------------------------------------------------------------

MARKED = ReplaceNormalizer(StringPattern(" "), "\u2581")


def marked(model: BPE | Unigram, *tokens: AddedToken) -> Source:
    return Source(Pipeline(MARKED, None, model, None, None, tokens), Settings(), ())


def test_scores_are_minus_the_rank_and_what_no_merge_makes_is_not_found() -> None:
    vocab = {"<unk>": 0, "\u2581": 1, "a": 2, "b": 3, "\u2581a": 4, "ab": 5, "\u2581ab": 6, "aa": 7}
    merges = (("a", "b"), ("\u2581", "a"), ("\u2581", "ab"), ("\u2581a", "b"))
    file, _ = lower_legacy(marked(bpe(vocab, *merges, unk_token="<unk>")))
    assert isinstance(file, SentencePieceFile)
    assert file.pieces == (
        Piece(b"<unk>", 0.0, PieceType.UNKNOWN),
        Piece("\u2581".encode(), 0.0, PieceType.NORMAL),
        Piece(b"a", 0.0, PieceType.NORMAL),
        Piece(b"b", 0.0, PieceType.NORMAL),
        Piece("\u2581a".encode(), -1.0, PieceType.NORMAL),
        Piece(b"ab", 0.0, PieceType.NORMAL),
        Piece("\u2581ab".encode(), -2.0, PieceType.NORMAL),
        Piece(b"aa", 0.0, PieceType.UNUSED),
    )
    assert LegacyEngineModel(file).encode("ab aa") == [6, 4, 2]


def test_merges_that_one_score_cannot_order_and_pairs_without_a_merge_are_named() -> None:
    vocab = {"<unk>": 0, "a": 1, "b": 2, "ab": 3, "aba": 4, "ba": 5}
    merges = (("ab", "a"), ("b", "a"), ("a", "ba"), ("a", "b"))
    _, report = lower_legacy(marked(bpe(vocab, *merges, unk_token="<unk>")))
    found = reasons(report.limits, Aspect.IDS)
    assert any("1 strings come from several merges with others between, first 'aba'" in reason for reason in found)
    _, report = lower_legacy(marked(bpe(vocab, *merges[1:], unk_token="<unk>")))
    found = reasons(report.limits, Aspect.IDS)
    assert any("1 pairs make a token but are no merges, first 'ab' and 'a'" in reason for reason in found)


def test_the_pieces_of_a_sentencepiece_model_are_taken_as_they_are() -> None:
    pieces = (
        ScoredPiece("<unk>", 0.0, PieceType.UNKNOWN),
        ScoredPiece("a", -0.5, PieceType.NORMAL),
        ScoredPiece("[PAD]", 0.0, PieceType.USER_DEFINED),
        ScoredPiece("", 0.0, PieceType.UNUSED),
    )
    model = bpe({piece.piece: i for i, piece in enumerate(pieces)}, unk_token="<unk>")
    source = replace(marked(model, added(2, "[PAD]"), added(5, "<new>")), pieces=pieces, owner=Owner.SENTENCEPIECE)
    file, _ = lower_legacy(source)
    assert isinstance(file, SentencePieceFile)
    assert file.pieces[:4] == tuple(Piece(p.piece.encode(), p.score, p.type) for p in pieces)
    assert file.pieces[4:] == (Piece(b"", 0.0, PieceType.UNUSED), Piece(b"<new>", 0.0, PieceType.CONTROL))
    assert file.header.special_ids == (2, 5)


def test_there_is_always_an_unknown_row() -> None:
    bytes_ = {f"<0x{byte:02X}>": byte for byte in range(256)}
    file, _ = lower_legacy(marked(bpe({**bytes_, "a": 256}, byte_fallback=True)))
    assert isinstance(file, SentencePieceFile)
    assert file.pieces[257] == Piece(b"", 0.0, PieceType.UNKNOWN)
    assert LegacyEngineModel(file).encode("aé") == [0xE2, 0x96, 0x81, 256, 0xC3, 0xA9]
    with pytest.raises(UnsupportedError, match="neither an unknown token nor a piece for each of the 256 bytes"):
        lower_legacy(marked(bpe({"a": 0})))


def test_an_added_token_that_decodes_to_something_else_is_not_looked_for() -> None:
    model = bpe({"<unk>": 0, "\u2581": 1, "\u2581\u2581": 2}, ("\u2581", "\u2581"), unk_token="<unk>")
    file, report = lower_legacy(marked(model, added(2, "\u2581\u2581", special=False), added(3, "<x\u2581y>")))
    assert isinstance(file, SentencePieceFile)
    assert file.header.special_ids == ()
    assert file.pieces[2].type is PieceType.NORMAL  # merging may find it
    assert any("2 added tokens are found by the model alone" in reason for reason in reasons(report.limits, Aspect.IDS))


def test_a_prefix_that_only_the_engine_puts_there_is_named() -> None:
    model = bpe({"<unk>": 0, "\u2581": 1}, unk_token="<unk>")
    source = marked(model)
    found = reasons(lower_legacy(source)[1].limits, Aspect.IDS)
    assert any("in front of every text" in reason for reason in found)
    pipeline = replace(source.pipeline, normalizer=Prepend("\u2581"), pre_tokenizer=None)
    found = reasons(lower_legacy(replace(source, pipeline=pipeline), LegacyType.SENTENCEPIECE)[1].limits, Aspect.IDS)
    assert not any("in front of every text" in reason for reason in found)
    assert any("turns spaces into" in reason for reason in found)


# --- type 2 -----------------------------------------------------------------------------------------------------------


def bert(model: WordPiece, *tokens: AddedToken) -> Source:
    normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    around = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return Source(Pipeline(normalizer, BertPreTokenizer(), model, around, None, tokens), Settings(), ())


VOCAB = {"[UNK]": 0, "a": 1, "[CLS]": 2, "[SEP]": 3, "##b": 4}


def test_the_prefix_goes_into_the_header_and_the_suffix_is_lost() -> None:
    file, report = lower_legacy(bert(WordPiece(VOCAB, "[UNK]", "##", 100), added(2, "[CLS]")))
    assert isinstance(file, BertFile)
    assert file.header.prefix_ids == (2,)
    assert LegacyEngineModel(file).encode("ab[CLS]") == [2, 1, 4, 2]
    assert any("[3] after the text are never added" in reason for reason in reasons(report.limits, Aspect.IDS))


def test_another_unknown_token_is_renamed() -> None:
    model = WordPiece({"<unk>": 0, "a": 1, "[CLS]": 2, "[SEP]": 3}, "<unk>", "##", 100)
    file, report = lower_legacy(bert(model, added(0, "<unk>")))
    assert isinstance(file, BertFile)
    assert file.tokens[0] == b"[UNK]"
    assert LegacyEngineModel(file).encode("x") == [2, 0]
    assert any("'<unk>' is called '[UNK]' in the file" in reason for reason in reasons(report.limits, Aspect.STREAMING))


def test_another_prefix_inside_words_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="the prefix inside words is '@@', and the engine knows '##' alone"):
        lower_legacy(bert(WordPiece(VOCAB, "[UNK]", "@@", 100)))


# --- the header -------------------------------------------------------------------------------------------------------


def test_stop_ids_are_those_of_the_settings() -> None:
    settings = Settings(stop_tokens=(StopToken(7, None, ("x",)), StopToken(9, "</s>", ("y",))))
    file, _ = lower_legacy(replace(byte_level(bpe(SYMBOLS)), settings=settings))
    assert file.header.stop_ids == (7, 9)


@pytest.mark.parametrize(
    ("flag", "reason"),
    [
        ("single_word", "added tokens are found inside words too"),
        ("lstrip", "added tokens leave the white space round them where it is"),
        ("rstrip", "added tokens leave the white space round them where it is"),
    ],
)
def test_flags_that_text_files_do_not_have_are_named(flag: str, reason: str) -> None:
    _, report = lower_legacy(byte_level(bpe(SYMBOLS), added(256, "<x>", **{flag: True})))
    (limit,) = [limit for limit in report.limits if reason in limit.reason]
    assert limit.touches("a <x> b")
    assert not limit.touches("a > b")
