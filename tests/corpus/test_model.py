"""The model of the engine against the real engine, on files of real tokenizers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtok_export import Options, load_source, lower
from mtok_export.engine.model import EngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.texts import builtin_texts, special_texts
from tests.corpus.names import ALL

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

EVERY = 5
"""Of the ids of a vocabulary, every fifth is decoded."""


@pytest.mark.parametrize("faithful", [True, False], ids=["faithful", "plain"])
@pytest.mark.parametrize("name", ALL)
def test_ids_and_single_id_decodings_are_the_engine_s(name: str, faithful: bool, corpus: Path, tmp_path: Path) -> None:
    source = load_source(corpus / name)
    file, _ = lower(source, Options(faithful=faithful))
    path = tmp_path / "out.mtok"
    path.write_bytes(file.encode())
    contents = [token.content for token in source.pipeline.added_tokens]
    texts = [text for text in (*builtin_texts(), *special_texts(contents)) if "\0" not in text]
    ids = range(0, len(file.model.vocab) + EVERY, EVERY)
    with NativeEngine(path) as engine:
        encoded, decoded = engine.encode_many(texts), engine.decode_ids(ids)
    model = EngineModel(file)
    assert [text for text, right in zip(texts, encoded, strict=True) if model.encode(text) != right] == []
    # The binding ends what it decodes at U+0000.
    shown = [text.partition(b"\0")[0] for text in model.decode_ids(ids)]
    assert [id_ for id_, one, other in zip(ids, shown, decoded, strict=True) if one != other] == []
