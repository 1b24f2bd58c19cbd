"""The conversations that chat templates are compared on.

A message that is more than a role and a text (tool calls, reasoning in a field of its own, the result of a tool) goes
to the engine as a message of the role ``json`` whose content is the whole object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtok_export.errors import SourceError

Message = Mapping[str, object]


@dataclass(frozen=True)
class Scene:
    """A conversation, as Hugging Face takes it; the assistant's next turn is opened behind it."""

    name: str
    messages: tuple[Message, ...]


def for_engine(messages: Sequence[Message]) -> list[dict[str, str]]:
    """The messages as the engine's binding takes them.

    Raises:
        SourceError: a message has no role; the error says which.
    """
    return [_for_engine(message, index) for index, message in enumerate(messages)]


def _for_engine(message: Message, index: int) -> dict[str, str]:
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str):
        raise SourceError("a message needs a role, which is a string", where=f"$[{index}]")
    if message.keys() == {"role", "content"} and isinstance(content, str):
        return {"role": role, "content": content}
    return {"role": "json", "content": json.dumps(dict(message), ensure_ascii=False)}


def _said(role: str, content: str) -> Message:
    return {"role": role, "content": content}


_SYSTEM = _said("system", "You are a helpful gardener. Answer briefly.")
_USER = _said("user", "When do I sow carrots?")
_ASSISTANT = _said("assistant", "From March on, in rows 30 cm apart.")
_NEXT = _said("user", "And in the shade?")

_THOUGHT = "Carrots want sun.\nShade slows them down."
_ANSWER = "They grow, but slowly."


def _called(arguments: Mapping[str, object]) -> Message:
    """The assistant calls a tool."""
    function = {"name": "weather", "arguments": arguments}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "call00001", "type": "function", "function": function}],
    }


_CALL = _called({"city": "Graz", "days": 3, "details": True})
_CALL_UNSORTED = _called({"unit": "°C", "place": {"town": "Šibenik", "at": [43.7, 15.9]}, "days": 1})
_RESULT: Message = {
    "role": "tool",
    "name": "weather",
    "tool_call_id": "call00001",
    "content": '{"sun": 0.7, "rain": [1, 0, 2]}',
}

SCENES: tuple[Scene, ...] = (
    Scene("single turn", (_USER,)),
    Scene("system", (_SYSTEM, _USER)),
    Scene("multi-turn", (_USER, _ASSISTANT, _NEXT)),
    Scene("system, multi-turn", (_SYSTEM, _USER, _ASSISTANT, _NEXT)),
    Scene(
        "many scripts and white space",
        (_said("user", "  Grüße! 你好，世界 — नमस्ते\n\n\tif (a < b) { return 'x'; }  👩‍🌾\n"),),
    ),
    Scene(
        "thinking text",
        (_USER, _said("assistant", f"<think>\n{_THOUGHT}\n</think>\n\n{_ANSWER}"), _NEXT),
    ),
    Scene(
        "reasoning in a field",
        (_USER, {"role": "assistant", "content": _ANSWER, "reasoning_content": _THOUGHT}, _NEXT),
    ),
    Scene("tool call and its result", (_SYSTEM, _USER, _CALL, _RESULT)),
    Scene("tool call whose arguments are not in the order of their names", (_USER, _CALL_UNSORTED, _RESULT)),
)
