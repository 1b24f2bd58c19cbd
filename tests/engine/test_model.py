"""The model of the engine against the real engine, its only judge."""

from __future__ import annotations

import tempfile
from array import array
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtok_export import EngineError
from mtok_export.engine.model import NEXT, V3_5, V3_6, EngineModel, version_named
from mtok_export.engine.native import NativeEngine
from mtok_export.errors import MtokError
from mtok_export.format import MtokFile
from mtok_export.format import decoder as decoders
from mtok_export.format import model as models
from mtok_export.format import normalizer as normalizers
from mtok_export.format import pre_tokenizer as pre_tokenizers
from mtok_export.format.header import Header
from mtok_export.format.tail import SequenceA, SpecialTokenId, Tail
from tests.engine.random_files import files, texts


@pytest.mark.engine
@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(file=files(), some=st.lists(texts, min_size=4, max_size=12, unique=True))
def test_random_files_give_the_same_ids_and_pieces(file: MtokFile, some: list[str]) -> None:
    model = EngineModel(file)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.mtok"
        path.write_bytes(file.encode())
        with NativeEngine(path) as engine:
            assert dict(zip(some, model.encode_many(some), strict=True)) == dict(
                zip(some, engine.encode_many(some), strict=True)
            )
            ids = range(len(file.model.vocab) + 2)
            shown = model.decode_ids(ids)
            # The binding ends what it decodes at U+0000.
            assert [text.partition(b"\0")[0] for text in shown] == engine.decode_ids(ids)


def tiny(
    normalizer: normalizers.Normalizer | None = None, tail: Tail | None = None, ids: tuple[int, ...] = (0, 1, 2)
) -> MtokFile:
    vocab = models.Vocab(("a", "b", "c"), array("I", ids))
    merges = models.Merges(array("I"), array("I"), array("I"))
    return MtokFile(
        Header(prefix_ids=(2,)),
        normalizer or normalizers.NoNormalizer(),
        pre_tokenizers.NoPreTokenizer(),
        models.Bpe(vocab, merges, byte_fallback=False, byte_level=False),
        decoders.Fuse(),
        (),
        tail or Tail(),
    )


def test_the_post_processor_runs_over_prefix_and_ids_in_next_alone() -> None:
    file = tiny(tail=Tail(post_processor=(SpecialTokenId(1), SequenceA(), SpecialTokenId(0))))
    assert EngineModel(file, NEXT).encode("a") == [1, 2, 0, 0]
    assert EngineModel(file, V3_6).encode("a") == EngineModel(file, V3_5).encode("a") == [2, 0]


@pytest.mark.parametrize(
    "normalizer",
    [normalizers.Strip(True, True), normalizers.Sequence((normalizers.NoNormalizer(),))],
    ids=["strip", "absent normalizer in a sequence"],
)
def test_what_kills_3_5_is_refused_there_alone(normalizer: normalizers.Normalizer) -> None:
    EngineModel(tiny(normalizer), V3_6)
    with pytest.raises(EngineError, match=r"3\.5"):
        EngineModel(tiny(normalizer), V3_5)


def test_an_id_beyond_the_vocabulary_is_refused() -> None:
    with pytest.raises(EngineError, match="outside its memory"):
        EngineModel(tiny(ids=(0, 1, 3)))


def test_versions_are_found_by_release_number() -> None:
    assert version_named("3.6.1") is V3_6
    with pytest.raises(MtokError, match=r"3\.4.*known are 3\.5, 3\.6, next"):
        version_named("3.4.0")
