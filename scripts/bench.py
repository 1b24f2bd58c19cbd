"""Measure speed, as ratios within one run.

    python scripts/bench.py export [NAME ...]   # whole process, beside the floor: start, parse the JSON, write bytes
    python scripts/bench.py verify [NAME ...]   # mtok verify on the real engine: seconds for each, and the sum

Medians of several runs; figures of one run on one machine, to compare with each other and with nothing else.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / ".corpus"
RUNS = 5

FLOOR = (
    "import orjson, sys, pathlib; value = orjson.loads(pathlib.Path(sys.argv[1]).read_bytes());"
    "pathlib.Path(sys.argv[2]).write_bytes(bytes(int(sys.argv[3])))"
)
"""What no exporter can do without: start the interpreter, parse the JSON, write as many bytes as the file has."""


def run(command: Sequence[str]) -> tuple[float, int]:
    """Wall seconds and peak memory (KiB) of a whole process; an error of the process is an error here."""
    script = (
        "import resource, subprocess, sys, time; start = time.perf_counter();"
        "code = subprocess.run(sys.argv[1:], check=False).returncode;"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True, cwd=ROOT
    )
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), int(memory)


def medians(command: Sequence[str]) -> tuple[float, float]:
    """The median wall seconds and peak MiB of several runs, after one that is not counted."""
    run(command)
    runs = [run(command) for _ in range(RUNS)]
    return statistics.median(s for s, _ in runs), statistics.median(m for _, m in runs) / 1024


def bench_export(names: Sequence[str]) -> None:
    """Print, for each tokenizer, export and floor, and their ratios."""
    print(f"{'tokenizer':24}{'export s':>10}{'floor s':>10}{'ratio':>8}{'MiB':>8}{'floor':>8}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.mtok"
        for name in names:
            export = [sys.executable, "-m", "mtok_export", "export", "--quiet", "--path", str(CORPUS / name)]
            seconds, memory = medians([*export, "--out", str(out)])
            source = CORPUS / name / "tokenizer.json"
            floor = [sys.executable, "-c", FLOOR, str(source), str(out), str(out.stat().st_size)]
            floor_seconds, floor_memory = medians(floor)
            print(
                f"{name:24}{seconds:10.2f}{floor_seconds:10.2f}{seconds / floor_seconds:8.2f}"
                f"{memory:8.0f}{floor_memory:8.0f}{memory / floor_memory:8.2f}",
                flush=True,
            )


def bench_verify(names: Sequence[str]) -> None:
    """Print the seconds that mtok verify takes for each tokenizer, and their sum."""
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            file = Path(folder) / f"{name}.mtok"
            command = [sys.executable, "-m", "mtok_export"]
            run([*command, "export", "--quiet", "--path", str(CORPUS / name), "--out", str(file)])
            start = time.perf_counter()
            # Exit code 1 says that something differs, which is no matter here.
            verify = [*command, "verify", "--path", str(CORPUS / name), str(file), "--engine", "native"]
            subprocess.run(verify, capture_output=True, check=False, cwd=ROOT)
            seconds = time.perf_counter() - start
            total += seconds
            print(f"{name:24}{seconds:10.2f}", flush=True)
    print(f"{'together':24}{total:10.2f}")


BENCHES: dict[str, Callable[[Sequence[str]], None]] = {"export": bench_export, "verify": bench_verify}


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure speed on the fetched corpus.")
    parser.add_argument("what", choices=sorted(BENCHES))
    parser.add_argument("names", nargs="*", help="tokenizers (default: all that have a tokenizer.json)")
    options = parser.parse_args()
    names = options.names or sorted(path.parent.name for path in CORPUS.glob("*/tokenizer.json"))
    if not names:
        parser.error("nothing to measure: run scripts/fetch_corpus.py first")
    BENCHES[options.what](names)
    return 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
