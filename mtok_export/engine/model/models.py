"""The engine's models: BPE, WordPiece and Unigram."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Protocol

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.engine.model.text import is_stray_byte, to_bytes
from mtok_export.errors import EngineError
from mtok_export.format import model as ops

MISSING = -1
MAX_RANK = 1_000_000_000
MAX_LENGTH = 0x10000
UNREACHED = -1e17


class Model(Protocol):
    """What encoding and decoding need of a model."""

    def tokenize(self, text: str) -> list[int]:
        """The ids of one piece."""

    def entry(self, id_: int) -> str:
        """The string of an id; what an id beyond the vocabulary gives is the model's own affair."""


class Vocabulary:
    """Look-ups both ways, as the engine does them: bisection over the file's order, and the last entry of an id."""

    def __init__(self, vocab: ops.Vocab) -> None:
        self._tokens = vocab.tokens
        self._ids = vocab.ids
        self._entries = [""] * len(vocab)
        for token, id_ in zip(vocab.tokens, vocab.ids, strict=True):
            if id_ >= len(vocab):
                raise EngineError(
                    f"the id {id_} is beyond the {len(vocab)} entries: the engine writes outside its memory"
                )
            self._entries[id_] = token
        self._known: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def id(self, token: str) -> int:
        """The id of a string, or MISSING."""
        found = self._known.get(token)
        if found is None:
            found = self._known[token] = self._find(token)
        return found

    def _find(self, token: str) -> int:
        if len(token) * 4 >= MAX_LENGTH:
            data = to_bytes(token)
            if len(data) >= MAX_LENGTH:  # the length is cut to 16 bits
                token = data[: len(data) % MAX_LENGTH].decode("utf-8", "surrogateescape")
        at = bisect_left(self._tokens, token)
        return self._ids[at] if at < len(self._tokens) and self._tokens[at] == token else MISSING

    def entry(self, id_: int, otherwise: str) -> str:
        """The string of an id below the vocabulary's size."""
        return self._entries[id_] if 0 <= id_ < len(self._entries) else otherwise


class Bpe:
    """Lowest rank first, the leftmost of equals; a merge whose string is no entry ends the piece."""

    def __init__(self, record: ops.Bpe) -> None:
        self.vocab = Vocabulary(record.vocab)
        self.byte_level = record.byte_level
        self._ranks: dict[int, int] = {}
        merges = record.merges
        for left, right, rank in zip(merges.left, merges.right, merges.rank, strict=True):
            if rank < MAX_RANK:
                self._ranks.setdefault(left << 32 | right, rank)
        self._cache: dict[str, list[int]] = {}

    def entry(self, id_: int) -> str:
        """The string of an id; nothing beyond the vocabulary."""
        return self.vocab.entry(id_, "")

    def tokenize(self, text: str) -> list[int]:
        """The ids of one piece."""
        found = self._cache.get(text)
        if found is None:
            found = self._cache[text] = self._merge(self._start(text))
        return found

    def _start(self, text: str) -> list[int]:
        if self.byte_level:
            ids = [self.vocab.id(BYTE_TO_CHAR[byte]) for byte in to_bytes(text)]
        else:
            ids = [id_ for char in text for id_ in self._character(char)]
        return [id_ for id_ in ids if id_ != MISSING]

    def _character(self, char: str) -> list[int]:
        id_ = MISSING if is_stray_byte(char) else self.vocab.id(char)
        return [id_] if id_ != MISSING else [self.vocab.id(f"<0x{byte:02X}>") for byte in to_bytes(char)]

    def _merge(self, ids: list[int]) -> list[int]:
        """A heap of (rank, position); a position is dead once its symbol went into the one on its left."""
        size = len(ids)
        after, before = list(range(1, size + 1)), list(range(-1, size - 1))
        alive = [True] * size
        heap: list[tuple[int, int, int, int]] = []

        def offer(at: int) -> None:
            right = after[at]
            if right < size:
                rank = self._ranks.get(ids[at] << 32 | ids[right])
                if rank is not None:
                    heapq.heappush(heap, (rank, at, ids[at], ids[right]))

        for at in range(size - 1):
            offer(at)
        while heap:
            _, at, left, right = heapq.heappop(heap)
            following = after[at]
            if not alive[at] or following >= size or (ids[at], ids[following]) != (left, right):
                continue
            merged = self.vocab.id(self.entry(left) + self.entry(right))
            if merged == MISSING:
                break
            ids[at], alive[following], after[at] = merged, False, after[following]
            if after[at] < size:
                before[after[at]] = at
            offer(at)
            if before[at] >= 0:
                offer(before[at])
        return [id_ for id_, lives in zip(ids, alive, strict=True) if lives]


class WordPiece:
    """The longest entry from the left; a piece that cannot be covered is the unknown token as a whole."""

    def __init__(self, record: ops.WordPiece) -> None:
        self.vocab = Vocabulary(record.vocab)
        self.prefix = record.continuing_subword_prefix
        self.max_bytes = record.max_chars if record.max_chars < 1 << 31 else record.max_chars - (1 << 32)
        self.unk_token = record.unk_token
        self.unk_id = self.vocab.id(record.unk_token)

    def entry(self, id_: int) -> str:
        """The string of an id; the unknown token beyond the vocabulary."""
        return self.vocab.entry(id_, self.unk_token)

    def tokenize(self, text: str) -> list[int]:
        """The ids of one piece."""
        if not text:
            return []
        if len(to_bytes(text)) > self.max_bytes:
            return [] if self.unk_id == MISSING else [self.unk_id]
        ids: list[int] = []
        start = 0
        while start < len(text):
            for end in range(len(text), start, -1):
                id_ = self.vocab.id(self.prefix + text[start:end] if start else text[:end])
                if id_ not in (MISSING, self.unk_id):
                    break
            else:
                return [self.unk_id]
            ids.append(id_)
            start = end
        return ids


