"""Controls, format characters, marks and other code points that are not seen or stand for nothing."""

from __future__ import annotations

C0 = tuple(chr(code) for code in range(1, 0x20) if chr(code) not in "\t\n\v\f\r")
C1 = tuple(chr(code) for code in range(0x7F, 0xA0) if code != 0x85)

FORMAT = (
    "\u00ad",  # soft hyphen
    "\u034f",  # combining grapheme joiner
    "\u061c",  # Arabic letter mark
    "\u0600",  # Arabic number sign
    "\u06dd",  # Arabic end of ayah
    "\u070f",  # Syriac abbreviation mark
    "\u115f",  # Hangul choseong filler
    "\u17b4",  # Khmer inherent vowel
    "\u180b",  # Mongolian free variation selector
    "\u180e",  # Mongolian vowel separator
    "\u200b",  # zero width space
    "\u200c",  # zero width non-joiner
    "\u200d",  # zero width joiner
    "\u200e",  # left-to-right mark
    "\u200f",  # right-to-left mark
    "\u2060",  # word joiner
    "\u2061",  # function application
    "\u2065",  # unassigned, default ignorable
    "\u206f",  # nominal digit shapes
    "\u3164",  # Hangul filler
    "\ufe00",  # variation selector 1
    "\ufe0f",  # variation selector 16
    "\ufeff",  # byte order mark
    "\uffa0",  # halfwidth Hangul filler
    "\ufff0",  # unassigned
    "\ufff9",  # interlinear annotation anchor
    "\ufffc",  # object replacement
    "\ufffd",  # replacement character
    "\U000110bd",  # Kaithi number sign
    "\U0001bca0",  # shorthand format
    "\U0001d173",  # musical begin beam
    "\U000e0001",  # language tag
    "\U000e0041",  # tag letter
    "\U000e0100",  # variation selector 17
)

BIDI = (
    "\u202aleft\u202c and \u202bright\u202c",
    "\u202dabc\u202e def\u202c ghi",
    "\u2066isolate\u2069 \u2067isolate\u2069 \u2068first\u2069",
    "price: \u200e100\u200f \u05e9\u05e7\u05dc",
    "(\u202e)\u202c",
)

JOINERS = (
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian with a non-joiner
    "\u0995\u09cd\u200c\u09b7 \u0995\u09cd\u200d\u09b7 \u0995\u09cd\u09b7",  # Bengali, three ways to write a conjunct
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala with a joiner
    "co\u00adope\u00adra\u00adtion",
    "zero\u200bwidth\u200bspace",
    "no\u2060break",
    "\ufeffa text that starts with a byte order mark",
    "in the\ufeff middle",
    "a\u200d\u200c\u200db",
    "\u845b\U000e0100\u57ce \u845b\ufe00",
    "\ufff9base\ufffaannotation\ufffb",
    "x\u2062y\u2063z",
)

NONCHARACTERS = ("\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff", "a\uffffb", "\ufdd0\ufdd1 x")
PRIVATE_USE = ("\ue000", "\uf8ff", "\U000f0000", "\U0010fffd", "icon \ue0b0 here", "\ue001\ue002\ue003")
UNASSIGNED = ("\u0378", "\u0530", "\U0003fffd", "\U000dffff", "a\u0378b")

CONTROLS: tuple[str, ...] = (
    *(f"a{control}b" for control in C0),
    *(f"a {control} b" for control in C1),
    "\x1b[31mred\x1b[0m plain",
    "bell\x07 backspace\x08\x08 delete\x7f",
    "\x01\x02\x03",
    "".join(C0),
    "".join(C1),
    "\x1c\x1d\x1e\x1f x",
)

FORMATS: tuple[str, ...] = (
    *(f"a{mark}b" for mark in FORMAT),
    *(f"a {mark} b" for mark in FORMAT[::3]),
    *BIDI,
    *JOINERS,
    *NONCHARACTERS,
    *PRIVATE_USE,
    *UNASSIGNED,
)

NUL: tuple[str, ...] = ("\0", "a\0b", "\0\0end", "before \0 after\n")
