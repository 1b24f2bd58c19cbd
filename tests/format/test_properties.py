from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mtok_export.errors import FormatError
from mtok_export.format import MtokFile, faults, section_spans

from . import samples
from .strategies import files

# Nothing here is about speed, and other work may share the machine.
unhurried = settings(deadline=None, database=None)
SAMPLES = [file.encode() for file in samples.ALL]


@unhurried
@given(files)
def test_what_is_written_is_read_back(file: MtokFile) -> None:
    data = file.encode()
    assert MtokFile.decode(data) == file
    assert MtokFile.decode(data).encode() == data
    assert sum(span.end - span.start for span in section_spans(data)) == len(data)


@unhurried
@given(files)
def test_faults_are_found_without_failing(file: MtokFile) -> None:
    for fault in faults(file):
        assert isinstance(fault, FormatError)
        assert fault.where


def read_or_refuse(data: bytes) -> None:
    """A file is refused with an offset, or read so that it can be written back; nothing else may happen."""
    try:
        file = MtokFile.decode(data)
    except FormatError as error:
        assert error.offset is not None
        assert 0 <= error.offset <= len(data)
    else:
        assert file.encode() == data


@unhurried
@given(st.data())
def test_changed_bytes(choice: st.DataObject) -> None:
    data = bytearray(choice.draw(st.sampled_from(SAMPLES)))
    for _ in range(choice.draw(st.integers(1, 4))):
        position = choice.draw(st.integers(0, len(data) - 1))
        data[position] = choice.draw(st.sampled_from([0, 1, 2, 8, 0x7F, 0x80, 0xFF]) | st.integers(0, 255))
    read_or_refuse(bytes(data))


@unhurried
@given(st.sampled_from(SAMPLES), st.data(), st.binary(max_size=8))
def test_replaced_stretches(data: bytes, choice: st.DataObject, inserted: bytes) -> None:
    start = choice.draw(st.integers(0, len(data)))
    end = choice.draw(st.integers(start, min(start + 8, len(data))))
    read_or_refuse(data[:start] + inserted + data[end:])


@unhurried
@given(st.binary(max_size=64))
@example(b"\xff" * 64)
@example(b"\0" * 64)
def test_any_bytes_behind_a_header(body: bytes) -> None:
    read_or_refuse(b"430 4\n0 0 0\n\n" + body)


@unhurried
@given(st.binary() | st.text().map(str.encode))
def test_any_file(data: bytes) -> None:
    read_or_refuse(data)


def test_every_byte_set_to_every_edge_value() -> None:
    for data in SAMPLES:
        for position in range(len(data)):
            for value in (0, 1, 0x7F, 0x80, 0xFF):
                read_or_refuse(data[:position] + bytes([value]) + data[position + 1 :])
