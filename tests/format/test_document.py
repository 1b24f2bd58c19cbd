"""FORMAT.md and the code say the same."""

from __future__ import annotations

import re
from enum import IntEnum
from importlib.resources import files

import pytest

from mtok_export.format import MtokFile, section_spans, spec
from mtok_export.format.header import Header
from mtok_export.format.tail import Tail

from . import samples
from .triples import annotated

TEXT = files("mtok_export.format").joinpath("FORMAT.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    found = re.search(rf"^## \d+\. {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[1]


@pytest.mark.parametrize(
    ("title", "ops"),
    [
        ("Normalizer", spec.NormalizerOp),
        ("Pre-tokenizer", spec.PreTokenizerOp),
        ("Model", spec.ModelOp),
        ("Decoder", spec.DecoderOp),
        ("The tail", spec.PostProcessorOp),
    ],
)
def test_op_tables(title: str, ops: type[IntEnum]) -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", section(title), re.MULTILINE)
    assert rows == [(str(op.value), op.name) for op in ops]


def test_behaviors() -> None:
    listed = ", ".join(f"{behavior.value} `{behavior.name}`" for behavior in spec.SplitBehavior)
    assert f"Behaviours of `SPLIT`: {listed}." in section("Pre-tokenizer")


def test_numbers() -> None:
    assert f"the magic {spec.MAGIC}, and {spec.TYPE_PIPELINE} for a binary pipeline" in TEXT
    assert f"at most {spec.MAX_ID:,}" in section("Notation")
    assert f"Ranks from {spec.MAX_RANK + 1:,} on never merge" in section("Model")
    assert f"{spec.MAX_STRING_BYTES:,} bytes at most" in section("Notation")
    assert f"({spec.MAX_SEQUENCE_DEPTH} levels)" in section("What the engine does not check")
    assert f"bit 0 `{spec.Flags.CLEAN_UP_TOKENIZATION_SPACES.name}`" in section("The tail")
    for name in spec.TEXT_TYPES.values():
        assert name in section("Header")


def test_sections() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", section("The whole file"), re.MULTILINE)
    assert rows == [span.name for span in section_spans(samples.BPE.encode())]


def test_example() -> None:
    example = re.search(r"```\n(.*?)```", section("A small file"), re.DOTALL)
    assert example
    file = MtokFile.decode(annotated(example[1]))
    assert file.header == Header(stop_ids=(0,))
    assert file.model.vocab.tokens == ("a",)
    assert file.tail == Tail(eos_token="eo")
