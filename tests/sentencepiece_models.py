"""Small sentencepiece models, trained when they are first asked for, and models written piece by piece."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

from sentencepiece import SentencePieceProcessor, SentencePieceTrainer, sentencepiece_model_pb2

from mtok_export.texts import languages

_OPTIONS: dict[str, Any] = {
    "vocab_size": 700,
    "hard_vocab_limit": False,
    "character_coverage": 0.995,
    "num_threads": 1,
    "minloglevel": 2,
}


@cache
def trained(model_type: str = "bpe", **options: Any) -> bytes:
    """A model trained on the sentences of the built-in texts; the options are those of the trainer."""
    chosen = ("English", "German", "French", "Spanish", "Italian", "Polish")
    sentences = [text for name, texts in languages().items() for text in texts if name in chosen]
    sentences += ["    if x == 10:\n        return  x * 2  # twice", "2024-11-30 12:45:10, 3.14159, 1,000,000"]
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(sentences * 3), model_writer=model, model_type=model_type, **{**_OPTIONS, **given}
    )
    return model.getvalue()


def proto_of(data: bytes) -> Any:
    """The protobuf of a model, to be changed."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(data)
    return proto


def by_hand(pieces: Sequence[tuple[str, float, int]], **normalizer: bool) -> Any:
    """A BPE model with these pieces (text, score, type) behind ``<unk>``, ``<s>`` and ``</s>``, as a protobuf."""
    proto = sentencepiece_model_pb2.ModelProto()
    for text, score, kind in (("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3), *pieces):
        proto.pieces.add(piece=text, score=score, type=kind)
    proto.trainer_spec.model_type = 2
    rules = {"add_dummy_prefix": True, "remove_extra_whitespaces": False, "escape_whitespaces": True, **normalizer}
    for rule, value in rules.items():
        setattr(proto.normalizer_spec, rule, value)
    return proto


def ids(data: bytes, texts: Sequence[str]) -> list[list[int]]:
    """What sentencepiece makes of texts."""
    processor: Any = SentencePieceProcessor(model_proto=data)
    return [processor.encode(text) for text in texts]
