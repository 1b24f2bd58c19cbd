"""The three lines of text that every tokenizer file of the engine starts with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Header:
    """The three id lists.

    ``special_ids`` are looked for first in a text (in this order) and skipped in whole decoding; ``stop_ids`` end
    generation; ``prefix_ids`` start every encoding.  ``trailing_space`` says whether the third line ends with a space
    before its line end, as MNN's own exporter writes it; the engine takes both.
    """

    special_ids: tuple[int, ...] = ()
    stop_ids: tuple[int, ...] = ()
    prefix_ids: tuple[int, ...] = ()
    trailing_space: bool = False
