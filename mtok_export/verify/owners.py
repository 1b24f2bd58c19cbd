"""What the library makes of a text that a source was made for: sentencepiece, tiktoken, mistral-common.

A source that is no ``tokenizer.json`` is turned into one first, and the other rows compare with what the ``tokenizers``
library makes of that; this is the judge of the turning.  Texts that spell out a special token are left to the other
rows: the owners take it for plain text, or refuse it.
"""

from __future__ import annotations

import base64
import tempfile
import unicodedata
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from mtok_export.errors import MtokError, SourceError
from mtok_export.source.conversion import Owner
from mtok_export.source.pipeline import NFC
from mtok_export.source.settings import Source


class OwnerLibrary(ABC):
    """The library that a source belongs to, with that source loaded.

    Raises:
        SourceError: the library refuses the source.
        MtokError: the library is not installed.
    """

    owner: ClassVar[Owner]
    extra: ClassVar[str]
    """The extra of this package that installs the library."""

    def __init__(self, source: Source) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the library about itself
                self._encode = self._load(source)
        except ImportError as error:
            reason = f"the package {self.owner.value} is not installed: {error}"
            raise MtokError(reason, hint=f"pip install 'mtok-export[{self.extra}]'") from None
        except Exception as error:  # whatever it raises about a bad file
            reason = f"{self.owner.value} refuses it: {' '.join(str(error).split())[:300]}"
            raise SourceError(reason, where=source.origin) from None

    @property
    def name(self) -> str:
        """The library with its version."""
        return f"{self.owner.value} {version(self.owner.value)}"

    def encode(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The ids of each text, without special tokens round it; ``None`` where the library fails."""
        return [self._encode_one(text) for text in texts]

    def _encode_one(self, text: str) -> list[int] | None:
        try:
            return list(self._encode(text))
        except Exception:  # such as a text that the library's own pattern engine gives up on
            return None

    @staticmethod
    @abstractmethod
    def _load(source: Source) -> Callable[[str], Sequence[int]]:
        """Load the source and return what encodes a text."""


class SentencePiece(OwnerLibrary):
    """``SentencePieceProcessor.encode``."""

    owner = Owner.SENTENCEPIECE
    extra = "sentencepiece"

    @staticmethod
    def _load(source: Source) -> Callable[[str], Sequence[int]]:
        from sentencepiece import SentencePieceProcessor

        processor: Any = SentencePieceProcessor(model_proto=source.original)
        encode: Callable[[str], Sequence[int]] = processor.encode
        return encode


class Tiktoken(OwnerLibrary):
    """``Encoding.encode_ordinary``, with the ranks of the file and the pattern that belongs to them.

    A tokenizer that composes texts before it asks tiktoken (Qwen's own does) is taken with that.
    """

    owner = Owner.TIKTOKEN
    extra = "tiktoken"

    @staticmethod
    def _load(source: Source) -> Callable[[str], Sequence[int]]:
        from tiktoken import Encoding

        lines = [line.split() for line in source.original.splitlines() if line.strip()]
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        encoding = Encoding(source.origin, pat_str=source.pattern, mergeable_ranks=ranks, special_tokens={})
        if isinstance(source.pipeline.normalizer, NFC):
            return lambda text: encoding.encode_ordinary(unicodedata.normalize("NFC", text))
        encode: Callable[[str], Sequence[int]] = encoding.encode_ordinary
        return encode


class MistralCommon(OwnerLibrary):
    """``Tekkenizer.encode`` without BOS and EOS."""

    owner = Owner.MISTRAL_COMMON
    extra = "mistral"

    @staticmethod
    def _load(source: Source) -> Callable[[str], Sequence[int]]:
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer

        with tempfile.TemporaryDirectory(prefix="mtok-tekken-") as folder:
            path = Path(folder) / "tekken.json"
            path.write_bytes(source.original)
            tekkenizer: Any = Tekkenizer.from_file(path)
        return lambda text: tekkenizer.encode(text, bos=False, eos=False)


LIBRARIES: Mapping[Owner, type[OwnerLibrary] | None] = {
    Owner.TOKENIZERS: None,
    Owner.SENTENCEPIECE: SentencePiece,
    Owner.TIKTOKEN: Tiktoken,
    Owner.MISTRAL_COMMON: MistralCommon,
}
"""The library of each owner; ``None`` where the other rows compare with it."""


def without_special_strings(texts: Sequence[str], source: Source) -> list[int]:
    """The positions of the texts that hold no added token, spelt out."""
    contents = [token.content for token in source.pipeline.added_tokens]
    return [i for i, text in enumerate(texts) if not any(content in text for content in contents)]
