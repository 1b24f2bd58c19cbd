"""What a source other than ``tokenizer.json`` is turned into: the ``tokenizer.json`` that says the same.

Each reader of such a source (``sentencepiece_model``, ``tiktoken_ranks`` and so on) gives a ``Converted``; from there
the flow is one and the same.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Any

from mtok_export.records import dataclass

if TYPE_CHECKING:
    from mtok_export.source.settings import Notice


class Owner(Enum):
    """The library whose ids are right for a source."""

    TOKENIZERS = "tokenizers"
    SENTENCEPIECE = "sentencepiece"
    TIKTOKEN = "tiktoken"
    MISTRAL_COMMON = "mistral-common"


class PieceType(Enum):
    """The types of a sentencepiece piece, by their numbers in the protobuf."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True)
class ScoredPiece:
    """One entry of a sentencepiece vocabulary; its id is its position."""

    piece: str
    score: float
    type: PieceType


@dataclass(frozen=True)
class Defaults:
    """What a source itself says about its use; the files beside it come first where they say it too.

    ``stop_tokens`` are further ids that end generation, each with the name of the field that says so.
    """

    bos_token: str | None = None
    eos_token: str | None = None
    chat_template: str | None = field(default=None, repr=False)
    stop_tokens: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Converted:
    """A source, converted.

    ``document`` is the content of the ``tokenizer.json`` that says the same; ``owner`` the library that decides what is
    right, and ``original`` the bytes that it reads; ``pieces`` the vocabulary of a sentencepiece source, which the
    legacy text format takes as it is; ``pattern`` the pattern of a tiktoken source in the words of that library, which
    stands in no file of ranks; ``notices`` what the conversion cannot keep or had to assume; ``defaults`` what the
    source says that otherwise stands in ``tokenizer_config.json``.
    """

    document: dict[str, Any] = field(repr=False)
    owner: Owner
    original: bytes = field(repr=False)
    pieces: tuple[ScoredPiece, ...] = field(default=(), repr=False)
    pattern: str = ""
    notices: tuple[Notice, ...] = ()
    defaults: Defaults = field(default_factory=Defaults)
