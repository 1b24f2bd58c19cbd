"""The two large tables of a file, vocabulary entries and merges, between bytes and columns.

A quarter of a million entries and half a million merges are usual, so the loops here call nothing of this package for
one entry.  They look only for whether *something* is wrong; where that is so, the same bytes are gone through once more
with the checked calls of ``wire``, which name the entry and the offset.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from struct import iter_unpack
from typing import TYPE_CHECKING, NoReturn

from mtok_export.format.spec import MAX_ID, MAX_STRING_BYTES
from mtok_export.format.wire import Reader, Writer, float_column, int_column
from mtok_export.packed_tokens import PackedTokens

if TYPE_CHECKING:
    from mtok_export.byte_strings import Positions

    IntArray = array[int]
    FloatArray = array[float]

LENGTH_BYTES = 2
ID_BYTES = 4
SCORE_BYTES = 8
_BLOCK = 1 << 14
"""Entries that are put together at once: few enough for their bytes to take little memory beside the file's."""

MERGE_FIELDS = ("left", "right", "rank")
MERGE_BYTES = ID_BYTES * len(MERGE_FIELDS)


def decode_vocab(reader: Reader, count: int) -> tuple[tuple[str, ...], IntArray]:
    """Read ``count`` entries of token and id.

    Raises:
        FormatError: with the number of the entry and the offset.
    """
    tokens, numbers = _decode_entries(reader, count, ID_BYTES)
    return tokens, int_column(numbers)


def decode_scored_vocab(reader: Reader, count: int) -> tuple[tuple[str, ...], IntArray, FloatArray]:
    """Read ``count`` entries of token, id and score.

    Raises:
        FormatError: with the number of the entry and the offset.
    """
    tokens, numbers = _decode_entries(reader, count, ID_BYTES + SCORE_BYTES)
    # Each entry is three words: the id and the two halves of the score, which are put together again word by word.
    words = array("I", numbers)
    halves = array("I", bytes(SCORE_BYTES * count))
    halves[0::2] = words[1::3]
    halves[1::2] = words[2::3]
    return tokens, int_column(words[0::3].tobytes()), float_column(halves.tobytes())


def encode_vocab(writer: Writer, tokens: Sequence[str], ids: IntArray, scores: FloatArray | None = None) -> None:
    """Write one entry of token, id and, if there are scores, score for each token.

    Raises:
        FormatError: with the number of the entry; also where the columns differ in length.
    """
    if len(ids) != len(tokens):
        raise writer.error(f"{len(tokens)} tokens, but {len(ids)} ids")
    if scores is not None and len(scores) != len(tokens):
        raise writer.error(f"{len(tokens)} tokens, but {len(scores)} scores")
    columns = [(writer.column(ids, "I", "ids"), ID_BYTES)]
    if not _all_u31(columns[0][0], ID_BYTES):
        _name_first_over_limit(writer, ids, "vocab", "id")
    if scores is not None:
        columns.append((writer.column(scores, "d", "scores"), SCORE_BYTES))
    if isinstance(tokens, PackedTokens):
        packed = _encode_packed(tokens, columns)
        if packed is not None:
            writer.raw(packed)
            return
    for start in range(0, len(tokens), _BLOCK):
        block = tokens[start : start + _BLOCK]
        rows = [(raw[size * start : size * (start + len(block))], size) for raw, size in columns]
        writer.raw(_encode_block(writer, block, rows, start))


def _encode_packed(tokens: PackedTokens, columns: Sequence[tuple[bytes, int]]) -> bytes | None:
    """All entries at once, where the bytes of the tokens are there; ``None`` where one of them does not fit."""
    import numpy as np

    sizes = tokens.strings.sizes
    try:
        tokens.raw.decode()
    except UnicodeDecodeError:
        return None
    if not len(tokens) or sizes.max() > MAX_STRING_BYTES:
        return None
    around = LENGTH_BYTES + sum(size for _, size in columns)
    ends = np.cumsum(sizes + around)
    heads = ends - (sizes + around)
    section = np.empty(int(ends[-1]), dtype=np.uint8)
    is_text = np.ones(len(section), dtype=np.bool_)

    def put(numbers: bytes, size: int, starts: Positions) -> None:
        for byte in range(size):
            section[starts + byte] = np.frombuffer(numbers, dtype=np.uint8)[byte::size]
            is_text[starts + byte] = False

    put(sizes.astype("<u2").tobytes(), LENGTH_BYTES, heads)
    start = heads + LENGTH_BYTES + sizes
    for numbers, size in columns:
        put(numbers, size, start)
        start = start + size
    section[is_text] = np.frombuffer(tokens.raw.replace(b"\0", b""), dtype=np.uint8)
    return section.tobytes()


def _encode_block(writer: Writer, tokens: Sequence[str], columns: Sequence[tuple[bytes, int]], first: int) -> bytes:
    """Some entries, of which ``first`` is the number of the first one, with the columns of their numbers."""
    encoded, lengths = _utf8(writer, tokens, first)
    # The numbers of an entry and the length of the *next* token make one piece of fixed size, so that the section is
    # tokens and such pieces in turn.  The first length goes in front; the last piece has none to say.
    following = (lengths[LENGTH_BYTES:] + bytes(LENGTH_BYTES), LENGTH_BYTES)
    parts = [lengths[:LENGTH_BYTES], *([b""] * (2 * len(encoded)))]
    parts[1::2] = encoded
    parts[2::2] = _side_by_side([*columns, following], len(encoded))
    parts[-1] = parts[-1][:-LENGTH_BYTES]
    return b"".join(parts)


