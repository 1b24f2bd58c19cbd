"""How a tokenizer is to be lowered."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """``faithful`` rewrites what the engine would get wrong; without it the encoding is that of the format document."""

    faithful: bool = True

    @property
    def python_unicode(self) -> str:
        """The Unicode version of this interpreter's ``unicodedata``."""
        return unicodedata.unidata_version
