"""Entries of the vocabulary that no text can give, as far as that can be proved.

What is counted:

- entries that hold bytes which no text holds: 0xC0, 0xC1, 0xF5 to 0xFF, or bytes in an order that is no UTF-8;
- entries with a character that the normalizer never leaves, whatever the text;
- BPE: entries that the merges do not put together from their own characters.  A merge across an entry's edge would end
  the entry, so what happens inside it does not depend on what stands around it;
- WordPiece: entries longer than the longest word, and those with white space or punctuation inside behind a BERT
  pre-tokenizer, which cuts there;
- Unigram: entries that score lower than other pieces with the same text, which then always win.

Not counted is what depends on the neighbours: a pre-tokenizer may cut every text at a place inside an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mtok_export import characters as unicode
from mtok_export.byte_alphabet import CHAR_TO_BYTE, is_spelled
from mtok_export.engine.model import V3_6, models, normalizers
from mtok_export.engine.model.text import from_bytes, to_bytes
from mtok_export.format import MtokFile, model
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.inspecting.vocabulary import BYTE_PIECE, entry_text, is_byte_level
from mtok_export.places import children_of

SHOWN = 20
_NEVER_IN_UTF8 = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))
_SEPARATOR = "0"
"""Stands between the characters that are put through the normalizer together; no character is composed with it."""


@dataclass(frozen=True)
class Unreachable:
    """Why no text gives an entry; ``entries`` are (id, string) in file order."""

    reason: str
    entries: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Reachability:
    """What came out: how many entries there are of each sort."""

    entries: int
    empty: int
    by_token: int
    unreachable: tuple[Unreachable, ...]

    @property
    def count(self) -> int:
        """How many entries no text can give."""
        return sum(len(group.entries) for group in self.unreachable)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {
            "entries": self.entries,
            "empty": self.empty,
            "found_as_tokens": self.by_token,
            "unreachable": self.count,
            "reasons": [
                {
                    "reason": group.reason,
                    "entries": len(group.entries),
                    "first": [{"id": id_, "entry": entry} for id_, entry in group.entries[:SHOWN]],
                }
                for group in self.unreachable
            ],
        }


def reachability(file: MtokFile) -> Reachability:
    """Look at every entry of the vocabulary.

    Raises:
        EngineError: the file is one that the engine dies of.
    """
    survey = _Survey(file)
    groups: dict[str, list[tuple[int, str]]] = {}
    empty = by_token = 0
    for entry, id_ in zip(file.model.vocab.tokens, file.model.vocab.ids, strict=True):
        if not entry:
            empty += 1
        elif id_ in survey.token_ids:
            by_token += 1
        else:
            reason = survey.reason(entry, id_)
            if reason is not None:
                groups.setdefault(reason, []).append((id_, entry))
    found = tuple(Unreachable(reason, tuple(entries)) for reason, entries in groups.items())
    return Reachability(len(file.model.vocab), empty, by_token, found)


class _Survey:
    """What is known of a file while its entries are looked at."""

    def __init__(self, file: MtokFile) -> None:
        self.file = file
        self.byte_level = is_byte_level(file)
        self.token_ids = {token.id for token in file.added_tokens if token.content} | set(file.header.special_ids)
        self.model = models.build(file.model)
        self.in_model = isinstance(file.model, model.Bpe) and file.model.byte_level
        self.rule = _RULES[type(file.model)]

    def reason(self, entry: str, id_: int) -> str | None:
        """Why no text gives an entry, or None where one may."""
        if id_ == self.unk_id:
            return None
        if self.byte_level:
            if not _occurs(to_bytes(entry_text(entry, byte_level=True))):
                return "no text holds these bytes"
        elif BYTE_PIECE.fullmatch(entry) is None:
            if not self.producible.issuperset(entry):
                return "the normalizer leaves none of one of its characters"
        elif int(entry[3:5], 16) in _NEVER_IN_UTF8:
            return "no text holds these bytes"
        return self.rule(self, entry, id_)

    @cached_property
    def producible(self) -> frozenset[str]:
        """The characters that may stand behind normalizer and pre-tokenizer, of those that entries hold."""
        held = sorted({char for entry in self.file.model.vocab.tokens for char in entry})
        written = {char for text in _written(self.file) for char in text}
        normalize = normalizers.build(self.file.normalizer, V3_6)
        if normalize is None:
            return frozenset(held) | written
        return frozenset(normalize(_SEPARATOR + _SEPARATOR.join(held) + _SEPARATOR)) | written

    @cached_property
    def known(self) -> frozenset[str]:
        """The strings that have an entry."""
        return frozenset(self.file.model.vocab.tokens)

    @property
    def unk_id(self) -> int | None:
        """The id that unknown characters or words give."""
        return getattr(self.model, "unk_id", None)

    def maps_itself(self, entry: str) -> bool:
        """Whether the model makes byte characters of a text, and the entry is all of such characters."""
        return self.in_model and is_spelled(entry)

    @cached_property
    def cuts_words(self) -> bool:
        """Whether a BERT pre-tokenizer stands in the file."""
        return any(isinstance(record, p.Bert) for record in _leaves(self.file.pre_tokenizer))


def _leaves(record: Any) -> Iterator[Any]:
    children = children_of(record)
    if children is None:
        yield record
    for child in children or ():
        yield from _leaves(child)


def _written(file: MtokFile) -> Iterable[str]:
    """Every text that normalizer, pre-tokenizer and model put in of themselves."""
    for record in (*_leaves(file.normalizer), *_leaves(file.pre_tokenizer)):
        if isinstance(record, n.Prepend):
            yield record.prepend
        elif isinstance(record, n.Replace):
            yield record.content
        elif isinstance(record, n.Table | n.BertTable):
            yield from (replacement for _, replacement in record.entries)
        elif isinstance(record, p.Metaspace):
            yield record.replacement
    if isinstance(file.model, model.WordPiece):
        yield file.model.continuing_subword_prefix


def _occurs(data: bytes) -> bool:
    """Whether bytes stand somewhere in a text: UTF-8, but for a character cut off at either end."""
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    for end in range(len(data), max(start, len(data) - 3) - 1, -1):
        try:
            data[start:end].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return end == len(data) or _begins_character(data[end:])
    return False


def _begins_character(data: bytes) -> bool:
    """Whether bytes are the beginning of a character, and not all of it."""
    return any(_is_character(data + filler * size) for size in range(1, 4) for filler in (b"\x80", b"\xbf"))


def _is_character(data: bytes) -> bool:
    try:
        return len(data.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False


# --- models -----------------------------------------------------------------------------------------------------------


def _bpe(survey: _Survey, entry: str, id_: int) -> str | None:
    if BYTE_PIECE.fullmatch(entry) and not survey.byte_level:
        code = int(entry[3:5], 16)
        if code < 0x80 and chr(code) in survey.known:
            return "its character has an entry of its own"
        return None
    text = from_bytes(bytes(map(CHAR_TO_BYTE.__getitem__, entry))) if survey.maps_itself(entry) else entry
    return None if survey.model.tokenize(text) == [id_] else "the merges do not lead to it"


def _word_piece(survey: _Survey, entry: str, id_: int) -> str | None:
    record = survey.file.model
    assert isinstance(record, model.WordPiece)
    prefix = record.continuing_subword_prefix
    text = entry.removeprefix(prefix) if prefix else entry
    if len(text.encode()) + (text != entry) > record.max_chars:
        return "it is longer than the longest word"
    if survey.cuts_words and len(text) + (text != entry) > 1 and any(map(_cuts, text)):
        return "the pre-tokenizer cuts inside it"
    del id_
    return None


def _cuts(char: str) -> bool:
    return unicode.is_white_space(char) or unicode.is_punctuation(char)


def _unigram(survey: _Survey, entry: str, id_: int) -> str | None:
    if BYTE_PIECE.fullmatch(entry):
        return None
    return None if survey.model.tokenize(entry) == [id_] else "other pieces with the same text always win"


_RULES: dict[type[Any], Callable[[_Survey, str, int], str | None]] = {
    model.Bpe: _bpe,
    model.WordPiece: _word_piece,
    model.Unigram: _unigram,
}
