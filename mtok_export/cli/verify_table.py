"""The result of a comparison for a person: a table, the first differences, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtok_export.verify import Difference, RowResult, Verification

_COLUMNS = ("compared", "equal", "by version", "different", "named")
_WIDTH = 10
_NAME_WIDTH = 20
_TEXT_WIDTH = 100


def lines(result: Verification, name: str, show: int) -> Iterator[str]:
    """The whole output; ``show`` is the number of differences to show of each row."""
    yield f"{name}: engine {result.engine}, {result.texts:,} texts, {result.conversations} conversations"
    yield " " * (_NAME_WIDTH + 2) + "".join(f"{title:>{_WIDTH + 2}}" for title in _COLUMNS)
    for row in result.rows:
        yield _table_line(row)
    for note in result.notes:
        yield f"note: {note}"
    for row in result.rows:
        yield from _shown_differences(row, show)
    for fault in result.faults:
        yield f"fault: {fault}"
    for failure in result.failures():
        yield f"failed: {failure}"
    yield verdict(result)


def verdict(result: Verification) -> str:
    """What came out, in one line."""
    left = [row.value for row in result.left_out()]
    without = f" (not compared: {', '.join(left)})" if left else ""
    if result.faults or any(result.failures()):
        return f"the file cannot be trusted: {len(result.faults)} faults, {len(list(result.failures()))} failures"
    if not result.differences:
        return f"equal{without}"
    named = result.differences - result.unnamed
    return f"different: {result.differences:,} differences, {named:,} of them named by the report{without}"


def _table_line(row: RowResult) -> str:
    name = f"  {row.row.value:<{_NAME_WIDTH}}"
    reason = row.not_run or (row.failure and "failed: see below")
    if reason and not row.compared:
        return f"{name}  {'not run' if row.not_run else ''}{': ' if row.not_run else ''}{reason}"
    counts = (row.compared, row.equal, row.by_version, len(row.differences), row.named)
    return name + "".join(f"{count:>{_WIDTH + 2},}" for count in counts) + (f"  {reason}" if reason else "")


def _shown_differences(row: RowResult, show: int) -> Iterator[str]:
    """The first differences of a row, those that no limit names before the others."""
    first = sorted(row.differences, key=lambda difference: difference.limit is not None)[:show]
    if not first:
        return
    yield f"{row.row.value}: {len(first)} of {len(row.differences):,} differences"
    for difference in first:
        yield from _difference_lines(difference)


def _difference_lines(difference: Difference) -> Iterator[str]:
    from mtok_export.verify.results import Ids

    subject = ascii(difference.subject)
    if len(subject) > _TEXT_WIDTH:
        subject = f"{subject[:_TEXT_WIDTH]}... ({len(difference.subject):,} characters)"
    unit = "id" if isinstance(difference.expected, Ids) else "character"
    yield f"  {subject}, from {unit} {difference.place:,} on:"
    yield f"    expected {difference.expected}"
    yield f"    found    {difference.found}"
    if difference.limit is not None:
        yield f"    named    {difference.limit}"
