"""The engine for one text file, in Python.

All versions do the same with a text file.  Two things are not modelled: the stack that type 3 takes for long runs, and
the memory behind the end of a text, into which type 1 may run; the latter is an ``EngineError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from mtok_export.engine.model.legacy.bert import Bert
from mtok_export.engine.model.legacy.huggingface import HuggingFace
from mtok_export.engine.model.legacy.sentencepiece import SentencePiece
from mtok_export.engine.model.legacy.tiktoken import Tiktoken
from mtok_export.engine.model.specials import Specials
from mtok_export.engine.model.text import to_bytes
from mtok_export.errors import EngineError
from mtok_export.legacy import BertFile, HuggingFaceFile, LegacyFile, SentencePieceFile, TiktokenFile
from mtok_export.legacy.shown import streamed


class Tokenizer(Protocol):
    """What the four have in common."""

    def encode(self, data: bytes) -> list[int]:
        """The ids of a stretch between special tokens."""

    def entry(self, id_: int) -> bytes:
        """What decoding makes of an id."""


_TOKENIZERS: dict[type[Any], Callable[[Any], Tokenizer]] = {
    SentencePieceFile: SentencePiece,
    TiktokenFile: Tiktoken,
    BertFile: Bert,
    HuggingFaceFile: HuggingFace,
}


class LegacyEngineModel:
    """Runs a text file as the engine would.

    Args:
        file: the file, as read.
    """

    def __init__(self, file: LegacyFile) -> None:
        self.file = file
        self._tokenizer = _TOKENIZERS[type(file)](file)
        self._specials = Specials(file.header.special_ids, self._tokenizer.entry)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, those of the prefix list first.

        Raises:
            EngineError: the engine dies of the text, or never ends.
        """
        data = to_bytes(text)
        if not self._specials:  # an empty text is encoded then as well, which type 0 makes something of
            return [*self.file.header.prefix_ids, *self._tokenizer.encode(data)]
        return [*self.file.header.prefix_ids, *self._specials.encode(data, self._tokenizer.encode)]

    def encode_many(self, texts: Iterable[str]) -> list[list[int]]:
        """``encode`` for each text."""
        return [self.encode(text) for text in texts]

    def decode_id(self, id_: int) -> bytes:
        """Streaming: what the engine shows for one id.

        Raises:
            EngineError: the engine dies of the entry.
        """
        entry = self._tokenizer.entry(id_)
        shown = streamed(entry)
        if shown is None:
            raise EngineError(f"the engine dies of decoding {entry!r}, which it takes for a byte")
        return shown

    def decode_ids(self, ids: Iterable[int]) -> list[bytes]:
        """``decode_id`` for each id."""
        return [self.decode_id(id_) for id_ in ids]

    def decode(self, ids: Sequence[int]) -> bytes:
        """Whole decoding: the entries one behind the other; no special is dropped, and no byte piece is a byte."""
        return b"".join(map(self._tokenizer.entry, ids))
