from __future__ import annotations

import pytest

from mtok_export.shown import counted, listed, visible, visible_bytes, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "'a'"),
        ("中é", "'中é'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("\u202e\u200b\ufeff", r"'\u202e\u200b\ufeff'"),
        ("\udc80", r"'\udc80'"),
        ("a" * 61, f"'{'a' * 60}'... (61 characters)"),
    ],
)
def test_texts_in_quotes(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(text).isprintable()


def test_lines_and_bytes() -> None:
    assert visible_line("a 'b'\t\x00\u2028") == r"a 'b'\t\x00\u2028"
    assert visible_bytes(b"a\xff\n") == r"'a\\xff\n'"


def test_lists_and_counts() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed(map(str, range(5))) == "0, 1, 2 and 2 more"
    assert listed(["a", "b", "c"], 10) == "a, b, c and 7 more"
    assert (counted(1, "entry", "entries"), counted(1200, "entry", "entries")) == ("1 entry", "1,200 entries")
    assert (counted(1, "token"), counted(0, "token")) == ("1 token", "0 tokens")
