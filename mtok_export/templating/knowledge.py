"""What the engine's Jinja subset knows, and what it makes of the rest; all of it seen by running release 3.6.1.

Releases 3.5.0 and 3.6.0 give the same.
"""

from __future__ import annotations

HARMLESS_TAGS = frozenset({"generation", "endgeneration", "block", "endblock", ""})
"""Tags that the engine skips, and that change nothing in a rendered conversation ("" is an empty tag)."""

SKIPPED_TAGS = {
    "break": "it is skipped: the loop goes on",
    "continue": "it is skipped: the rest of the loop's body is rendered",
    "call": "it is skipped: the macro is not called, and what stands inside is printed in its place",
    "filter": "it is skipped: what stands inside is printed unfiltered",
    "with": "it is skipped: its variables are undefined",
    "raw": "it is skipped: braces inside are evaluated",
    "do": "it is skipped: nothing is done",
    "include": "it is skipped: nothing is included",
    "import": "it is skipped: nothing is imported",
    "from": "it is skipped: nothing is imported",
    "extends": "it is skipped: nothing is extended",
    "autoescape": "it is skipped: nothing is escaped",
}
SKIPPED_TAG = "it is skipped"

CLOSING_TAGS = frozenset(
    ("endset", "endcall", "endfilter", "endwith", "endraw", "endautoescape", "endblock", "endtrans", "pluralize")
)
"""What closes a tag that is reported already."""

KNOWN_FILTERS = frozenset(
    ("tojson", "string", "capitalize", "length", "trim", "items", "lower", "upper", "map", "safe", "list")
)
"""``safe`` and ``list`` are not known, but letting the value through is what they come to here."""

SKIPPED_FILTERS = {
    "default": "it is skipped: an undefined value stays undefined and prints nothing",
    "d": "it is skipped: an undefined value stays undefined and prints nothing",
    "join": "it is skipped: the list itself is printed, as JSON",
    "first": "it is skipped: the whole list goes on",
    "last": "it is skipped: the whole list goes on",
    "reverse": "it is skipped: the order stays",
    "sort": "it is skipped: the order stays",
    "selectattr": "it is skipped: nothing is left out",
    "rejectattr": "it is skipped: nothing is left out",
    "select": "it is skipped: nothing is left out",
    "reject": "it is skipped: nothing is left out",
    "unique": "it is skipped: nothing is left out",
    "count": "it is skipped: the value itself goes on, not its length",
    "replace": "it is skipped: nothing is replaced (the method .replace() works)",
    "indent": "it is skipped: nothing is indented",
    "int": "it is skipped: a text stays a text",
    "float": "it is skipped: a text stays a text",
    "dictsort": "it is skipped: the mapping itself goes on (a loop over it gives its keys alone)",
}
SKIPPED_FILTER = "it is skipped: the value goes on unchanged"

ASCII_FILTERS = frozenset({"upper", "lower", "capitalize"})
ASCII_ONLY = "only ASCII letters change"

TOJSON_ORDER = (
    "keys come out in an order of its own: type, function, name, description, parameters, properties, required and "
    "enum first, the others by name"
)

KNOWN_TESTS = frozenset(
    (
        "defined",
        "undefined",
        "none",
        "boolean",
        "string",
        "number",
        "sequence",
        "iterable",
        "mapping",
        "true",
        "false",
    )
)
UNKNOWN_TEST = "it is never true"

KNOWN_FUNCTIONS = frozenset({"range", "namespace", "strftime_now"})
RAISE = "raise_exception"
RAISE_EFFECT = "nothing is raised: rendering goes on"
UNKNOWN_FUNCTION = "it gives an empty text"

KNOWN_METHODS = frozenset({"startswith", "endswith", "split", "lstrip", "rstrip", "strip", "replace"})
METHODS_ON_MAPPINGS = {
    "items": "it gives an empty text, so a loop over it does nothing (the filter |items works)",
    "get": "it gives an empty text, whatever the mapping holds",
    "keys": "it gives an empty text, so a loop over it does nothing",
    "values": "it gives an empty text, so a loop over it does nothing",
}
UNKNOWN_METHOD = "it gives an empty text"

KNOWN_LOOP = frozenset({"index", "index0", "first", "last", "length"})
UNKNOWN_LOOP = "it is undefined and prints nothing"

UNDEFINED_NAMES = frozenset({"self", "caller", "varargs", "kwargs"})
"""Names that Jinja has by itself, beside the functions."""

CAPITAL_CONSTANTS = {"True": True, "False": False, "None": None}
CAPITAL_EFFECT = "with a capital letter it is the name of an undefined variable"

ABSENT_NAMES = frozenset({"tools", "documents"})
"""Variables that are none in transformers where the user gives none, and that the engine never has."""

TEXT_NAMES = frozenset({"content", "text", "reasoning_content"})
"""Names that hold a text in chat templates."""

MAX_RANGE = 10_000_000
"""A range of more numbers than this fills the engine's memory."""
