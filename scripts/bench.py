"""Measure speed, as ratios within one run.

    python scripts/bench.py export [NAME ...]           # whole process, beside the floor: start, parse the JSON, write
    python scripts/bench.py verify [NAME ...]           # mtok verify on the real engine: seconds for each, and the sum
    python scripts/bench.py engine [NAME ...]           # new texts on the real engine: plain against faithful file
    python scripts/bench.py engine A.mtok B.mtok        # the same for two files
    python scripts/bench.py render RESULT.json          # a stored result of engine as a table for the README
    python scripts/bench.py revisions OLD NEW [NAME ...]  # export by two git revisions ("." is the working tree)

Names are those of the corpus (default: all that have a tokenizer.json).  Medians of several runs; figures of one run on
one machine, to compare with each other and with nothing else.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # so that it runs from any folder, uninstalled too

from scripts.benchmarks.engine import measure
from scripts.benchmarks.exports import bench_export, bench_revisions, bench_verify
from scripts.benchmarks.plot import svg
from scripts.benchmarks.processes import CORPUS, corpus_names, export_command, run
from scripts.benchmarks.tables import Pair, as_json, from_json, lines, markdown

Bench = Callable[[argparse.Namespace], None]


def bench_engine(options: argparse.Namespace) -> None:
    """Print a table for each pair of files; write JSON and a picture where asked."""
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, *files in files_to_compare(options.names, Path(folder)):
            one, other = measure(files, options.python, options.deadline, partial(progress, name))
            pairs.append((name, one, other))
            print("\n".join(lines(*pairs[-1])), flush=True)
            # Written after each, so that a run that is cut short leaves something.
            if options.json:
                options.json.write_text(json.dumps(as_json(pairs, options.deadline), indent=1) + "\n", encoding="utf-8")
            if options.svg:
                options.svg.write_text(svg(pairs), encoding="utf-8")


Labelled = tuple[str, Path]


def files_to_compare(names: list[str], folder: Path) -> list[tuple[str, Labelled, Labelled]]:
    """A name and two labelled files for each comparison; tokenizers of the corpus are exported into ``folder``."""
    if len(names) == 2 and all(Path(name).is_file() for name in names):
        one, other = map(Path, names)
        return [(f"{one.name} and {other.name}", (str(one), one), (str(other), other))]
    found = []
    for name in names or corpus_names():
        plain, faithful = folder / f"{name}.plain.mtok", folder / f"{name}.mtok"
        run(export_command(CORPUS / name, plain, "--plain"))
        run(export_command(CORPUS / name, faithful))
        found.append((name, ("plain", plain), ("faithful", faithful)))
    return found


def render(options: argparse.Namespace) -> None:
    """Print a stored result as a table in Markdown, and draw it where asked."""
    pairs = from_json(json.loads(options.result.read_text(encoding="utf-8")))
    print("\n".join(markdown(pairs)))
    if options.svg:
        options.svg.write_text(svg(pairs), encoding="utf-8")


def progress(name: str, doing: str) -> None:
    """Say on a terminal what is measured now."""
    if sys.stderr.isatty():
        print(f"\r\033[K{name}: {doing} ", end="", file=sys.stderr, flush=True)


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure speed on the fetched corpus.")
    commands = parser.add_subparsers(required=True)

    def command(name: str, bench: Bench, about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.set_defaults(bench=bench)
        return sub

    tokenizers = "tokenizers of the corpus (default: all that have a tokenizer.json)"
    export = command("export", bench_export, "Time and memory of an export, beside the floor.")
    export.add_argument("names", nargs="*", help=tokenizers)
    export.add_argument("--json", type=Path, help="also write the figures here")
    command("verify", bench_verify, "Time of mtok verify.").add_argument("names", nargs="*", help=tokenizers)
    revisions = command("revisions", bench_revisions, "Time and memory of an export by two git revisions.")
    revisions.add_argument("old", help="a git revision")
    revisions.add_argument("new", help='a git revision, or "." for the working tree')
    revisions.add_argument("names", nargs="*", help=tokenizers)
    engine = command("engine", bench_engine, "Time of the real engine on new texts, one file against another.")
    engine.add_argument("names", nargs="*", help=f"two files, or {tokenizers}")
    engine.add_argument("--python", default=sys.executable, help="the interpreter that has the package mnn")
    engine.add_argument("--deadline", type=float, default=60.0, help="seconds for one text (default: 60)")
    engine.add_argument("--json", type=Path, help="also write the figures here")
    engine.add_argument("--svg", type=Path, help="also draw time over length here")
    rendering = command("render", render, "A stored result of engine as a table in Markdown.")
    rendering.add_argument("result", type=Path, help="what --json wrote")
    rendering.add_argument("--svg", type=Path, help="also draw time over length here")
    options = parser.parse_args()
    options.bench(options)
    return 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
