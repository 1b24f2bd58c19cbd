"""One record three times: as annotated bytes, as an object, as text; each test module states its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

import pytest

from mtok_export.format.record import Codec
from mtok_export.format.wire import Reader, Writer


def annotated(text: str) -> bytes:
    """Hex digits to bytes; from ``#`` to the end of its line is a comment."""
    return bytes.fromhex(" ".join(line.partition("#")[0] for line in text.splitlines()))


@dataclass(frozen=True)
class Triple:
    name: str
    hex: str
    record: Any
    text: str

    @property
    def data(self) -> bytes:
        return annotated(self.hex)


def cases(triples: Iterable[Triple]) -> pytest.MarkDecorator:
    triples = tuple(triples)
    return pytest.mark.parametrize("triple", triples, ids=[triple.name for triple in triples])


def encoded(encode: Callable[[Any, Writer], None], record: Any) -> bytes:
    writer = Writer()
    encode(record, writer)
    return writer.getvalue()


def decoded(decode: Callable[[Reader], Any], data: bytes) -> Any:
    """The record in ``data``, which must hold nothing else."""
    reader = Reader(data)
    record = decode(reader)
    assert reader.left == 0
    return record


def assert_complete(codec: Codec[Any], triples: Iterable[Triple]) -> None:
    """Each op has one layout, a layout lists the fields of its record, and a triple shows each record."""
    assert [layout.op for layout in codec.layouts] == list(codec.ops)
    for layout in codec.layouts:
        assert {field.name for field in layout.fields} == {field.name for field in fields(layout.record)}
    assert {type(triple.record) for triple in triples} == {layout.record for layout in codec.layouts}
