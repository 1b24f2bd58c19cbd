"""What differs between two text files, by meaning; and that a text file and a ``.mtok`` file are not the same kind."""

from __future__ import annotations

from collections.abc import Sequence

from mtok_export.diffing.sections import Change, Found, header_changes
from mtok_export.format import MtokFile
from mtok_export.format.spec import TYPE_PIPELINE
from mtok_export.legacy import HuggingFaceFile, LegacyFile, SentencePieceFile
from mtok_export.tokenizer_file import TokenizerFile


def kind_changes(old: TokenizerFile, new: TokenizerFile) -> Found:
    """The types, where they are not the same: nothing else is comparable then but the header."""
    before, after = _kind(old), _kind(new)
    if before != after:
        yield "type", "number and name", [Change("type", before, after)]
        yield from header_changes(old, new)


def _kind(file: TokenizerFile) -> str:
    return f"{TYPE_PIPELINE} PIPELINE" if isinstance(file, MtokFile) else f"{file.kind.value} {file.kind.name}"


def text_changes(old: LegacyFile, new: LegacyFile) -> Found:
    """Header, rows by id, and merges of two text files of one type."""
    yield from header_changes(old, new)
    yield from _row_changes("rows", "tokens", _rows(old), _rows(new))
    if isinstance(old, SentencePieceFile) and isinstance(new, SentencePieceFile):
        for kind, before, after in (
            ("scores", [piece.score for piece in old.pieces], [piece.score for piece in new.pieces]),
            ("piece types", [piece.type.name for piece in old.pieces], [piece.type.name for piece in new.pieces]),
        ):
            size = min(len(before), len(after))
            yield from _row_changes("rows", kind, before[:size], after[:size])
    if isinstance(old, HuggingFaceFile) and isinstance(new, HuggingFaceFile):
        yield from _merge_changes(old, new)


def _rows(file: LegacyFile) -> Sequence[str]:
    if isinstance(file, HuggingFaceFile):
        return file.tokens
    rows = [piece.piece for piece in file.pieces] if isinstance(file, SentencePieceFile) else file.tokens
    return [row.decode("utf-8", "backslashreplace") for row in rows]


def _row_changes(section: str, kind: str, old: Sequence[object], new: Sequence[object]) -> Found:
    both = min(len(old), len(new))
    changed = [Change(f"id {id_}", old[id_], new[id_]) for id_ in range(both) if old[id_] != new[id_]]
    removed = [Change(f"id {id_}", old[id_], None) for id_ in range(both, len(old))]
    added = [Change(f"id {id_}", None, new[id_]) for id_ in range(both, len(new))]
    for what, changes in (("changed", changed), ("removed", removed), ("added", added)):
        if changes:
            yield section, f"{kind} {what}", changes


def _merge_changes(old: HuggingFaceFile, new: HuggingFaceFile) -> Found:
    before, after = ({merge: rank for rank, merge in reversed(list(enumerate(each.merges)))} for each in (old, new))
    shared = [merge for merge in before if merge in after and before[merge] != after[merge]]
    for kind, merges in (
        ("merges removed", [merge for merge in before if merge not in after]),
        ("merges added", [merge for merge in after if merge not in before]),
        ("merges with another rank", shared),
    ):
        if merges:
            ordered = sorted(merges, key=lambda merge: before.get(merge, after.get(merge, 0)))
            changes = [Change(" + ".join(map(repr, merge)), before.get(merge), after.get(merge)) for merge in ordered]
            yield "merges", kind, changes
