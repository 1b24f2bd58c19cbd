"""Regular expressions of Hugging Face (Oniguruma) in the dialect of the engine's Split.

How a pattern goes through the modules::

    text -parse-> ast -build-> ir -behind, boundaries-> ir that looks nowhere back
                               |-lower, normal-> program -tiling-> Splits of the byte matcher -spelling-> text
                               `-wide-> Splits of std::wregex, exact to the code point

``reading`` and ``matcher`` model what the engine makes of a pattern's text: a pattern that it reads as the program that
is wanted stays as it is.  ``oniguruma`` asks ``tokenizers`` which characters a class holds and how a text is split;
``limits`` says what differs, and ``examples`` looks for texts that show it.  Where the byte matcher is too coarse,
``cuts`` and ``words`` find places that the wide matcher can cut beforehand.
"""

from typing import TYPE_CHECKING

from mtok_export.lazy import names_of

if TYPE_CHECKING:
    from mtok_export.lowering.regex.errors import RegexSyntaxError
    from mtok_export.lowering.regex.translating import GPT2_PATTERN, escape_literal, translate, translate_split
    from mtok_export.lowering.regex.translation import RegexLimit, SplitStep, Translation

_HOMES = {
    "GPT2_PATTERN": "translating",
    "RegexLimit": "translation",
    "RegexSyntaxError": "errors",
    "SplitStep": "translation",
    "Translation": "translation",
    "escape_literal": "translating",
    "translate": "translating",
    "translate_split": "translating",
}
"""Where each name is; its module is imported when it is first asked for, since many tokenizers have no pattern."""

__all__ = [
    "GPT2_PATTERN",
    "RegexLimit",
    "RegexSyntaxError",
    "SplitStep",
    "Translation",
    "escape_literal",
    "translate",
    "translate_split",
]


__getattr__ = names_of(__name__, _HOMES)
