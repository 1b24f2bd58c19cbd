"""Regular expressions of Hugging Face (Oniguruma) in the dialect of the engine's Split."""

from mtok_export.lowering.regex.errors import RegexSyntaxError
from mtok_export.lowering.regex.translate import GPT2_PATTERN, escape_literal, translate, translate_split
from mtok_export.lowering.regex.translation import RegexLimit, SplitStep, Translation

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
