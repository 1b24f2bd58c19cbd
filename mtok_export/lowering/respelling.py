"""Characters that the engine's pre-tokenizer takes for something else than ``tokenizers`` does, spelt otherwise.

The engine follows Unicode 15.0, ``tokenizers`` other versions and other definitions: U+2028 is white space to it,
U+00BD no part of a word, the newest punctuation no punctuation.  What a pre-tokenizer makes of a character can be
changed by putting another one in its place, where the model will not notice: white space is dropped anyway, so a space
will do; and a character that is in no entry of the vocabulary is unknown, as is any other such character of the right
kind.  Metaspace turns spaces into its replacement, so a replacement that stands in the text already may as well be a
space, which the engine then knows for the start of a word.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import field
from enum import Enum

from mtok_export.characters import FoldedClass
from mtok_export.lowering.character_sets import Bounds, dropped_and_apart
from mtok_export.lowering.regex.charset import ALL_CHARS, NO_CHARS, CharSet
from mtok_export.lowering.regex.fold import SYMBOLS, class_members
from mtok_export.lowering.unicode_tables import ASKED
from mtok_export.records import dataclass
from mtok_export.source.pipeline import (
    BPE,
    BertPreTokenizer,
    Metaspace,
    Model,
    Pipeline,
    PreTokenizer,
    PreTokenizerSequence,
    Unigram,
    Whitespace,
    WhitespaceSplit,
)


class Kind(Enum):
    """What a pre-tokenizer can take a character for."""

    SPACE = "dropped"
    APART = "no part of a word"
    WORD = "part of a word"


Kinds = dict[Kind, CharSet]

JOINERS = ("\u200c", "\u200d")
"""They are parts of words to the Whitespace pre-tokenizer, and belong to the spelling of Indic and Persian words."""


@dataclass(frozen=True)
class Respelling:
    """``table`` says which code points are to be replaced, ``left`` which ones stay and are taken for another kind."""

    table: dict[int, str] = field(default_factory=dict)
    left: CharSet = NO_CHARS


def respelling(pipeline: Pipeline) -> Respelling:
    """What to spell otherwise in front of the pre-tokenizer of a pipeline."""
    first = _first(pipeline.pre_tokenizer)
    if isinstance(first, Metaspace):
        return Respelling({ord(first.replacement): " "} if first.prepend_scheme != "never" or first.split else {})
    if not isinstance(first, (BertPreTokenizer, Whitespace, WhitespaceSplit)):
        return Respelling()
    theirs = _kinds_of_library(first)
    ours = _kinds_of_engine(first, pipeline.model)
    different = _union(theirs[kind] - ours[kind] for kind in Kind)
    table = dict.fromkeys(different & theirs[Kind.SPACE], " ")
    if first is pipeline.pre_tokenizer and _unknown_is_unknown(pipeline.model):
        known = _known_characters(pipeline.model)
        for kind in (Kind.APART, Kind.WORD):
            stand_in = _stand_in(theirs[kind] & ours[kind], known)
            if stand_in is not None:
                unknown = (code for code in different & theirs[kind] if code not in known)
                table |= dict.fromkeys(unknown, stand_in)
    return Respelling(table, CharSet.of_codes(code for code in different if code not in table))


def joined(model: Model) -> bool:
    """Whether the vocabulary holds joiners, so that the engine must find them inside words."""
    entries = "".join(_entries(model))
    return any(joiner in entries for joiner in JOINERS)


def _first(pre_tokenizer: PreTokenizer | None) -> PreTokenizer | None:
    while isinstance(pre_tokenizer, PreTokenizerSequence) and pre_tokenizer.pretokenizers:
        pre_tokenizer = pre_tokenizer.pretokenizers[0]
    return pre_tokenizer


def _entries(model: Model) -> Iterable[str]:
    return (piece for piece, _ in model.vocab) if isinstance(model, Unigram) else model.vocab


def _known_characters(model: Model) -> frozenset[int]:
    return frozenset(map(ord, set("".join(_entries(model)))))


def _unknown_is_unknown(model: Model) -> bool:
    """Whether all characters that no entry holds come out alike, and not as their bytes."""
    if isinstance(model, BPE):
        return not any(f"<0x{byte:02X}>" in model.vocab for byte in range(256))
    return not (isinstance(model, Unigram) and model.byte_fallback)


def _stand_in(candidates: CharSet, known: Container[int]) -> str | None:
    """A character beyond ASCII that no entry holds; the first one, so that it is always the same."""
    found = next((code for code in candidates if code >= SYMBOLS and code not in known), None)
    return None if found is None or found > 0xFFFF else chr(found)


def _union(sets: Iterable[CharSet]) -> CharSet:
    found = NO_CHARS
    for one in sets:
        found = found | one
    return found


# --- what each side takes a character for -----------------------------------------------------------------------------


def _kinds_of_library(pre_tokenizer: PreTokenizer) -> Kinds:
    """What the ``tokenizers`` library takes characters for; what it was not asked about is of no kind."""
    space, apart = dropped_and_apart(type(pre_tokenizer).__name__)
    return _partition(_char_set(space), _char_set(apart), CharSet.of(ASKED))


def _char_set(bounds: Bounds) -> CharSet:
    return CharSet.of((first, end - 1) for first, end in zip(bounds[::2], bounds[1::2], strict=True))


def _kinds_of_engine(pre_tokenizer: PreTokenizer, model: Model) -> Kinds:
    """The engine's op for a pre-tokenizer, by its classes; see ``regex.fold`` for U+0001-U+0007."""
    space = CharSet.of([(0x09, 0x0D), (0x20, 0x20)]) | class_members(FoldedClass.SPACE)
    if isinstance(pre_tokenizer, BertPreTokenizer):
        controls = CharSet.of([(0x01, 0x07)])
        ascii_punctuation = CharSet.of([(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)])
        return _partition(space - controls, (ascii_punctuation | class_members(FoldedClass.PUNCTUATION)) - controls)
    if isinstance(pre_tokenizer, WhitespaceSplit):
        return _partition(space, NO_CHARS)
    word = CharSet.of([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
    classes = (
        FoldedClass.LETTER,
        FoldedClass.MARK,
        FoldedClass.NUMBER,
        *([FoldedClass.OTHER] if joined(model) else []),
    )
    word = _union((word, *map(class_members, classes)))
    return _partition(space, ALL_CHARS - word - space)


def _partition(space: CharSet, apart: CharSet, among: CharSet = ALL_CHARS) -> Kinds:
    return {Kind.SPACE: space, Kind.APART: apart, Kind.WORD: among - space - apart}


def shown(codes: CharSet, most: int = 3) -> str:
    """The first of some code points and how many more there are, for a message."""
    names = [f"U+{code:04X}" for code, _ in zip(codes, range(most), strict=False)]
    return ", ".join(names) + (f" and {len(codes) - most:,} more" if len(codes) > most else "")
