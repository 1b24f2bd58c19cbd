"""A whole ``.mtok`` file as one typed object."""

from __future__ import annotations

from dataclasses import dataclass

from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.decoder import Decoder
from mtok_export.format.header import Header
from mtok_export.format.model import Model
from mtok_export.format.normalizer import Normalizer
from mtok_export.format.pre_tokenizer import PreTokenizer
from mtok_export.format.tail import Tail


@dataclass(frozen=True)
class MtokFile:
    """The sections in file order."""

    header: Header
    normalizer: Normalizer
    pre_tokenizer: PreTokenizer
    model: Model
    decoder: Decoder
    added_tokens: tuple[AddedToken, ...]
    tail: Tail
