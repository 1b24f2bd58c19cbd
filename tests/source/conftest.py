from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpus_folder() -> Path:
    """The real tokenizers; tests that use them are only selected by ``-m corpus``, so a missing folder is a failure."""
    folder = Path(__file__).parents[2] / ".corpus"
    if not folder.is_dir():
        pytest.fail(f"{folder} is missing: run scripts/fetch_corpus.py")
    return folder
