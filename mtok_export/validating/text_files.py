"""Text files: everything that the engine trusts without checking."""

from __future__ import annotations

from collections.abc import Iterator

from mtok_export.errors import FormatError
from mtok_export.legacy import (
    HuggingFaceFile,
    LegacyFile,
    LegacyType,
    PieceType,
    SentencePieceFile,
    TiktokenFile,
    faults,
)
from mtok_export.legacy.checks import FIRST_ROW
from mtok_export.legacy.shown import decoded_rows
from mtok_export.shown import counted, listed, visible_bytes
from mtok_export.validating.finding import Finding, Findings, error, warning

CODES = {
    LegacyType.SENTENCEPIECE: "pieces",
    LegacyType.TIKTOKEN: "tokens",
    LegacyType.BERT: "entries",
    LegacyType.HUGGINGFACE: "tokens-and-merges",
}
"""The code of what the engine would stumble over in the rows of each type."""

_HEADER_LINE = "line 3"


def text_findings(file: LegacyFile, data: bytes) -> list[Finding]:
    """The findings of a text file, in file order.

    Args:
        file: the file, as read.
        data: its bytes.
    """
    found = [*_faults(file, data), *_header(file, data), *_bytes(file), *_spaces(file, data), *_stack(file)]
    return sorted(found, key=lambda finding: finding.offset or 0)


def _faults(file: LegacyFile, data: bytes) -> Iterator[Finding]:
    for fault in faults(file):
        what, why = _split(fault)
        place = fault.where or ""
        yield error(f"text-{CODES[file.kind]}", place, _offset(data, place), what, why, "export the file again")


def _split(fault: FormatError) -> tuple[str, str]:
    """What stands in the file, and what the engine makes of it."""
    what, colon, why = fault.message.rpartition(": the engine ")
    return (what, f"the engine {why}") if colon else (fault.message, fault.message)


def _offset(data: bytes, place: str) -> int:
    """The first byte of a line, by its number in words."""
    number = int(place.removeprefix("line "))
    return sum(len(line) + 1 for line in data.split(b"\n", number - 1)[: number - 1])


def _bytes(file: LegacyFile) -> Findings:
    """Bytes that no row of type TIKTOKEN is, which a text loses."""
    if not isinstance(file, TiktokenFile):
        return
    missing = sorted(set(range(256)) - {token[0] for token in file.tokens if len(token) == 1})
    if missing:
        yield warning(
            "text-bytes",
            "line 4",
            0,
            f"{counted(len(missing), 'byte')} without a row: {listed(f'0x{byte:02X}' for byte in missing)}",
            "where no longer row holds such a byte, the engine leaves it out of the text",
            "export the file again",
        )


def _header(file: LegacyFile, data: bytes) -> Findings:
    """Ids without a row, and specials that are looked for under another text than one would think."""
    rows = decoded_rows(file)
    start = _offset(data, _HEADER_LINE)
    header = file.header
    for name, ids, why in (
        ("special_ids", header.special_ids, "the engine looks for no text of it"),
        ("stop_ids", header.stop_ids, "generation waits for an id that no row explains"),
        ("prefix_ids", header.prefix_ids, "every encoding starts with an id that no row explains"),
    ):
        unknown = [id_ for id_ in ids if id_ >= len(rows) or (name == "special_ids" and not rows[id_])]
        if unknown:
            what = f"{counted(len(unknown), 'id')} without a row or with an empty one: {listed(map(str, unknown))}"
            yield warning("unknown-id", f"{_HEADER_LINE}, {name}", start, what, why, "check the id")
    texts = [(id_, rows[id_]) for id_ in header.special_ids if id_ < len(rows) and rows[id_]]
    yield from _blank(texts, start)
    hidden = list(_hidden(texts))
    if hidden:
        yield warning(
            "special-hidden",
            f"{_HEADER_LINE}, special_ids",
            start,
            f"{counted(len(hidden), 'special')} whose text begins with that of an earlier one: {listed(hidden)}",
            "the first special of the list that fits is taken, not the longest, so these are never found",
            "list longer specials first",
        )


def _blank(texts: list[tuple[int, bytes]], start: int) -> Findings:
    """Specials that are white space: an added token may be, but more often its row is not what it should be."""
    blank = [(id_, text) for id_, text in texts if not text.strip(b" \t\n\v\f\r")]
    if blank:
        id_, text = blank[0]
        yield warning(
            "special-is-space",
            f"{_HEADER_LINE}, special_ids",
            start,
            f"{counted(len(blank), 'special')} shown as white space, first {id_} as {visible_bytes(text)}",
            f"the engine finds it wherever a text has {visible_bytes(text)}",
            "leave it out of the list, unless the tokenizer does just that",
        )


def _hidden(texts: list[tuple[int, bytes]]) -> Iterator[str]:
    seen: dict[bytes, int] = {}
    for id_, text in texts:
        earlier = next((seen[text[:end]] for end in range(1, len(text) + 1) if text[:end] in seen), None)
        if earlier not in (None, id_):
            yield f"{id_} {visible_bytes(text)} behind {earlier}"
        seen.setdefault(text, id_)


def _spaces(file: LegacyFile, data: bytes) -> Findings:
    """Pieces as MNN's own exporter writes them."""
    pieces = file.pieces if isinstance(file, SentencePieceFile) else ()
    spaced = [id_ for id_, piece in enumerate(pieces) if piece.type is PieceType.NORMAL and b" " in piece.piece]
    if spaced:
        place = f"line {FIRST_ROW + spaced[0]}"
        yield error(
            "piece-with-space",
            place,
            _offset(data, place),
            f"{counted(len(spaced), 'NORMAL piece')} with a space, first {visible_bytes(pieces[spaced[0]].piece)}",
            "the engine writes U+2581 for every space of a text before it looks anything up: these are never found",
            "write U+2581 in the place of the space; mtok export does",
        )


def _stack(file: LegacyFile) -> Findings:
    if isinstance(file, HuggingFaceFile):
        yield warning(
            "pattern-takes-stack",
            "line 1",
            0,
            "type HUGGINGFACE",
            "the engine splits texts by std::regex, which takes 260 bytes of stack for every byte of an unbroken run "
            "of letters, symbols or white space: 2,010 bytes kill a thread of 512 KiB, 32,000 one of 8 MiB",
            "write a .mtok file, or cut long runs before they reach the engine",
        )
