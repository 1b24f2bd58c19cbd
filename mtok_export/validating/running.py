"""Put a file into the real engine, and tell what it dies of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import EngineError
from mtok_export.texts import builtin_texts
from mtok_export.validating.finding import Finding, error

DEADLINE_SECONDS = 30.0
STACK_KIB = 512
"""The stack that a thread of an app may have."""

RUN_LENGTH = 3_000
_RUNS = "aA1 .\n中あ한éж\u0915٣😀\u0301"
"""Characters of every kind that patterns speak of, each of which makes a long run."""

_SCENES = (
    ({"role": "user", "content": "Hello!"},),
    ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello!"}),
    (
        {"role": "user", "content": "Hello!"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "Nothing."},
    ),
)


def run_findings(path: Path, *, python: str = sys.executable, deadline: float = DEADLINE_SECONDS) -> list[Finding]:
    """Load a file in the real engine, encode the built-in texts and long runs, and render conversations.

    Args:
        path: the file.
        python: the interpreter that has the package ``mnn``.
        deadline: seconds for loading, and for each request.

    Returns:
        One finding for each step that the engine failed at.

    Raises:
        EngineError: the package is missing.
    """
    stack = None if sys.platform == "win32" else STACK_KIB
    try:
        with NativeEngine(path, python=python, deadline=deadline, stack_kib=stack) as engine:
            return [*_texts(engine), *_conversations(engine)]
    except EngineError as failure:
        if failure.hint:  # the engine is not there; what it says of the file has no hint
            raise
        return [_failed("engine-load", "", "loading the file", failure)]


def _texts(engine: NativeEngine) -> Iterator[Finding]:
    try:
        results = engine.encode_each([*builtin_texts(), *(char * RUN_LENGTH for char in _RUNS)])
    except EngineError as failure:
        yield _failed("engine-text", "", "encoding texts", failure)
        return
    for result in results:
        if isinstance(result, EngineError):
            yield _failed("engine-text", "", "encoding a text", result)


def _conversations(engine: NativeEngine) -> Iterator[Finding]:
    try:
        for scene in _SCENES:
            engine.chat(scene)
    except EngineError as failure:
        yield _failed("engine-template", "chat_template", "rendering a conversation", failure)


def _failed(code: str, where: str, doing: str, failure: EngineError) -> Finding:
    fix = "see the other findings for the cause"
    return error(code, where, None, f"the engine failed at {doing}", failure.message, fix)
