"""Inspect, validate and diff on real tokenizers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mtok_export import export
from mtok_export.diffing import diff
from mtok_export.inspecting import Inspection, lines
from mtok_export.places import Opened, open_file
from mtok_export.validating import Severity, validate_opened
from tests.corpus.names import ALL

pytestmark = pytest.mark.corpus

KILLED_IN_PLAIN = ("deepseek-v4", "deepseek_v3")
"""Their pattern for East Asian characters ends a process with a small stack; faithful files have another."""

Exported = Callable[[str, bool], Opened]


@pytest.fixture(scope="module")
def exported(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    folder = tmp_path_factory.mktemp("exported")

    def get(name: str, plain: bool) -> Opened:
        path = folder / f"{name}{'-plain' * plain}.mtok"
        if not path.exists():
            export(corpus / name, path, plain=plain)
        return open_file(path)

    return get


@pytest.mark.parametrize("plain", [False, True], ids=["faithful", "plain"])
@pytest.mark.parametrize("name", ALL)
def test_the_parts_add_up_to_the_size(name: str, plain: bool, exported: Exported) -> None:
    opened = exported(name, plain)
    value = json.loads(json.dumps(Inspection(opened).as_dict()))
    assert sum(section["bytes"] for section in value["sections"]) == value["bytes"] == len(opened.data)
    words = value["model"]["vocabulary"]
    assert words["entries"] == sum(words["kinds"].values())
    assert all(line.isprintable() for line in lines.file_lines(value))


@pytest.mark.parametrize("plain", [False, True], ids=["faithful", "plain"])
@pytest.mark.parametrize("name", ALL)
def test_what_is_exported_has_no_errors(name: str, plain: bool, exported: Exported) -> None:
    errors = {found.code for found in validate_opened(exported(name, plain)) if found.severity is Severity.ERROR}
    assert errors == ({"pattern-recursion"} if plain and name in KILLED_IN_PLAIN else set())


@pytest.mark.parametrize("name", ALL)
def test_plain_and_faithful_differ_in_whole_sections(name: str, exported: Exported) -> None:
    """The differences are in the sections whose bytes differ, and nowhere else."""
    old, new = exported(name, True), exported(name, False)
    spans = [{span.name: opened.data[span.start : span.end] for span in opened.spans} for opened in (old, new)]
    unequal = {name for name in spans[0].keys() | spans[1].keys() if spans[0].get(name) != spans[1].get(name)}
    assert {found.section for found in diff(old.file, new.file)} == unequal
