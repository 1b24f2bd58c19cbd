"""What differs between two files, section by section, as differences of meaning."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from mtok_export.format import MtokFile, model
from mtok_export.format.tail import PostProcessorStep, SpecialTokenId
from mtok_export.inspecting.records import table_summary
from mtok_export.places import CHILDREN, TREES, children_of
from mtok_export.tokenizer_file import TokenizerFile


@dataclass(frozen=True)
class Change:
    """One difference: what it is about, and what stands there in the first and in the second file.

    ``old`` is None for something that the second file has added, ``new`` is None for something that it lacks.
    """

    what: str
    old: Any
    new: Any

    def as_dict(self) -> dict[str, Any]:
        """The change as plain JSON values."""
        return {"what": self.what, "old": self.old, "new": self.new}


@dataclass(frozen=True)
class Differences:
    """All differences of one kind in one section: how many there are, and the first of them."""

    section: str
    kind: str
    count: int
    first: tuple[Change, ...]

    def as_dict(self) -> dict[str, Any]:
        """The differences as plain JSON values."""
        first = [change.as_dict() for change in self.first]
        return {"section": self.section, "kind": self.kind, "count": self.count, "first": first}


Found = Iterator[tuple[str, str, list[Change]]]
"""Section, kind and all changes."""


def header_changes(old: TokenizerFile, new: TokenizerFile) -> Found:
    """The id lists: what was added to them or removed, and where only the order differs."""
    for name in ("special_ids", "stop_ids", "prefix_ids"):
        before, after = (getattr(file.header, name) for file in (old, new))
        if before == after:
            continue
        removed = [Change(name, id_, None) for id_ in before if id_ not in frozenset(after)]
        added = [Change(name, None, id_) for id_ in after if id_ not in frozenset(before)]
        if removed:
            yield "header", f"{name} removed", removed
        if added:
            yield "header", f"{name} added", added
        if not removed and not added:
            yield "header", f"{name} in another order", [Change(name, list(before), list(after))]


# --- trees ------------------------------------------------------------------------------------------------------------


def tree_changes(old: MtokFile, new: MtokFile) -> Found:
    """The records of normalizer, pre-tokenizer and decoder, path by path."""
    for section in TREES:
        changes = list(_record_changes(section, getattr(old, section), getattr(new, section)))
        if changes:
            yield section, "ops", changes


def _record_changes(path: str, old: Any, new: Any) -> Iterator[Change]:
    if old == new:
        return
    before, after = children_of(old), children_of(new)
    if before is not None and after is not None:
        yield from _children_changes(f"{path}.{CHILDREN[type(old)]}", before, after)
    elif type(old) is type(new):
        for field in fields(old):
            values = getattr(old, field.name), getattr(new, field.name)
            if values[0] != values[1] and field.name == "entries":
                yield from _table_changes(f"{path}.entries", *values)
            elif values[0] != values[1]:
                yield Change(f"{path}.{field.name}", *map(_plain, values))
    else:
        yield Change(path, described(old), described(new))


def _children_changes(path: str, old: tuple[Any, ...], new: tuple[Any, ...]) -> Iterator[Change]:
    """Records that stand in one sequence alone; those that changed in place are gone into.

    Indices are those of the first file, and those of the second for records that only the second has.
    """
    if len(old) * len(new) <= _COMPARABLE:
        opcodes: Sequence[Opcode] = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    else:
        opcodes = _by_place(old, new)
    for _, old_start, old_end, new_start, new_end in (code for code in opcodes if code[0] != "equal"):
        common = min(old_end - old_start, new_end - new_start)
        for at in range(common):
            yield from _record_changes(f"{path}[{old_start + at}]", old[old_start + at], new[new_start + at])
        for index in range(old_start + common, old_end):
            yield Change(f"{path}[{index}]", described(old[index]), None)
        for index in range(new_start + common, new_end):
            yield Change(f"{path}[{index}]", None, described(new[index]))


_COMPARABLE = 1_000_000
"""Sequences of more pairs of records are compared place by place behind what they start and end with alike."""


Opcode = tuple[str, int, int, int, int]
"""What ``difflib`` says of a stretch: a word, and where it starts and ends in both sequences."""


def _by_place(old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Opcode]:
    shortest = min(len(old), len(new))
    start = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    left = shortest - start
    same = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return [("replace", start, len(old) - same, start, len(new) - same)]


def _table_changes(path: str, old: Iterable[tuple[int, str]], new: Iterable[tuple[int, str]]) -> Iterator[Change]:
    before, after = dict(old), dict(new)
    for code in sorted(before.keys() | after.keys()):
        if before.get(code) != after.get(code):
            yield Change(f"{path} U+{code:04X}", before.get(code), after.get(code))


def described(record: Any) -> dict[str, Any]:
    """A record as plain JSON values; of its table, if it has one, a summary."""
    name = next(layout.op.name for codec in TREES.values() for layout in codec.layouts if layout.record is type(record))
    children = children_of(record)
    if children is not None:
        return {"op": name, "records": len(children)}
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {"op": name, **{key: _parameter(key, value) for key, value in values.items()}}


def _parameter(name: str, value: Any) -> Any:
    if name != "entries":
        return _plain(value)
    summary = table_summary(value)
    return f"{summary['entries']:,}, which look like {summary['looks_like']}"


def _plain(value: Any) -> Any:
    return value.name if hasattr(value, "name") else value


# --- model ------------------------------------------------------------------------------------------------------------


def model_changes(old: MtokFile, new: MtokFile) -> Found:
    """Parameters, vocabulary, merges and scores."""
    before, after = old.model, new.model
    if type(before) is not type(after):
        yield "model", "kind", [Change("model", type(before).__name__, type(after).__name__)]
    else:
        changes = [
            Change(f"model.{field.name}", getattr(before, field.name), getattr(after, field.name))
            for field in fields(before)
            if field.name not in ("vocab", "merges", "scores")
            and getattr(before, field.name) != getattr(after, field.name)
        ]
        if changes:
            yield "model", "parameters", changes
    yield from _vocab_changes(before.vocab, after.vocab)
    if isinstance(before, model.Bpe) and isinstance(after, model.Bpe):
        yield from _merge_changes(old, new)
    if isinstance(before, model.Unigram) and isinstance(after, model.Unigram):
        yield from _score_changes(before, after)


def _vocab_changes(old: model.Vocab, new: model.Vocab) -> Found:
    if old == new:
        return
    before, after = _ids_of(old), _ids_of(new)
    kinds: dict[str, list[Change]] = {"entries removed": [], "entries added": [], "entries with another id": []}
    for token in before.keys() - after.keys():
        kinds["entries removed"].append(Change(token, _one(before[token]), None))
    for token in after.keys() - before.keys():
        kinds["entries added"].append(Change(token, None, _one(after[token])))
    for token in before.keys() & after.keys():
        if before[token] != after[token]:
            kinds["entries with another id"].append(Change(token, _one(before[token]), _one(after[token])))
    for kind, changes in kinds.items():
        if changes:
            yield "model", kind, sorted(changes, key=lambda change: (_lowest(change), change.what))
    if old.tokens != new.tokens and before == after:
        yield "model", "entries in another order", [Change("model.vocab", None, None)]


def _ids_of(vocab: model.Vocab) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for token, id_ in zip(vocab.tokens, vocab.ids, strict=True):
        found[token] = (*found[token], id_) if token in found else (id_,)
    return found


def _one(ids: tuple[int, ...]) -> Any:
    return ids[0] if len(ids) == 1 else list(ids)


def _lowest(change: Change) -> int:
    ids = change.new if change.old is None else change.old
    return min(ids) if isinstance(ids, list) else int(ids)


def _merge_changes(old: MtokFile, new: MtokFile) -> Found:
    """Merges by the strings of their pair, so that ids that moved do not make all of them differ."""
    before, after = _ranks(old), _ranks(new)
    if before == after:
        return
    moved = [pair for pair in before.keys() & after.keys() if before[pair] != after[pair]]
    for kind, pairs, ranks in (
        ("merges removed", before.keys() - after.keys(), before),
        ("merges added", after.keys() - before.keys(), after),
        ("merges with another rank", moved, before),
    ):
        if pairs:
            ordered = sorted(pairs, key=lambda pair: (ranks[pair], pair))
            yield "model", kind, [Change(_words(pair), before.get(pair), after.get(pair)) for pair in ordered]


Pair = tuple[str, str]


def _ranks(file: MtokFile) -> Mapping[Pair, int]:
    assert isinstance(file.model, model.Bpe)
    merges, vocab = file.model.merges, file.model.vocab
    entries = dict(zip(vocab.ids, vocab.tokens, strict=True))
    return {
        (entries.get(left, f"<{left}>"), entries.get(right, f"<{right}>")): rank
        for left, right, rank in zip(merges.left, merges.right, merges.rank, strict=True)
    }


def _words(pair: Pair) -> str:
    return " + ".join(map(repr, pair))


def _score_changes(old: model.Unigram, new: model.Unigram) -> Found:
    before, after = (dict(zip(record.vocab.tokens, record.scores, strict=True)) for record in (old, new))
    shared = (token for token in before if token in after)
    changes = [Change(token, before[token], after[token]) for token in shared if before[token] != after[token]]
    if changes:
        yield "model", "entries with another score", changes


# --- added tokens and tail --------------------------------------------------------------------------------------------


def added_token_changes(old: MtokFile, new: MtokFile) -> Found:
    """The added tokens by their content."""
    if old.added_tokens == new.added_tokens:
        return
    before, after = ({token.content: token for token in file.added_tokens} for file in (old, new))
    removed = [Change(content, token.id, None) for content, token in before.items() if content not in after]
    added = [Change(content, None, token.id) for content, token in after.items() if content not in before]
    changed = [
        Change(f"{content}: {field.name}", getattr(token, field.name), getattr(after[content], field.name))
        for content, token in before.items()
        if content in after
        for field in fields(token)
        if getattr(token, field.name) != getattr(after[content], field.name)
    ]
    for kind, changes in (("tokens removed", removed), ("tokens added", added), ("tokens changed", changed)):
        if changes:
            yield "added_tokens", kind, changes
    if not (removed or added or changed):
        yield "added_tokens", "tokens in another order", [Change("added_tokens", None, None)]


def tail_changes(old: MtokFile, new: MtokFile) -> Found:
    """The fields behind the added tokens."""
    for section, name in (("eos", "eos_token"), ("flags", "flags"), ("bos", "bos_token")):
        values = getattr(old.tail, name), getattr(new.tail, name)
        if values[0] != values[1]:
            yield section, name, [Change(name, *values)]
    before, after = (_program(file.tail.post_processor) for file in (old, new))
    if before != after:
        yield "post_processor", "ops", [Change("post_processor", before, after)]
    if old.tail.padding != new.tail.padding:
        yield "padding", "bytes", [Change("padding", old.tail.padding.hex(), new.tail.padding.hex())]
    if old.tail.chat_template != new.tail.chat_template:
        yield "chat_template", "text", [Change("chat_template", old.tail.chat_template, new.tail.chat_template)]


def _program(steps: tuple[PostProcessorStep, ...] | None) -> list[Any] | None:
    return None if steps is None else [step.id if isinstance(step, SpecialTokenId) else "text" for step in steps]
