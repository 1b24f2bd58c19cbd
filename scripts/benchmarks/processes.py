"""Whole processes, measured from outside."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / ".corpus"
RUNS = 5

_MEASURE = (
    "import resource, subprocess, sys, time; start = time.perf_counter();"
    "code = subprocess.run(sys.argv[1:], check=False).returncode; wall = time.perf_counter() - start;"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
    "print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss); sys.exit(code)"
)


@dataclass(frozen=True)
class Cost:
    """What a process and its children cost: wall and processor seconds, and the highest peak memory in MiB.

    Where other work goes on beside, processor seconds are the ones to look at.
    """

    seconds: float
    processor: float
    mebibytes: float


def run(command: Sequence[str], folder: Path = ROOT) -> Cost:
    """Run a process in ``folder``; an error of the process is an error here.

    Its modules are compiled once and kept, as those of an installed package are.
    """
    command = [sys.executable, "-c", _MEASURE, *command]
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder, env=variables)
    seconds, processor, kibibytes = done.stdout.split()[-3:]
    return Cost(float(seconds), float(processor), int(kibibytes) / 1024)


def medians(commands: Sequence[tuple[Sequence[str], Path]]) -> list[Cost]:
    """The medians of several runs of each command, in turn, after a run of each that does not count.

    What the machine does beside then falls on all of them.
    """
    for command, folder in commands:
        run(command, folder)
    rounds = [[run(command, folder) for command, folder in commands] for _ in range(RUNS)]
    return [
        Cost(*(statistics.median(getattr(cost, field.name) for cost in costs) for field in fields(Cost)))
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
