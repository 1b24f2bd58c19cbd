"""Look for silent differences: random texts through Hugging Face and the real engine, held against the report.

    python scripts/fuzz.py [NAME ...] [--texts N] [--seed N] [--json FILE]

Each tokenizer of the corpus gets N texts, a third each made from its own vocabulary, from random Unicode, and from
damaged real texts.  A difference that no limit of the export's report names is printed with the shortest text found
that still shows it, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mtok_export.byte_alphabet import CHAR_TO_BYTE, to_bytes
from mtok_export.exporting import export
from mtok_export.format import read
from mtok_export.report import Limit
from mtok_export.source import load_source
from mtok_export.source.models import model_ids
from mtok_export.source.settings import Source
from mtok_export.texts import builtin_texts, special_texts
from mtok_export.verify import surroundings
from mtok_export.verify.compare_decoding import compare_streaming, compare_whole
from mtok_export.verify.compare_ids import compare_ids, compare_plain_ids
from mtok_export.verify.coverage import cover
from mtok_export.verify.engines import Engine, EngineChoice, open_engine
from mtok_export.verify.pieces import Pieces
from mtok_export.verify.reference import Reference
from mtok_export.verify.results import Row, RowResult
from mtok_export.verify.segmentations import ids_effect

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / ".corpus"
BATCH = 2_000
SHOWN = 12
"""So many examples are kept of each limit, and of what no limit names."""

MOST_SHRUNK = 20
SHRINK_STEPS = 400

MADE_FROM = ("vocabulary", "Unicode", "real texts")

Difference = tuple[str, str, str]
"""The row, the text, and the limit that covers it (or nothing)."""


# --- texts ------------------------------------------------------------------------------------------------------------

BLOCKS = (
    (0x20, 0x7E, 8),
    (0x00, 0x1F, 1),
    (0x7F, 0x24F, 4),
    (0x250, 0x36F, 2),
    (0x370, 0x58F, 3),
    (0x590, 0x8FF, 3),
    (0x900, 0xDFF, 3),
    (0xE00, 0x10FF, 2),
    (0x1100, 0x11FF, 2),
    (0x1200, 0x1DFF, 2),
    (0x1E00, 0x1FFF, 2),
    (0x2000, 0x206F, 3),
    (0x2070, 0x2BFF, 3),
    (0x2C00, 0x2FFF, 1),
    (0x3000, 0x33FF, 3),
    (0x3400, 0x4DBF, 1),
    (0x4E00, 0x9FFF, 4),
    (0xA000, 0xABFF, 2),
    (0xAC00, 0xD7FF, 3),
    (0xE000, 0xF8FF, 1),
    (0xF900, 0xFFFF, 3),
    (0x10000, 0x16FFF, 1),
    (0x17000, 0x1CFFF, 1),
    (0x1D000, 0x1D7FF, 1),
    (0x1E000, 0x1FAFF, 4),
    (0x20000, 0x323AF, 1),
    (0xE0000, 0x10FFFF, 1),
)
"""Ranges of code points with the weight of each; together all of Unicode but the surrogates."""

SEPARATORS = (
    "",
    "",
    "",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    ".",
    ", ",
    "-",
    "'",
    "\u00a0",
    "\u3000",
    "1",
    "\r\n",
    "   ",
    "\n\n",
)
DIFFICULT = (
    "\u0301",
    "\u0323",
    "\u0308",
    "\u200d",
    "\u200c",
    "\u200b",
    "\ufeff",
    "\u00ad",
    "\u0130",
    "\u1100\u1161\u11a8",
    "\uac00\u11a8",
    "\u2581",
    "\ufe0f",
    "\ufffd",
    "\u0345",
    "\u1e9b\u0323",
    "\u03a3",
    "\ufb01",
    "\u00bd",
    "\u0663",
    "\u09cb",
    "\u09c7\u09be",
    "'s",
    "'LL",
    "\x1f",
    "\x85",
    "\u2028",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)


def random_character(source: random.Random) -> str:
    """A code point of a block by weight."""
    first, last, _ = source.choices(BLOCKS, [weight for *_, weight in BLOCKS])[0]
    code = source.randint(first, last)
    return chr(code) if not 0xD800 <= code <= 0xDFFF else "\ud7a3"


def from_unicode(source: random.Random) -> str:
    """Stretches of characters of one block, or of all of them."""
    parts: list[str] = []
    for _ in range(source.randint(1, 5)):
        first, last, _ = source.choices(BLOCKS, [weight for *_, weight in BLOCKS])[0]
        kind = source.random()
        for _ in range(source.randint(1, 8)):
            if kind < 0.25:
                parts.append(random_character(source))
            elif kind < 0.4:
                parts.append(source.choice(DIFFICULT))
            else:
                code = min(source.randint(first, last), first + 0x1FF) if kind < 0.6 else source.randint(first, last)
                parts.append(chr(code) if not 0xD800 <= code <= 0xDFFF else " ")
        parts.append(source.choice(SEPARATORS))
    return "".join(parts)


def vocabulary_texts(pipeline_source: Source) -> tuple[list[str], list[str]]:
    """The entries of a vocabulary as they would stand in a text, and the added tokens."""
    pipeline = pipeline_source.pipeline
    entries = list(model_ids(pipeline.model))
    shown: list[str] = []
    byte_level = all(char in model_ids(pipeline.model) for char in "\u0120!")
    for entry in entries:
        if byte_level and all(char in CHAR_TO_BYTE for char in entry):
            shown.append(to_bytes(entry).decode("utf-8", "ignore"))
        else:
            shown.append(entry.replace("\u2581", " ").removeprefix("##"))
    added = [token.content for token in pipeline.added_tokens]
    return [text for text in shown if text] or ["a"], added


def from_vocabulary(source: random.Random, entries: Sequence[str], added: Sequence[str]) -> str:
    """Entries one after another, at times an added token or a difficult character among them."""
    parts: list[str] = []
    for _ in range(source.randint(1, 12)):
        kind = source.random()
        if kind < 0.04 and added:
            parts.append(source.choice(added))
        elif kind < 0.08:
            parts.append(source.choice(DIFFICULT))
        else:
            parts.append(source.choice(entries))
        parts.append(source.choice(SEPARATORS))
    return "".join(parts)


def damaged(source: random.Random, texts: Sequence[str], added: Sequence[str]) -> str:
    """A real text, or a stretch of a long one, with characters taken out, doubled, swapped or put in."""
    text = source.choice(texts)
    if len(text) > 120:
        start = source.randrange(len(text) - 100)
        text = text[start : start + 100]
    if source.random() < 0.2:
        other = source.choice(texts)[:60]
        cut = source.randint(0, len(text))
        text = text[:cut] + other + text[cut:]
    characters = list(text)
    for _ in range(source.randint(1, 6)):
        place = source.randint(0, len(characters))
        kind = source.randrange(7)
        if kind == 0:
            del characters[place : place + source.randint(1, 3)]
        elif kind == 1 and characters:
            characters.insert(place, source.choice(characters))
        elif kind == 2 and place + 1 < len(characters):
            characters[place], characters[place + 1] = characters[place + 1], characters[place]
        elif kind == 3:
            characters.insert(place, source.choice(SEPARATORS))
        elif kind == 4:
            characters.insert(place, source.choice(DIFFICULT))
        elif kind == 5 and added:
            characters.insert(place, source.choice(added))
        else:
            characters.insert(place, random_character(source))
    return "".join(characters)


def makers(tokenizer: Source) -> dict[str, Callable[[random.Random], str]]:
    """How a text of each kind is made."""
    entries, added = vocabulary_texts(tokenizer)
    real = [text for text in (*builtin_texts(), *special_texts(added)) if text]
    return {
        "vocabulary": lambda source: from_vocabulary(source, entries, added),
        "Unicode": from_unicode,
        "real texts": lambda source: damaged(source, real, added),
    }


def texts_of(tokenizer: Source, seed: int) -> Iterator[str]:
    """Texts without end, of each kind in turn; U+0000 ends a text in the engine's Python binding, so none holds it."""
    source = random.Random(seed)
    kinds = makers(tokenizer)
    while True:
        for kind in MADE_FROM:
            yield kinds[kind](source).replace("\0", "")


