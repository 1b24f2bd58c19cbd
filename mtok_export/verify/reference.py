"""What Hugging Face makes of a text: the ``tokenizers`` library, with ``tokenizer.json`` as it stands.

Padding and truncation are switched off.  The library is imported when a ``Reference`` is made.

What *streaming* shows is what ``tokenizers.decoders.DecodeStream`` gives, piece by piece.  It holds a piece back while
the text ends in U+FFFD, since that may be a character cut in half; what is still held back at the end counts as shown,
as ``transformers.TextStreamer`` shows it then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.panics import panics_as_errors
from mtok_export.source.pipeline import BPE
from mtok_export.source.settings import Source

_TIDYING = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)
"""The replacements of ``clean_up_tokenization_spaces`` in ``transformers``, in their order."""


class Reference:
    """The tokenizer of a model directory in the ``tokenizers`` library.

    Raises:
        SourceError: the library refuses ``tokenizer.json``.
    """

    def __init__(self, source: Source) -> None:
        from tokenizers import Tokenizer
        from tokenizers.decoders import DecodeStream

        try:
            with panics_as_errors():
                self._tokenizer: Any = Tokenizer.from_str(source.tokenizer_json.decode("utf-8"))
        except Exception as error:  # the library raises bare Exception
            raise SourceError(f"the tokenizers library refuses it: {error}", where="tokenizer.json") from None
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._stream: Callable[[], Any] = lambda: DecodeStream(skip_special_tokens=True)
        # transformers 5 ignores the setting for BPE, where it eats spaces that belong to the text.
        self.tidies = source.settings.clean_up_tokenization_spaces and not isinstance(source.pipeline.model, BPE)

    def encode(self, texts: Sequence[str], *, specials: bool) -> list[list[int] | None]:
        """The ids of each text, with the special tokens round it or without; None where the library fails."""
        try:
            with panics_as_errors():
                return [encoding.ids for encoding in self._tokenizer.encode_batch(texts, add_special_tokens=specials)]
        except Exception:  # one text is enough; which one is found out below
            return [self._encode(text, specials) for text in texts]

    def _encode(self, text: str, specials: bool) -> list[int] | None:
        try:
            with panics_as_errors():
                ids: list[int] = self._tokenizer.encode(text, add_special_tokens=specials).ids
        except Exception:  # such as a WordPiece model whose unk token is no entry
            return None
        return ids

    def suffix(self) -> tuple[int, ...]:
        """The ids that stand behind those of every text; none where the library fails."""
        try:
            with panics_as_errors():
                encoding = self._tokenizer.encode("a")
        except Exception:  # such as a BPE model whose unk token is no entry
            return ()
        added = encoding.special_tokens_mask
        # Where "a" itself has no ids, what stands before it cannot be told from what stands behind it.
        behind = next((count for count, mark in enumerate(reversed(added)) if not mark), 0)
        return tuple(encoding.ids[len(added) - behind :])

    def decode(self, ids: Sequence[Sequence[int]]) -> list[str]:
        """The text of each list of ids, special tokens skipped.  Raises ``SourceError`` where the library fails."""
        try:
            with panics_as_errors():
                texts: list[str] = self._tokenizer.decode_batch([list(some) for some in ids], skip_special_tokens=True)
        except Exception as error:
            problem = f"the tokenizers library fails to decode with it: {error}"
            raise SourceError(problem, where="tokenizer.json: $.decoder") from None
        return texts

    def decode_tidied(self, ids: Sequence[Sequence[int]]) -> list[str]:
        """``decode`` as ``transformers`` 5 has it: with ``clean_up_tokenization_spaces`` where the config asks for it.

        A config without the field does not ask (in ``transformers`` 4 it did), and a BPE model never gets it.
        """
        texts = self.decode(ids)
        return [tidied(text) for text in texts] if self.tidies else texts

    def stream(self, ids: Sequence[int]) -> str:
        """What streaming has shown once all of the ids have been given to it."""
        whole = self.decode([ids])[0]
        stream = self._stream()
        try:
            with panics_as_errors():
                shown = "".join(filter(None, [stream.step(self._tokenizer, id_) for id_ in ids]))
        except Exception:  # the text changed behind what is shown; a streamer that decodes all of it again shows this:
            return whole
        return whole if whole.startswith(shown) else shown

    def piece(self, id_: int) -> str:
        """What an id stands for; nothing where the tokenizer has no such id."""
        piece: str | None = self._tokenizer.id_to_token(id_) if id_ >= 0 else None
        return piece or ""


def tidied(text: str) -> str:
    """A text after ``clean_up_tokenization_spaces``."""
    for found, content in _TIDYING:
        text = text.replace(found, content)
    return text
