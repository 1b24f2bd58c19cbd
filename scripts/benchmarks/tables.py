"""What was measured on the engine, as a table for people and as JSON for machines."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from scripts.benchmarks.engine import SIZES, FileTimes, Timing
from scripts.benchmarks.materials import KINDS

Pair = tuple[str, FileTimes, FileTimes]
"""A name, and two files to compare: A and B, or plain and faithful."""


def as_json(pairs: Sequence[Pair], deadline: float) -> dict[str, Any]:
    """Everything that was measured."""
    return {
        "machine": f"{platform.system()} {platform.machine()}",
        "deadline_seconds": deadline,
        "pairs": [{"name": name, "files": [asdict(one), asdict(other)]} for name, one, other in pairs],
    }


def lines(name: str, one: FileTimes, other: FileTimes) -> Iterator[str]:
    """The table of one pair."""
    yield f"{name} (engine {one.engine}): {one.label} against {other.label}"
    yield f"  file      {one.bytes:14,} {other.bytes:14,} bytes  x {other.bytes / one.bytes:.2f}"
    load, other_load = one.load_milliseconds, other.load_milliseconds
    yield f"  load      {load:14.1f} {other_load:14.1f} ms     x {other_load / load:.2f}"
    for kind in KINDS:
        yield f"  {kind}"
        by_size, other_by_size = one.of(kind), other.of(kind)
        for size in SIZES:
            first, second = by_size[size], other_by_size[size]
            yield f"    {size:6,}  {shown(first):>14} {shown(second):>14} ms     {faster(first, second)}"
        yield f"    growth  {growth(by_size):>14} {growth(other_by_size):>14}        from 8,000 to 32,000"


def from_json(result: dict[str, Any]) -> list[Pair]:
    """What ``as_json`` made a JSON object of."""

    def file(values: dict[str, Any]) -> FileTimes:
        return FileTimes(**{**values, "timings": tuple(Timing(**timing) for timing in values["timings"])})

    return [(pair["name"], *map(file, pair["files"])) for pair in result["pairs"]]


def markdown(pairs: Sequence[Pair]) -> Iterator[str]:
    """A table for the README: milliseconds at two lengths, A and B, and how B grows from one to the other."""
    one, other = (file.label for file in pairs[0][1:])
    short, long = SIZES[-2:]
    columns = ("tokenizer", "text", *(f"{size:,}: {label}" for size in (short, long) for label in (one, other)))
    yield f"| {' | '.join((*columns, f'growth, {other}'))} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for name, first, second in pairs:
        for kind in KINDS:
            times = [shown(file.of(kind)[size]) for size in (short, long) for file in (first, second)]
            yield f"| {' | '.join((name, kind, *times, growth(second.of(kind))))} |"


def shown(timing: Timing) -> str:
    """The milliseconds in words."""
    if timing.milliseconds is None:
        return "too long" if timing.runs else "-"
    return f"{timing.milliseconds:,.2f}"


def faster(one: Timing, other: Timing) -> str:
    """How many times faster the second is."""
    if one.milliseconds is None or other.milliseconds is None:
        return ""
    return f"{one.milliseconds / other.milliseconds:.2f} times as fast"


def growth(by_size: dict[int, Timing]) -> str:
    """How the longest text compares with the one before it; 4 is linear."""
    short, long = (by_size[size].milliseconds for size in SIZES[-2:])
    return "" if short is None or long is None else f"x {long / short:.2f}"
