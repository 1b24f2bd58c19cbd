"""The error of the parser."""

from __future__ import annotations

from mtok_export.errors import SourceError


class RegexSyntaxError(SourceError):
    """A pattern that Oniguruma would not compile.

    Args:
        message: what is wrong.
        pattern: the whole pattern.
        position: where in it, in characters.
    """

    def __init__(self, message: str, *, pattern: str, position: int) -> None:
        shown = pattern if len(pattern) <= 60 else pattern[max(0, position - 25) : position + 25]
        super().__init__(f"the regular expression {shown!r} is not valid: {message}, at character {position}")
        self.pattern = pattern
        self.position = position
