"""What differs between two files, by meaning.

``diff(old, new)`` gives the differences section by section; ``template_diff`` is the unified diff of the templates.
"""

from __future__ import annotations

import difflib
import sys

from mtok_export.diffing.sections import (
    Change,
    Differences,
    Found,
    added_token_changes,
    header_changes,
    model_changes,
    tail_changes,
    tree_changes,
)
from mtok_export.diffing.text_files import kind_changes, text_changes
from mtok_export.format import MtokFile
from mtok_export.tokenizer_file import TokenizerFile

__all__ = ["Change", "Differences", "diff", "template_diff"]

_RULES = (header_changes, tree_changes, model_changes, added_token_changes, tail_changes)


def diff(old: TokenizerFile, new: TokenizerFile, *, most: int = sys.maxsize) -> tuple[Differences, ...]:
    """Compare two files.

    Args:
        old: the first file.
        new: the second file.
        most: how many changes of each kind are given; all are counted.

    Returns:
        The differences by section and kind, in file order; none for files that mean the same.
    """
    return tuple(
        Differences(section, kind, len(changes), tuple(changes[:most])) for section, kind, changes in _found(old, new)
    )


def _found(old: TokenizerFile, new: TokenizerFile) -> Found:
    if isinstance(old, MtokFile) and isinstance(new, MtokFile):
        for rule in _RULES:
            yield from rule(old, new)
    elif isinstance(old, MtokFile) or isinstance(new, MtokFile) or old.kind is not new.kind:
        yield from kind_changes(old, new)
    else:
        yield from text_changes(old, new)


def template_diff(old: str | None, new: str | None, names: tuple[str, str] = ("old", "new")) -> list[str]:
    """The unified diff of two chat templates, line by line without line ends."""
    before, after = ((text or "").splitlines() for text in (old, new))
    return list(difflib.unified_diff(before, after, *names, lineterm=""))