class Unigram:
    """A Viterbi search over bytes.  The unknown token stands only where nothing else reaches; runs of it are one."""

    def __init__(self, record: ops.Unigram) -> None:
        self.vocab = Vocabulary(record.vocab)
        self.unk_id = record.unk_id
        self.byte_fallback = record.byte_fallback
        self._scores = [0.0] * len(record.vocab)
        for id_, score in zip(record.vocab.ids, record.scores, strict=True):
            self._scores[id_] = score
        self._longest = max(
            (len(self.vocab.entry(id_, "").encode("utf-8")) for id_ in range(len(self.vocab))), default=0
        )
        self._unk_token = self.vocab.entry(record.unk_id, "")

    def entry(self, id_: int) -> str:
        """The string of an id; the unknown token beyond the vocabulary."""
        return self.vocab.entry(id_, self._unk_token)

    def tokenize(self, text: str) -> list[int]:
        """The ids of one piece."""
        lattice = _Lattice(text)
        for end in range(1, len(lattice.data) + 1):
            self._reach(lattice, end)
        if lattice.scores[-1] <= UNREACHED:
            return []
        ids: list[int] = []
        at = len(lattice.data)
        while at > 0:
            id_ = lattice.ids[at]
            if not ids or id_ != self.unk_id or ids[-1] != self.unk_id:
                ids.append(id_)
            at = lattice.origins[at]
        ids.reverse()
        return ids

    def _reach(self, lattice: _Lattice, end: int) -> None:
        for start in lattice.starts(end, max(0, end - self._longest)):
            if lattice.scores[start] <= UNREACHED:
                continue
            id_ = self._piece(lattice, start, end)
            if id_ is not None:
                lattice.offer(start, end, id_, self._score(id_))
        if lattice.scores[end] <= UNREACHED:
            start = end - _unknown_length(lattice.data, end)
            if lattice.scores[start] > UNREACHED:
                lattice.put(start, end, self.unk_id, lattice.scores[start] + self._unknown_score())

    def _piece(self, lattice: _Lattice, start: int, end: int) -> int | None:
        token = lattice.slice(start, end)
        found = MISSING if token is None else self.vocab.id(token)
        if found not in (MISSING, self.unk_id):
            return found
        if not self.byte_fallback or end - start != 1:
            return None
        byte_id = self.vocab.id(f"<0x{lattice.data[start]:02X}>")
        if byte_id == MISSING:
            raise EngineError(
                f"the byte piece <0x{lattice.data[start]:02X}> is missing: the engine reads outside its memory"
            )
        return byte_id

    def _score(self, id_: int) -> float:
        return self._unknown_score() if id_ == self.unk_id else self._scores[id_]

    def _unknown_score(self) -> float:
        return self._scores[self.unk_id] if self.unk_id < len(self._scores) else -10.0


class _Lattice:
    """The best way to each byte position of a text."""

    def __init__(self, text: str) -> None:
        self.data = to_bytes(text)
        size = len(self.data)
        self.scores = [0.0] + [-1e18] * size
        self.ids = [MISSING] * (size + 1)
        self.origins = [0] * (size + 1)
        self._text = text
        self._characters: dict[int, int] = {}
        at = 0
        for position, char in enumerate(text):
            self._characters[at] = position
            at += len(to_bytes(char))
        self._characters[at] = len(text)
        self._boundaries = sorted(self._characters)

    def starts(self, end: int, lowest: int) -> list[int]:
        """Where a piece that ends here can start, nearest first: character boundaries, and the byte before."""
        at = bisect_left(self._boundaries, end)
        first = bisect_left(self._boundaries, lowest)
        found = self._boundaries[first:at][::-1] if end in self._characters else []
        return found if found[:1] == [end - 1] or end - 1 < lowest else [end - 1, *found]

    def slice(self, start: int, end: int) -> str | None:
        """The characters between two positions; None where one is inside a character."""
        if start not in self._characters or end not in self._characters:
            return None
        return self._text[self._characters[start] : self._characters[end]]

    def offer(self, start: int, end: int, id_: int, score: float) -> None:
        """Take a way if it is better than the one so far."""
        total = self.scores[start] + score
        if total > self.scores[end] or self.scores[end] <= UNREACHED:
            self.put(start, end, id_, total)

    def put(self, start: int, end: int, id_: int, total: float) -> None:
        """Take a way."""
        self.scores[end], self.ids[end], self.origins[end] = total, id_, start


def _unknown_length(data: bytes, end: int) -> int:
    """How many bytes an unknown token takes: the character that ends here, or one byte inside a character."""
    for length in range(1, min(4, end) + 1):
        lead = data[end - length]
        if lead & 0xC0 != 0x80:
            expected = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
            return length if expected == length else 1
    return 1


_BUILDERS: dict[type, Callable[[Any], Model]] = {ops.Bpe: Bpe, ops.WordPiece: WordPiece, ops.Unigram: Unigram}


def build(record: ops.Model) -> Model:
    """The model of a record.

    Raises:
        EngineError: loading it corrupts the engine's memory.
    """
    return _BUILDERS[type(record)](record)
