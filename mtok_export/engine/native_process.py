"""A child process that is talked to in frames, with a deadline for each answer."""

from __future__ import annotations

import contextlib
import queue
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

CHUNK_BYTES = 1 << 16
KILLED_SECONDS = 5.0
"""How long a process whose output has ended may take to be gone."""


class FrameProcess:
    """A child process; its stderr goes to a file.

    A thread reads what it writes, since a wait with a deadline on a pipe is not to be had on every system.

    Args:
        command: the program and its arguments.
        errors: the file that stderr is appended to.

    Raises:
        OSError: the program cannot be run.
    """

    def __init__(self, command: Sequence[str], errors: Path) -> None:
        with errors.open("ab") as sink:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sink)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._buffer = bytearray()
        self._taken = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Body of the thread: queue what comes, and an empty chunk at the end."""
        while True:
            chunk = self._output.read1(CHUNK_BYTES)  # type: ignore[attr-defined]  # a BufferedReader has it
            self._chunks.put(chunk)
            if not chunk:
                return

    def send(self, payload: bytes) -> None:
        """Write one frame.  The process must be waiting for it.

        Raises:
            EOFError: the process is gone.
        """
        try:
            self._input.write(struct.pack("=I", len(payload)) + payload)
            self._input.flush()
        except OSError as error:
            raise EOFError(str(error)) from error

    def receive(self, seconds: float) -> bytes:
        """The payload of the next frame.

        Raises:
            EOFError: the process has closed its output.
            TimeoutError: the frame was not complete after ``seconds``.
        """
        head = self._take(4, end := time.monotonic() + seconds)
        return self._take(struct.unpack("=I", head)[0], end)

    def _take(self, size: int, end: float) -> bytes:
        """The next ``size`` bytes, if they are there by the time ``end``."""
        while len(self._buffer) - self._taken < size:
            del self._buffer[: self._taken]
            self._taken = 0
            try:
                chunk = self._chunks.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty as error:
                raise TimeoutError from error
            if not chunk:
                self._chunks.put(chunk)  # the end stays the end
                raise EOFError
            self._buffer += chunk
        self._taken += size
        return bytes(self._buffer[self._taken - size : self._taken])

    def exit_code(self) -> int | None:
        """The exit code of a process whose output has ended; ``None`` when it goes on all the same."""
        try:
            return self._process.wait(KILLED_SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, patience: float) -> None:
        """Close the input, wait ``patience`` seconds for the process to end, then kill it; frees everything."""
        with contextlib.suppress(OSError):  # what was in its buffer has no reader any more
            self._input.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._output.close()
