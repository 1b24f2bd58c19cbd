"""The engine's normalizers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from mtok_export import characters as unicode
from mtok_export.engine.model.text import is_stray_byte, seen
from mtok_export.engine.model.version import Version
from mtok_export.errors import EngineError
from mtok_export.format import normalizer as ops

Step = Callable[[str], str]

SPACED = frozenset(
    chr(code)
    for codes in (
        (code for code in range(0x01, 0x20) if code not in (0x09, 0x0A, 0x0D)),
        range(0x7F, 0xA0),
        range(0x200B, 0x2010),
        range(0x202A, 0x202F),
        range(0x2060, 0x206A),
        (0xFEFF,),
        range(0xFFF0, 0xFFF9),
    )
    for code in codes
)
"""What the table op turns into a space before it looks anything up."""

_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class Lookup:
    """A table of (code point, replacement), searched by bisection as the engine does, sorted or not."""

    def __init__(self, entries: Sequence[tuple[int, str]]) -> None:
        self._codes = [code for code, _ in entries]
        self._replacements = [replacement for _, replacement in entries]

    def __len__(self) -> int:
        return len(self._codes)

    def get(self, char: str) -> str | None:
        """The replacement of a character, or None."""
        code, low, high = ord(seen(char)), 0, len(self._codes)
        while low < high:
            middle = (low + high) // 2
            if code > self._codes[middle]:
                low = middle + 1
            elif code < self._codes[middle]:
                high = middle
            else:
                return self._replacements[middle]
        return None


def build(record: ops.Normalizer, version: Version) -> Step | None:
    """The function of a record; None for the absent one.

    Raises:
        EngineError: the version dies of the record.
    """
    return _BUILDERS[type(record)](record, version)


def _none(_record: ops.NoNormalizer, _version: Version) -> None:
    return None


def _identity(_record: ops.Nfkc, _version: Version) -> Step:
    return lambda text: text


def _prepend(record: ops.Prepend, _version: Version) -> Step:
    return lambda text: record.prepend + text


def _replace(record: ops.Replace, _version: Version) -> Step:
    if not record.pattern:
        return lambda text: text
    return lambda text: text.replace(record.pattern, record.content)


def _sequence(record: ops.Sequence, version: Version) -> Step:
    steps = []
    for child in record.normalizers:
        step = build(child, version)
        if step is not None:
            steps.append(step)
        elif not version.skips_absent_normalizers:
            raise EngineError(f"engine {version.name} dies of a Sequence with an absent normalizer in it")

    def run(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return run


def _strip(record: ops.Strip, version: Version) -> Step:
    if not version.has_strip:
        raise EngineError(f"engine {version.name} does not know the normalizer Strip and misreads what follows")

    def run(text: str) -> str:
        """The left end alone: at the right end the engine looks one byte too far and finds no white space."""
        start = 0
        while record.strip_left and start < len(text) and unicode.is_white_space(text[start]):
            start += 1
        return text[start:]

    return run


def _table(record: ops.Table, _version: Version) -> Step:
    if not record.entries:
        return lambda text: text
    lookup = Lookup(record.entries)
    known: dict[str, str] = {}

    def one(char: str) -> str:
        if char in SPACED:
            return " "
        found = lookup.get(char)
        return char if found is None else found

    def run(text: str) -> str:
        for char in set(text) - known.keys():
            known[char] = one(char)
        return "".join(map(known.__getitem__, text))

    return run


def _bert(record: ops.Bert | ops.BertTable, _version: Version) -> Step:
    entries = record.entries if isinstance(record, ops.BertTable) and record.strip_accents else ()
    lookup = Lookup(entries)
    known: dict[str, str] = {}

    def one(char: str) -> str:
        if record.clean_text:
            if char in "\t\n\r" or unicode.is_space_separator(char):
                return " "
            if seen(char) in "\0\ufffd" or unicode.is_control(char):
                return ""
        if record.handle_chinese_chars and _is_cjk(char):
            return f" {char} "
        if record.strip_accents and len(lookup):
            decomposed = lookup.get(char)
            return "".join(c for c in (char if decomposed is None else decomposed) if not unicode.is_mark(c))
        return char

    def lowered(text: str) -> str:
        return "".join(map(unicode.lower, map(seen, text))) if record.lowercase else text

    def run(text: str) -> str:
        for char in set(text) - known.keys():
            known[char] = lowered(one(char))
        return "".join(map(known.__getitem__, text))

    return run


def _is_cjk(char: str) -> bool:
    code = ord(char)
    at = bisect_left(_CJK, (code + 1,)) - 1
    return at >= 0 and _CJK[at][0] <= code <= _CJK[at][1] and not is_stray_byte(char)


_BUILDERS: dict[type, Callable[[Any, Version], Step | None]] = {
    ops.NoNormalizer: _none,
    ops.Nfkc: _identity,
    ops.Prepend: _prepend,
    ops.Replace: _replace,
    ops.Sequence: _sequence,
    ops.Bert: _bert,
    ops.Table: _table,
    ops.BertTable: _bert,
    ops.Strip: _strip,
}
