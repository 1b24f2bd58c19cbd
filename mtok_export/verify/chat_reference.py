"""What Hugging Face makes of a conversation: ``apply_chat_template`` of ``transformers``, in a child process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mtok_export.errors import SourceError
from mtok_export.source.config_files import SPECIAL_TOKENS_MAP, TOKENIZER_CONFIG
from mtok_export.source.kinds import TOKENIZER_JSON
from mtok_export.source.settings import Source
from mtok_export.verify.scenes import Scene

START_SECONDS = 120.0
"""How long the import of the library and the loading of a tokenizer may take; a slow disk is no fault of the file."""

_QUIET_AND_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}

_WORKER = Path(__file__).with_name("transformers_worker.py")

_SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class Rendered:
    """A conversation as Hugging Face has it: the text, and its ids."""

    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Refused:
    """A conversation that the template does not take, and what it says."""

    reason: str


@dataclass(frozen=True)
class ChatAnswers:
    """What became of each scene, in their order; ``notes`` say what is odd about the library."""

    scenes: tuple[Rendered | Refused, ...]
    notes: tuple[str, ...]


class ChatReference:
    """The child process; it works while this one does something else, until ``answers`` is called."""

    def __init__(self, process: subprocess.Popen[bytes], output: IO[str], errors: IO[str], scenes: Sequence[Scene]):
        self._process = process
        self._output = output
        self._errors = errors
        self._scenes = scenes

    def answers(self, seconds: float) -> ChatAnswers:
        """Wait for the answers, ``seconds`` for rendering and not counting the start.

        Raises:
            SourceError: the library cannot be imported or refuses the tokenizer, or a template takes too long.
        """
        try:
            self._process.wait(START_SECONDS + seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.seek(0)
        lines = [json.loads(line) for line in self._output if line.endswith("}\n")]
        if not lines:
            raise SourceError(f"the library transformers fails: {self._last_words()}", where=TOKENIZER_JSON)
        start, *found = lines
        if len(found) < len(self._scenes):
            name = self._scenes[len(found)].name
            reason = f"transformers did not render the conversation {name!r} within {seconds:g} s"
            raise SourceError(reason, where="chat template", hint="it may loop for ever")
        return ChatAnswers(tuple(map(_answer, found)), tuple(_notes(start)))

    def _last_words(self) -> str:
        self._errors.seek(0)
        words = self._errors.read().strip().splitlines()
        return words[-1][:_SHOWN_CHARACTERS] if words else "it says nothing"


def _answer(line: Mapping[str, Any]) -> Rendered | Refused:
    if "error" in line:
        return Refused(" ".join(line["error"].split())[:_SHOWN_CHARACTERS])
    return Rendered(line["text"], tuple(line["ids"]))


def _notes(start: Mapping[str, Any]) -> Iterator[str]:
    if start["alone"] is not None:
        reason = " ".join(start["alone"].split())[:_SHOWN_CHARACTERS]
        library = f"transformers {start['version']}"
        yield f"{library} refuses the files beside tokenizer.json, which was loaded alone: {reason}"


@contextmanager
def chat_reference(
    source: Source, template: str, scenes: Sequence[Scene], *, seconds: float
) -> Iterator[ChatReference]:
    """Start rendering.

    Args:
        source: the model directory, as read; its BOS and EOS are used where ``transformers`` has none.
        template: the chat template.
        scenes: the conversations.
        seconds: how long rendering all of them may take.

    Raises:
        SourceError: Python cannot be started.
    """
    tokens = {"bos_token": source.settings.bos_token, "eos_token": source.settings.eos_token}
    with ExitStack() as stack:
        copy = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mtok-chat-")))
        folder = _folder(source, copy)
        request = {
            "path": sys.path,
            "tokenizer": str(copy / TOKENIZER_JSON),
            "folder": None if folder is None else str(folder),
            "template": template,
            "tokens": {role: token.content for role, token in tokens.items() if token is not None},
            "scenes": [list(map(dict, scene.messages)) for scene in scenes],
            "seconds": seconds,
        }
        requests, output, errors = (stack.enter_context(_scratch_file()) for _ in range(3))
        json.dump(request, requests)
        requests.seek(0)
        process = _start(requests, output, errors)
        try:
            yield ChatReference(process, output, errors, scenes)
        finally:
            process.kill()
            process.wait()


def _folder(source: Source, copy: Path) -> Path | None:
    """Where ``transformers`` finds the tokenizer with the files beside it; ``None`` for a file that was read alone.

    That is the folder itself, where it holds a ``tokenizer.json``; of another source it is a copy, with what the
    tokenizer was turned into.
    """
    (copy / TOKENIZER_JSON).write_bytes(source.tokenizer_json)
    if source.folder is None:
        return None
    if source.origin.endswith(TOKENIZER_JSON):
        return source.folder
    for name in (TOKENIZER_CONFIG, SPECIAL_TOKENS_MAP):
        if (source.folder / name).is_file():
            (copy / name).write_bytes((source.folder / name).read_bytes())
    return copy


def _scratch_file() -> IO[str]:
    """A file without a name: unlike a pipe, it never makes one side wait for the other."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")


def _start(requests: IO[str], output: IO[str], errors: IO[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-X", "utf8", str(_WORKER)]
    environment = {**os.environ, **_QUIET_AND_OFFLINE}
    try:
        return subprocess.Popen(command, stdin=requests, stdout=output, stderr=errors, env=environment)
    except OSError as error:
        raise SourceError(f"Python cannot be started for transformers: {error}", where=TOKENIZER_JSON) from None
