"""Progress for a person: on stderr, on a terminal alone, and only once the work has taken a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any

DELAY_SECONDS = 1.0
"""Most commands have ended by then, and have not imported tqdm."""


@contextmanager
def progress_bar(steps: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """Yields a function that is told the name of each step before it starts."""
    if sys.stderr is None or not sys.stderr.isatty():  # None: it was closed
        yield lambda _step: None
        return
    start = monotonic()
    bar: Any = None
    with ExitStack() as stack:

        def step(name: str) -> None:
            nonlocal bar
            if monotonic() - start < DELAY_SECONDS:
                return
            if bar is None:
                bar = stack.enter_context(_bar(len(steps)))
            bar.n = steps.index(name)
            bar.set_description_str(name)

        yield step


def _bar(total: int) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, leave=False, file=sys.stderr, bar_format="{desc} {bar} {n_fmt}/{total_fmt}")
