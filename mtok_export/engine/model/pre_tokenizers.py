"""The engine's pre-tokenizers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mtok_export import characters as unicode
from mtok_export.engine.model import folding, wide
from mtok_export.engine.model.bytes_table import to_chars
from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.spec import SplitBehavior

Step = Callable[[list[str]], list[str]]
Segment = tuple[str, bool]
"""A stretch of text, and whether the pattern matched it."""


def build(record: ops.PreTokenizer, patterns: folding.Patterns) -> Step | None:
    """The function of a record, from pieces to pieces; None for the absent one."""
    return _BUILDERS[type(record)](record, patterns)


def _none(_record: ops.NoPreTokenizer, _patterns: folding.Patterns) -> None:
    return None


def _sequence(record: ops.Sequence, patterns: folding.Patterns) -> Step:
    steps = [step for child in record.pre_tokenizers if (step := build(child, patterns)) is not None]

    def run(pieces: list[str]) -> list[str]:
        for step in steps:
            pieces = step(pieces)
        return pieces

    return run


def _byte_level(record: ops.ByteLevel, patterns: folding.Patterns) -> Step:
    def run(pieces: list[str]) -> list[str]:
        if record.use_regex:
            pieces = [token for piece in pieces if piece for token in _scan(piece, patterns)]
        return list(map(to_chars, pieces))

    return run


def _scan(piece: str, patterns: folding.Patterns) -> Iterable[str]:
    """The GPT-2 pattern's matches, and every character that it does not match as a piece of its own."""
    last = 0
    for start, end in patterns.find_all(piece, folding.GPT2_PATTERN):
        yield from piece[last:start]
        yield piece[start:end]
        last = end
    yield from piece[last:]


def _digits(record: ops.Digits, _patterns: folding.Patterns) -> Step:
    def run(pieces: list[str]) -> list[str]:
        return [part for piece in pieces for part in _cut_digits(piece, record.individual_digits)]

    return run


def _cut_digits(piece: str, individual: bool) -> Iterable[str]:
    current = ""
    for char in piece:
        if individual and "0" <= char <= "9":
            if current:
                yield current
            yield char
            current = ""
        else:
            current += char
    if current:
        yield current


def _metaspace(record: ops.Metaspace, _patterns: folding.Patterns) -> Step:
    def run(pieces: list[str]) -> list[str]:
        return [
            (f" {piece}" if record.add_prefix_space and piece and piece[0] != " " else piece).replace(
                " ", record.replacement
            )
            for piece in pieces
        ]

    return run


def _split(record: ops.Split, patterns: folding.Patterns) -> Step:
    find = wide.find_all if wide.goes_wide(record.pattern) else patterns.find_all

    def run(pieces: list[str]) -> list[str]:
        return [
            part
            for piece in pieces
            if piece
            for part in _behave(_segments(piece, find(piece, record.pattern)), record.invert, record.behavior)
        ]

    return run


def _segments(piece: str, matches: Iterable[tuple[int, int]]) -> Iterable[Segment]:
    last = 0
    for start, end in matches:
        if start > last:
            yield piece[last:start], False
        yield piece[start:end], True
        last = end
    if last < len(piece):
        yield piece[last:], False


def _behave(segments: Iterable[Segment], invert: bool, behavior: SplitBehavior) -> list[str]:
    marked = [(text, matched != invert) for text, matched in segments]
    if behavior is SplitBehavior.REMOVED:
        return [text for text, matched in marked if text and not matched]
    if behavior is SplitBehavior.ISOLATED:
        return [text for text, _ in marked if text]
    parts: list[str] = []
    for text, matched in marked:
        if matched and parts:
            parts[-1] += text
        elif text:
            parts.append(text)
    return parts


def _bert(_record: ops.Bert, _patterns: folding.Patterns) -> Step:
    def run(pieces: list[str]) -> list[str]:
        return [part for piece in pieces for part in _words(piece)]

    return run


def _words(piece: str) -> Iterable[str]:
    current = ""
    for char in piece:
        space, punctuation = unicode.is_white_space(char), unicode.is_punctuation(char)
        if (space or punctuation) and current:
            yield current
            current = ""
        if punctuation:
            yield char
        elif not space:
            current += char
    if current:
        yield current


_BUILDERS: dict[type, Callable[[Any, folding.Patterns], Step | None]] = {
    ops.NoPreTokenizer: _none,
    ops.Sequence: _sequence,
    ops.ByteLevel: _byte_level,
    ops.Digits: _digits,
    ops.Metaspace: _metaspace,
    ops.Split: _split,
    ops.Bert: _bert,
}
