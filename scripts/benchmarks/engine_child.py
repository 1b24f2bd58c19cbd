"""The child process of ``engine.py``: loads a tokenizer in the real engine and times what it does, inside.

It is run by path, in whatever Python has the package ``mnn``.  Arguments: the path of ``native_child.py``, whose frames
and whose handling of output it shares; the folder with ``config.json``; a log file; how often to load.  It answers with
the version and the milliseconds of each load; then each frame it gets is a text, answered by milliseconds and the
number of ids.  Times are those of the processor for the whole process: what else runs on the machine does not count.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from typing import Any


def milliseconds(function: Any, *arguments: Any) -> tuple[float, Any]:
    """How long a call takes, and what it returns."""
    start = time.process_time_ns()
    result = function(*arguments)
    return (time.process_time_ns() - start) / 1e6, result


def load(folder: str) -> Any:
    """The engine with the tokenizer of a folder."""
    import MNN.llm

    engine = MNN.llm.create(os.path.join(folder, "config.json"))  # noqa: PTH118  # it wants a string
    engine.load()
    return engine


def main(child_path: str, folder: str, log: str, loads: str) -> None:
    """Serve until the input ends."""
    spec = importlib.util.spec_from_file_location("native_child", child_path)
    assert spec is not None and spec.loader is not None
    child: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(child)
    answers = child.redirect_output(log)
    import MNN.llm  # noqa: F401  # so that the first load is like the others

    times = []
    for _ in range(int(loads)):
        spent, engine = milliseconds(load, folder)
        times.append(spent)
    engine.tokenizer_encode("a")  # what is set up at the first text counts for none
    child.send(answers, b"L", json.dumps({"version": child.engine_version(), "loads": times}).encode())
    for _, items in child.requests(sys.stdin.buffer):
        for item in items:
            spent, ids = milliseconds(engine.tokenizer_encode, item.decode("utf-8"))
            child.send(answers, b"T", json.dumps({"milliseconds": spent, "ids": len(ids)}).encode())
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
