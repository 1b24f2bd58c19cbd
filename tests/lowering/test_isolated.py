"""User-defined pieces of sentencepiece on the real engine: ids of sentencepiece, wherever they stand in a text."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mtok_export import export, load_source, lower
from mtok_export.engine.native import NativeEngine
from mtok_export.format.model import Bpe
from mtok_export.lowering.isolated import FIRST_PRIVATE
from mtok_export.report import Fidelity
from tests.sentencepiece_models import ids, proto_of, trained

pytestmark = pytest.mark.engine

BYTES: dict[str, Any] = {
    "byte_fallback": True,
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "vocab_size": 1100,
}
MANY = tuple(f"<extra_{i}>" for i in range(60))

Native = Callable[..., NativeEngine]


def texts_with(pieces: tuple[str, ...]) -> list[str]:
    chance = random.Random(11)
    parts = [*pieces, *pieces, " ", "  ", "a", "the", "word!", "\n", "é", "<", "!", "\u2581", "0", '"']
    return ["".join(chance.choices(parts, k=chance.randrange(1, 12))) for _ in range(600)]


@pytest.mark.parametrize(
    "pieces",
    [("<ud>",), ("<ud>", "<ud>>", "[REF_1]", "[REF_10]"), ("\n\n", "of the", "\u2581\u2581"), MANY],
    ids=["one", "prefixes of others", "with spaces", "many"],
)
def test_ids_are_those_of_sentencepiece(pieces: tuple[str, ...], tmp_path: Path, native: Native) -> None:
    data = trained("bpe", **BYTES, user_defined_symbols=pieces)
    model, file = tmp_path / "tokenizer.model", tmp_path / "tokenizer.mtok"
    model.write_bytes(data)
    export(model, file)
    texts = texts_with(pieces)
    found = native(file).encode_many(texts)
    right = [[1, *some] for some in ids(data, texts)]
    assert [text for text, ours, theirs in zip(texts, found, right, strict=True) if ours != theirs] == []
    known = {piece.piece: id_ for id_, piece in enumerate(proto_of(data).pieces) if piece.type == 4}
    known.pop("of the", None)  # which sentencepiece never finds, since it looks for it where spaces are escaped
    assert set(known.values()) <= {id_ for some in right for id_ in some}
    assert known


def test_each_piece_streams_as_what_it_is(tmp_path: Path, native: Native) -> None:
    data = trained("bpe", **BYTES, user_defined_symbols=MANY)
    model, file = tmp_path / "tokenizer.model", tmp_path / "tokenizer.mtok"
    model.write_bytes(data)
    export(model, file)
    engine = native(file)
    for id_, piece in enumerate(proto_of(data).pieces):
        if piece.piece in MANY:
            assert engine.decode_id(id_) == piece.piece.encode()


def test_what_a_private_character_becomes_is_named(tmp_path: Path) -> None:
    model = tmp_path / "tokenizer.model"
    model.write_bytes(trained("bpe", **BYTES, user_defined_symbols=("<ud>",)))
    file, report = lower(load_source(model))
    (limit,) = [limit for limit in report.limits if "private characters" in limit.reason]
    assert limit.fidelity is Fidelity.APPROXIMATE
    assert limit.characters == ((FIRST_PRIVATE, FIRST_PRIVATE),)
    assert not any("ignore_merges" in limit.reason for limit in report.limits)
    assert isinstance(file.model, Bpe)
    assert max(file.model.vocab.ids) == len(proto_of(model.read_bytes()).pieces), "one id for the private character"


def test_a_piece_that_sorts_in_front_of_all_characters_is_named(tmp_path: Path) -> None:
    model = tmp_path / "tokenizer.model"
    model.write_bytes(trained("bpe", **BYTES, user_defined_symbols=("\n\n",)))
    _, report = lower(load_source(model))
    assert [limit for limit in report.limits if "ignore_merges" in limit.reason]
