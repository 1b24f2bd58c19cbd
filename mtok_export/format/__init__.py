"""The ``.mtok`` file of the MNN engine, as bytes and as typed records; FORMAT.md beside this module states every byte.

Public names:

- ``MtokFile``, with ``encode`` and ``decode``; ``read`` for a file on disk;
- ``section_spans`` and ``SectionSpan``: which bytes belong to which section;
- ``check`` and ``faults``: what the engine would stumble over;
- ``post_processor_padding``: the byte that a post-processor of certain lengths needs behind it.

The records of each section stand in ``header``, ``normalizer``, ``pre_tokenizer``, ``model``, ``decoder``,
``added_tokens`` and ``tail``, each with its own ``encode_...`` and ``decode_...``; every number is in ``spec``.
"""

from mtok_export.format.checks import check, faults
from mtok_export.format.mtok_file import MtokFile, read, section_spans
from mtok_export.format.tail import post_processor_padding
from mtok_export.format.wire import SectionSpan

__all__ = [
    "MtokFile",
    "SectionSpan",
    "check",
    "faults",
    "post_processor_padding",
    "read",
    "section_spans",
]
