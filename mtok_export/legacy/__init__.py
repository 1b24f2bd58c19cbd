"""The text files (``tokenizer.txt``) of the MNN engine, types 0 to 3; LEGACY_FORMAT.md states every line.

- ``decode`` gives a ``SentencePieceFile``, ``TiktokenFile``, ``BertFile`` or ``HuggingFaceFile``, each with
  ``header``, ``kind`` and ``encode()``; ``is_legacy`` looks at the first line alone;
- ``check`` and ``faults``: what the engine would stumble over;
- ``lower_legacy`` makes one from a source, with a report of what it loses.
"""

from typing import TYPE_CHECKING

from mtok_export.lazy import names_of

if TYPE_CHECKING:
    from mtok_export.legacy.bert import BertFile
    from mtok_export.legacy.checks import check, faults
    from mtok_export.legacy.huggingface import HuggingFaceFile
    from mtok_export.legacy.legacy_file import LegacyFile, decode, is_legacy
    from mtok_export.legacy.lower import lower_legacy
    from mtok_export.legacy.sentencepiece import Piece, PieceType, SentencePieceFile
    from mtok_export.legacy.spec import LegacyType
    from mtok_export.legacy.tiktoken import TiktokenFile

_HOMES = {
    "BertFile": "bert",
    "HuggingFaceFile": "huggingface",
    "LegacyFile": "legacy_file",
    "LegacyType": "spec",
    "Piece": "sentencepiece",
    "PieceType": "sentencepiece",
    "SentencePieceFile": "sentencepiece",
    "TiktokenFile": "tiktoken",
    "check": "checks",
    "decode": "legacy_file",
    "faults": "checks",
    "is_legacy": "legacy_file",
    "lower_legacy": "lower",
}
"""Where each name is; its module is imported when it is first asked for, since few exports need any of them."""

__all__ = [
    "BertFile",
    "HuggingFaceFile",
    "LegacyFile",
    "LegacyType",
    "Piece",
    "PieceType",
    "SentencePieceFile",
    "TiktokenFile",
    "check",
    "decode",
    "faults",
    "is_legacy",
    "lower_legacy",
]


__getattr__ = names_of(__name__, _HOMES)
