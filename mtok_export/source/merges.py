"""The ``merges`` of a BPE model.

There may be half a million, so the good case is made of calls that loop in C; only when one of them fails does a loop
in Python look for the merge to blame.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from operator import add
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.json_values import JsonObject, quote, wrong_type
from mtok_export.source.merge_table import Merge, MergeTable
from mtok_export.source.settings import Notice

_VERSION_LINE = "#version"
"""How the first line of an old ``merges.txt`` starts; the library drops every merge in string form that starts so."""

_BLOCK = 1 << 14
"""Merges that are taken apart at once: few enough for their parts to take little memory beside the others."""

_NO_MARKS = bytes(set(range(256)).difference(b" \n"))
"""All bytes but the space between two parts and the newline between two merges."""


def load_merges(source: JsonObject, vocab: dict[str, int], prefix: str, notices: list[Notice]) -> Sequence[Merge]:
    """Read the merges, as ``"a b"`` strings or as ``["a", "b"]`` pairs (all of one kind), in order of rank.

    Args:
        source: the model's object; its merges are taken out of it, for they are most of what was parsed.
        vocab: the model's vocab, which must hold both parts and the result of every merge.
        prefix: ``continuing_subword_prefix``, which a merge cuts off its second part; ``""`` for none.
        notices: gets what was dropped: version lines, and merges that stand there twice.

    Raises:
        SourceError: with the JSON path of the merge.
    """
    raw = source.array("merges")
    path = source.at("merges")
    joined = _joiner(prefix)
    columns = _flawless(raw, vocab, prefix)
    shared = len(set(vocab.values())) < len(vocab)  # then different strings may be the same pair of ids
    if columns is not None and not shared:
        del raw, source.items["merges"]
        table = MergeTable(*columns, vocab)
        return table if table.is_distinct else _last_of_each(tuple(table), lambda merge: merge, path, notices)
    merges = _checked(raw, vocab, joined, path, notices)
    if shared:
        return _last_of_each(merges, lambda merge: (vocab[merge[0]], vocab[merge[1]]), path, notices)
    return _last_of_each(merges, lambda merge: merge, path, notices)


def _joiner(prefix: str) -> Callable[[Merge], str]:
    """What makes the resulting token of a merge; ``ValueError`` where the library would panic."""
    if not prefix:
        return "".join
    size = len(prefix.encode())

    def join(merge: Merge) -> str:
        """The library cuts as many bytes off the second part as the prefix has, whatever bytes they are."""
        first, second = merge[0], merge[1].encode()
        if len(second) < size:
            raise ValueError
        return first + second[size:].decode()

    return join


def _flawless(raw: list[Any], vocab: dict[str, int], prefix: str) -> tuple[array[int], array[int], array[int]] | None:
    """The ids of first parts, second parts and results; ``None`` when a merge is wrong or to be dropped."""
    kinds = set(map(type, raw))
    if kinds != {str} and (kinds - {list} or set(map(len, raw)) - {2}):
        return None
    columns = array("I"), array("I"), array("I")
    for start in range(0, len(raw), _BLOCK):
        block = raw[start : start + _BLOCK]
        parts = _split(block) if kinds == {str} else list(chain.from_iterable(block))
        if parts is None:
            return None
        left, right = parts[0::2], parts[1::2]
        results = map(_joiner(prefix), zip(left, right, strict=True)) if prefix else map(add, left, right)
        try:
            for column, tokens in zip(columns, (left, right, results), strict=True):
                column.extend(map(vocab.__getitem__, tokens))
        except (KeyError, TypeError, ValueError):  # no entry; a part that is no string; a prefix that cannot be cut off
            return None
    return columns


def _split(raw: list[str]) -> list[str] | None:
    """The parts of merges in string form; ``None`` unless each is two parts with one space, and no version line.

    All are taken as one text.  A merge that holds a newline itself is left to the slow way.
    """
    text = "\n".join(raw)
    if text.startswith(_VERSION_LINE) or f"\n{_VERSION_LINE}" in text:
        return None
    marks = text.encode("utf-8", "surrogatepass").translate(None, _NO_MARKS)
    if marks != (b" \n" * len(raw))[:-1]:
        return None
    return text.replace("\n", " ").split(" ")


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
    return isinstance(merge, str) and merge.startswith(_VERSION_LINE)


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
