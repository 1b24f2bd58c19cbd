"""Which token has which id, in a whole pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from mtok_export.source.models import model_ids
from mtok_export.source.pipeline import Pipeline, Unigram


class TokenLookup:
    """The tokens of a pipeline, by text and by id; added tokens come before those of the vocab."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._model = pipeline.model
        self.added = {token.content: token for token in pipeline.added_tokens}

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """The model's vocab, token -> id.  Not to be changed."""
        return model_ids(self._model)

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text, if there is one."""
        added = self.added.get(text)
        return self.vocab.get(text) if added is None else added.id

    def texts_of(self, ids: Iterable[int]) -> dict[int, str]:
        """The texts of those of the ids that have a token."""
        wanted = set(ids)
        found = {token.id: token.content for token in self.added.values() if token.id in wanted}
        wanted -= found.keys()
        if not wanted:
            return found
        if isinstance(self._model, Unigram):
            return {**{i: self._model.vocab[i][0] for i in wanted if i < len(self._model.vocab)}, **found}
        return {**{token_id: text for text, token_id in self.vocab.items() if token_id in wanted}, **found}
