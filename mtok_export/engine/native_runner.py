"""Keeps a child process with the real engine alive, puts requests to it, and says what went wrong when it dies."""

from __future__ import annotations

import json
import shutil
import signal
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mtok_export.engine import native_child as child
from mtok_export.engine.native_process import FrameProcess
from mtok_export.errors import EngineError

INSTALL_HINT = "install the extra: pip install 'mtok-export[engine]'"

START_SECONDS = 120.0
"""How long Python and the import of the package may take; a slow disk is no fault of the tokenizer file."""

STOP_SECONDS = 2.0
"""How long the engine may take to leave by itself at the end."""

BATCH_ITEMS = 512
BATCH_BYTES = 1 << 20
SHOWN_LINES = 6
LOG_BYTES = 1 << 20

_DUMMIES = ("llm.mnn", "llm.mnn.weight", "embeddings_bf16.bin")
_CONFIG = {"llm_model": _DUMMIES[0], "llm_weight": _DUMMIES[1], "backend_type": "cpu", "thread_num": 1}
_LLM_CONFIG = {"hidden_size": 8}

_USUAL_LINES = ("The device supports:", "Invalidate buffer to create MNN Module", "[Error]: Load module failed")
_REFUSAL = "Failed to load tokenizer"


@dataclass(frozen=True)
class Options:
    """How the engine is to be run; see ``NativeEngine`` for the meaning."""

    tokenizer: Path
    python: str
    deadline: float
    llm_config: Mapping[str, Any] = field(repr=False)
    stack_kib: int | None
    memory_mib: int | None


