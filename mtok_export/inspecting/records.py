"""Normalizer, pre-tokenizer and decoder as a tree of ops with readable parameters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any

from mtok_export.format.record import Codec
from mtok_export.places import TREES, Located, Places, children_of

FIRST_ENTRIES = 5
"""So many entries of a table are shown."""

LONG_RUN = 8
"""A run of more records with the same op is cut; some normalizers hold thousands of replacements."""

RUN_HEAD = 3
"""So many records of such a run are described."""

_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
_PRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0x10FFFF))


@dataclass(frozen=True)
class Op:
    """One record: its op, its name, its parameters as JSON values, its bytes, and the records in it.

    ``more`` records with the same op follow it that are left out here.
    """

    path: str
    op: int
    name: str
    parameters: dict[str, Any]
    offset: int
    bytes: int
    children: tuple[Op, ...] = ()
    more: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The op as plain JSON values."""
        return {
            "path": self.path,
            "op": self.op,
            "name": self.name,
            "parameters": self.parameters,
            "offset": self.offset,
            "bytes": self.bytes,
            "children": [child.as_dict() for child in self.children],
            "more_like_it": self.more,
        }


def tree(places: Places, section: str) -> Op:
    """The tree of a section: ``normalizer``, ``pre_tokenizer`` or ``decoder``."""
    return _op(TREES[section], places.trees[section])


def _op(codec: Codec[Any], at: Located) -> Op:
    layout = next(layout for layout in codec.layouts if layout.record is type(at.record))
    children = children_of(at.record)
    names = [] if children is not None else [field.name for field in fields(at.record)]
    parameters = {name: _value(name, getattr(at.record, name)) for name in names}
    inner = tuple(_children(codec, at.children))
    return Op(at.path, layout.op.value, layout.op.name, parameters, at.start, at.end - at.start, inner)


def _children(codec: Codec[Any], children: Sequence[Located]) -> Iterator[Op]:
    """The records of a sequence; of a long run of the same op the first few."""
    for _, group in groupby(children, key=lambda child: type(child.record)):
        run = list(group)
        shown = [_op(codec, child) for child in run[: len(run) if len(run) <= LONG_RUN else RUN_HEAD]]
        yield from shown[:-1]
        yield replace(shown[-1], more=len(run) - len(shown))


def _value(name: str, value: Any) -> Any:
    if name == "entries":
        return table_summary(value)
    return value.name if name == "behavior" else value


# --- tables -----------------------------------------------------------------------------------------------------------


def table_summary(entries: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """What a table looks like: how many entries do what, and how many are those of a normalization form."""
    kinds = {name: sum(does(code, text) for code, text in entries) for name, does in _KINDS.items()}
    return {
        "entries": len(entries),
        "unicode_data": unicodedata.unidata_version,
        "looks_like": _looks_like(kinds, len(entries)),
        "kinds": {name: count for name, count in kinds.items() if count},
        "first": [{"code_point": f"U+{code:04X}", "to": text} for code, text in entries[:FIRST_ENTRIES]],
    }


def _form(name: str) -> Callable[[int, str], bool]:
    return lambda code, text: unicodedata.normalize(name, chr(code)) == text  # type: ignore[arg-type]


_KINDS: dict[str, Callable[[int, str], bool]] = {
    **{name: _form(name) for name in _FORMS},
    "lower case": lambda code, text: chr(code).lower() == text,
    "deleted": lambda _code, text: not text,
    "to a space": lambda _code, text: text == " ",
    "to itself": lambda code, text: chr(code) == text,
    "from private use": lambda code, _text: any(first <= code <= last for first, last in _PRIVATE),
    "to private use": lambda _code, text: any(first <= ord(char) <= last for char in text for first, last in _PRIVATE),
}


def _looks_like(kinds: dict[str, int], total: int) -> str:
    """The form or kind that most entries have, with how many."""
    if not total:
        return "empty"
    best = max((*_FORMS, "lower case"), key=kinds.__getitem__)
    share = kinds[best] / total
    if share == 1:
        return best
    return f"{best} in {share:.0%} of the entries" if kinds[best] * 2 > total else "no single form"
