"""Strategies for small random text files, as records."""

from __future__ import annotations

from hypothesis import strategies as st

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.format.header import Header
from mtok_export.legacy import BertFile, HuggingFaceFile, LegacyFile, Piece, PieceType, SentencePieceFile, TiktokenFile

ids = st.lists(st.integers(0, 0x7FFF_FFFF), max_size=4).map(tuple)
headers = st.builds(Header, ids, ids, ids, st.booleans())
any_bytes = st.binary(max_size=6)
scores = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-100, 0).map(float)
pieces = st.builds(Piece, any_bytes, scores, st.sampled_from(PieceType))
line_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=5).filter(
    lambda text: not text.endswith("\r")
)
merge_parts = line_texts.filter(lambda text: bool(text) and " " not in text)

any_file: st.SearchStrategy[LegacyFile] = st.one_of(
    st.builds(SentencePieceFile, headers, st.lists(pieces, max_size=6).map(tuple)),
    st.builds(TiktokenFile, headers, st.lists(any_bytes, max_size=6).map(tuple)),
    st.builds(BertFile, headers, st.lists(any_bytes, max_size=6).map(tuple)),
    st.builds(
        HuggingFaceFile,
        headers,
        st.lists(line_texts, max_size=6).map(tuple),
        st.lists(st.tuples(merge_parts, merge_parts), max_size=6).map(tuple),
    ),
)
"""Whatever the formats can hold, be it of use to the engine or not."""

BYTE_SYMBOLS = tuple(BYTE_TO_CHAR[byte] for byte in range(256))
