"""The added-tokens section: strings that are found before the model sees the text."""

from __future__ import annotations

from mtok_export.format.wire import Reader, Writer
from mtok_export.records import dataclass

_SHORTEST = 9
"""Id, three flags and the length of an empty string, in bytes."""


@dataclass(frozen=True)
class AddedToken:
    """One added token; where two have the same content, the engine gives the id of the first."""

    id: int
    special: bool
    lstrip: bool
    rstrip: bool
    content: str


def encode_added_tokens(tokens: tuple[AddedToken, ...], writer: Writer) -> None:
    """Write the number of added tokens and each of them.

    Raises:
        FormatError: a value does not fit the format.
    """
    writer.u32(len(tokens), "number of added tokens")
    for index, token in enumerate(tokens):
        with writer.inside(f"[{index}]"):
            writer.u31(token.id, "id")
            writer.flag(token.special, "special")
            writer.flag(token.lstrip, "lstrip")
            writer.flag(token.rstrip, "rstrip")
            writer.string(token.content, "content")


def decode_added_tokens(reader: Reader) -> tuple[AddedToken, ...]:
    """Read the number of added tokens and each of them.

    Raises:
        FormatError: malformed value, or the end of the file.
    """
    tokens: list[AddedToken] = []
    for index in range(reader.count("number of added tokens", _SHORTEST)):
        with reader.inside(f"[{index}]"):
            tokens.append(
                AddedToken(
                    id=reader.u31("id"),
                    special=reader.flag("special"),
                    lstrip=reader.flag("lstrip"),
                    rstrip=reader.flag("rstrip"),
                    content=reader.string("content"),
                )
            )
    return tuple(tokens)