def decode_merges(reader: Reader, count: int) -> tuple[IntArray, IntArray, IntArray]:
    """Read ``count`` merges as the columns left, right and rank.

    Raises:
        FormatError: with the number of the merge and the offset.
    """
    start = reader.position
    raw = reader.take(MERGE_BYTES * count, "merges")
    words = int_column(raw)
    if not _all_u31(raw, ID_BYTES):
        index = next(index for index, value in enumerate(words) if value > MAX_ID)
        merge, field = divmod(index, len(MERGE_FIELDS))
        with reader.inside(f"merges[{merge}]"):
            message = f"{MERGE_FIELDS[field]} is {words[index]}, over the limit of {MAX_ID}"
            raise reader.error(message, offset=start + ID_BYTES * index)
    return words[0::3], words[1::3], words[2::3]


def encode_merges(writer: Writer, left: IntArray, right: IntArray, rank: IntArray) -> None:
    """Write the columns as one record for each merge.

    Raises:
        FormatError: with the number of the merge; also where the columns differ in length.
    """
    if not len(left) == len(right) == len(rank):
        raise writer.error(f"merges have {len(left)} left ids, {len(right)} right ids and {len(rank)} ranks")
    words = array("I", bytes(MERGE_BYTES * len(rank)))
    for index, (name, column) in enumerate(zip(MERGE_FIELDS, (left, right, rank), strict=True)):
        if not _all_u31(writer.column(column, "I", f"merges: {name}"), ID_BYTES):
            _name_first_over_limit(writer, column, "merges", name)
        words[index :: len(MERGE_FIELDS)] = column
    writer.raw(writer.column(words, "I", "merges"))


def _decode_entries(reader: Reader, count: int, width: int) -> tuple[tuple[str, ...], bytes]:
    """Read strings that are each followed by ``width`` bytes of numbers, an id first; the numbers come out joined."""
    raw_tokens: list[bytes] = []
    raw_numbers: list[bytes] = []
    add_token, add_number = raw_tokens.append, raw_numbers.append
    data, position = reader.data, reader.position
    try:
        for _ in range(count):
            start = position + LENGTH_BYTES
            position = start + data[position] + (data[position + 1] << 8)
            add_token(data[start:position])
            add_number(data[position : position + width])
            position += width
        tokens = tuple(map(bytes.decode, raw_tokens))
    except (IndexError, UnicodeDecodeError):
        return _decode_entries_checked(reader, count, width)
    numbers = b"".join(raw_numbers)
    # Slices do not mind the end of the data, so only the last entry can be short here.
    if position > len(data) or not _all_u31(numbers, width):
        return _decode_entries_checked(reader, count, width)
    reader.position = position
    return tokens, numbers


def _decode_entries_checked(reader: Reader, count: int, width: int) -> tuple[tuple[str, ...], bytes]:
    tokens: list[str] = []
    numbers: list[bytes] = []
    for index in range(count):
        with reader.inside(f"vocab[{index}]"):
            tokens.append(reader.string("token"))
            start = reader.position
            reader.u31("id")
            reader.take(width - ID_BYTES, "score")
            numbers.append(reader.data[start : reader.position])
    return tuple(tokens), b"".join(numbers)


def _utf8(writer: Writer, tokens: Sequence[str], first: int) -> tuple[list[bytes], bytes]:
    """The bytes of each token, and their lengths as a column of u16 in bytes; ``first`` is the number of the first."""
    try:
        encoded = list(map(str.encode, tokens))
        lengths = array("H", map(len, encoded))
    except (UnicodeEncodeError, OverflowError):
        strings: list[bytes] = []
        for index, token in enumerate(tokens, first):
            with writer.inside(f"vocab[{index}]"):
                strings.append(writer.string_bytes(token, "token"))
        return [string[LENGTH_BYTES:] for string in strings], b"".join(string[:LENGTH_BYTES] for string in strings)
    return encoded, writer.column(lengths, "H", "lengths")


def _side_by_side(columns: Iterable[tuple[bytes, int]], count: int) -> Iterable[bytes]:
    """The rows of a table given by its columns: each is ``count`` values of so many bytes, an even number."""
    words_of = [(array("H", raw), size // 2) for raw, size in columns]
    stride = sum(size for _, size in words_of)
    table = array("H", bytes(2 * stride * count))
    position = 0
    for words, size in words_of:
        for index in range(size):
            table[position::stride] = words[index : size * count : size]
            position += 1
    return chain.from_iterable(iter_unpack(f"{2 * stride}s", table.tobytes()))


def _all_u31(raw: bytes, stride: int) -> bool:
    """Whether the u32 at every ``stride`` bytes is at most MAX_ID: its highest byte is then below 0x80, as in ASCII."""
    return raw[ID_BYTES - 1 :: stride].isascii()


def _name_first_over_limit(writer: Writer, values: IntArray, table: str, field: str) -> NoReturn:
    index, value = next((index, value) for index, value in enumerate(values) if value > MAX_ID)
    with writer.inside(f"{table}[{index}]"):
        raise writer.error(f"{field} is {value}, over the limit of {MAX_ID}")
