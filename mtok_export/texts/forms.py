"""Text in all four normalization forms, and marks in every order and number.

The forms are made by ``unicodedata`` from fixed strings.  Every character in those was assigned in Unicode 3.2 or
before, and Unicode promises that the normalization of assigned characters never changes, so the texts are the same on
every Python.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")

BASES = (
    "\u00e9\u00e0\u00fc\u00f1\u00e7\u00f8 \u00c5ngstr\u00f6m \u017cubr",
    "Vi\u1ec7t Nam \u01b0\u1edbc \u1ebf\u1ec7 \u1ed3 \u1eef \u1ef9",
    "\u1e69\u0307 \u1e0b\u0323 q\u0307\u0323 \u1eb7\u0302",
    "\u212b \u2126 \u212a \u00c5 \u03a9 K",
    "\ufb01 \ufb03 \ufb06 \u0133 \u01c4 \u2460 \u2167 \u3392 \u33a5",
    "\uff21\uff22\uff23 \uff11\uff12\uff13 \uff76\uff9e\uff77\uff9f \uffe5",
    "\u304c\u3050\u3071 \u30f4\u30a1\u30dd \u304b\u3099 \u30cf\u309a",
    "\ud55c\uad6d\uc5b4 \uac12 \ub2ed \ubdc1",
    "\u1112\u1161\u11ab \u1100\u1161 \u11a8",
    "\u0958\u0959 \u0929 \u09dc \u0a33 \u0b5c \u0dda \u0dde",
    "\u0ba4\u0bca\u0bcb \u0cca \u0d4a \u0f43 \u0f73 \u0f77",
    "\u05e9\u05c1 \ufb2a \ufb1f \u05d0\u05b8\u05bc",
    "\u0622\u0623\u0624 \ufef7 \ufdfa \ufe8e\ufeee",
    "\u1f71\u03ac \u1fb3 \u1f80 \u1ffc \u03b9\u0308\u0301",
    "\u0439\u0451\u0457 \u0403 \u045e \u04e2",
    "x\u00b2 \u00bd \u2076 \u2083 \u2122 \u2103 \u00a0 \u2003 \u3000",
    "\u2026 \u2025 \u203c \u2047 \u00a8 \u00b4 \u00b8",
    "\U0001d400\U0001d51e\U0001d7d8 \u24b6",
    "\uf900 \u2f00 \u2e9f \u3220 \u32a3 \U0002f800",
    "\u212f \u2102 \u210b \u2115 \u2211 \u2260 \u226e",
    "\U0001d15e \U0001d1bb",
    "\u0344 \u0340 \u0341 \u0343 \u0374 \u037e \u0387",
)

MARK_ORDERS = (
    "a\u0301\u0323 a\u0323\u0301",
    "e\u0302\u0301 e\u0301\u0302",
    "o\u0328\u0304 o\u0304\u0328 \u01ed",
    "\u05d1\u05bc\u05b7 \u05d1\u05b7\u05bc",
    "\u0628\u0651\u064e \u0628\u064e\u0651",
    "n\u0303 \u00f1 n\u0303\u0303",
    "\u0301alone \u0300 \u0323",
    " \u0301x \n\u0302y",
    "1\u0301 !\u0308 \u4e00\u0301 \U0001f600\u0301",
    "i\u0307 \u0130 I\u0307 \u0131\u0307",
    "L\u0358 o\u0358\u0301",
    "s\u0323\u0307 s\u0307\u0323",
)

STACKED = (
    "Z\u0310\u0311a\u0312\u0313\u0314l\u0315\u0316g\u0317\u0318\u0319o\u031a",
    "h\u0334\u0335\u0336e\u0337\u0338 c\u0321\u0322o\u0327\u0328m\u0329e\u032a\u032bs",
    "a" + "\u0301" * 5,
    "e" + "\u0323\u0301" * 10,
    "o" + "".join(chr(code) for code in range(0x300, 0x330)),
    "\u0e01\u0e34\u0e49\u0e49\u0e49\u0e49 \u0e1b\u0e38\u0e48\u0e48",
    "\u0628\u0651\u0651\u0651\u064e\u064f\u0650",
    "\u0995\u09cd\u0995\u09cd\u0995\u09cd\u0995 \u0ba4\u0bbf\u0bbf\u0bbf",
    "\u20d7v\u20d7 A\u20dd B\u20de C\u20e0",
    "\u0488\u0489\u0430\u0488",
    "\u1ab0a\u1ab0 \u1dc4b\u1dc4 \ufe20c\ufe21",
)


def _forms() -> tuple[str, ...]:
    made = [unicodedata.normalize(form, base) for base in BASES for form in FORMS]
    return tuple(dict.fromkeys([*BASES, *made]))


NORMALIZATION: tuple[str, ...] = _forms()
MARKS: tuple[str, ...] = MARK_ORDERS + STACKED
