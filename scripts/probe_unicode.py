"""Ask the real engine about every code point, and write the tables of ``mtok_export/characters``.

    python scripts/probe_unicode.py                       # with the installed engine
    python scripts/probe_unicode.py --engine-python PY    # with the engine of another Python
    python scripts/probe_unicode.py --check               # write nothing, exit 1 if the tables would change

How: a byte-level model with one entry for each byte gives back, as ids, exactly the bytes that the pipeline in front
of it leaves.  A Split that removes one folded class leaves the code points that are not in it; a Bert normalizer that
only lower-cases leaves the lower case of each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType

from mtok_export import MtokFile
from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.characters import CLASS_LETTERS, FoldedClass, class_runs, lower_runs
from mtok_export.engine.native import NativeEngine
from mtok_export.format import decoder, model, normalizer, pre_tokenizer
from mtok_export.format.header import Header
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import Tail

TABLES = Path(__file__).resolve().parent.parent / "mtok_export" / "characters"
WIDTH = 110
"""Characters of a table in one line of its module."""

CODE_POINTS = (*range(1, 0xD800), *range(0xE000, 0x110000))
BLOCK = 2048
DEADLINE = 300.0


def byte_file(before: normalizer.Normalizer, split: pre_tokenizer.PreTokenizer) -> MtokFile:
    """A file whose ids are the bytes that are left of a text."""
    rows = sorted((char, byte) for byte, char in BYTE_TO_CHAR.items())
    vocab = model.Vocab(tuple(char for char, _ in rows), array("I", [byte for _, byte in rows]))
    merges = model.Merges(array("I"), array("I"), array("I"))
    bpe = model.Bpe(vocab, merges, byte_fallback=False, byte_level=True)
    return MtokFile(Header(), before, split, bpe, decoder.ByteLevel(), (), Tail())


def what_is_left(file: MtokFile, python: str) -> Iterator[str]:
    """What the engine leaves of each block of code points."""
    blocks = ["".join(map(chr, CODE_POINTS[at : at + BLOCK])) for at in range(0, len(CODE_POINTS), BLOCK)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.mtok"
        path.write_bytes(file.encode())
        with NativeEngine(path, python=python, deadline=DEADLINE) as engine:
            for ids in engine.encode_many(blocks):
                yield bytes(ids).decode("utf-8")


def probe_classes(python: str) -> dict[int, FoldedClass]:
    """The folded class of every code point from U+0080 on, OTHER left out."""
    classes: dict[int, FoldedClass] = {}
    for kind in FoldedClass:
        if kind is not FoldedClass.OTHER:
            removing = pre_tokenizer.Split(rf"\x{kind:02x}", invert=False, behavior=SplitBehavior.REMOVED)
            left = set(map(ord, "".join(what_is_left(byte_file(normalizer.NoNormalizer(), removing), python))))
            classes.update((code, kind) for code in CODE_POINTS if code >= 0x80 and code not in left)
    return classes


def probe_lower(python: str) -> dict[int, int]:
    """The lower case of every code point that has another one."""
    lowering = normalizer.Bert(False, False, strip_accents=False, lowercase=True)
    lowered = "".join(what_is_left(byte_file(lowering, pre_tokenizer.NoPreTokenizer()), python))
    if len(lowered) != len(CODE_POINTS):
        raise SystemExit("lower-casing did not give one code point for each")
    return {code: ord(char) for code, char in zip(CODE_POINTS, lowered, strict=True) if ord(char) != code}


def class_parts(classes: dict[int, FoldedClass]) -> Iterator[str]:
    """Runs of one class, from the first code point beyond ASCII to the last there is."""
    letters = {kind: letter for letter, kind in CLASS_LETTERS.items()}
    kinds = (classes.get(code, FoldedClass.OTHER) for code in range(class_runs.FIRST, sys.maxunicode + 1))
    for kind, run in groupby(kinds):
        length = sum(1 for _ in run)
        yield letters[kind] + (f"{length:x}" if length > 1 else "")


def lower_parts(lower: dict[int, int]) -> Iterator[str]:
    """Runs at one distance, of neighbours or of every second code point."""
    codes = sorted(lower)
    at = 0
    while at < len(codes):
        first, distance = codes[at], lower[codes[at]] - codes[at]
        step = codes[at + 1] - first if at + 1 < len(codes) and codes[at + 1] - first in (1, 2) else 1
        last = first
        while lower.get(last + step, 0) == last + step + distance:
            last += step
            if step == 2 and last - 1 in lower:
                last -= step
                break
        yield f"{first:04X},{last:04X},{step},{distance} "
        at = codes.index(last) + 1


def render(module: ModuleType, parts: Iterable[str]) -> str:
    """The source of a module with another table; its docstring and its other lines stay."""
    lines = [""]
    for part in parts:
        if len(lines[-1] + part) > WIDTH:
            lines.append("")
        lines[-1] += part
    head, opening, _ = Path(str(module.__file__)).read_text(encoding="ascii").partition("RUNS = (\n")
    return head + opening + "".join(f'    "{line}"\n' for line in lines) + ")\n"


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Read the engine's Unicode data off the engine.")
    parser.add_argument("--engine-python", default=sys.executable, help="a Python that has the mnn package")
    parser.add_argument("--check", action="store_true", help="compare with the tables, write nothing")
    options = parser.parse_args()
    python = options.engine_python
    tables = {
        "class_runs.py": render(class_runs, class_parts(probe_classes(python))),
        "lower_runs.py": render(lower_runs, lower_parts(probe_lower(python))),
    }
    changed = 0
    for name, text in tables.items():
        path = TABLES / name
        if path.is_file() and path.read_text(encoding="ascii") == text:
            continue
        changed += 1
        print(f"{name}: {'differs' if options.check else 'written'}")
        if not options.check:
            path.write_text(text, encoding="ascii", newline="\n")
    return 1 if changed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
