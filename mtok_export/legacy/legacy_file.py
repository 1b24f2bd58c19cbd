"""The four text formats as one: which type a file has, and reading it."""

from __future__ import annotations

from mtok_export.errors import FormatError
from mtok_export.legacy.bert import BertFile
from mtok_export.legacy.huggingface import HuggingFaceFile
from mtok_export.legacy.lines import first_line, shown
from mtok_export.legacy.sentencepiece import SentencePieceFile
from mtok_export.legacy.spec import LegacyType
from mtok_export.legacy.tiktoken import TiktokenFile

LegacyFile = SentencePieceFile | TiktokenFile | BertFile | HuggingFaceFile

_CLASSES: dict[LegacyType, type[SentencePieceFile] | type[TiktokenFile] | type[BertFile] | type[HuggingFaceFile]] = {
    LegacyType.SENTENCEPIECE: SentencePieceFile,
    LegacyType.TIKTOKEN: TiktokenFile,
    LegacyType.BERT: BertFile,
    LegacyType.HUGGINGFACE: HuggingFaceFile,
}


def is_legacy(data: bytes) -> bool:
    """Whether line 1 is that of a text tokenizer file (with whatever line end)."""
    return first_line(data) is not None


def decode(data: bytes, *, name: str | None = None) -> LegacyFile:
    """Read a file from its bytes; encoding the result gives the same bytes again.

    Args:
        data: the whole file.
        name: what errors call the file, if anything.

    Raises:
        FormatError: it is none of the text formats, or damaged; the error names the line and the byte offset.
    """
    kind = first_line(data)
    if kind is None:
        line = data.partition(b"\n")[0]
        message = f"not a text tokenizer file: line 1 is {shown(line)}, not '430 0' to '430 3'"
        raise FormatError(message, where=name, offset=0)
    return _CLASSES[kind].decode(data, name=name)
