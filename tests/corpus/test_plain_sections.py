"""The sections of plain files against those that MNN's own exporter writes for the same tokenizers.

``reference_sections.tsv`` holds the size and the first 16 hex digits of the SHA-256 of each section, made with the
source of August 2026 on Unicode 14 data.  Where ours differ, DIFFERENT says why.
"""

from __future__ import annotations

import csv
import hashlib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtok_export import MtokFile, Options, load_source, lower
from mtok_export.format import decoder as decoders
from mtok_export.format import normalizer as normalizers
from mtok_export.format import pre_tokenizer as pre_tokenizers
from mtok_export.format import section_spans

pytestmark = pytest.mark.corpus

TABLES_OF = "14.0.0"
"""The Unicode version of the reference tables (CPython 3.11)."""

DIFFERENT: dict[tuple[str, str], str] = {
    ("mon-unigram", "normalizer"): "a regex in Replace becomes an empty pattern there, the characters it matches here",
    ("multilingual-e5-small", "normalizer"): "a regex in Replace becomes an empty pattern there, halvings here",
    ("nepali-sentencepiece", "normalizer"): "a regex in Replace becomes an empty pattern there, halvings here",
    ("oromo-bpe", "normalizer"): "StripAccents gets no table there and so does nothing; here a table makes it work",
    (
        "oromo-wordpiece",
        "normalizer",
    ): "StripAccents gets no table there and so does nothing; here a table makes it work",
    ("nepali-wordpiece", "pre_tokenizer"): "the unknown component Whitespace is left out there, a Split here",
    ("oromo-bpe", "pre_tokenizer"): "the unknown component Whitespace is left out there, a Split here",
    ("oromo-wordpiece", "pre_tokenizer"): "the unknown component Whitespace is left out there, a Split here",
    ("oromo-bpe", "decoder"): "a missing decoder is written as ByteLevel there, as Fuse here",
    ("oromo-wordpiece", "decoder"): "a missing decoder is written as ByteLevel there, as Fuse here",
}


def reference() -> dict[str, dict[str, tuple[int, str]]]:
    table: dict[str, dict[str, tuple[int, str]]] = {}
    with (Path(__file__).parent / "reference_sections.tsv").open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t"):
            table.setdefault(row["tokenizer"], {})[row["section"]] = int(row["bytes"]), row["sha256_first16"]
    return table


REFERENCE = reference()


@pytest.fixture(scope="module", params=sorted(REFERENCE))
def plain(request: pytest.FixtureRequest, corpus: Path) -> Iterator[tuple[str, bytes]]:
    name: str = request.param
    file, _ = lower(load_source(corpus / name), Options(faithful=False))
    yield name, file.encode()


def test_sections_are_the_reference(plain: tuple[str, bytes]) -> None:
    name, data = plain
    expected = dict(REFERENCE[name])
    if unicodedata.unidata_version != TABLES_OF and has_tables(data):
        expected.pop("normalizer")  # the tables of a plain file follow the interpreter
    ours = {
        span.name: (span.end - span.start, hashlib.sha256(data[span.start : span.end]).hexdigest()[:16])
        for span in section_spans(data)
        if span.name in expected
    }
    assert ours.keys() == expected.keys()
    different = {section for section in expected if ours[section] != expected[section]}
    assert different == {section for tokenizer, section in DIFFERENT if tokenizer == name and section in expected}


def has_tables(data: bytes) -> bool:
    return any(
        isinstance(part, (normalizers.Table, normalizers.BertTable)) for part in parts(MtokFile.decode(data).normalizer)
    )


def parts(normalizer: normalizers.Normalizer) -> Iterator[normalizers.Normalizer]:
    if isinstance(normalizer, normalizers.Sequence):
        for child in normalizer.normalizers:
            yield from parts(child)
    else:
        yield normalizer


def test_what_differs_is_what_the_reason_says(plain: tuple[str, bytes]) -> None:
    """The reasons above, held against the records."""
    name, data = plain
    file = MtokFile.decode(data)
    if (name, "decoder") in DIFFERENT:
        assert file.decoder == decoders.Fuse()
    if (name, "pre_tokenizer") in DIFFERENT:
        assert isinstance(file.pre_tokenizer, pre_tokenizers.Split)
    if (name, "normalizer") in DIFFERENT:
        found = list(parts(file.normalizer))
        replaced = [part for part in found if isinstance(part, normalizers.Replace)]
        stripped = [part for part in found if isinstance(part, normalizers.BertTable)]
        assert all(part.pattern for part in replaced)
        assert replaced or stripped
