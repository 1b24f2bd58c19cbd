"""The model of the engine on text files against the real engine, its only judge."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.errors import EngineError
from mtok_export.format.header import Header
from mtok_export.legacy import BertFile, HuggingFaceFile, LegacyFile, Piece, PieceType, SentencePieceFile, TiktokenFile
from tests.legacy.random_files import BYTES, SYMBOLS, runnable_files, texts

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("kind", runnable_files)
def test_random_files_give_the_same_ids_and_pieces(kind: str) -> None:
    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(file=runnable_files[kind], some=st.lists(texts, min_size=6, max_size=20, unique=True))
    def run(file: LegacyFile, some: list[str]) -> None:
        model = LegacyEngineModel(file)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "random.txt"
            path.write_bytes(file.encode())
            with NativeEngine(path) as engine:
                right = engine.encode_many(some)
                assert dict(zip(some, model.encode_many(some), strict=True)) == dict(zip(some, right, strict=True))
                ids = range(-1, _size(file) + 2)
                # The binding ends what it decodes at U+0000.
                assert [text.partition(b"\0")[0] for text in model.decode_ids(ids)] == engine.decode_ids(ids)

    run()


def _size(file: LegacyFile) -> int:
    return len(file.pieces) if isinstance(file, SentencePieceFile) else len(file.tokens)


Opens = Callable[..., NativeEngine]


def both_fail(file: LegacyFile, text: str, native: Opens, folder: Path) -> None:
    """The real engine dies of the text or never ends, and the model says so."""
    path = folder / "deadly.txt"
    path.write_bytes(file.encode())
    with pytest.raises(EngineError, match=r"killed by|no answer"):
        native(path, deadline=2.0).encode(text)
    with pytest.raises(EngineError):
        LegacyEngineModel(file).encode(text)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param(TiktokenFile(Header(), (*BYTES, b"ab\0")), "ab", id="a zero byte behind others"),
        pytest.param(TiktokenFile(Header(), (b"a", b"")), "ab", id="an empty token where nothing else is found"),
        pytest.param(HuggingFaceFile(Header(), SYMBOLS[:97] + SYMBOLS[98:], ()), "a", id="a byte without a token"),
        pytest.param(HuggingFaceFile(Header(), SYMBOLS, (("a", "b"),)), "ab", id="a merge that makes no token"),
    ],
)
def test_what_the_engine_dies_of(file: LegacyFile, text: str, native: Opens, tmp_path: Path) -> None:
    both_fail(file, text, native, tmp_path)


@pytest.mark.parametrize("token", ["<0xZZ>", "<0x->>", "<0xg1>"])
def test_what_is_taken_for_a_byte_and_is_none(token: str, native: Opens, tmp_path: Path) -> None:
    file = TiktokenFile(Header(), (token.encode(),))
    path = tmp_path / "deadly.txt"
    path.write_bytes(file.encode())
    with pytest.raises(EngineError, match="killed by"):
        native(path).decode_id(0)
    with pytest.raises(EngineError, match="takes for a byte"):
        LegacyEngineModel(file).decode_id(0)


@pytest.mark.parametrize("token", ["<0x41>", "<0x 4>", "<0x+4>", "<0x-4>", "<0x4g>", "<0xFF>", "<0x0x>", "<0x411>"])
def test_what_is_taken_for_a_byte(token: str, native: Opens, tmp_path: Path) -> None:
    file = TiktokenFile(Header(), (token.encode(),))
    path = tmp_path / "odd.txt"
    path.write_bytes(file.encode())
    assert LegacyEngineModel(file).decode_id(0).partition(b"\0")[0] == native(path).decode_id(0)


def test_an_empty_text_is_encoded_where_no_special_token_is_looked_for() -> None:
    rows = (Piece(b"<unk>", 0.0, PieceType.UNKNOWN), Piece("\u2581".encode(), 0.0, PieceType.NORMAL))
    assert LegacyEngineModel(SentencePieceFile(Header(), rows)).encode("") == [1]
    assert LegacyEngineModel(SentencePieceFile(Header(special_ids=(0,)), rows)).encode("") == []


def test_a_file_without_rows_of_type_bert() -> None:
    assert LegacyEngineModel(BertFile(Header(), ())).encode("a b") == [100, 100]
