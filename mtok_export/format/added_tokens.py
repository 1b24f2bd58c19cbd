"""The added-tokens section: strings that are found before the model sees the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AddedToken:
    """One added token; where two have the same content, the engine gives the id of the first."""

    id: int
    special: bool
    lstrip: bool
    rstrip: bool
    content: str
