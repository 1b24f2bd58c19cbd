"""Export and verify every tokenizer of the corpus, and write the table of the README.

    python scripts/support_matrix.py            # measure, store the result, write the table
    python scripts/support_matrix.py qwen3      # measure this one alone
    python scripts/support_matrix.py --render   # write the table from the stored result alone
    python scripts/support_matrix.py --check    # write nothing, exit 1 if README and stored result disagree

The result file (``scripts/support_matrix.json``) is what the table is made from; a test holds the two together.  For
each tokenizer: the share of the built-in texts (and of those made from its own added tokens) whose ids are equal on
engine 3.5, 3.6 and next; of streamed and decoded texts and of conversations on the real engine; and the limits that the
report names.  Ids that differ only by a suffix that the version cannot add are counted as equal, and marked.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mtok_export import export
from mtok_export.engine.native import installed_version
from mtok_export.report import Effect
from mtok_export.verify import Row, RowResult, Verification, verify

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "scripts" / "support_matrix.json"
README = ROOT / "README.md"
START, END = "<!-- support matrix: start -->", "<!-- support matrix: end -->"

VERSIONS = {"3.5": "model:3.5", "3.6": "native", "next": "model:next"}
SHARES = {"streaming": Row.STREAMING, "decoding": Row.WHOLE, "chat": Row.CHAT_IDS}


def families() -> dict[str, str]:
    """The tokenizers of the corpus that have a tokenizer.json, with their family."""
    with (ROOT / "scripts" / "corpus.tsv").open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.reader(handle, delimiter="\t") if row and not row[0].startswith("#")]
    return {row[0]: row[5] for row in rows if row[4] == "tokenizer.json"}


def counts(result: RowResult) -> dict[str, Any]:
    """One row of a verification as counts."""
    return {
        "compared": result.compared,
        "equal": result.compared - len(result.differences),
        "by_version": result.by_version,
        "named": result.named,
        "leading_space": sum(found.effect is Effect.LEADING_SPACE for found in result.differences),
    }


def measure(name: str, directory: Path, folder: Path) -> dict[str, Any]:
    """Everything that the table says about one tokenizer."""
    file, report = folder / f"{name}.mtok", folder / f"{name}.json"
    made = export(directory, file, report=report)
    results = {version: verify(directory, file, engine=engine, report=report) for version, engine in VERSIONS.items()}
    native = results["3.6"]
    return {
        "ids": {version: counts(row(result, Row.IDS)) for version, result in results.items()},
        **{title: counts(row(native, kind)) for title, kind in SHARES.items()},
        "limits": {"bounded": made_count(made, "bounded"), "approximate": made_count(made, "approximate")},
    }


def made_count(report: Any, fidelity: str) -> int:
    """How many limits of a report have this fidelity."""
    return sum(limit.fidelity.value == fidelity for limit in report.limits)


def row(result: Verification, kind: Row) -> RowResult:
    """The row of one kind."""
    return next(found for found in result.rows if found.row is kind)


def share(found: dict[str, Any]) -> str:
    """Counts as a share: 100 % only where nothing differs but what a mark says.

    A star: the tokens behind a text are left to a later version.  A dagger: some texts have one space more in front.
    """
    compared, equal = found["compared"], found["equal"] + found["leading_space"]
    if not compared:
        return "-"
    text = "100 %" if equal == compared else f"{min(equal / compared * 100, 99.99):.2f} %"
    return text + "\\*" * bool(found["by_version"]) + "†" * bool(found["leading_space"])


def table(result: dict[str, Any]) -> Iterator[str]:
    """The table's lines."""
    titles = ["tokenizer", "family", *(f"ids, {version}" for version in VERSIONS), *SHARES, "limits"]
    yield f"| {' | '.join(titles)} |"
    yield f"| {' | '.join(['---'] * len(titles))} |"
    known = families()
    for name, found in sorted(result["tokenizers"].items()):
        ids = [share(found["ids"][version]) for version in VERSIONS]
        shares = [share(found[title]) for title in SHARES]
        limits = found["limits"]["bounded"] + found["limits"]["approximate"]
        yield f"| {' | '.join([name, known[name], *ids, *shares, str(limits)])} |"


def rendered(result: dict[str, Any], readme: str) -> str:
    """The README with the table between its two marks."""
    before, _, rest = readme.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{chr(10).join(table(result))}\n{END}{after}"


def measured(corpus: Path, names: list[str]) -> dict[str, Any]:
    """Measure tokenizers, all of them or some beside what is stored; says on stderr how far it is."""
    found = json.loads(RESULT.read_text(encoding="utf-8"))["tokenizers"] if names else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(names or families()):
            print(name, file=sys.stderr, flush=True)
            found[name] = measure(name, corpus / name, Path(folder))
    return {"engine": installed_version(), "tokenizers": found}


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure the corpus and write the table of the README.")
    parser.add_argument("names", nargs="*", help="measure these alone, keep what is stored of the others")
    parser.add_argument("--corpus", type=Path, default=ROOT / ".corpus", help="folder of the fetched tokenizers")
    parser.add_argument("--render", action="store_true", help="write the table from the stored result")
    parser.add_argument("--check", action="store_true", help="compare the README with the stored result, write nothing")
    options = parser.parse_args()
    if not (options.render or options.check):
        text = json.dumps(measured(options.corpus, options.names), indent=1, sort_keys=True) + "\n"
        RESULT.write_text(text, encoding="utf-8", newline="\n")
    readme = README.read_text(encoding="utf-8")
    new = rendered(json.loads(RESULT.read_text(encoding="utf-8")), readme)
    if options.check:
        return int(new != readme)
    README.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
