from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mtok_export.errors import FormatError, SourceError
from mtok_export.format import MtokFile, SectionSpan, read, section_spans
from mtok_export.format.tail import Tail

from . import samples
from .triples import annotated

SECTIONS = (
    "header",
    "normalizer",
    "pre_tokenizer",
    "model",
    "decoder",
    "added_tokens",
    "chat_template",
    "eos",
    "flags",
    "bos",
    "post_processor",
    "padding",
)
each_sample = pytest.mark.parametrize("file", samples.ALL, ids=["bpe", "word piece", "unigram"])


@each_sample
def test_round_trip(file: MtokFile) -> None:
    data = file.encode()
    assert MtokFile.decode(data) == file
    assert MtokFile.decode(data).encode() == data


@each_sample
def test_spans_cover_the_file(file: MtokFile) -> None:
    data = file.encode()
    spans = section_spans(data)
    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
    assert spans[-1].end == len(data)
    names = [span.name for span in spans]
    assert names == [name for name in SECTIONS if name in names]
    assert file.encode_with_spans() == (data, spans)


def test_spans_name_every_section() -> None:
    assert tuple(span.name for span in section_spans(samples.BPE.encode())) == SECTIONS


SMALL = annotated("""
    34 33 30 20 34 0a     # 430 4
    30 20 31 20 30 0a     # no special, one stop, no prefix id
    30 0a                 # the stop id 0
    00                    # normalizer: NONE
    00                    # pre-tokenizer: NONE
    00 01 00 00 00        # model: BPE with one entry
    00 00 00 00 00 00     # no byte fallback, not byte level, no merges
    01 00 61 00 00 00 00  # a is 0
    04                    # decoder: FUSE
    00 00 00 00           # no added tokens
    01 00 00 00 78        # chat template
    02 00 65 6f           # EOS
    00                    # flags
    01 00 62              # BOS
""")


def test_spans_of_a_file_in_hex() -> None:
    data = SMALL
    assert section_spans(data) == (
        SectionSpan("header", 0, 14),
        SectionSpan("normalizer", 14, 15),
        SectionSpan("pre_tokenizer", 15, 16),
        SectionSpan("model", 16, 34),
        SectionSpan("decoder", 34, 35),
        SectionSpan("added_tokens", 35, 39),
        SectionSpan("chat_template", 39, 44),
        SectionSpan("eos", 44, 48),
        SectionSpan("flags", 48, 49),
        SectionSpan("bos", 49, 52),
    )
    assert MtokFile.decode(data).encode() == data


@pytest.mark.parametrize("file", samples.ALL)
def test_a_section_alone_is_its_span(file: MtokFile) -> None:
    data = file.encode()
    shorter = replace(file, added_tokens=(), tail=Tail(None, None, None, None)).encode()
    end = next(span.start for span in section_spans(data) if span.name == "added_tokens")
    assert shorter == data[:end] + bytes(4)


@each_sample
def test_cut_off_anywhere(file: MtokFile) -> None:
    """Every cut is an error, except between the optional fields at the end, where the file is a shorter one."""
    data = file.encode()
    spans = section_spans(data)
    optional = {span.start for span in spans if span.name in SECTIONS[SECTIONS.index("chat_template") :]}
    for size in range(len(data)):
        if size in optional:
            shorter = MtokFile.decode(data[:size])
            assert shorter.encode() == data[:size]
            assert shorter != file
        else:
            with pytest.raises(FormatError) as caught:
                MtokFile.decode(data[:size])
            assert caught.value.offset is not None
            assert caught.value.offset <= size


def test_padding_may_be_cut_anywhere() -> None:
    file = replace(samples.UNIGRAM, tail=Tail(post_processor=(), padding=b"abc"))
    data = file.encode()
    for size in range(len(data) - 3, len(data)):
        assert MtokFile.decode(data[:size]).encode() == data[:size]


def test_an_error_names_file_section_and_offset() -> None:
    data = samples.BPE.encode().replace(b"<s>", b"<\xff>")
    with pytest.raises(FormatError) as caught:
        MtokFile.decode(data, name="x.mtok")
    offset = data.index(b"\xff")
    assert caught.value.offset == offset
    assert str(caught.value) == (
        f"x.mtok, added_tokens[0], byte {offset}: content is not UTF-8: invalid start byte 0xFF"
    )


def test_an_error_of_writing_names_the_section() -> None:
    file = replace(samples.BPE, tail=Tail(bos_token="\ud800"))
    with pytest.raises(FormatError, match=r"^bos: bos token holds the lone surrogate U\+D800"):
        file.encode()


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.mtok"
    path.write_bytes(samples.BPE.encode())
    assert read(path) == samples.BPE
    assert read(os.fspath(path)) == samples.BPE


def test_read_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.mtok"
    path.write_bytes(samples.BPE.encode()[:20])
    with pytest.raises(FormatError, match=r"tokenizer\.mtok, .*byte"):
        read(path)


def test_read_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.mtok"
    with pytest.raises(SourceError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: the .mtok file cannot be read: No such file or directory"


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_read_what_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read(f"{tmp_path}/{name}")
