"""LEGACY_FORMAT.md and the code say the same."""

from __future__ import annotations

import re
from importlib.resources import files

from mtok_export.format.spec import TEXT_TYPES
from mtok_export.legacy import LegacyType, PieceType
from mtok_export.legacy.lower_huggingface import QWEN2_PATTERN
from mtok_export.legacy.lower_tiktoken import NEVER_FOUND

TEXT = files("mtok_export.legacy").joinpath("LEGACY_FORMAT.md").read_text(encoding="utf-8")


def test_every_type_has_a_section() -> None:
    titles = re.findall(r"^## \d\. Type (\d), (\w+)$", TEXT, re.MULTILINE)
    assert titles == [(str(kind.value), kind.name) for kind in LegacyType]
    named = re.search(r"a type, (.*?)\. 4 is", TEXT)
    assert named is not None
    assert named[1] == ", ".join(f"{kind.value} `{kind.name}`" for kind in LegacyType)


def test_the_names_are_those_of_the_binary_format() -> None:
    assert {kind.value: kind.name for kind in LegacyType} == TEXT_TYPES


def test_piece_types() -> None:
    assert ", ".join(f"{kind.value} {kind.name}" for kind in PieceType) in TEXT


def test_the_pattern_and_the_filler() -> None:
    assert f"`{QWEN2_PATTERN}`" in TEXT
    assert NEVER_FOUND == b"\xff" * 8
