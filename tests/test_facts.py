"""Stored answers of the ``tokenizers`` library against the library that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tokenizers

from mtok_export import facts
from scripts.ask_tokenizers import TABLES, known, render, renewed

MODULES = {path.stem for path in Path(facts.__file__).parent.glob("*.py")} - {"__init__"}


def test_each_table_is_one_that_the_script_writes() -> None:
    assert set(TABLES) == MODULES


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_installed_library_gives_the_stored_answers(name: str) -> None:
    versions, data = known(name)
    _, ask = TABLES[name]
    if tokenizers.__version__ not in versions:
        pytest.skip(f"not known to hold for {tokenizers.__version__}: python scripts/ask_tokenizers.py adds it")
    assert ask() == data
    assert facts.stored(name) == data


@pytest.mark.parametrize("name", sorted(TABLES))
def test_another_version_is_not_answered_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers, "__version__", "0.0.1")
    assert facts.stored(name) is None


@pytest.mark.parametrize(
    ("stored", "version", "data", "replace", "expected"),
    [
        (((), b""), "0.22.0", b"a", False, (("0.22.0",), b"a")),
        ((("0.22.0",), b"a"), "0.22.0", b"a", False, (("0.22.0",), b"a")),
        ((("0.22.0",), b"a"), "0.22.0", b"b", False, (("0.22.0",), b"b")),
        ((("0.22.0", "0.22.10"), b"a"), "0.22.9", b"a", False, (("0.22.0", "0.22.9", "0.22.10"), b"a")),
        ((("0.22.0",), b"a"), "0.23.0rc1", b"a", False, (("0.22.0", "0.23.0rc1"), b"a")),
        ((("0.22.0",), b"a"), "0.22.1", b"b", False, None),
        ((("0.22.0", "0.22.1"), b"a"), "0.22.1", b"b", False, None),
        ((("0.22.0", "0.22.1"), b"a"), "0.22.1", b"b", True, (("0.22.1",), b"b")),
    ],
)
def test_what_a_library_adds_to_a_table(
    stored: tuple[tuple[str, ...], bytes],
    version: str,
    data: bytes,
    replace: bool,
    expected: tuple[tuple[str, ...], bytes] | None,
) -> None:
    assert renewed(stored, version, data, replace=replace) == expected


def test_a_table_is_a_module() -> None:
    data = bytes(range(256)) * 3
    table: dict[str, Any] = {}
    exec(render("What it says.", ("1.0", "1.1"), data), table)
    assert (table["__doc__"], table["VERSIONS"]) == ("What it says.", ("1.0", "1.1"))
    assert facts.unpacked(table["DATA"]) == data
