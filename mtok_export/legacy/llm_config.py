"""``llm_config.json``, where the engine looks for the chat template of a text file: its ``jinja`` object.

The engine reads ``jinja.chat_template``, ``jinja.eos`` and the variables in ``jinja.context``; ``jinja.bos`` it does
not read, so BOS is one of those variables.  A template in that file also comes before the one in a ``.mtok`` file.

Whatever else stands in the file stays as it is, to the byte: values are looked up in it, not written anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.files import read_file
from mtok_export.source.json_values import describe, parse_object

KEY = "jinja"

_SPACE = re.compile(r"[ \t\n\r]*")
_INDENT = re.compile(r"\{\s*\n([ \t]+)\"")


@dataclass(frozen=True)
class LlmConfig:
    """The file: its name, its text, and its values."""

    name: str
    text: str = field(repr=False)
    values: dict[str, Any] = field(repr=False)

    @property
    def chat_template(self) -> str:
        """The template; empty where there is none."""
        found = _jinja(self).get("chat_template", "")
        return found if isinstance(found, str) else ""

    @property
    def template_values(self) -> dict[str, Any]:
        """What concerns the template, as the engine takes it."""
        return {key: self.values[key] for key in (KEY,) if key in self.values}

    def encode(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode("utf-8")


def load_llm_config(path: Path) -> LlmConfig:
    """Read the file.

    Raises:
        SourceError: it is missing, no JSON object, or its ``jinja`` is something else than an object.
    """
    name = str(path)
    data = read_file(path, name)
    values = parse_object(data, name).items
    config = LlmConfig(name, data.decode("utf-8"), values)
    _jinja(config)
    return config


def with_template(config: LlmConfig, template: str, *, bos_token: str | None, eos_token: str | None) -> LlmConfig:
    """The file with a chat template and its tokens in it.

    Args:
        config: the file.
        template: the chat template.
        bos_token: the text of the token for the template; ``None`` takes out one that stands there.
        eos_token: likewise.
    """
    jinja = dict(_jinja(config))
    jinja["chat_template"] = template
    _set(jinja, "eos", eos_token)
    context = dict(jinja.get("context") or {})
    _set(context, "bos_token", bos_token)
    if context or "context" in jinja:
        jinja["context"] = context
    try:
        text = _spliced(config.text, jinja)
    except RecursionError:
        raise SourceError("its values lie too deep in each other", where=config.name) from None
    return LlmConfig(config.name, text, parse_object(text.encode(), config.name).items)


def _set(values: dict[str, Any], key: str, value: str | None) -> None:
    if value is None:
        values.pop(key, None)
    else:
        values[key] = value


def _jinja(config: LlmConfig) -> dict[str, Any]:
    """The object, as it stands in the file.

    Raises:
        SourceError: it or its ``context`` is something else than an object.
    """
    jinja = _object(config.values, KEY, f"{config.name}: $.{KEY}")
    _object(jinja, "context", f"{config.name}: $.{KEY}.context")
    return dict(jinja)


def _object(values: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    value = values.get(key, {})
    if not isinstance(value, dict):
        raise SourceError(f"it must be an object, not {describe(value)}", where=where)
    return value


# --- splicing ---------------------------------------------------------------------------------------------------------


def _spliced(text: str, jinja: dict[str, Any]) -> str:
    """The text with another ``jinja`` in the place of the old one, or behind the last member."""
    found = _INDENT.search(text)
    indent = found[1] if found else None
    value = json.dumps(jinja, indent=indent, ensure_ascii=False)
    if indent is not None:
        value = value.replace("\n", f"\n{indent}")
    start, end, last = _member(text)
    if start is not None:
        return text[:start] + value + text[end:]
    line = f"\n{indent}" if indent is not None else " "
    comma = "," if last else ""
    at = last or text.index("{") + 1
    tail = text[at:] if last or indent is not None else text[at:].lstrip()
    return f'{text[:at]}{comma}{line if last else ""}"{KEY}": {value}{tail}'


def _member(text: str) -> tuple[int | None, int, int]:
    """Where the value of ``jinja`` starts and ends (None where there is none), and where the last value ends."""
    decoder = json.JSONDecoder()
    at = _skip(text, text.index("{") + 1)
    found: tuple[int, int] | None = None
    end = 0
    while text[at] == '"':
        key, at = decoder.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        _, end = decoder.raw_decode(text, start)
        if key == KEY:
            found = start, end
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return (*found, end) if found else (None, 0, end)


def _skip(text: str, at: int) -> int:
    """The first place from ``at`` on that is no white space."""
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
