"""Progress for a person: on stderr, on a terminal alone, and only once the work has taken a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def progress_bar(steps: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """Yields a function that is told the name of each step before it starts."""
    if sys.stderr is None or not sys.stderr.isatty():  # None: it was closed
        yield lambda _step: None
        return
    from tqdm import tqdm

    with tqdm(
        total=len(steps), delay=1.0, leave=False, file=sys.stderr, bar_format="{desc} {bar} {n_fmt}/{total_fmt}"
    ) as bar:

        def step(name: str) -> None:
            bar.set_description_str(name, refresh=False)
            bar.update(steps.index(name) - bar.n)

        yield step
