"""The characters that a component of the ``tokenizers`` library changes, drops or tells from others.

A component that leaves a character alone as a text of its own is no reason to ask what a run of components makes of it,
and most characters are left alone by all of them.  Which ones depends on nothing but the library's version, so the
answers are kept in ``facts.character_sets``; of a version that is not known there the library is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, chain
from operator import sub
from typing import Any

from mtok_export import facts
from mtok_export.lowering.asking import asked
from mtok_export.lowering.unicode_tables import ASKED

Bounds = tuple[int, ...]
"""A set of code points as ascending numbers: where it begins, ends (the first one beyond), begins again, and so on."""

TABLE = "character_sets"
"""The module of ``facts``."""

CLEAN_TEXT, CHINESE, BERT_ACCENTS, BERT_LOWERCASE = (
    f"BertNormalizer.{flag}" for flag in ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
)
"""What a BertNormalizer with this flag alone changes."""

CHANGED = (
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "Lowercase",
    "Nmt",
    "StripAccents",
    CLEAN_TEXT,
    CHINESE,
    BERT_ACCENTS,
    BERT_LOWERCASE,
)
"""Names of the sets of characters that a normalizer changes: its class, and the one flag that is set."""

SPLITTING = ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")
"""Names of the pre-tokenizers that split by kinds of characters."""

_PART = 0x1000
"""Characters that are asked for at once: the library takes some hundred bytes for each of them."""


def changed(name: str) -> Bounds:
    """The characters that a normalizer of ``CHANGED`` makes something else of, as texts of their own."""
    lines = _stored()
    return _asked_changed(name) if lines is None else _read(lines[name])


def dropped_and_apart(name: str) -> tuple[Bounds, Bounds]:
    """The characters that a pre-tokenizer of ``SPLITTING`` drops, and those that it makes pieces of their own.

    What the library was not asked about is in neither.
    """
    lines = _stored()
    if lines is None:
        return _asked_dropped_and_apart(name)
    return _read(lines[f"{name} drops"]), _read(lines[f"{name} parts"])


def bounds_of(codes: Iterable[int]) -> Bounds:
    """A set of code points as bounds."""
    members = set(codes)
    # Where a code point is a member and the one before it is not, or the other way round.
    return tuple(sorted(members ^ {code + 1 for code in members}))


def codes_of(bounds: Bounds) -> Iterator[int]:
    """The code points of a set, ascending."""
    return chain.from_iterable(map(range, bounds[::2], bounds[1::2]))


def ask() -> bytes:
    """All sets as the installed library has them, for ``facts``: a name, and how far each bound is from the last."""
    sets = {name: _asked_changed(name) for name in CHANGED}
    for name in SPLITTING:
        sets[f"{name} drops"], sets[f"{name} parts"] = _asked_dropped_and_apart(name)
    steps = {name: map(sub, bounds, (0, *bounds)) for name, bounds in sets.items()}
    return "\n".join(f"{name}\t{' '.join(map(str, taken))}" for name, taken in steps.items()).encode("ascii")


@lru_cache(maxsize=1)
def _stored() -> dict[str, str] | None:
    """The lines of the table by their names."""
    data = facts.stored(TABLE)
    return None if data is None else dict(line.split("\t") for line in data.decode("ascii").split("\n"))


def _read(line: str) -> Bounds:
    return tuple(accumulate(map(int, line.split())))


def _parts() -> Iterator[range]:
    """The code points to be asked about, so many at once."""
    for first, last in ASKED:
        for start in range(first, last + 1, _PART):
            yield range(start, min(start + _PART, last + 1))


@lru_cache(maxsize=len(CHANGED))
def _asked_changed(name: str) -> Bounds:
    normalize: Callable[[str], str] = _normalizer(name).normalize_str
    codes: list[int] = []
    for part in _parts():
        chars = list(map(chr, part))
        codes += (ord(char) for char, made in zip(chars, asked(normalize, chars), strict=True) if char != made)
    return bounds_of(codes)


def _normalizer(name: str) -> Any:
    from tokenizers import normalizers

    kind, _, flag = name.partition(".")
    flags = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    return getattr(normalizers, kind)(**({each: each == flag for each in flags} if flag else {}))


@lru_cache(maxsize=len(SPLITTING))
def _asked_dropped_and_apart(name: str) -> tuple[Bounds, Bounds]:
    """A character stands between letters, and goes, or parts them, or does not."""
    from tokenizers import pre_tokenizers

    split = getattr(pre_tokenizers, name)().pre_tokenize_str
    dropped: list[int] = []
    apart: list[int] = []
    for codes in _parts():
        at = 0
        for _, (begin, end) in split("".join(f"a{chr(code)}" for code in codes) + "a"):
            dropped += (codes[place // 2] for place in range(at, begin))
            if end - begin == 1 and begin % 2:
                apart.append(codes[begin // 2])
            at = end
    return bounds_of(dropped), bounds_of(apart)
