"""What the ids of a file stand for."""

from __future__ import annotations

from collections.abc import Mapping

from mtok_export.format import MtokFile
from mtok_export.legacy import HuggingFaceFile, LegacyFile, SentencePieceFile
from mtok_export.tokenizer_file import TokenizerFile


class Pieces:
    """Names ids: by the entry of the vocabulary, and where that is empty or missing, by the added token.

    (Files may hold empty entries for special tokens, which keeps them silent in streaming.)
    """

    def __init__(self, file: TokenizerFile) -> None:
        self._names = _names(file) if isinstance(file, MtokFile) else _rows(file)

    def __call__(self, id_: int) -> str:
        """The name of an id; empty for one that the file does not know."""
        return self._names.get(id_, "")


def _names(file: MtokFile) -> Mapping[int, str]:
    added = {token.id: token.content for token in file.added_tokens}
    vocab = file.model.vocab
    entries = {id_: token for token, id_ in zip(vocab.tokens, vocab.ids, strict=True) if token}
    return {**added, **entries}


def _rows(file: LegacyFile) -> Mapping[int, str]:
    """The rows of a text file; bytes that are no UTF-8 stand as a backslash, x and two digits."""
    if isinstance(file, HuggingFaceFile):
        return dict(enumerate(file.tokens))
    rows = [piece.piece for piece in file.pieces] if isinstance(file, SentencePieceFile) else file.tokens
    return {id_: row.decode("utf-8", "backslashreplace") for id_, row in enumerate(rows)}
