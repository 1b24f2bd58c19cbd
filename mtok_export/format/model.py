"""The model section: vocabulary and how it is applied."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    IntArray = array[int]
    FloatArray = array[float]


@dataclass(frozen=True)
class Vocab:
    """Parallel columns, sorted by the UTF-8 bytes of the token (for valid text that is the order of its code points).

    ``ids`` is an ``array("I")``.  Several entries may share an id: decoding sees the one that sorts last.
    """

    tokens: tuple[str, ...] = field(repr=False)
    ids: IntArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class Merges:
    """Parallel columns of ``array("I")``, sorted by ``left << 32 | right``; a lower rank merges first."""

    left: IntArray = field(repr=False)
    right: IntArray = field(repr=False)
    rank: IntArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.rank)


@dataclass(frozen=True)
class Bpe:
    """Byte-pair encoding.  The engine does not read ``byte_fallback``; with ``byte_level`` it maps bytes itself."""

    vocab: Vocab
    merges: Merges
    byte_fallback: bool
    byte_level: bool


@dataclass(frozen=True)
class WordPiece:
    """Longest match; ``max_chars`` counts bytes."""

    vocab: Vocab
    unk_token: str
    continuing_subword_prefix: str
    max_chars: int


@dataclass(frozen=True)
class Unigram:
    """Viterbi search over bytes; ``scores`` is an ``array("d")``, parallel to the vocabulary."""

    vocab: Vocab
    scores: FloatArray = field(repr=False)
    unk_id: int
    byte_fallback: bool


Model = Union[Bpe, WordPiece, Unigram]
