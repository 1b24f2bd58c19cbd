"""What the ids of a file stand for."""

from __future__ import annotations

from mtok_export.format import MtokFile


class Pieces:
    """Names ids: by the entry of the vocabulary, and where that is empty or missing, by the added token.

    (Files may hold empty entries for special tokens, which keeps them silent in streaming.)
    """

    def __init__(self, file: MtokFile) -> None:
        added = {token.id: token.content for token in file.added_tokens}
        vocab = file.model.vocab
        entries = {id_: token for token, id_ in zip(vocab.tokens, vocab.ids, strict=True) if token}
        self._names = {**added, **entries}

    def __call__(self, id_: int) -> str:
        """The name of an id; empty for one that the file does not know."""
        return self._names.get(id_, "")