def python_version_of_engine(python: str) -> str | None:
    """The version of ``mnn`` in another Python, ``None`` when it has none.

    Raises:
        EngineError: ``python`` cannot be run.
    """
    command = [python, child.__file__, "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=START_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"this Python cannot be run: {error}", where=python) from error
    return done.stdout.strip() or None if done.returncode == 0 else None


def exit_words(code: int | None) -> str:
    """How a process ended, in words; ``code`` as ``subprocess`` has it, ``None`` for one that goes on."""
    if code is None:
        return "closed its output"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def batches(items: Sequence[bytes]) -> Iterator[range]:
    """Cut the items into ranges that go into one frame each."""
    start = size = 0
    for index, item in enumerate(items):
        if index > start and (index - start == BATCH_ITEMS or size + len(item) > BATCH_BYTES):
            yield range(start, index)
            start, size = index, 0
        size += len(item)
    if start < len(items):
        yield range(start, len(items))


def fill_folder(folder: Path, tokenizer: Path, llm_config: Mapping[str, Any]) -> None:
    """Lay out what the engine wants to see beside a tokenizer, in an empty folder.

    Raises:
        EngineError: the tokenizer cannot be read, or the folder not written.
    """
    name = f"tokenizer{tokenizer.suffix}"
    try:
        shutil.copyfile(tokenizer, folder / name)
        (folder / "config.json").write_text(json.dumps({**_CONFIG, "tokenizer_file": name}), encoding="utf-8")
        (folder / "llm_config.json").write_text(json.dumps({**_LLM_CONFIG, **llm_config}), encoding="utf-8")
        for dummy in _DUMMIES:
            (folder / dummy).write_bytes(bytes(16))
    except OSError as error:
        reason = f"the file cannot be handed to the engine: {error.strerror or error}"
        raise EngineError(reason, where=str(tokenizer)) from error


class Runner:
    """One work folder, and one process at a time.

    Raises:
        EngineError: the package is missing, or the engine refuses the file, dies of it, or takes too long.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.version = ""
        self._process: FrameProcess | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="mtok-engine-", ignore_cleanup_errors=True)
        self._log_path = Path(self._folder.name) / "engine.log"
        self._log_start = 0
        try:
            fill_folder(Path(self._folder.name), options.tokenizer, options.llm_config)
            self._start()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process and remove the work folder."""
        self._stop(STOP_SECONDS)
        self._folder.cleanup()

    def log(self, start: int = 0) -> str:
        """What the engine printed, in all its processes, from byte ``start`` on; the last mebibyte of it."""
        if not self._log_path.exists():
            return ""
        with self._log_path.open("rb") as handle:
            end = handle.seek(0, 2)
            handle.seek(max(start, end - LOG_BYTES))
            return handle.read().decode("utf-8", "replace")

    def ask(
        self, kind: bytes, items: Sequence[bytes], name: Callable[[int], str]
    ) -> tuple[list[bytes], EngineError | None]:
        """Put items to the engine, in as few frames as may be.

        Args:
            kind: a kind of request of ``native_child``.
            items: what is asked for.
            name: says what is done with the n-th item, for an error.

        Returns:
            The answers up to the first item that failed, and its error.

        Raises:
            EngineError: the engine had died before and cannot be started again.
        """
        answers: list[bytes] = []
        process = self._process or self._start()
        try:
            for batch in batches(items):
                process.send(kind + b"".join(struct.pack("=I", len(items[n])) + items[n] for n in batch))
                for _ in batch:
                    frame = process.receive(self.options.deadline)
                    if frame[:1] == child.FAILED:
                        return answers, self._failure(name(len(answers)), frame[1:].decode("utf-8", "replace"))
                    answers.append(frame[1:])
        except TimeoutError:
            return answers, self._late(name(len(answers)))
        except EOFError:
            return answers, self._dead(process, name(len(answers)))
        except BaseException:
            self._stop()  # answers are on their way that nobody will fetch
            raise
        return answers, None

    def _start(self) -> FrameProcess:
        """Start a process; returns when it has loaded the tokenizer."""
        options = self.options
        self._log_start = self._log_path.stat().st_size if self._log_path.exists() else 0
        settings = {
            "folder": self._folder.name,
            "log": str(self._log_path),
            "deadline": options.deadline,
            "stack": None if options.stack_kib is None else options.stack_kib << 10,
            "memory": None if options.memory_mib is None else options.memory_mib << 20,
        }
        try:
            process = FrameProcess([options.python, child.__file__, json.dumps(settings)], self._log_path)
        except OSError as error:
            raise EngineError(f"this Python cannot be run: {error}", where=options.python) from error
        self._process = process
        doing = "starting"
        try:
            frame = process.receive(START_SECONDS)
            if frame[:1] == child.MISSING:
                reason = f"this Python cannot import the package mnn: {frame[1:].decode('utf-8', 'replace')}"
                raise EngineError(reason, where=options.python, hint=INSTALL_HINT)
            self.version = frame[1:].decode("utf-8")
            doing = f"loading {options.tokenizer.name}"
            process.receive(options.deadline)
        except TimeoutError:
            raise self._late(doing) from None
        except EOFError:
            raise self._dead(process, doing) from None
        if _REFUSAL in self.log(self._log_start):
            raise self._failure(f"loading {options.tokenizer.name}", "it refuses the file")
        return process

    def _stop(self, patience: float = 0.0) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.stop(patience)

    def _late(self, doing: str) -> EngineError:
        """The error for a request that took too long; the process is gone afterwards."""
        return self._failure(doing, f"no answer within {self.options.deadline:g} s, so it was stopped")

    def _dead(self, process: FrameProcess, doing: str) -> EngineError:
        """The error for a request that the process died of."""
        return self._failure(doing, f"its process {exit_words(process.exit_code())}")

    def _failure(self, doing: str, what: str) -> EngineError:
        """Stop the process and word the error, with the last lines that the engine printed."""
        self._stop()
        lines = [line for line in self.log(self._log_start).splitlines() if line and not line.startswith(_USUAL_LINES)]
        printed = "".join(f"\n  | {line}" for line in lines[-SHOWN_LINES:])
        said = f"; the last it printed:{printed}" if printed else ""
        version = f" {self.version}" if self.version else ""
        return EngineError(f"the engine{version} failed at {doing}: {what}{said}", where=str(self.options.tokenizer))
