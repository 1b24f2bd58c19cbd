"""Progress on a terminal."""

from __future__ import annotations

import io
from typing import Any

import pytest

from mtok_export.cli import progress

STEPS = ("read", "lower", "write")


class Terminal(io.StringIO):
    """Standard error on a terminal."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: Any, delay: float) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "DELAY_SECONDS", delay)
    with progress.progress_bar(STEPS) as step:
        for name in STEPS:
            step(name)
    return "" if stream is None else str(stream.getvalue())


def test_slow_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal(), 0.0)
    places = [text.index(f"{name} ") for name in STEPS]
    assert places == sorted(places) and "2/3" in text
    assert text.rpartition("\r")[2].strip() == ""


@pytest.mark.parametrize(("stream", "delay"), [(Terminal(), 60.0), (io.StringIO(), 0.0), (None, 0.0)])
def test_nothing_is_shown(stream: Any, delay: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_total: int) -> Any:
        raise AssertionError("a bar is made")

    monkeypatch.setattr(progress, "_bar", refuse)
    assert shown(monkeypatch, stream, delay) == ""
