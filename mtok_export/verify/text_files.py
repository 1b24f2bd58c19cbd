"""Texts of the user's own, beside the built-in ones."""

from __future__ import annotations

from pathlib import Path

import orjson

from mtok_export.errors import SourceError
from mtok_export.source.files import read_file

JSON_LINES = (".jsonl", ".ndjson")


def read_texts(path: Path) -> tuple[str, ...]:
    r"""The texts of a file, in their order.

    A file whose name ends in ``.jsonl`` holds a JSON value per line: a string, or an object with the text under
    ``text``.  Of any other file every line is a text; its end, ``\n`` or ``\r\n``, is no part of it.  Empty lines are
    left out.

    Raises:
        SourceError: the file cannot be read, is no UTF-8, or a line is not as it must be; the error names the line.
    """
    name = str(path)
    data = read_file(path, name)
    is_json = path.suffix in JSON_LINES
    texts: list[str] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        line = line.removesuffix(b"\r")
        if line.strip() if is_json else line:
            texts.append((_json_text if is_json else _plain_text)(line, f"{name}, line {number}"))
    return tuple(texts)


def _plain_text(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"byte {error.start + 1} of the line is no UTF-8", where=where) from None


def _json_text(line: bytes, where: str) -> str:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise SourceError(f"this is no JSON: {error}", where=where) from None
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise SourceError("the line must be a string, or an object with a string under text", where=where)
    return text
