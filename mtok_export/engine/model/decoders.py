"""The engine's decoders: whole decoding over a list of strings of bytes, and streaming of one id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mtok_export.engine.model.bytes_table import from_chars
from mtok_export.engine.model.text import from_bytes
from mtok_export.errors import EngineError
from mtok_export.format import decoder as ops

META = "\u2581".encode()
_HEX = re.compile(rb"[\t-\r ]*([0-9A-Fa-f]{1,2})")

Tokens = list[bytes]
Step = Callable[[Tokens], Tokens]


def scan_byte(token: bytes, at: int = 0) -> bytes | None:
    """What C's ``sscanf`` reads as ``<0x%02X>``: the closing bracket is not looked for."""
    if token[at : at + 3] != b"<0x":
        return None
    found = _HEX.match(token, at + 3)
    return bytes((int(found[1], 16),)) if found else None


def leaves(record: ops.Decoder) -> Iterator[ops.Decoder]:
    """The records of a decoder that are no Sequence."""
    if isinstance(record, ops.Sequence):
        for child in record.decoders:
            yield from leaves(child)
    else:
        yield record


def build(record: ops.Decoder) -> Step:
    """The function of a record, from strings to strings."""
    return _BUILDERS[type(record)](record)


def _byte_level(_record: ops.ByteLevel) -> Step:
    return lambda tokens: [from_chars(from_bytes(token)) for token in tokens]


def _byte_fallback(_record: ops.ByteFallback) -> Step:
    return lambda tokens: [token if (byte := scan_byte(token)) is None else byte for token in tokens]


def _metaspace(record: ops.Metaspace) -> Step:
    replacement = record.replacement.encode("utf-8")

    def run(tokens: Tokens) -> Tokens:
        if not replacement and any(tokens):
            raise EngineError("a Metaspace decoder without a replacement makes the engine loop for ever")
        spaced = [token.replace(replacement, b" ") for token in tokens]
        if record.add_prefix_space and spaced:
            spaced[0] = spaced[0].removeprefix(b" ")
        return spaced

    return run


def _word_piece(record: ops.WordPiece) -> Step:
    prefix = record.prefix.encode("utf-8")

    def run(tokens: Tokens) -> Tokens:
        joined = b""
        for position, token in enumerate(tokens):
            if token.startswith(prefix):
                joined += token[len(prefix) :]
            else:
                joined += b" " * (position > 0) + token
        return [joined]

    return run


def _fuse(_record: ops.Fuse) -> Step:
    return lambda tokens: [b"".join(tokens)] if len(tokens) > 1 else tokens


def _replace(record: ops.Replace) -> Step:
    pattern, content = record.pattern.encode("utf-8"), record.content.encode("utf-8")

    def run(tokens: Tokens) -> Tokens:
        if not pattern and tokens:
            raise EngineError("a Replace decoder without a pattern makes the engine loop for ever")
        return [token.replace(pattern, content) for token in tokens]

    return run


def _strip(record: ops.Strip) -> Step:
    content = record.content.encode("utf-8")

    def run(tokens: Tokens) -> Tokens:
        tokens = list(tokens)
        if tokens and 0 < record.start < 1 << 31:
            tokens[0] = tokens[0].removeprefix(content)
        if tokens and 0 < record.stop < 1 << 31 and content:
            tokens[-1] = tokens[-1].removesuffix(content)
        return tokens

    return run


def _sequence(record: ops.Sequence) -> Step:
    steps = list(map(build, record.decoders))

    def run(tokens: Tokens) -> Tokens:
        for step in steps:
            tokens = step(tokens)
        return tokens

    return run


_BUILDERS: dict[type, Callable[[Any], Step]] = {
    ops.ByteLevel: _byte_level,
    ops.ByteFallback: _byte_fallback,
    ops.Metaspace: _metaspace,
    ops.WordPiece: _word_piece,
    ops.Fuse: _fuse,
    ops.Replace: _replace,
    ops.Strip: _strip,
    ops.Sequence: _sequence,
}


@dataclass(frozen=True)
class Streaming:
    """Decoding of one id: the entry, and what the decoder's kinds make of it."""

    byte_level: bool
    word_piece_prefix: str | None

    @classmethod
    def of(cls, decoder: ops.Decoder) -> Streaming:
        """Read off the decoder's records; of several WordPiece decoders the last one counts."""
        prefixes = [record.prefix for record in leaves(decoder) if isinstance(record, ops.WordPiece)]
        byte_level = any(isinstance(record, ops.ByteLevel) for record in leaves(decoder))
        return cls(byte_level, prefixes[-1] if prefixes else None)

    def decode(self, entry: str) -> bytes:
        """What the engine shows for an entry."""
        data = b"".join(_streamed(entry.encode("utf-8", "surrogateescape")))
        if self.word_piece_prefix is not None:
            prefix = self.word_piece_prefix.encode("utf-8")
            return data.removeprefix(prefix) if prefix and data.startswith(prefix) else b" " + data
        return from_chars(from_bytes(data)) if self.byte_level else data


def _streamed(token: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(token):
        if token.startswith(META, at):
            yield b" "
            at += len(META)
            continue
        byte = scan_byte(token, at) if at + 6 <= len(token) else None
        yield token[at : at + 1] if byte is None else byte
        at += 1 if byte is None else 6
