"""The file under examination, and what the engine would see of its ids."""

from __future__ import annotations

from functools import cached_property

from mtok_export.engine.model.decoders import Streaming
from mtok_export.format import model
from mtok_export.places import Opened


class Subject:
    """A file with the look-ups that several rules need; nothing here minds ids beyond the vocabulary."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.file = opened.file
        self.places = opened.places
        self.size = len(self.file.model.vocab)

    @cached_property
    def entries(self) -> dict[int, str]:
        """The string of each id as decoding sees it: of several entries the one that stands last."""
        vocab = self.file.model.vocab
        return dict(zip(vocab.ids, vocab.tokens, strict=True))

    @cached_property
    def first_ids(self) -> dict[str, int]:
        """The id of each string as encoding finds it: of several entries the first."""
        vocab = self.file.model.vocab
        return dict(zip(reversed(vocab.tokens), reversed(vocab.ids), strict=True))

    @cached_property
    def added_ids(self) -> frozenset[int]:
        """The ids of the added tokens."""
        return frozenset(token.id for token in self.file.added_tokens)

    @cached_property
    def streaming(self) -> Streaming:
        """The decoding of one id."""
        return Streaming.of(self.file.decoder)

    def streamed(self, id_: int) -> bytes:
        """What streaming shows for an id."""
        return self.streaming.decode(self._entry(id_))

    def expected(self, content: str) -> tuple[bytes, bytes]:
        """What streaming may show for an added token: its content, as it is or as the decoder shows such an entry."""
        return content.encode(), self.streaming.decode(content)

    def _entry(self, id_: int) -> str:
        if id_ < self.size:
            return self.entries.get(id_, "")
        record = self.file.model
        if isinstance(record, model.WordPiece):
            return record.unk_token
        if isinstance(record, model.Unigram):
            return self.entries.get(record.unk_id, "")
        return ""
