"""Offsets against the bytes that stand there, on any file the format can hold."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from mtok_export.errors import FormatError, SourceError
from mtok_export.format import MtokFile
from mtok_export.format import model as m
from mtok_export.format.wire import Writer
from mtok_export.places import TREES, Opened, open_file
from mtok_export.tokenizer_file import read_bytes
from tests.format import samples, strategies


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<H", len(data)) + data


@settings(max_examples=150, deadline=None, derandomize=True)
@given(strategies.files)
def test_every_record_stands_where_it_is_said_to(file: MtokFile) -> None:
    data = file.encode()
    places = Opened.of(data, "x").places
    for name, codec in TREES.items():
        root = places.trees[name]
        assert (root.start, root.end) == (places.spans[name].start, places.spans[name].end)
        for located in root.walk():
            writer = Writer()
            codec.encode(located.record, writer)
            assert data[located.start : located.end] == writer.getvalue()
            for index, (code, text) in enumerate(getattr(located.record, "entries", ())):
                assert data[places.table_entry(located, index) :].startswith(struct.pack("<I", code) + string(text))
    for index, (token, id_) in enumerate(zip(file.model.vocab.tokens, file.model.vocab.ids, strict=True)):
        assert data[places.vocab_entry(index) :].startswith(string(token) + struct.pack("<I", id_))
    if isinstance(file.model, m.Bpe):
        columns = file.model.merges
        for index, merge in enumerate(zip(columns.left, columns.right, columns.rank, strict=True)):
            assert data[places.merge(index) :].startswith(struct.pack("<III", *merge))
    for index, added in enumerate(file.added_tokens):
        head = struct.pack("<IBBB", added.id, added.special, added.lstrip, added.rstrip)
        assert data[places.added_token(index) :].startswith(head + string(added.content))


def test_paths_are_those_of_the_codec(tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    path.write_bytes(samples.BPE.encode())
    trees = open_file(path).places.trees
    assert [located.path for located in trees["decoder"].walk()] == [
        "decoder",
        "decoder.decoders[0]",
        "decoder.decoders[1]",
        "decoder.decoders[2]",
        "decoder.decoders[3]",
    ]


@pytest.mark.parametrize("number", range(4))
def test_text_files_have_no_such_places(number: int, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.txt"
    path.write_bytes(b"430 %d\n0 0 0\n\n" % number)
    with pytest.raises(FormatError, match=rf"a text tokenizer file of type {number} \(.*not a .mtok file"):
        open_file(path)


@pytest.mark.parametrize("name", ["missing.mtok", "\0"])
def test_files_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_bytes(f"{tmp_path}/{name}")
