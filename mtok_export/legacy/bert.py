"""Type 2, BERT: a WordPiece entry in each row, in base64; pieces inside a word start with two number signs."""

from __future__ import annotations

from typing import ClassVar

from mtok_export.legacy.spec import LegacyType
from mtok_export.legacy.text_file import TokenFile


class BertFile(TokenFile):
    """A whole file of type 2."""

    kind: ClassVar[LegacyType] = LegacyType.BERT
