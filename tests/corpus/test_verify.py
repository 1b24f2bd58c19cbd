"""Real tokenizers, exported and verified on the real engine: whatever differs in a text is named by the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtok_export import export
from mtok_export.verify import Row, verify
from tests.corpus.names import ALL

pytestmark = [pytest.mark.corpus, pytest.mark.engine]

WITH_TEMPLATE = ("deepseek_v3", "gemma3", "llama3_1", "qwen3")


@pytest.mark.parametrize("name", ALL)
def test_every_difference_in_a_text_is_named(name: str, corpus: Path, tmp_path: Path) -> None:
    path, report = tmp_path / "out.mtok", tmp_path / "report.json"
    export(corpus / name, path, report=report)
    result = verify(corpus / name, path, engine="native", report=report)
    assert (result.faults, list(result.failures())) == ((), [])
    assert result.complete
    for row in (Row.IDS, Row.PLAIN_IDS, Row.STREAMING, Row.WHOLE):
        unnamed = [difference for difference in result.row(row).differences if difference.limit is None]
        assert (row, unnamed) == (row, [])
    assert (result.conversations > 0) == (name in WITH_TEMPLATE)