# --- comparing --------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the texts of one tokenizer: counts by row, differences by limit, and what no limit names."""

    texts: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    named: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    silent: list[tuple[str, str]] = field(default_factory=list)

    def add(self, row: RowResult) -> None:
        """Count one row of one batch."""
        name = row.row.value
        if row.failure is not None:
            self.silent.append((name, f"the row failed: {row.failure}"))
        self.compared[name] += row.compared
        self.different[name] += len(row.differences)
        for difference in row.differences:
            if difference.limit is None:
                self.silent.append((name, difference.text))
                continue
            self.named[name, difference.limit] += 1
            kept = self.examples.setdefault((name, difference.limit), [])
            if len(kept) < SHOWN:
                kept.append(difference.text)

    def as_dict(self) -> dict[str, Any]:
        """The tally as plain JSON values."""
        return {
            "texts": self.texts,
            "rows": {
                name: {"compared": count, "different": self.different[name]} for name, count in self.compared.items()
            },
            "named": [
                {"row": row, "limit": limit, "texts": count, "examples": self.examples[row, limit]}
                for (row, limit), count in self.named.most_common()
            ],
            "silent": [{"row": row, "text": text} for row, text in self.silent],
        }


class Fuzz:
    """One tokenizer: its file in the engine, its reference, its limits."""

    def __init__(self, tokenizer: Source, file: Any, engine: Engine, limits: Sequence[Limit]) -> None:
        self.reference = Reference(tokenizer)
        self.engine = engine
        self.limits = limits
        self.pieces = (Pieces(file), Pieces(file))
        self.around = surroundings.of_file(file, engine.version)
        self.suffix = self.reference.suffix()
        self.effect = ids_effect(tokenizer.pipeline.model)

    def rows(self, texts: Sequence[str], *, decoding: bool = True) -> Iterator[RowResult]:
        """Each row, with the limits that cover its differences."""
        whole = self.reference.encode(texts, specials=True)
        found = self.engine.encode_each(texts)
        yield cover(compare_ids(texts, whole, found, self.suffix, self.pieces, self.effect), self.limits)
        plain = self.reference.encode(texts, specials=False)
        if self.around is not None:
            yield cover(compare_plain_ids(texts, plain, found, self.around, self.pieces, self.effect), self.limits)
        if decoding:
            yield cover(compare_streaming(texts, plain, self.engine, self.reference), self.limits)
            yield cover(compare_whole(texts, whole, self.engine, self.reference), self.limits)

    def shrink(self, row: str, text: str) -> str:
        """The shortest text found by taking characters out that still differs in the row without a name."""

        def silent(candidate: str) -> bool:
            results = self.rows([candidate], decoding=row in (Row.STREAMING.value, Row.WHOLE.value))
            return any(
                result.row.value == row and any(difference.limit is None for difference in result.differences)
                for result in results
            )

        size = max(1, len(text) // 2)
        steps = 0
        while steps < SHRINK_STEPS:
            for start in range(0, len(text), size):
                steps += 1
                candidate = text[:start] + text[start + size :]
                if silent(candidate):
                    text = candidate
                    break
            else:
                if size == 1:
                    break
                size //= 2
        return text


def fuzz(directory: Path, count: int, seed: int, decoding_every: int) -> Tally:
    """Fuzz the tokenizer of a directory with ``count`` texts; every n-th batch is decoded as well."""
    tally = Tally()
    tokenizer = load_source(directory)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.mtok"
        report = export(directory, path)
        file = read(path)
        with open_engine(EngineChoice.parse("native"), path, file) as engine:
            one = Fuzz(tokenizer, file, engine, report.limits)
            texts = texts_of(tokenizer, seed)
            for batch in range(0, count, BATCH):
                some = list(islice(texts, min(BATCH, count - batch)))
                tally.texts += len(some)
                for row in one.rows(some, decoding=(batch // BATCH) % decoding_every == 0):
                    tally.add(row)
            found = tally.silent[:MOST_SHRUNK]
            tally.silent[: len(found)] = [(row, one.shrink(row, text)) for row, text in found]
    return tally


def main() -> None:
    """Read the arguments, fuzz, print, and exit with 1 for a silent difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="tokenizers of the corpus; all that have a tokenizer.json otherwise")
    parser.add_argument("--texts", type=int, default=20_000, help="texts for each tokenizer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decoding-every", type=int, default=5, help="decode every n-th batch of texts as well")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.parent.name for path in CORPUS.glob("*/tokenizer.json"))
    results = {}
    for name in names:
        tally = fuzz(CORPUS / name, arguments.texts, arguments.seed, arguments.decoding_every)
        results[name] = tally.as_dict()
        rows = "; ".join(f"{row} {tally.different[row]:,} of {count:,}" for row, count in tally.compared.items())
        print(f"{name}: {tally.texts:,} texts; different: {rows}; silent: {len(tally.silent):,}", flush=True)
        for (row, limit), number in tally.named.most_common():
            print(f"  {number:7,}  {row}: {limit[:150]}")
        for row, text in tally.silent[:MOST_SHRUNK]:
            print(f"  SILENT   {row}: {text!a}"[:400])
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    sys.exit(any(result["silent"] for result in results.values()))


if __name__ == "__main__":
    main()
