"""The real engine (the PyPI package ``mnn``) as an object that survives it.

A damaged file ends the engine's process or keeps it busy for ever, and the engine prints to stdout.  So it runs in a
process of its own (``native_child.py``), with a deadline for each request; when it dies, an ``EngineError`` says at
which request, how, and what it printed last, and the next request gets a fresh process.

No model is needed: a work folder with the tokenizer, a ``config.json`` and a few zero bytes in place of the weights is
enough.  The engine then says that it cannot load the module; the tokenizer was loaded before that.
"""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

from mtok_export.engine import native_child as child
from mtok_export.engine.native_runner import Options, Runner, python_version_of_engine
from mtok_export.errors import EngineError

SHOWN_CHARACTERS = 60
"""So much of a text stands in an error."""

ID_LIMIT = 1 << 31
"""Ids are signed 32-bit integers; the binding would wrap a larger one round."""

MEMORY_MIB = 4096
"""Far more than the largest real tokenizer needs (0.15 GiB of address space are in use before it is loaded)."""


def installed_version(python: str = sys.executable) -> str | None:
    """The version of ``mnn`` that a Python has.

    Args:
        python: path of the interpreter.

    Returns:
        The version, such as ``3.6.1``; ``None`` when the package is not installed there.

    Raises:
        EngineError: ``python`` cannot be run.
    """
    if python != sys.executable:
        return python_version_of_engine(python)
    try:
        return metadata.version("mnn")
    except metadata.PackageNotFoundError:
        return None


def _shown(text: str) -> str:
    """A text for a message: escaped, and cut when it is long."""
    if len(text) <= SHOWN_CHARACTERS:
        return ascii(text)
    return f"{text[:SHOWN_CHARACTERS]!a}... ({len(text):,} characters)"


