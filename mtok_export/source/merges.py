"""The ``merges`` of a BPE model.

There may be half a million, so the good case is left to calls that loop in C (``merge_columns``); only when one of
them fails does a loop in Python look for the merge to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.json_values import JsonObject, quote, wrong_type
from mtok_export.source.merge_columns import VERSION_LINE, joiner, merge_columns
from mtok_export.source.merge_table import Merge, MergeTable
from mtok_export.source.settings import Notice


def load_merges(
    source: JsonObject, vocab: dict[str, int], prefix: str, notices: list[Notice], *, shared_ids: bool
) -> Sequence[Merge]:
    """Read the merges, as ``"a b"`` strings or as ``["a", "b"]`` pairs (all of one kind), in order of rank.

    Args:
        source: the model's object; its merges are taken out of it, for they are most of what was parsed.
        vocab: the model's vocab, which must hold both parts and the result of every merge.
        prefix: ``continuing_subword_prefix``, which a merge cuts off its second part; ``""`` for none.
        notices: gets what was dropped: version lines, and merges that stand there twice.
        shared_ids: whether tokens of the vocab share ids; then different strings may be the same pair of ids.

    Raises:
        SourceError: with the JSON path of the merge.
    """
    raw = source.array("merges")
    path = source.at("merges")
    joined = joiner(prefix)
    columns = None if shared_ids else merge_columns(raw, vocab, prefix)
    if columns is not None:
        del raw, source.items["merges"]
        table = MergeTable(*columns, vocab)
        return table if table.is_distinct else _last_of_each(tuple(table), lambda merge: merge, path, notices)
    merges = _checked(raw, vocab, joined, path, notices)
    if shared_ids:
        return _last_of_each(merges, lambda merge: (vocab[merge[0]], vocab[merge[1]]), path, notices)
    return _last_of_each(merges, lambda merge: merge, path, notices)


def _checked(
    raw: list[Any], vocab: dict[str, int], joined: Callable[[Merge], str], path: str, notices: list[Notice]
) -> tuple[Merge, ...]:
    """All merges one by one: for merges of which one is wrong (``SourceError``) or to be dropped."""
    _check_kinds(raw, path)
    lines = [(i, merge) for i, merge in enumerate(raw) if not _is_version_line(merge)]
    for i, merge in lines:
        _check(merge, vocab, joined, f"{path}[{i}]")
    if len(lines) < len(raw):
        first = next(merge for merge in raw if _is_version_line(merge))
        message = f"{len(raw) - len(lines)} version lines, such as {quote(first)}, are no merges"
        notices.append(Notice(path, f"{message}; the tokenizers library drops them too"))
    return tuple([_parts(merge) for _, merge in lines])


def _is_version_line(merge: Any) -> bool:
    return isinstance(merge, str) and merge.startswith(VERSION_LINE)


def _parts(merge: Any) -> Merge:
    first, second = merge.split(" ") if isinstance(merge, str) else merge
    return first, second


def _last_of_each(
    merges: tuple[Merge, ...], key: Callable[[Merge], object], path: str, notices: list[Notice]
) -> tuple[Merge, ...]:
    """Keep the last of merges that are the same: its rank is the one the library takes."""
    last = {key(merge): i for i, merge in enumerate(merges)}
    if len(last) == len(merges):
        return merges
    example = next(merge for i, merge in enumerate(merges) if last[key(merge)] != i)
    problem = f"{len(merges) - len(last)} merges stand there more than once, such as {quote(' '.join(example))}"
    notices.append(Notice(path, f"{problem}; as in the tokenizers library, the last place counts"))
    return tuple([merges[i] for i in sorted(last.values())])


# --- finding the merge to blame ---------------------------------------------------------------------------------------


def _check_kinds(raw: list[Any], path: str) -> None:
    for i, merge in enumerate(raw):
        if not isinstance(merge, (str, list)):
            raise wrong_type(merge, "a merge (a string or an array of two strings)", f"{path}[{i}]")
        if type(merge) is not type(raw[0]):
            raise SourceError("strings and arrays are mixed; all merges must be of one kind", where=f"{path}[{i}]")


def _check(merge: Any, vocab: dict[str, int], joined: Callable[[Merge], str], where: str) -> None:
    parts = merge.split(" ") if isinstance(merge, str) else merge
    if len(parts) != 2:
        if isinstance(merge, str):
            spaces = f"the merge {quote(merge)} has {len(parts) - 1} spaces; it must have exactly one"
            raise SourceError(spaces, where=where, hint="parts that hold spaces need the form of an array")
        raise SourceError(f"a merge has two parts, this one {len(parts)}", where=where)
    for part in parts:
        if not isinstance(part, str):
            raise wrong_type(part, "a string", where)
        if part not in vocab:
            raise SourceError(f"the merge needs the token {quote(part)}, which is not in the vocab", where=where)
    try:
        result = joined((parts[0], parts[1]))
    except ValueError:
        problem = f"continuing_subword_prefix cannot be cut off the second part, {quote(parts[1])}"
        raise SourceError(problem, where=where) from None
    if result not in vocab:
        raise SourceError(f"the merge makes the token {quote(result)}, which is not in the vocab", where=where)
