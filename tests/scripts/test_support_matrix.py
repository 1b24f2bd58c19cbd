"""The table of the README against the stored result that it is made from."""

from __future__ import annotations

import json

import pytest

from scripts import support_matrix


def test_the_readme_shows_the_stored_result() -> None:
    readme = support_matrix.README.read_text(encoding="utf-8")
    result = json.loads(support_matrix.RESULT.read_text(encoding="utf-8"))
    assert readme == support_matrix.rendered(result, readme), "run: python scripts/support_matrix.py --render"


def test_every_tokenizer_of_the_corpus_is_in_it() -> None:
    result = json.loads(support_matrix.RESULT.read_text(encoding="utf-8"))
    assert result["tokenizers"].keys() == support_matrix.families().keys()


def test_no_difference_without_a_name_in_the_stored_result() -> None:
    result = json.loads(support_matrix.RESULT.read_text(encoding="utf-8"))
    for name, found in result["tokenizers"].items():
        for counts in (*found["ids"].values(), found["streaming"], found["decoding"], found["chat"]):
            assert counts["compared"] - counts["equal"] == counts["named"], name


@pytest.mark.parametrize(
    ("compared", "equal", "by_version", "leading_space", "text"),
    [
        (0, 0, 0, 0, "-"),
        (3, 3, 0, 0, "100 %"),
        (3, 3, 3, 0, "100 %\\*"),
        (3, 1, 0, 2, "100 %†"),
        (100_000, 99_999, 0, 0, "99.99 %"),
        (2, 1, 0, 0, "50.00 %"),
    ],
)
def test_100_percent_is_said_only_where_nothing_else_differs(
    compared: int, equal: int, by_version: int, leading_space: int, text: str
) -> None:
    counts = {"compared": compared, "equal": equal, "by_version": by_version, "leading_space": leading_space}
    assert support_matrix.share(counts) == text
