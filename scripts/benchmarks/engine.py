"""How long the real engine takes for texts that are new to it, for one tokenizer file."""

from __future__ import annotations

import json
import statistics
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from pathlib import Path

from mtok_export.engine import native_child
from mtok_export.engine.native_process import FrameProcess
from mtok_export.engine.native_runner import fill_folder
from scripts.benchmarks.materials import KINDS, Materials
from scripts.benchmarks.processes import RUNS

SIZES = (500, 2_000, 8_000, 32_000)
"""Characters."""

START_SECONDS = 120.0


@dataclass(frozen=True)
class Timing:
    """The median time of a kind and size of text.

    ``milliseconds`` is ``None`` where one took longer than the deadline, and with no ``runs`` where that was to be
    expected, since a shorter one had.  There are fewer runs than usual where all of them would take too long.
    """

    kind: str
    characters: int
    milliseconds: float | None
    ids: int
    runs: int


@dataclass(frozen=True)
class FileTimes:
    """One tokenizer file on the engine."""

    label: str
    engine: str
    bytes: int
    load_milliseconds: float
    timings: tuple[Timing, ...]

    def of(self, kind: str) -> dict[int, Timing]:
        """The timings of one kind by the number of characters."""
        return {timing.characters: timing for timing in self.timings if timing.kind == kind}


class Engine:
    """A process with the engine; started again after a text that took too long."""

    def __init__(self, file: Path, python: str, deadline: float) -> None:
        self._command, self._file, self._deadline = python, file, deadline
        self._folder = tempfile.TemporaryDirectory(prefix="mtok-bench-")
        fill_folder(Path(self._folder.name), file, {})
        self._process: FrameProcess | None = None
        self.loads: list[float] = []
        self.version = ""
        self._start(RUNS)

    def _start(self, loads: int) -> FrameProcess:
        script = str(Path(__file__).with_name("engine_child.py"))
        log = Path(self._folder.name) / "engine.log"
        command = [self._command, script, native_child.__file__, self._folder.name, str(log), str(loads)]
        self._process = FrameProcess(command, log)
        try:
            answer = json.loads(self._process.receive(START_SECONDS)[1:])
        except EOFError:
            raise SystemExit(f"{self._file}: the engine died:\n{log.read_text(errors='replace')}") from None
        self.loads.extend(answer["loads"])
        self.version = answer["version"]
        return self._process

    def encode(self, text: str) -> tuple[float, int] | None:
        """Milliseconds and the number of ids; ``None`` when it takes longer than the deadline."""
        process = self._process or self._start(1)
        item = text.encode()
        process.send(b"E" + struct.pack("=I", len(item)) + item)
        try:
            answer = json.loads(process.receive(self._deadline)[1:])
        except TimeoutError:
            process.stop(0.0)
            self._process = None
            return None
        return answer["milliseconds"], answer["ids"]

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop(1.0)
        self._folder.cleanup()


class Bench:
    """One file and what was measured of it so far."""

    def __init__(self, label: str, file: Path, python: str, deadline: float) -> None:
        self.label, self.file, self.deadline = label, file, deadline
        self.engine = Engine(file, python, deadline)
        self.timings: list[Timing] = []
        self._times: list[float] = []
        self._ids = 0
        self._end = 0.0
        self._kind = ""
        self._late = False

    def start(self, kind: str) -> None:
        """A size of a kind of text begins; a text of a new kind is tried again after one that took too long."""
        if kind != self._kind:
            self._kind, self._late = kind, False
        self._times, self._end = [], time.monotonic() + self.deadline

    def take(self, text: str) -> None:
        """Encode one text, if there is time for it."""
        if self._late or (self._times and time.monotonic() > self._end):
            return
        found = self.engine.encode(text)
        if found is None:
            self._late, self._times = True, [inf]
        else:
            spent, self._ids = found
            self._times.append(spent)

    def finish(self, size: int) -> None:
        """Note the median."""
        median = statistics.median(self._times) if self._times else inf
        runs = len(self._times)
        self.timings.append(Timing(self._kind, size, None if median == inf else median, self._ids, runs))

    def result(self) -> FileTimes:
        """Everything that was measured."""
        load = statistics.median(self.engine.loads)
        return FileTimes(self.label, self.engine.version, self.file.stat().st_size, load, tuple(self.timings))


def measure(
    files: Sequence[tuple[str, Path]], python: str, deadline: float, progress: Callable[[str], None]
) -> list[FileTimes]:
    """Time files on every kind and size of text, each text on one file after the other.

    Args:
        files: labels and ``.mtok`` or legacy ``.txt`` files.
        python: the interpreter that has the package ``mnn``.
        deadline: seconds for one text, and for the runs of one size together, of which there is at least one.
        progress: called with what is measured next.
    """
    materials = Materials()
    benches: list[Bench] = []
    try:
        for label, file in files:
            benches.append(Bench(label, file, python, deadline))
        for kind, size in product(KINDS, SIZES):
            progress(f"{kind}, {size:,} characters")
            for bench in benches:
                bench.start(kind)
            for _ in range(RUNS):
                text = materials.text(kind, size)
                for bench in benches:
                    bench.take(text)
            for bench in benches:
                bench.finish(size)
    finally:
        for bench in benches:
            bench.engine.close()
    return [bench.result() for bench in benches]
