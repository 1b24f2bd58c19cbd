"""Typed access to parsed JSON, where every value knows its JSON path.

``tokenizer.json`` is read by the rules of the ``tokenizers`` library (version 0.23), which are stricter than Python's:
no NaN, no lone surrogate, no byte order mark, no number for a truth value, no ``3.0`` where an integer is needed, at
most 127 levels of nesting.  Missing, null, of the wrong type and out of range are four different complaints.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import Any, NoReturn, TypeVar

import orjson

from mtok_export.errors import SourceError

U32_MAX = 2**32 - 1
I32_MAX = 2**31 - 1
"""The highest id that the engine can give."""
U64_MAX = 2**64 - 1
MAX_DEPTH = 127
"""Levels of nested objects and arrays that the ``tokenizers`` library reads; the 128th is an error there."""

T = TypeVar("T")

_MISSING = object()
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}")
_UNICODE_MARKS = {
    b"\xef\xbb\xbf": "a UTF-8 byte order mark",
    b"\xff\xfe": "a UTF-16 byte order mark",
    b"\xfe\xff": "a UTF-16 byte order mark",
}


@contextmanager
def paused_gc() -> Iterator[None]:
    """Keep the cyclic garbage collector out of the way while millions of small, acyclic objects are made.

    It would walk all of them again and again: half the time of parsing a 33 MB file.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def quote(text: str, limit: int = 60) -> str:
    """``text`` in quotes as JSON writes it, cut to about ``limit`` characters: for messages."""
    return json.dumps(text if len(text) <= limit else text[:limit] + "…", ensure_ascii=False)


def child_path(path: str, key: str | int) -> str:
    """The JSON path of a member of ``path``: ``$.model``, ``$.merges[3]``, ``$.special_tokens["[CLS]"]``."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{quote(key)}]"


def describe(value: object) -> str:
    """What a parsed JSON value is, in words, for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"the string {quote(value)}"
    if isinstance(value, (int, float)):
        return f"the number {value!r}"
    if isinstance(value, list):
        return f"an array of length {len(value)}"
    return "an object"


# --- from bytes to values ---------------------------------------------------------------------------------------------


def parse_json(data: bytes, name: str) -> Any:
    """Parse one JSON document.

    Args:
        data: the whole file.
        name: the file's name, for messages.

    Raises:
        SourceError: when ``data`` is no JSON that the ``tokenizers`` library could read, with line and column, or with
            the JSON path where that says more.
    """
    try:
        with paused_gc():
            return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        _explain(data, name, error)


def parse_object(data: bytes, name: str) -> JsonObject:
    """Parse a JSON document whose top level must be an object; the arguments and errors are those of ``parse_json``."""
    value = parse_json(data, name)
    if not isinstance(value, dict):
        raise SourceError(f"the top level must be an object, not {describe(value)}", where=f"{name}: $")
    return JsonObject(value, (f"{name}: $",))


def _explain(data: bytes, name: str, error: orjson.JSONDecodeError) -> NoReturn:
    """Say why orjson could not read ``data``."""
    if not data.strip():
        raise SourceError("the file is empty" if not data else "the file holds nothing but white space", where=name)
    for mark, meaning in _UNICODE_MARKS.items():
        if data.startswith(mark):
            raise SourceError(f"the file starts with {meaning}", where=name, hint="save it as UTF-8 without the mark")
    try:
        text = data.decode()
    except UnicodeDecodeError as bad:
        line, column = data.count(b"\n", 0, bad.start) + 1, bad.start - data.rfind(b"\n", 0, bad.start)
        place = f"{name}, line {line}, byte column {column}"
        raise SourceError(f"byte {bad.start} (0x{data[bad.start]:02x}) is not UTF-8", where=place) from None
    _look_with_standard_parser(text, name)
    place = f"{name}, line {error.lineno}, column {error.colno}"
    if error.pos >= len(text.rstrip()):
        raise SourceError("the JSON text ends too early", where=place, hint="the file seems to be cut off")
    raise SourceError(f"the text is not JSON: {error.msg}", where=place)


def _look_with_standard_parser(text: str, name: str) -> None:
    """Name what only Python's own parser can read: a lone surrogate, NaN and infinity, numbers beyond all bounds."""

    def refuse_constant(constant: str) -> NoReturn:
        raise SourceError(f"the text is not JSON: {constant} is no JSON number", where=name)

    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except RecursionError:
        raise SourceError(f"the JSON text is nested more than {MAX_DEPTH} levels deep", where=name) from None
    except ValueError:  # orjson's own words, with its line and column, are as good
        return
    path = _find_unreadable(value, f"{name}: $")
    if path is not None:
        raise SourceError(path[1], where=path[0])


def _find_unreadable(value: object, path: str) -> tuple[str, str] | None:
    """The path of the first string with a lone surrogate (or number out of range), and what is wrong there."""
    stack: list[tuple[object, str]] = [(value, path)]
    while stack:
        node, where = stack.pop()
        if isinstance(node, dict):
            for key in node:
                if _has_surrogate(key):
                    return where, f"the key {json.dumps(key[:60])} holds a lone surrogate, which UTF-8 cannot express"
            stack.extend([(item, child_path(where, key)) for key, item in reversed(node.items())])
        elif isinstance(node, list):
            stack.extend([(item, child_path(where, i)) for i, item in reversed(list(enumerate(node)))])
        elif isinstance(node, str) and _has_surrogate(node):
            return where, f"{json.dumps(node[:60])} holds a lone surrogate, which UTF-8 cannot express"
        elif isinstance(node, float) and node in (float("inf"), float("-inf")):
            return where, "the number is too large for a 64-bit floating point number"
    return None


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


