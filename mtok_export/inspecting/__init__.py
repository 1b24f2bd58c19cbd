"""Look at a file: its sections, its ops, its vocabulary, and what it makes of texts.

``Inspection(opened)`` gives everything as plain JSON values; ``reachability(file)`` looks for entries that no text can
give; ``characters_per_token`` counts on texts.
"""

from mtok_export.inspecting.by_script import ScriptFigures, characters_per_token
from mtok_export.inspecting.inspection import SECTION_NAMES, Inspection
from mtok_export.inspecting.reachability import Reachability, Unreachable, reachability

__all__ = [
    "SECTION_NAMES",
    "Inspection",
    "Reachability",
    "ScriptFigures",
    "Unreachable",
    "characters_per_token",
    "reachability",
]
