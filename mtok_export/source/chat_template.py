"""Render chat templates, and find the token with which one closes the assistant's turn.

Rendering happens in a child process (``template_worker.py``), which is started for the first template and kept for the
next ones.  That costs 25 ms more than rendering here (jinja2, most of the cost, is then not imported in this process),
and nothing at all where no template is rendered.  In return a template that never ends or fills the memory is stopped
on every platform; a thread could not be, and signals are not portable.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.json_values import quote
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.settings import ChatTemplate, Notice

Message = Mapping[str, object]

RENDER_SECONDS = 10
"""How long one template may take (the start of the child process included); real ones need milliseconds."""
RENDER_MEMORY = 1 << 30
"""Bytes of address space the child process may have; real templates need 50 MiB, most of it Python itself."""
RENDER_CHARACTERS = 10_000_000
"""How long the rendered text may be."""

_REASON_CHARACTERS = 300
"""How much of what a template says when it refuses a conversation is passed on."""


def render(
    template_text: str,
    messages: Sequence[Message],
    *,
    add_generation_prompt: bool,
    bos_token: str | None,
    eos_token: str | None,
    tools: Sequence[Mapping[str, object]] | None = None,
    **extra: object,
) -> str:
    """Render a chat template as ``transformers`` does.

    Args:
        template_text: the template.
        messages: the conversation: mappings that JSON can express, with ``role`` and ``content``.
        add_generation_prompt: whether the assistant's next turn is opened.
        bos_token: the text of ``bos_token``; undefined in the template for ``None``.
        eos_token: likewise.
        tools: the ``tools`` of the template.
        **extra: further variables of the template.

    Raises:
        SourceError: when the template is no Jinja template, refuses the conversation, or takes more than
            ``RENDER_SECONDS``, ``RENDER_MEMORY`` or ``RENDER_CHARACTERS``.
    """
    tokens = {"bos_token": bos_token, "eos_token": eos_token}
    variables: dict[str, object] = {
        **{name: text for name, text in tokens.items() if text is not None},
        "messages": [dict(message) for message in messages],
        "tools": None if tools is None else [dict(tool) for tool in tools],
        "documents": None,
        "add_generation_prompt": add_generation_prompt,
        **extra,
    }
    answer = _renderer.ask({"template": template_text, "variables": variables})
    if "text" not in answer:
        reason = " ".join(str(answer["error"]).split())  # a template may raise several lines
        raise SourceError(reason[:_REASON_CHARACTERS], where="chat template")
    return str(answer["text"])


def call_ahead(function: str, text: str) -> Callable[[], Any]:
    """Have a function called in the process that renders templates, while this process does something else.

    Args:
        function: its name, ``module:function``; what it gives must be what JSON can hold.
        text: its argument.

    Returns:
        What waits for the result.  It raises ``SourceError`` where the process cannot be started, dies, takes too long,
        or the function raises something.
    """
    request = {"call": function, "text": text}
    try:
        pending = _renderer.send(request)
    except SourceError as error:
        failed = error

        def fail() -> Any:
            raise failed

        return fail

    def wait() -> Any:
        answer = _renderer.receive(pending)
        if "value" not in answer:
            raise SourceError(str(answer["error"]), where=function)
        return answer["value"]

    return wait


class _HopelessError(SourceError):
    """Rendering took too long."""


class _Pending:
    """A request that was sent; ``line`` is the answer, ``""`` where the process died instead."""

    def __init__(self) -> None:
        self.line: str | None = None


class _Renderer:
    """The child process: started when first needed, again after it had to be killed, and stopped at exit.

    It answers one request after the other, in the order in which they were sent.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._waiting: deque[_Pending] = deque()
        self._hopeless: dict[str, SourceError] = {}

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send one request and wait for its answer, ``RENDER_SECONDS`` at most.

        A template that took longer is not tried a second time.
        """
        template = request["template"]
        if template in self._hopeless:
            raise self._hopeless[template]
        try:
            return self.receive(self.send(request))
        except _HopelessError as error:
            self._hopeless[template] = SourceError(error.message, where=error.where, hint=error.hint)
            raise self._hopeless[template] from None

    def send(self, request: dict[str, Any]) -> _Pending:
        """Send one request.  Raises ``SourceError`` where there is no process to send it to."""
        line = json.dumps(request)
        with self._lock:
            process = self._running()
            pending = _Pending()
            self._waiting.append(pending)
            try:
                assert process.stdin is not None
                print(line, file=process.stdin, flush=True)
            except OSError:
                self._stop()
        return pending

    def receive(self, pending: _Pending) -> dict[str, Any]:
        """Wait for an answer, and take those that come before it.  Raises ``SourceError`` where there is none."""
        with self._lock:
            while pending.line is None:
                try:
                    line = self._answers.get(timeout=RENDER_SECONDS)
                except queue.Empty:
                    self._stop()
                    problem = f"it is not rendered after {RENDER_SECONDS} seconds"
                    raise _HopelessError(problem, where="chat template", hint="it may loop for ever") from None
                if line:
                    self._waiting.popleft().line = line
                else:
                    self._stop()
        if not pending.line:
            raise SourceError("the process that renders it has died", where="chat template")
        parsed: dict[str, Any] = json.loads(pending.line)
        return parsed

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._owner == os.getpid():  # a forked process must not share the pipes
            return self._process
        script = Path(__file__).with_name("template_worker.py")
        limits = {"seconds": RENDER_SECONDS, "memory": RENDER_MEMORY, "characters": RENDER_CHARACTERS}
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-X", "utf8", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            self._process, self._owner, self._answers = process, os.getpid(), queue.SimpleQueue()
            threading.Thread(target=_collect, args=(process, self._answers), daemon=True).start()
            assert process.stdin is not None
            path = [*sys.path, str(script.parents[2])]
            print(json.dumps({"path": path, **limits}), file=process.stdin, flush=True)
        except OSError as error:
            self._stop()
            raise SourceError(f"Python cannot be started to render it: {error}", where="chat template") from None
        return process

    def forget(self) -> None:
        """Begin anew in a forked process: what the other one waits for is its own, and so is whoever held the lock."""
        self._lock = threading.RLock()
        self._waiting = deque()

    def stop(self) -> None:
        """End the child process, if there is one."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        process, self._process = self._process, None
        while self._waiting:
            self._waiting.popleft().line = ""
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.wait()
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # about what it had no time to read
            process.stdin.close()


