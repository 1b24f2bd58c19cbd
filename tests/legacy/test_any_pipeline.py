"""Any small pipeline is lowered to a file that the engine can use, or refused in words."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtok_export import UnsupportedError
from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.native import NativeEngine
from mtok_export.legacy import LegacyType, check, decode, lower_legacy
from mtok_export.source.conversion import Owner
from mtok_export.source.pipeline import (
    BPE,
    AddedToken,
    BertNormalizer,
    BertPreTokenizer,
    BertProcessing,
    ByteLevelDecoder,
    ByteLevelPreTokenizer,
    Fuse,
    Metaspace,
    Model,
    Pipeline,
    Prepend,
    Unigram,
    Whitespace,
    WordLevel,
    WordPiece,
)
from mtok_export.source.settings import Settings, Source

SYMBOLS = tuple(BYTE_TO_CHAR.values())
BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))

strings = st.text(st.sampled_from("ab \u2581#é中<>x0AFĠĀ\n\r"), max_size=5)
flags = st.booleans()


@st.composite
def models(draw: st.DrawFn) -> Model:
    tokens = draw(st.lists(strings, max_size=8, unique=True))
    tokens += draw(st.sampled_from([(), SYMBOLS, BYTE_PIECES, SYMBOLS[1:]]))
    tokens = list(dict.fromkeys(tokens))
    ids = draw(st.lists(st.integers(0, 400), min_size=len(tokens), max_size=len(tokens)))
    vocab = dict(zip(tokens, ids, strict=True))
    unk = draw(st.none() | st.sampled_from([*tokens[:3], "<unk>"]))
    made = [(token[:1], token[1:]) for token in tokens if len(token) > 1 and draw(flags)]
    choices: list[Model] = [
        BPE(vocab, tuple(made), None, unk, None, None, draw(flags), draw(flags), draw(flags)),
        WordPiece(vocab, unk or "[UNK]", draw(st.sampled_from(["##", "@"])), 9),
        WordLevel(vocab, unk or "[UNK]"),
        Unigram(tuple((token, -1.0) for token in tokens), 0 if tokens and unk else None, draw(flags)),
    ]
    return draw(st.sampled_from(choices))


added = st.lists(
    st.builds(AddedToken, st.integers(0, 420), strings, flags, flags, flags, flags, flags), max_size=4
).map(tuple)

pipelines = st.builds(
    Pipeline,
    st.sampled_from([None, Prepend("\u2581"), BertNormalizer(True, True, None, True)]),
    st.sampled_from(
        [
            None,
            ByteLevelPreTokenizer(False, True, True),
            Metaspace("\u2581", "first", True),
            BertPreTokenizer(),
            Whitespace(),
        ]
    ),
    models(),
    st.sampled_from([None, BertProcessing(("a", 3), ("b", 500))]),
    st.sampled_from([None, ByteLevelDecoder(False, True, True), Fuse()]),
    added,
)


@settings(deadline=None, max_examples=400)
@given(
    pipeline=pipelines,
    kind=st.none() | st.sampled_from(LegacyType),
    owner=st.sampled_from(Owner),
    some=st.lists(strings, max_size=4),
)
def test_a_file_or_a_refusal(pipeline: Pipeline, kind: LegacyType | None, owner: Owner, some: list[str]) -> None:
    try:
        file, report = lower_legacy(Source(pipeline, Settings(), (), owner=owner), kind)
    except UnsupportedError as error:
        assert error.problems
        return
    check(file)
    assert decode(file.encode()) == file
    assert kind is None or file.kind is kind
    model = LegacyEngineModel(file)
    model.encode_many(some)
    model.decode_ids(range(430))
    assert all(limit.reason for limit in report.limits)


@pytest.mark.engine
@settings(deadline=None, max_examples=30, derandomize=True, suppress_health_check=list(HealthCheck))
@given(pipeline=pipelines, kind=st.sampled_from(LegacyType), some=st.lists(strings, min_size=3, max_size=8))
def test_the_engine_survives_what_passes_the_checks(pipeline: Pipeline, kind: LegacyType, some: list[str]) -> None:
    try:
        file, _ = lower_legacy(Source(pipeline, Settings(), ()), kind)
    except UnsupportedError:
        return
    model = LegacyEngineModel(file)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.txt"
        path.write_bytes(file.encode())
        with NativeEngine(path) as engine:
            assert engine.encode_many(some) == model.encode_many(some)
            # The binding ends what it decodes at U+0000.
            shown = [text.partition(b"\0")[0] for text in model.decode_ids(range(430))]
            assert engine.decode_ids(range(430)) == shown
