"""Strategies for small random text files that no engine dies of, and for texts that reach into their corners."""

from __future__ import annotations

from hypothesis import strategies as st

from mtok_export.byte_alphabet import BYTE_TO_CHAR, to_chars
from mtok_export.format.header import Header
from mtok_export.legacy import BertFile, HuggingFaceFile, LegacyFile, Piece, PieceType, SentencePieceFile, TiktokenFile

ALPHABET = "aabbcABé中\u0301😀1 \n\t_.'sS\u2581<>#\x01\x7f\u00a0\u0085"
BYTES = tuple(bytes((byte,)) for byte in range(256))
SYMBOLS = tuple(BYTE_TO_CHAR[byte] for byte in range(256))

texts = st.text(st.sampled_from(ALPHABET), max_size=30) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
short = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=4)
few = st.text(st.sampled_from("ab \u2581"), min_size=1, max_size=5)


def headers(size: int) -> st.SearchStrategy[Header]:
    ids = st.lists(st.integers(0, size), max_size=3).map(tuple)
    return st.builds(Header, ids, ids, ids)


@st.composite
def sentencepiece_files(draw: st.DrawFn) -> SentencePieceFile:
    scores = st.sampled_from([0.0, -1.0, -2.0, -2.5, -16777216.0, -16777217.0, 1e-3, 3.0])
    pieces = draw(st.lists(st.tuples(few | short, scores, st.sampled_from(PieceType)), min_size=1, max_size=14))
    rows = [Piece(text.replace(" ", "\u2581").encode(), score, kind) for text, score, kind in pieces]
    rows += [Piece(text.encode(), -3.0, PieceType.NORMAL) for text in "ab\u2581"]
    if draw(st.booleans()):
        rows += [Piece(b"<0x%02X>" % byte, 0.0, PieceType.BYTE) for byte in range(draw(st.integers(1, 256)))]
    return SentencePieceFile(draw(headers(len(rows))), tuple(rows))


@st.composite
def tiktoken_files(draw: st.DrawFn) -> TiktokenFile:
    rows = [text.encode() for text in draw(st.lists(short | few, max_size=12))]
    whole = draw(st.booleans())
    rows += BYTES if whole else ()
    rows += [b""] if whole and draw(st.booleans()) else []
    return TiktokenFile(draw(headers(len(rows))), tuple(rows))


@st.composite
def bert_files(draw: st.DrawFn) -> BertFile:
    pieces = st.builds("".join, st.tuples(st.sampled_from(["", "##"]), short.map(str.lower)))
    rows = draw(st.lists(pieces | st.sampled_from(["[UNK]", "a", "b", "##a", "##b", "", "é", "A"]), max_size=16))
    return BertFile(draw(headers(len(rows))), tuple(row.encode() for row in rows))


@st.composite
def huggingface_files(draw: st.DrawFn) -> HuggingFaceFile:
    tokens, merges = list(SYMBOLS), []
    parts = list(map(to_chars, ["a", "b", "a", " ", "'", "s", "1", "\n"])) + list(to_chars("é中"))
    for _ in range(draw(st.integers(0, 10))):
        pair = draw(st.sampled_from(parts)), draw(st.sampled_from(parts))
        merges.append(pair)
        parts.append("".join(pair))
        tokens.append("".join(pair))
    tokens += draw(st.lists(short.filter(lambda text: "\n" not in text), max_size=3))
    return HuggingFaceFile(draw(headers(len(tokens))), tuple(tokens), tuple(draw(st.permutations(merges))))


runnable_files: dict[str, st.SearchStrategy[LegacyFile]] = {
    "SENTENCEPIECE": sentencepiece_files(),
    "TIKTOKEN": tiktoken_files(),
    "BERT": bert_files(),
    "HUGGINGFACE": huggingface_files(),
}
