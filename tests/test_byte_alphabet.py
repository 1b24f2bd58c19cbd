"""The byte alphabet."""

from __future__ import annotations

import sys

from mtok_export.byte_alphabet import CHAR_TO_BYTE, is_spelled


def test_what_is_spelled_in_it() -> None:
    assert {char for char in map(chr, range(sys.maxunicode + 1)) if is_spelled(char)} == CHAR_TO_BYTE.keys()
    assert is_spelled("") and is_spelled("ĠÃ©") and not is_spelled("Ã©Ġ ") and not is_spelled("Ġ\n")