def _collect(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
    """Pass on what the child process writes, and ``""`` when it ends; a thread's work, since pipes know no deadline."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            answers.put(line)
    answers.put("")


def prepare_renderer(template: str) -> None:
    """Start the child process, so that it imports jinja2 and compiles a template while this one does something else."""
    with contextlib.suppress(SourceError):  # rendering will try again, and say it
        _renderer.send({"compile": template})


_renderer = _Renderer()
atexit.register(_renderer.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renderer.forget)


# --- the end of a turn ------------------------------------------------------------------------------------------------

_ANSWER = "mtokanswermtokanswer"
"""What the assistant says: a word that no template prints by itself and that none can want to change."""

_CONVERSATION = (("system", "Be brief."), ("user", "Hi."), ("assistant", _ANSWER))


def _conversations() -> Iterable[list[Message]]:
    """Conversations that end with the assistant: without and with a system turn, contents as text and as parts."""
    for turns in (_CONVERSATION[1:], _CONVERSATION):
        yield [{"role": role, "content": text} for role, text in turns]
    for turns in (_CONVERSATION[1:], _CONVERSATION):
        yield [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in turns]


def find_end_of_turn(
    template: ChatTemplate, tokens: Iterable[AddedToken], bos_token: str | None, eos_token: str | None
) -> tuple[AddedToken | None, tuple[Notice, ...]]:
    """Find the added token with which a chat template closes the assistant's turn.

    A short conversation is rendered; the token is the longest added token that stands directly behind the assistant's
    last word, white space aside.  The first conversation that the template renders with that word in it counts.

    Args:
        template: the template.
        tokens: the added tokens.
        bos_token: the text of ``bos_token``.
        eos_token: likewise.

    Returns:
        The token, or ``None`` and a notice that says why there is none.
    """
    problem = "the assistant's words do not appear in a rendered conversation"
    for messages in _conversations():
        try:
            text = render(
                template.text, messages, add_generation_prompt=False, bos_token=bos_token, eos_token=eos_token
            )
        except SourceError as error:
            problem = error.message
            continue
        _, answer, rest = text.rpartition(_ANSWER)
        if not answer:
            continue
        rest = rest.lstrip()
        found = max((token for token in tokens if rest.startswith(token.content)), key=_length, default=None)
        if found is not None:
            return found, ()
        what = f"only {quote(rest)} follows" if rest else "nothing follows"
        message = f"the template closes the assistant's turn with no added token ({what}): it gives no stop token"
        return None, (Notice(template.origin, message),)
    return None, (Notice(template.origin, f"the template could not be rendered, so it gives no stop token: {problem}"),)


def _length(token: AddedToken) -> int:
    return len(token.content)