def _utf8(text: str) -> bytes | EngineError:
    """The text as UTF-8; a lone surrogate is refused, since the binding dies of it."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X} at character {error.start}"
        return EngineError(f"lone surrogate {surrogate}, which the engine cannot take", where=_shown(text))


def _ids(answer: bytes) -> list[int]:
    return array("i", answer).tolist()


def _raised(result: list[int] | EngineError) -> list[int]:
    """The ids, if they are ids."""
    if isinstance(result, EngineError):
        raise result
    return result


def _encoding(texts: Sequence[str], places: Sequence[int]) -> Callable[[int], str]:
    """Names the n-th request by the place of its text."""
    return lambda n: f"encoding text {places[n]}, {_shown(texts[places[n]])}"


class NativeEngine:
    """The real engine, holding one tokenizer file; open inside a ``with`` statement.

    The file is copied when the engine opens.  A request that the engine dies of, or that takes too long, raises
    ``EngineError``; the next one starts the engine anew.  Not for use by several threads at once.

    Args:
        path: a ``.mtok`` or a legacy ``.txt`` file.
        python: the interpreter that has the package ``mnn``; this project need not be installed there.
        deadline: seconds for loading, and for each request.
        llm_config: more keys for ``llm_config.json`` (legacy files take ``jinja`` from there).
        stack_kib: limit of the stack in KiB, as ``ulimit -s`` sets it (not on Windows); ``None`` leaves it alone.
        memory_mib: limit of the address space in MiB, where the system has one: a file that makes the engine allocate
            without end then fails early.  ``None`` leaves it alone.
    """

    cuts_at_nul: ClassVar[bool] = True
    """The binding passes C strings.  Of a text with U+0000 the engine gets what stands before it; of decoded bytes and
    rendered conversations with a zero byte in them, what stands before that comes back."""

    def __init__(
        self,
        path: str | Path,
        *,
        python: str = sys.executable,
        deadline: float = 30.0,
        llm_config: Mapping[str, Any] | None = None,
        stack_kib: int | None = None,
        memory_mib: int | None = MEMORY_MIB,
    ) -> None:
        self.options = Options(Path(path), python, deadline, dict(llm_config or {}), stack_kib, memory_mib)
        self._runner: Runner | None = None
        self._log = ""
        self._version = ""

    def __enter__(self) -> NativeEngine:
        """Start the engine and load the file.

        Raises:
            EngineError: the package is missing, or the engine refuses the file, dies of it, or takes too long.
        """
        if self._runner is not None:
            raise EngineError("this engine is open already", where=str(self.options.tokenizer))
        if self.options.stack_kib is not None and sys.platform == "win32":
            raise EngineError("the stack cannot be limited on Windows", hint="leave stack_kib out")
        self._runner = Runner(self.options)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove the work folder; ``version`` and ``log`` stay."""
        if self._runner is not None:
            self._version, self._log = self.version, self.log
            self._runner.close()
            self._runner = None

    @property
    def _open(self) -> Runner:
        if self._runner is None:
            raise EngineError("this engine is not open", hint="use it inside a with statement")
        return self._runner

    @property
    def version(self) -> str:
        """The version of the package, such as ``3.6.1``; empty before the engine is opened."""
        return self._version if self._runner is None else self._runner.version

    @property
    def log(self) -> str:
        """What the engine printed since it was opened, in all its processes; the last mebibyte of it."""
        return self._log if self._runner is None else self._runner.log()

    def encode(self, text: str) -> list[int]:
        """The ids of a text, those of the header's prefix list first.

        Raises:
            EngineError: the text holds a lone surrogate; or the engine died or took too long.
        """
        return self.encode_many([text])[0]

    def encode_many(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of many texts, in their order.

        Raises:
            EngineError: as for ``encode``; the message says which text did it.
        """
        return [_raised(ids) for ids in self.encode_each(texts, max_deaths=0)]

    def encode_each(self, texts: Iterable[str], *, max_deaths: int = 3) -> list[list[int] | EngineError]:
        """The ids of many texts, in their order; an error stands in the place of a text that the engine failed at.

        Args:
            texts: the texts.
            max_deaths: how often the engine may die before this gives up; each time can cost a whole deadline.

        Raises:
            EngineError: the engine died more often, or it cannot be started again.
        """
        kept = list(texts)
        items = [_utf8(text) for text in kept]
        results: list[list[int] | EngineError] = [item if isinstance(item, EngineError) else [] for item in items]
        pending = [(place, item) for place, item in enumerate(items) if isinstance(item, bytes)]
        deaths = 0
        while pending:
            name = _encoding(kept, [place for place, _ in pending])
            answers, failure = self._open.ask(child.ENCODE, [item for _, item in pending], name)
            for (place, _), answer in zip(pending, answers, strict=False):
                results[place] = _ids(answer)
            del pending[: len(answers)]
            if failure is not None:
                deaths += 1
                if deaths > max_deaths:
                    raise failure
                results[pending.pop(0)[0]] = failure
        return results

    def decode_id(self, token_id: int) -> bytes:
        """What the engine shows for one id in streaming.

        Raises:
            EngineError: the id is no signed 32-bit integer; or the engine died or took too long.
        """
        return self.decode_ids([token_id])[0]

    def decode_ids(self, token_ids: Iterable[int]) -> list[bytes]:
        """What the engine shows for each of these ids in streaming: each is decoded alone.

        Raises:
            EngineError: as for ``decode_id``.
        """
        kept = list(token_ids)
        for token_id in kept:
            if not -ID_LIMIT <= token_id < ID_LIMIT:
                raise EngineError(f"id {token_id} is outside the range {-ID_LIMIT} to {ID_LIMIT - 1}")
        items = [struct.pack("=q", token_id) for token_id in kept]
        return self._ask(child.DECODE, items, lambda n: f"decoding id {kept[n]}")

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        """A conversation rendered with the file's chat template.

        Args:
            messages: each with ``role`` and ``content``; a message of role ``json`` holds a whole JSON object as its
                content.

        Returns:
            The text; bytes that are no UTF-8 come out as U+FFFD.

        Raises:
            EngineError: a message holds a lone surrogate; or the engine died or took too long.
        """
        what = f"a conversation of {len(messages)} messages"
        item = _utf8(json.dumps([dict(message) for message in messages], ensure_ascii=False))
        if isinstance(item, EngineError):
            raise item
        return self._ask(child.CHAT, [item], lambda _: f"rendering {what}")[0].decode("utf-8", "replace")

    def _ask(self, kind: bytes, items: Sequence[bytes], name: Callable[[int], str]) -> list[bytes]:
        """The answers to all items.

        Raises:
            EngineError: one of them failed; ``name(n)`` says what was done with it.
        """
        answers, failure = self._open.ask(kind, items, name)
        if failure is not None:
            raise failure
        return answers
