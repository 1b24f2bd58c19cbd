"""The texts that ``verify`` compares on: always the same ones, in named groups, all of them written for this project.

Nothing here asks ``unicodedata`` which code points exist, so the texts do not change with Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from mtok_export.texts import (
    african_american,
    code,
    east_asian,
    european,
    forms,
    invisible,
    latin,
    look_alikes,
    mixtures,
    near_eastern,
    pictures,
    shapes,
    south_asian,
    white_space,
)
from mtok_export.texts.special import special_texts

__all__ = ["builtin_texts", "groups", "languages", "special_texts"]

_SCRIPTS: tuple[tuple[str, Mapping[str, tuple[str, ...]]], ...] = (
    ("Latin", latin.LATIN),
    ("Cyrillic", european.CYRILLIC),
    ("Greek", european.GREEK),
    ("Armenian", european.ARMENIAN),
    ("Georgian", european.GEORGIAN),
    ("Gothic", european.GOTHIC),
    ("Hebrew", near_eastern.HEBREW),
    ("Arabic", near_eastern.ARABIC),
    ("Syriac", near_eastern.SYRIAC),
    ("Thaana", near_eastern.THAANA),
    ("N'Ko", near_eastern.NKO),
    ("Devanagari", south_asian.DEVANAGARI),
    ("Bengali", south_asian.BENGALI),
    ("Gurmukhi", south_asian.GURMUKHI),
    ("Gujarati", south_asian.GUJARATI),
    ("Odia", south_asian.ODIA),
    ("Tamil", south_asian.TAMIL),
    ("Telugu", south_asian.TELUGU),
    ("Kannada", south_asian.KANNADA),
    ("Malayalam", south_asian.MALAYALAM),
    ("Sinhala", south_asian.SINHALA),
    ("Ol Chiki", south_asian.OL_CHIKI),
    ("Thai", east_asian.THAI),
    ("Lao", east_asian.LAO),
    ("Khmer", east_asian.KHMER),
    ("Myanmar", east_asian.BURMESE),
    ("Tibetan", east_asian.TIBETAN),
    ("Mongolian", east_asian.MONGOLIAN),
    ("Javanese", east_asian.JAVANESE),
    ("Han", east_asian.HAN),
    ("Kana", east_asian.KANA),
    ("Hangul", east_asian.HANGUL),
    ("Yi", east_asian.YI),
    ("Ethiopic", african_american.ETHIOPIC),
    ("Tifinagh", african_american.TIFINAGH),
    ("Adlam", african_american.ADLAM),
    ("Cherokee", african_american.CHEROKEE),
    ("Canadian syllabics", african_american.CANADIAN),
)

_OTHERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mixed scripts", mixtures.MIXED_SCRIPTS),
    ("code", tuple(text for texts in code.CODE.values() for text in texts)),
    ("emoji and pictures", pictures.EMOJI),
    ("numbers", shapes.NUMBERS),
    ("case", shapes.CASE),
    ("contractions", shapes.CONTRACTIONS),
    ("punctuation", shapes.PUNCTUATION),
    ("addresses", shapes.ADDRESSES),
    ("look-alikes of special tokens", look_alikes.LOOK_ALIKES),
    ("spaces", white_space.SPACES),
    ("line ends and tabs", white_space.LINES),
    ("other spaces", white_space.OTHER_SPACES),
    ("mixed white space", white_space.MIXED_SPACES),
    ("U+0085, U+2028, U+2029", white_space.UNICODE_BREAKS),
    ("U+0000", invisible.NUL),
    ("controls", invisible.CONTROLS),
    ("format characters", invisible.FORMATS),
    ("normalization forms", forms.NORMALIZATION),
    ("marks", forms.MARKS),
    ("long words", mixtures.LONG_WORDS),
    ("long runs", mixtures.LONG_RUNS),
    ("empty and one character", mixtures.SINGLE),
)


def languages() -> Mapping[str, tuple[str, ...]]:
    """The sentences by language; a language that is written in two ways stands here twice."""
    return MappingProxyType({name: texts for _, by_language in _SCRIPTS for name, texts in by_language.items()})


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """All texts by group: one group a script for sentences, one a subject for the rest.  No text stands twice."""
    by_script = ((script, tuple(text for texts in table.values() for text in texts)) for script, table in _SCRIPTS)
    seen: set[str] = set()
    result: dict[str, tuple[str, ...]] = {}
    for name, texts in (*by_script, *_OTHERS):
        result[name] = tuple(text for text in dict.fromkeys(texts) if text not in seen)
        seen.update(texts)
    return MappingProxyType(result)


def builtin_texts() -> tuple[str, ...]:
    """All texts, in the order of their groups."""
    return tuple(text for texts in groups().values() for text in texts)
