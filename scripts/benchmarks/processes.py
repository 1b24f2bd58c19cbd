"""Whole processes, measured from outside."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / ".corpus"
RUNS = 5

_MEASURE = (
    "import resource, subprocess, sys, time; start = time.perf_counter();"
    "code = subprocess.run(sys.argv[1:], check=False).returncode;"
    "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"
)


@dataclass(frozen=True)
class Cost:
    """What a process costs: wall seconds and peak memory in MiB."""

    seconds: float
    mebibytes: float


def run(command: Sequence[str], folder: Path = ROOT) -> Cost:
    """Run a process in ``folder``; an error of the process is an error here."""
    command = [sys.executable, "-c", _MEASURE, *command]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder)
    seconds, kibibytes = done.stdout.split()[-2:]
    return Cost(float(seconds), int(kibibytes) / 1024)


def medians(commands: Sequence[tuple[Sequence[str], Path]]) -> list[Cost]:
    """The medians of several runs of each command, in turn, after a run of each that does not count.

    What the machine does beside then falls on all of them.
    """
    for command, folder in commands:
        run(command, folder)
    rounds = [[run(command, folder) for command, folder in commands] for _ in range(RUNS)]
    return [
        Cost(statistics.median(cost.seconds for cost in costs), statistics.median(cost.mebibytes for cost in costs))
        for costs in zip(*rounds, strict=True)
    ]


def export_command(source: Path, out: Path, *options: str) -> list[str]:
    """The command that exports a model directory, for a process that starts in the root of a checkout."""
    return [
        sys.executable,
        "-m",
        "mtok_export",
        "export",
        "--quiet",
        "--path",
        str(source),
        "--out",
        str(out),
        *options,
    ]


def corpus_names() -> list[str]:
    """The tokenizers of the corpus that have a tokenizer.json."""
    return sorted(path.parent.name for path in CORPUS.glob("*/tokenizer.json"))
