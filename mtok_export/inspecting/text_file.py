"""A text file, section by section, as plain JSON values and as lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mtok_export.errors import MtokError
from mtok_export.format.spec import MAGIC
from mtok_export.inspecting.lines import section_lines, section_table
from mtok_export.inspecting.vocabulary import json_text, kind_of
from mtok_export.legacy import BertFile, HuggingFaceFile, LegacyFile, PieceType, SentencePieceFile, TiktokenFile
from mtok_export.legacy.shown import decoded_rows, streamed
from mtok_export.legacy.spec import CONTINUING_PREFIX
from mtok_export.shown import visible, visible_line

HEADER_LINES = 3
LONGEST = 5


class TextInspection:
    """A text file, looked at section by section: the header, the rows, and the merges of type HUGGINGFACE.

    Args:
        name: what the file is called.
        data: the whole file.
        file: the file, as read.
    """

    def __init__(self, name: str, data: bytes, file: LegacyFile) -> None:
        self.name = name
        self.data = data
        self.file = file
        self._rows = decoded_rows(file)

    def sections(self) -> list[dict[str, Any]]:
        """Name, first byte, size and share of each section, in file order; the sizes add up to the file's."""
        names = ["header", "rows"]
        ends = [_end_of_line(self.data, HEADER_LINES), len(self.data)]
        if isinstance(self.file, HuggingFaceFile):
            ends.insert(1, _end_of_line(self.data, HEADER_LINES + 1 + len(self._rows)))
            names.append("merges")
        total = len(self.data)
        return [
            {"name": name, "offset": start, "bytes": end - start, "share": round((end - start) / total, 6)}
            for name, start, end in zip(names, [0, *ends], ends, strict=False)
        ]

    def section(self, name: str) -> Any:
        """One section, by its name.

        Raises:
            MtokError: the file has no such section.
        """
        present = [section["name"] for section in self.sections()]
        if name not in present:
            raise MtokError(f"there is no section {name!r}", where=self.name, hint=f"the file has {', '.join(present)}")
        return _SECTIONS[name](self)

    def as_dict(self) -> dict[str, Any]:
        """The whole file."""
        sections = self.sections()
        return {
            "file": self.name,
            "bytes": len(self.data),
            "magic": MAGIC,
            "type": self.file.kind.value,
            "type_name": self.file.kind.name,
            "sections": sections,
            **{section["name"]: self.section(section["name"]) for section in sections},
        }

    def header(self) -> dict[str, Any]:
        """The three id lists."""
        header = self.file.header
        return {
            "special_ids": self._ids(header.special_ids),
            "stop_ids": self._ids(header.stop_ids),
            "prefix_ids": self._ids(header.prefix_ids),
            "trailing_space": header.trailing_space,
        }

    def _ids(self, ids: Iterable[int]) -> list[dict[str, Any]]:
        """Ids with the text that decoding gives, which is what specials are looked for by, and with what streams."""
        return [
            {
                "id": id_,
                "token": _text(self._rows[id_]) if id_ < len(self._rows) else None,
                "shown": _text(streamed(self._rows[id_]) or b"") if id_ < len(self._rows) else "",
            }
            for id_ in ids
        ]

    def rows(self) -> dict[str, Any]:
        """Figures about the rows."""
        texts = [row.decode("utf-8", "surrogateescape") for row in self._rows]
        counts = Counter(row for row in self._rows if row)
        longest = sorted(((len(text), text, id_) for id_, text in enumerate(texts)), reverse=True)[:LONGEST]
        return {
            "rows": len(texts),
            "empty_rows": sum(not text for text in texts),
            "strings_with_several_rows": sum(count > 1 for count in counts.values()),
            **_FIGURES[type(self.file)](self.file),
            "kinds": dict(Counter(map(kind_of, texts)).most_common()),
            "longest": [{"id": id_, "text": json_text(text), "characters": length} for length, text, id_ in longest],
        }

    def merges(self) -> dict[str, Any]:
        """Figures about the merges of type HUGGINGFACE."""
        assert isinstance(self.file, HuggingFaceFile)
        merges = self.file.merges
        known = frozenset(self.file.tokens)
        return {
            "merges": len(merges),
            "pairs_that_stand_twice": len(merges) - len(set(merges)),
            "results_without_a_row": sum(left + right not in known for left, right in merges),
        }


def _end_of_line(data: bytes, number: int) -> int:
    """The first byte behind the line with this number."""
    return sum(len(line) + 1 for line in data.split(b"\n", number)[:number])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _sentencepiece(file: SentencePieceFile) -> dict[str, Any]:
    types = Counter(piece.type for piece in file.pieces)
    scores = [piece.score for piece in file.pieces if piece.type is PieceType.NORMAL]
    return {
        "types": {kind.name: types[kind] for kind in PieceType if types[kind]},
        "lowest_score": min(scores, default=None),
        "highest_score": max(scores, default=None),
    }


def _tiktoken(file: TiktokenFile) -> dict[str, Any]:
    return {"single_bytes": len({token for token in file.tokens if len(token) == 1})}


def _bert(file: BertFile) -> dict[str, Any]:
    prefix = CONTINUING_PREFIX.encode("ascii")
    return {"continuing_entries": sum(token.startswith(prefix) for token in file.tokens)}


def _huggingface(_file: HuggingFaceFile) -> dict[str, Any]:
    return {}


_FIGURES: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
    SentencePieceFile: _sentencepiece,
    TiktokenFile: _tiktoken,
    BertFile: _bert,
    HuggingFaceFile: _huggingface,
}
_SECTIONS: dict[str, Callable[[TextInspection], Any]] = {
    "header": TextInspection.header,
    "rows": TextInspection.rows,
    "merges": TextInspection.merges,
}


# --- lines ------------------------------------------------------------------------------------------------------------


def text_file_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """The whole of ``TextInspection.as_dict``."""
    kind = f"type {value['type']} {value['type_name']}"
    yield f"{visible_line(value['file'])}: {value['bytes']:,} bytes, {kind}"
    yield from section_table(value["sections"])
    for section in value["sections"]:
        yield ""
        yield from text_section_lines(section["name"], value[section["name"]])


def text_section_lines(name: str, value: Mapping[str, Any]) -> Iterator[str]:
    """One section of it."""
    if name == "header":
        yield from section_lines(name, value)
        return
    yield f"{name}:"
    for key, figure in value.items():
        if key == "longest":
            yield "  longest"
            yield from (f"    {each['id']:>7}  {visible(each['text'])}" for each in figure)
        elif isinstance(figure, Mapping):
            yield f"  {key}: {', '.join(f'{count:,} {kind}' for kind, count in figure.items()) or 'none'}"
        else:
            shown = f"{figure:,}" if isinstance(figure, (int, float)) else "none"
            yield f"  {key.replace('_', ' ')}: {shown}"
