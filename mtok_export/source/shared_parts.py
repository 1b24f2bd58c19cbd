"""Parts that stand in several slots: patterns, Metaspace, ByteLevel."""

from __future__ import annotations

from collections.abc import Mapping

from mtok_export.source.json_values import JsonObject, quote
from mtok_export.source.pipeline import Pattern, PrependScheme, RegexPattern, SplitBehavior, StringPattern

BEHAVIORS: Mapping[str, SplitBehavior] = {
    "Removed": "Removed",
    "Isolated": "Isolated",
    "MergedWithPrevious": "MergedWithPrevious",
    "MergedWithNext": "MergedWithNext",
    "Contiguous": "Contiguous",
}
PREPEND_SCHEMES: Mapping[str, PrependScheme] = {"first": "first", "never": "never", "always": "always"}
PATTERN_TYPES: Mapping[str, type[StringPattern] | type[RegexPattern]] = {"String": StringPattern, "Regex": RegexPattern}

BYTE_LEVEL_FIELDS = ("add_prefix_space", "trim_offsets", "use_regex")
METASPACE_FIELDS = ("replacement", "add_prefix_space", "prepend_scheme", "split")


def load_pattern(source: JsonObject, key: str = "pattern") -> Pattern:
    """``{"String": ...}`` or ``{"Regex": ...}``.

    A Regex is not compiled here: that takes the Oniguruma library, by which ``tokenizers`` refuses what is no pattern.
    """
    pattern = source.object(key)
    if len(pattern.items) != 1:
        raise source.error(key, f"a pattern holds exactly one of String and Regex, not {len(pattern.items)} fields")
    name = next(iter(pattern.items))
    if name not in PATTERN_TYPES:
        raise source.error(key, f"{quote(name)} is no pattern type; known are {', '.join(PATTERN_TYPES)}")
    return PATTERN_TYPES[name](pattern.string(name))


def load_metaspace(source: JsonObject) -> tuple[str, PrependScheme, bool]:
    """The fields of a Metaspace: replacement, prepend scheme, split.

    ``add_prefix_space`` is what old files have in place of ``prepend_scheme``.  As in the ``tokenizers`` library, true
    says nothing (it goes with every scheme, and without one the scheme is ``always``), false needs a ``never``.
    """
    replacement = source.character("replacement")
    scheme = source.choice("prepend_scheme", PREPEND_SCHEMES, default="always")
    if source.optional_boolean("add_prefix_space") is False and scheme != "never":
        stated = "prepend_scheme is missing" if "prepend_scheme" not in source.items else f"prepend_scheme is {scheme}"
        raise source.error(
            "add_prefix_space",
            f"add_prefix_space is false, but {stated}",
            'the tokenizers library refuses this; say "prepend_scheme": "never"',
        )
    split = source.optional_boolean("split")
    return replacement, scheme, True if split is None else split


def load_byte_level(source: JsonObject) -> tuple[bool, bool, bool]:
    """The flags of a ByteLevel: add_prefix_space, trim_offsets, use_regex (true when missing, as in old files)."""
    return (
        source.boolean("add_prefix_space"),
        source.boolean("trim_offsets"),
        source.boolean("use_regex", default=True),
    )
