"""The export as a whole process: beside the floor, beside another revision; and mtok verify."""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path

from scripts.benchmarks.processes import CORPUS, ROOT, Cost, corpus_names, export_command, medians, run

FLOOR = (
    "import orjson, sys, pathlib; value = orjson.loads(pathlib.Path(sys.argv[1]).read_bytes());"
    "pathlib.Path(sys.argv[2]).write_bytes(bytes(int(sys.argv[3])))"
)
"""What no exporter can do without: start the interpreter, parse the JSON, write as many bytes as the file has."""

EMPTY = [sys.executable, "-c", "pass"]


def bench_export(options: argparse.Namespace) -> None:
    """Print, for each tokenizer, export and floor, their ratios, and the seconds above an empty process."""
    print(f"{'tokenizer':24}{'export s':>9}{'floor':>7}{'ratio':>7}{'- empty':>9}", end="")
    print(f"{'cpu s':>8}{'floor':>7}{'ratio':>7}{'MiB':>8}{'floor':>7}{'ratio':>7}")
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.mtok"
        for name in options.names or corpus_names():
            source = CORPUS / name
            export = export_command(source, out)
            run(export)
            floor = [sys.executable, "-c", FLOOR, str(source / "tokenizer.json"), str(out), str(out.stat().st_size)]
            cost, least, empty = medians([(export, ROOT), (floor, ROOT), (EMPTY, ROOT)])
            print(
                f"{name:24}{cost.seconds:9.3f}{least.seconds:7.3f}{cost.seconds / least.seconds:7.2f}"
                f"{cost.seconds - empty.seconds:9.3f}"
                f"{cost.processor:8.3f}{least.processor:7.3f}{cost.processor / least.processor:7.2f}"
                f"{cost.mebibytes:8.1f}{least.mebibytes:7.1f}{cost.mebibytes / least.mebibytes:7.2f}",
                flush=True,
            )
            figures[name] = {
                **_figures("export", cost),
                **_figures("floor", least),
                **_figures("empty", empty),
                "bytes": out.stat().st_size,
            }
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _figures(what: str, cost: Cost) -> dict[str, float]:
    return {
        f"{what}_seconds": round(cost.seconds, 4),
        f"{what}_processor_seconds": round(cost.processor, 4),
        f"{what}_mebibytes": round(cost.mebibytes, 1),
    }


def bench_revisions(options: argparse.Namespace) -> None:
    """Print, for each tokenizer, what an export costs by the old and by the new revision, and if the bytes agree."""
    print(f"{'tokenizer':24}{'old s':>9}{'new s':>9}{'ratio':>7}{'old cpu':>9}{'new cpu':>9}{'ratio':>7}", end="")
    print(f"{'old MiB':>9}{'new MiB':>9}{'ratio':>7}  bytes")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        roots = [_tree(options.old, folder / "old"), _tree(options.new, folder / "new")]
        outs = [folder / "old.mtok", folder / "new.mtok"]
        for name in options.names or corpus_names():
            pairs = zip(roots, outs, strict=True)
            old, new = medians([(export_command(CORPUS / name, out), root) for root, out in pairs])
            same = len({hashlib.sha256(out.read_bytes()).digest() for out in outs}) == 1
            print(
                f"{name:24}{old.seconds:9.3f}{new.seconds:9.3f}{new.seconds / old.seconds:7.2f}"
                f"{old.processor:9.3f}{new.processor:9.3f}{new.processor / old.processor:7.2f}"
                f"{old.mebibytes:9.1f}{new.mebibytes:9.1f}{new.mebibytes / old.mebibytes:7.2f}"
                f"  {'equal' if same else 'differ'}",
                flush=True,
            )


def _tree(revision: str, folder: Path) -> Path:
    """The root of a checkout: the working tree, or the files of a revision laid out in ``folder``."""
    if revision == ".":
        return ROOT
    command = ["git", "archive", "--format=tar", revision, "mtok_export"]
    archive = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=ROOT).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder)
    return folder


def bench_verify(options: argparse.Namespace) -> None:
    """Print the seconds that mtok verify takes for each tokenizer, and their sum."""
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or corpus_names():
            file = Path(folder) / f"{name}.mtok"
            run(export_command(CORPUS / name, file))
            start = time.perf_counter()
            # Exit code 1 says that something differs, which is no matter here.
            verify = [sys.executable, "-m", "mtok_export", "verify", "--path", str(CORPUS / name), str(file)]
            subprocess.run([*verify, "--engine", "native"], capture_output=True, check=False, cwd=ROOT)
            seconds = time.perf_counter() - start
            total += seconds
            print(f"{name:24}{seconds:10.2f}", flush=True)
    print(f"{'together':24}{total:10.2f}")
