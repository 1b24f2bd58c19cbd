"""The child process of ``native.py``: holds the real engine and answers requests until its input ends.

It is run by path, in whatever Python has the package ``mnn``, which need not be the Python that runs this project.  So
it imports nothing of the project and keeps to the syntax of Python 3.8.

Input and output are frames, ``[u32 length][payload]`` in the machine's byte order.  The payload of a request is one
byte, the kind, followed by items, each ``[u32 length][bytes]``; every item is answered by one frame, in order, as soon
as it is done, so that the parent knows which item the process was at when it dies.  The payload of an answer is one
byte, the kind, followed by its content.

The engine prints to stdout and stderr.  Both are sent to a log file before the engine is imported; answers go to a copy
of the original stdout.
"""

# ruff: noqa: E402, PTH100, PTH118, PTH120
# E402: the path is mended before anything else is imported; PTH: os.path is loaded already, pathlib may not be.

from __future__ import annotations

import os
import sys

# This file's folder is on the path because the file is run by path; nothing in it may shadow a module of the engine.
_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE]

import json
import signal
import struct
from array import array
from collections.abc import Iterator
from importlib import metadata
from typing import Any, BinaryIO

ENCODE = b"E"  # items: UTF-8 texts; answers: IDS
DECODE = b"D"  # items: one signed 64-bit integer each; answers: BYTES
CHAT = b"C"  # items: messages as JSON; answers: BYTES

STARTED = b"S"  # content: the version of the package
MISSING = b"M"  # content: why the package cannot be imported
LOADED = b"L"
IDS = b"I"  # content: signed 32-bit integers
BYTES = b"B"
FAILED = b"F"  # content: the words of an exception

LOG_LIMIT = 64 << 20
"""Bytes; an engine that prints without end fills no disk (what it prints beyond is lost)."""

GRACE_SECONDS = 5.0
"""How much longer than the parent this process waits before it ends itself: the parent may be gone by then."""


def engine_version() -> str:
    """The version of the installed package.

    Raises:
        metadata.PackageNotFoundError: it is not installed.
    """
    return metadata.version("mnn")


def limit(resource_name: str, size: int) -> None:
    """Set the soft limit of a resource (in bytes), no higher than the hard one allows."""
    import resource

    which = getattr(resource, resource_name)
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def print_at_once() -> None:
    """Take the buffer from the C library's stdout: what the engine prints before it dies is wanted most of all."""
    import ctypes

    name = "__stdoutp" if sys.platform == "darwin" else "stdout"
    try:
        library = ctypes.CDLL(None)
        library.setvbuf(ctypes.c_void_p.in_dll(library, name), None, 2 if os.name == "posix" else 4, 0)
    except (OSError, TypeError, ValueError, AttributeError):
        pass  # another C library: its last lines may be lost, nothing else


def redirect_output(log: str) -> BinaryIO:
    """Send stdout and stderr to the file ``log``; returns the stream that was stdout."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    sink = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.close(sink)
    return answers


def send(stream: BinaryIO, kind: bytes, content: bytes = b"") -> None:
    """Write one answer; a pipe takes large ones in several parts."""
    rest = memoryview(struct.pack("=I", 1 + len(content)) + kind + content)
    while rest:
        rest = rest[stream.write(rest) :]


def requests(stream: BinaryIO) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield (kind, items) until the input ends."""
    while True:
        head = stream.read(4)
        if len(head) < 4:
            return
        payload = stream.read(struct.unpack("=I", head)[0])
        items = []
        offset = 1
        while offset < len(payload):
            (size,) = struct.unpack_from("=I", payload, offset)
            items.append(payload[offset + 4 : offset + 4 + size])
            offset += 4 + size
        yield payload[:1], items


def as_bytes(function: Any, argument: Any) -> bytes:
    """The bytes of the string that an engine function returns, also where they are no UTF-8."""
    try:
        return str(function(argument)).encode("utf-8")
    except UnicodeDecodeError as error:
        return error.object


def answer(engine: Any, kind: bytes, item: bytes) -> tuple[bytes, bytes]:
    """What the engine makes of one item, as the kind and content of an answer."""
    try:
        if kind == ENCODE:
            return IDS, array("i", engine.tokenizer_encode(item.decode("utf-8"))).tobytes()
        if kind == DECODE:
            return BYTES, as_bytes(engine.tokenizer_decode, struct.unpack("=q", item)[0])
        if kind == CHAT:
            return BYTES, as_bytes(engine.apply_chat_template, json.loads(item.decode("utf-8")))
        return FAILED, b"unknown request"
    except Exception as error:
        return FAILED, f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


def serve(folder: str, deadline: float, source: BinaryIO, answers: BinaryIO) -> None:
    """Load the engine on ``folder/config.json`` and answer every request."""

    def watch(seconds: float) -> None:
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.setitimer(signal.ITIMER_REAL, seconds)

    try:
        version = engine_version()
        import MNN.llm
    except (ImportError, OSError) as error:  # PackageNotFoundError is an ImportError
        send(answers, MISSING, str(error).encode("utf-8", "backslashreplace"))
        return
    send(answers, STARTED, version.encode("utf-8"))
    watch(deadline + GRACE_SECONDS)
    engine = MNN.llm.create(os.path.join(folder, "config.json"))
    engine.load()
    send(answers, LOADED)
    watch(0)
    for kind, items in requests(source):
        for item in items:
            watch(deadline + GRACE_SECONDS)
            send(answers, *answer(engine, kind, item))
            watch(0)


def main(options: dict[str, Any]) -> None:
    """Run the child.

    Args:
        options: ``folder``; ``log``; ``deadline`` in seconds; ``stack`` and ``memory`` in bytes or null.
    """
    source = sys.stdin.buffer
    answers = redirect_output(options["log"])
    print_at_once()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if os.name == "posix":
        limit("RLIMIT_CORE", 0)
        limit("RLIMIT_FSIZE", LOG_LIMIT)
    if options["stack"] is not None:
        limit("RLIMIT_STACK", options["stack"])
    if options["memory"] is not None:
        limit("RLIMIT_AS", options["memory"])
    serve(options["folder"], options["deadline"], source, answers)
    os._exit(0)  # destructors of an engine whose memory is damaged may hang


if __name__ == "__main__":
    if sys.argv[1] == "--version":
        sys.stdout.write(engine_version())
    else:
        main(json.loads(sys.argv[1]))