# --- typed getters ----------------------------------------------------------------------------------------------------


def wrong_type(value: object, wanted: str, path: str) -> SourceError:
    """The error for a value of the wrong type at ``path``; ``wanted`` comes with its article: ``"a string"``."""
    return SourceError(f"{wanted} is needed here, not {describe(value)}", where=path)


class JsonObject:
    """A JSON object with its path.

    Every getter raises ``SourceError`` with the JSON path of the field.  Without ``default`` a field must be there; a
    null is never taken for a missing field, except by the getters named ``optional_...``: they give ``None`` for both.
    """

    __slots__ = ("_steps", "items")

    def __init__(self, items: dict[str, Any], steps: tuple[str | int, ...]) -> None:
        """``steps`` lead to this object: the path of the top level, then keys and positions."""
        self.items = items
        self._steps = steps

    @property
    def path(self) -> str:
        """The JSON path of this object (made when asked for: there are thousands of objects, and few complaints)."""
        return reduce(child_path, self._steps[1:], str(self._steps[0]))

    def at(self, key: str | int) -> str:
        """The JSON path of the field ``key``, there or not."""
        return child_path(self.path, key)

    def error(self, key: str | None, message: str, hint: str | None = None) -> SourceError:
        """An error about the field ``key`` (``None``: about this object)."""
        return SourceError(message, where=self.path if key is None else self.at(key), hint=hint)

    def has(self, key: str) -> bool:
        """Whether the field is there and is not null."""
        return self.items.get(key) is not None

    def value(self, key: str) -> Any:
        """The field as it is; only missing is an error."""
        value = self.items.get(key, _MISSING)
        if value is _MISSING:
            raise self.error(None, f"the field {quote(key)} is missing")
        return value

    def boolean(self, key: str, default: bool | None = None) -> bool:
        """A truth value."""
        value = self._value_or(key, default)
        if not isinstance(value, bool):
            raise wrong_type(value, "true or false", self.at(key))
        return value

    def optional_boolean(self, key: str) -> bool | None:
        """A truth value, or ``None``."""
        return self.boolean(key) if self.has(key) else None

    def string(self, key: str) -> str:
        """A string."""
        value = self.value(key)
        if not isinstance(value, str):
            raise wrong_type(value, "a string", self.at(key))
        return value

    def optional_string(self, key: str) -> str | None:
        """A string, or ``None``."""
        return self.string(key) if self.has(key) else None

    def character(self, key: str) -> str:
        """A string of one code point."""
        value = self.string(key)
        if len(value) != 1:
            raise self.error(key, f"exactly one character is needed here, not {quote(value)} of length {len(value)}")
        return value

    def unsigned(self, key: str, default: int | None = None, *, limit: int = U32_MAX) -> int:
        """An integer from 0 to ``limit``."""
        return unsigned(self._value_or(key, default), self.at(key), limit)

    def optional_unsigned(self, key: str, *, limit: int = U32_MAX) -> int | None:
        """An integer from 0 to ``limit``, or ``None``."""
        return self.unsigned(key, limit=limit) if self.has(key) else None

    def choice(self, key: str, table: Mapping[str, T], default: str | None = None) -> T:
        """The entry of ``table`` that the string at ``key`` names."""
        name = self._value_or(key, default)
        if not isinstance(name, str):
            raise wrong_type(name, "a string", self.at(key))
        if name not in table:
            raise self.error(key, f"{quote(name)} is unknown; known are {', '.join(table)}")
        return table[name]

    def array(self, key: str) -> list[Any]:
        """An array."""
        value = self.value(key)
        if not isinstance(value, list):
            raise wrong_type(value, "an array", self.at(key))
        return value

    def object(self, key: str) -> JsonObject:
        """An object."""
        return self._as_object(self.value(key), key)

    def objects(self, key: str) -> list[JsonObject]:
        """An array of objects."""
        return [self._as_object(item, key, i) for i, item in enumerate(self.array(key))]

    def element(self, key: str, index: int) -> JsonObject:
        """One element of an array of objects."""
        return self._as_object(self.array(key)[index], key, index)

    def members(self) -> list[tuple[str, JsonObject]]:
        """The fields of an object whose values are all objects, such as a table of tokens."""
        return [(key, self.object(key)) for key in self.items]

    def _value_or(self, key: str, default: Any) -> Any:
        if default is not None and key not in self.items:
            return default
        return self.value(key)

    def _as_object(self, value: Any, *steps: str | int) -> JsonObject:
        found = JsonObject(value, self._steps + steps)
        if not isinstance(value, dict):
            raise wrong_type(value, "an object", found.path)
        if len(found._steps) > MAX_DEPTH:
            raise SourceError(f"nested more than {MAX_DEPTH} levels deep; tokenizers reads no deeper", where=found.path)
        return found


def unsigned(value: object, path: str, limit: int = U32_MAX) -> int:
    """Check that ``value`` is an integer from 0 to ``limit`` (``true`` and ``3.0`` are not)."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(value, "an integer", path)
    if value < 0 or value > limit:
        raise SourceError(f"{value} is out of range; from 0 to {limit} is allowed", where=path)
    return value
