"""Tokenizer files put together byte by byte, with no help of the package under test."""

from __future__ import annotations

import struct
from collections.abc import Sequence

NO_NORMALIZER = b"\0"
NO_PRE_TOKENIZER = b"\0"
FUSE = b"\4"
BYTE_FALLBACK = b"\1"


def u32(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<H", len(data)) + data


def header(special: Sequence[int] = (), stop: Sequence[int] = (), prefix: Sequence[int] = ()) -> bytes:
    counts = f"{len(special)} {len(stop)} {len(prefix)}"
    ids = " ".join(str(number) for number in (*special, *stop, *prefix))
    return f"430 4\n{counts}\n{ids}\n".encode()


def bpe(vocab: dict[str, int], merges: Sequence[tuple[str, str]] = (), *, byte_level: bool = False) -> bytes:
    entries = sorted((token.encode(), number) for token, number in vocab.items())
    keys = sorted((vocab[left], vocab[right], rank) for rank, (left, right) in enumerate(merges))
    head = b"\0" + u32(len(entries)) + bytes([0, byte_level]) + u32(len(keys))
    return head + b"".join(string(token) + u32(number) for token, number in entries) + b"".join(u32(*k) for k in keys)


def split(pattern: str, behavior: int = 0, *, invert: bool = False) -> bytes:
    return b"\4" + string(pattern) + bytes([invert, behavior])


def tail(template: str = "", eos: str = "", bos: str = "", flags: int = 0) -> bytes:
    text = template.encode()
    return u32(len(text)) + text + string(eos) + bytes([flags]) + string(bos)


def mtok(
    model: bytes,
    *,
    head: bytes = header(),
    normalizer: bytes = NO_NORMALIZER,
    pre_tokenizer: bytes = NO_PRE_TOKENIZER,
    decoder: bytes = FUSE,
    added_tokens: Sequence[tuple[int, bool, str]] = (),
    end: bytes | None = None,
) -> bytes:
    """A whole file; each added token is (id, special, content)."""
    tokens = b"".join(u32(number) + bytes([special, 0, 0]) + string(text) for number, special, text in added_tokens)
    added = u32(len(added_tokens)) + tokens
    return head + normalizer + pre_tokenizer + model + decoder + added + (tail() if end is None else end)
