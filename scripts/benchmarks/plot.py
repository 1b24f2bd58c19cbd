"""Time over length as an SVG picture: one panel for each tokenizer, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from scripts.benchmarks.engine import SIZES, FileTimes
from scripts.benchmarks.materials import KINDS
from scripts.benchmarks.tables import Pair

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""One for each kind of text; they stay apart for colour-blind eyes."""

WIDTH, HEIGHT = 300, 230
LEFT, RIGHT, TOP, BOTTOM = 50, 20, 30, 34
COLUMNS = 3
LEGEND = 44

STYLE = (
    "<style>text{font:12px sans-serif;fill:#222}.t{font-weight:bold}.s{font-size:10px;fill:#555}"
    ".g{stroke:#ddd}.p{fill:none;stroke-width:2}.o{stroke-dasharray:5 4}</style>"
)


def svg(pairs: Sequence[Pair]) -> str:
    """The picture; the first file of each pair is dashed, the second solid."""
    columns = min(COLUMNS, len(pairs))
    rows = math.ceil(len(pairs) / columns)
    width, height = columns * WIDTH, rows * HEIGHT + LEGEND
    low, high = _decades(pairs)
    body = [
        part
        for index, pair in enumerate(pairs)
        for part in _panel(pair, index % columns * WIDTH, index // columns * HEIGHT, low, high)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, STYLE, background, *body, *_legend(pairs, rows * HEIGHT), "</svg>", ""])


def _decades(pairs: Sequence[Pair]) -> tuple[int, int]:
    """The powers of ten that hold all times."""
    times = [
        timing.milliseconds
        for _, *files in pairs
        for file in files
        for timing in file.timings
        if timing.milliseconds is not None
    ]
    return math.floor(math.log10(min(times, default=1))), math.ceil(math.log10(max(times, default=1)))


def _panel(pair: Pair, left: int, top: int, low: int, high: int) -> Iterator[str]:
    name, *files = pair
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(size: float) -> float:
        return LEFT + inner_width * math.log(size / SIZES[0]) / math.log(SIZES[-1] / SIZES[0])

    def y(milliseconds: float) -> float:
        return TOP + inner_height * (high - math.log10(milliseconds)) / max(high - low, 1)

    yield f'<g transform="translate({left} {top})">'
    yield f'<text class="t" x="{LEFT}" y="18">{escape(name)}</text>'
    for power in range(low, high + 1):
        at = y(10**power)
        yield f'<path class="g" d="M{LEFT} {at:.1f}h{inner_width}"/>'
        yield f'<text class="s" x="{LEFT - 6}" y="{at + 3:.1f}" text-anchor="end">{_words(power)}</text>'
    for size in SIZES:
        yield f'<path class="g" d="M{x(size):.1f} {TOP}v{inner_height}"/>'
        yield f'<text class="s" x="{x(size):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{size:,}</text>'
    for file, style in zip(files, ("p o", "p"), strict=True):
        for kind, colour in zip(KINDS, COLOURS, strict=True):
            points = _points(file, kind)
            path = " ".join(f"{x(size):.1f},{y(milliseconds):.1f}" for size, milliseconds in points)
            yield f'<polyline class="{style}" stroke="{colour}" points="{path}"/>'
    yield "</g>"


def _words(power: int) -> str:
    """A power of ten, of milliseconds."""
    return f"{10.0**power:g} ms" if power < 3 else f"{10 ** (power - 3):,} s"


def _points(file: FileTimes, kind: str) -> list[tuple[int, float]]:
    timings = file.of(kind).items()
    return [(size, timing.milliseconds) for size, timing in timings if timing.milliseconds is not None]


def _legend(pairs: Sequence[Pair], top: int) -> Iterator[str]:
    for index, (kind, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        left = LEFT + index * 140
        yield f'<path class="p" stroke="{colour}" d="M{left} {top + 10}h20"/>'
        yield f'<text x="{left + 26}" y="{top + 14}">{escape(kind)}</text>'
    _, one, other = pairs[0]
    words = f"characters against milliseconds; dashed: {one.label}, solid: {other.label}"
    yield f'<text class="s" x="{LEFT}" y="{top + 34}">{escape(words)}</text>'
