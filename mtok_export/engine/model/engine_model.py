"""The whole engine for one file, in Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mtok_export.engine.model import decoders, models, normalizers, pre_tokenizers
from mtok_export.engine.model.folding import Patterns
from mtok_export.engine.model.specials import Specials
from mtok_export.engine.model.text import from_bytes, to_bytes
from mtok_export.engine.model.version import V3_6, Version
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.mtok_file import MtokFile
from mtok_export.format.spec import Flags
from mtok_export.format.tail import SpecialTokenId

_C_WHITE_SPACE = b" \t\n\v\f\r"

_WORD_PIECE_TIDYING = ((b" .", b"."), (b" ?", b"?"), (b" !", b"!"), (b" ,", b","))
_TIDYING = ((b" ' ", b"'"), (b" n't", b"n't"), (b" 'm", b"'m"), (b" 's", b"'s"), (b" 've", b"'ve"), (b" 're", b"'re"))


class EngineModel:
    """Runs a file as an engine version would.

    Args:
        file: the file, as read.
        version: the engine version (``mtok_export.engine.model.version``).

    Raises:
        EngineError: this version dies of the file, or reads outside its memory.
    """

    def __init__(self, file: MtokFile, version: Version = V3_6) -> None:
        self.file = file
        self.version = version
        self._normalize = normalizers.build(file.normalizer, version)
        self._pre_tokenize = pre_tokenizers.build(file.pre_tokenizer, Patterns(falls_back=version.falls_back_to_gpt2))
        self._model = models.build(file.model)
        self._streaming = decoders.Streaming.of(file.decoder)
        self._decode = decoders.build(file.decoder)
        self._added = [(token.content.encode("utf-8"), token) for token in file.added_tokens if token.content]
        self._added_ids: dict[str, int] = {}
        for token in file.added_tokens:
            self._added_ids.setdefault(token.content, token.id)
        self._specials = Specials(file.header.special_ids, self.decode_id)

    # --- encoding -------------------------------------------------------------------------------------------------

    def encode(self, text: str) -> list[int]:
        """The ids of a text, with the prefix list and (in versions that run it) the post-processor."""
        ids = [*self.file.header.prefix_ids, *self._specials.encode(to_bytes(text), self._between_added)]
        program = self.file.tail.post_processor
        if not self.version.has_post_processor or not program:
            return ids
        return [id_ for step in program for id_ in ([step.id] if isinstance(step, SpecialTokenId) else ids)]

    def encode_many(self, texts: Iterable[str]) -> list[list[int]]:
        """``encode`` for each text."""
        return [self.encode(text) for text in texts]

    def _between_added(self, data: bytes) -> Iterable[int]:
        """The earliest added token, of those the longest, with its stripping; the rest goes through the pipeline."""
        last = 0
        while last < len(data):
            found = self._next_added(data, last)
            if found is None:
                yield from self._pipeline(data[last:])
                return
            at, content, token = found
            before, after = at, at + len(content)
            while token.lstrip and before > last and data[before - 1] in _C_WHITE_SPACE:
                before -= 1
            while token.rstrip and after < len(data) and data[after] in _C_WHITE_SPACE:
                after += 1
            yield from self._pipeline(data[last:before])
            yield self._added_ids[token.content]
            last = after

    def _next_added(self, data: bytes, start: int) -> tuple[int, bytes, AddedToken] | None:
        best: tuple[int, bytes, AddedToken] | None = None
        for content, token in self._added:
            stop = len(data) if best is None else best[0] + len(content)
            at = data.find(content, start, stop)
            if at >= 0 and (best is None or at < best[0] or len(content) > len(best[1])):
                best = at, content, token
        return best

    def _pipeline(self, data: bytes) -> Iterable[int]:
        if not data:
            return
        text = from_bytes(data)
        if self._normalize is not None:
            text = from_bytes(to_bytes(self._normalize(text)))
        if not text:
            return
        pieces = [text] if self._pre_tokenize is None else self._pre_tokenize([text])
        for piece in pieces:
            yield from self._model.tokenize(piece)

    # --- decoding -------------------------------------------------------------------------------------------------

    def decode_id(self, id_: int) -> bytes:
        """Streaming: what the engine shows for one id."""
        return self._streaming.decode(self._model.entry(id_))

    def decode_ids(self, ids: Iterable[int]) -> list[bytes]:
        """``decode_id`` for each id."""
        return [self.decode_id(id_) for id_ in ids]

    def decode(self, ids: Sequence[int]) -> bytes:
        """Whole decoding: specials dropped, the decoder's records, then tidying."""
        special = frozenset(self.file.header.special_ids)
        tokens = [to_bytes(self._model.entry(id_)) for id_ in ids if id_ not in special]
        text = b"".join(self._decode(tokens))
        if self._streaming.word_piece_prefix is not None:
            text = _tidied(text, _WORD_PIECE_TIDYING)
        if (self.file.tail.flags or 0) & Flags.CLEAN_UP_TOKENIZATION_SPACES:
            text = _tidied(text, _TIDYING)
        return text


def _tidied(text: bytes, rules: Iterable[tuple[bytes, bytes]]) -> bytes:
    for found, content in rules:
        text = text.replace(found, content)
    return text
