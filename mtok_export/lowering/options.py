"""How a tokenizer is to be lowered."""

from __future__ import annotations

import unicodedata
from enum import Enum

from mtok_export.records import dataclass


class Composing(Enum):
    """How much of NFC and NFKC a faithful file does by replacements, each of which costs the engine time."""

    FULL = "full"
    LETTERS = "letters"
    NONE = "none"


@dataclass(frozen=True)
class Options:
    """How to lower.

    ``faithful`` rewrites what the engine would get wrong; without it the encoding is that of the format document.
    ``composing`` says what a faithful file composes: letters with their marks and Korean syllables, the former alone,
    or nothing.
    """

    faithful: bool = True
    composing: Composing = Composing.FULL

    @property
    def python_unicode(self) -> str:
        """The Unicode version of this interpreter's ``unicodedata``."""
        return unicodedata.unidata_version
