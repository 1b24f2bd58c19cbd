"""Type 1, TIKTOKEN: the bytes of a token in each row, in base64."""

from __future__ import annotations

from typing import ClassVar

from mtok_export.legacy.spec import LegacyType
from mtok_export.legacy.text_file import TokenFile


class TiktokenFile(TokenFile):
    """A whole file of type 1."""

    kind: ClassVar[LegacyType] = LegacyType.TIKTOKEN
