"""The script of a character, and of a text: for statistics, not for tokenizing.

The table holds the letters of the scripts that tokenizers are made for, by blocks, so that it is the same with every
Python.  Marks go with their block; everything that belongs to no script (digits, punctuation, pictures) is ``None``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import lru_cache

_BLOCKS: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x005A, "Latin"),
    (0x0061, 0x007A, "Latin"),
    (0x00AA, 0x00AA, "Latin"),
    (0x00BA, 0x00BA, "Latin"),
    (0x00C0, 0x00D6, "Latin"),
    (0x00D8, 0x00F6, "Latin"),
    (0x00F8, 0x02B8, "Latin"),
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Cyrillic"),
    (0x0531, 0x058A, "Armenian"),
    (0x0591, 0x05F4, "Hebrew"),
    (0x0610, 0x065F, "Arabic"),
    (0x066E, 0x06EF, "Arabic"),
    (0x06FA, 0x06FF, "Arabic"),
    (0x0700, 0x074F, "Syriac"),
    (0x0750, 0x077F, "Arabic"),
    (0x0780, 0x07BF, "Thaana"),
    (0x07C0, 0x07FF, "N'Ko"),
    (0x0840, 0x085F, "Mandaic"),
    (0x0860, 0x08FF, "Arabic"),
    (0x0900, 0x097F, "Devanagari"),
    (0x0980, 0x09FF, "Bengali"),
    (0x0A00, 0x0A7F, "Gurmukhi"),
    (0x0A80, 0x0AFF, "Gujarati"),
    (0x0B00, 0x0B7F, "Odia"),
    (0x0B80, 0x0BFF, "Tamil"),
    (0x0C00, 0x0C7F, "Telugu"),
    (0x0C80, 0x0CFF, "Kannada"),
    (0x0D00, 0x0D7F, "Malayalam"),
    (0x0D80, 0x0DFF, "Sinhala"),
    (0x0E01, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x0F00, 0x0FFF, "Tibetan"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1200, 0x139F, "Ethiopic"),
    (0x13A0, 0x13FF, "Cherokee"),
    (0x1400, 0x167F, "Canadian syllabics"),
    (0x1680, 0x169F, "Ogham"),
    (0x16A0, 0x16FF, "Runic"),
    (0x1700, 0x171F, "Tagalog"),
    (0x1780, 0x17FF, "Khmer"),
    (0x1800, 0x18AF, "Mongolian"),
    (0x18B0, 0x18FF, "Canadian syllabics"),
    (0x1950, 0x19DF, "Tai"),
    (0x19E0, 0x19FF, "Khmer"),
    (0x1A20, 0x1AAF, "Tai"),
    (0x1B00, 0x1B7F, "Balinese"),
    (0x1B80, 0x1BBF, "Sundanese"),
    (0x1C50, 0x1C7F, "Ol Chiki"),
    (0x1C80, 0x1C8F, "Cyrillic"),
    (0x1C90, 0x1CBF, "Georgian"),
    (0x1D00, 0x1D25, "Latin"),
    (0x1D2C, 0x1D65, "Latin"),
    (0x1D6B, 0x1DBF, "Latin"),
    (0x1E00, 0x1EFF, "Latin"),
    (0x1F00, 0x1FFF, "Greek"),
    (0x2C60, 0x2C7F, "Latin"),
    (0x2D00, 0x2D2F, "Georgian"),
    (0x2D30, 0x2D7F, "Tifinagh"),
    (0x2D80, 0x2DDF, "Ethiopic"),
    (0x2DE0, 0x2DFF, "Cyrillic"),
    (0x2E80, 0x2FDF, "Han"),
    (0x3005, 0x3007, "Han"),
    (0x3021, 0x3029, "Han"),
    (0x3041, 0x309F, "Hiragana"),
    (0x30A1, 0x30FA, "Katakana"),
    (0x30FC, 0x30FF, "Katakana"),
    (0x3105, 0x312F, "Bopomofo"),
    (0x3131, 0x318E, "Hangul"),
    (0x31A0, 0x31BF, "Bopomofo"),
    (0x31F0, 0x31FF, "Katakana"),
    (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"),
    (0xA000, 0xA4CF, "Yi"),
    (0xA500, 0xA63F, "Vai"),
    (0xA640, 0xA69F, "Cyrillic"),
    (0xA720, 0xA7FF, "Latin"),
    (0xA8E0, 0xA8FF, "Devanagari"),
    (0xA980, 0xA9DF, "Javanese"),
    (0xAA00, 0xAA5F, "Cham"),
    (0xAA60, 0xAA7F, "Myanmar"),
    (0xAB01, 0xAB2F, "Ethiopic"),
    (0xAB30, 0xAB6F, "Latin"),
    (0xAB70, 0xABBF, "Cherokee"),
    (0xABC0, 0xABFF, "Meetei Mayek"),
    (0xAC00, 0xD7FF, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFB00, 0xFB06, "Latin"),
    (0xFB13, 0xFB17, "Armenian"),
    (0xFB1D, 0xFB4F, "Hebrew"),
    (0xFB50, 0xFDFF, "Arabic"),
    (0xFE70, 0xFEFC, "Arabic"),
    (0xFF21, 0xFF3A, "Latin"),
    (0xFF41, 0xFF5A, "Latin"),
    (0xFF66, 0xFF9F, "Katakana"),
    (0xFFA0, 0xFFDC, "Hangul"),
    (0x10330, 0x1034F, "Gothic"),
    (0x1E900, 0x1E95F, "Adlam"),
    (0x20000, 0x3FFFF, "Han"),
)
_STARTS = [first for first, _, _ in _BLOCKS]


@lru_cache(maxsize=1 << 16)
def script_of(char: str) -> str | None:
    """The script of a character; None for one that belongs to no script, or to one that the table lacks."""
    code = ord(char)
    at = bisect_right(_STARTS, code) - 1
    if at < 0:
        return None
    _, last, script = _BLOCKS[at]
    return script if code <= last else None


def main_script(text: str) -> str | None:
    """The script of most characters of a text, the first of equals; None for a text without any."""
    found = Counter(filter(None, map(script_of, text)))
    return max(found, key=found.__getitem__) if found else None
