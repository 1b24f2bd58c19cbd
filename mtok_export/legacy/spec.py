"""The numbers of the text formats, stated once; LEGACY_FORMAT.md beside this file says what each line means."""

from __future__ import annotations

from enum import IntEnum

from mtok_export.format.spec import MAGIC


class LegacyType(IntEnum):
    """Second number of line 1; the names are those of the format document."""

    SENTENCEPIECE = 0
    TIKTOKEN = 1
    BERT = 2
    HUGGINGFACE = 3


FIRST_LINES: dict[bytes, LegacyType] = {f"{MAGIC} {kind.value}".encode("ascii"): kind for kind in LegacyType}
"""Line 1 of each type, without its line end."""

MAX_COUNT = 0x7FFF_FFFF
"""The engine keeps counts in a signed 32-bit integer."""

META = "\u2581"
"""What the engine puts in the place of a space, and in front of every text, in files of type SENTENCEPIECE."""

UNK_TOKEN = "[UNK]"
"""The unknown token of type BERT has this name and no other."""

NO_UNK_ID = 100
"""What the engine gives for an unknown word where no row of type BERT is UNK_TOKEN, whatever that id is."""

CONTINUING_PREFIX = "##"
"""How the pieces inside a word start in type BERT."""
