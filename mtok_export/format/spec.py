"""Every number of the ``.mtok`` format, stated once: magic, op numbers, behaviours, flags, limits.

Names follow the format document (FORMAT.md beside this file).  Numbers that an engine version does not know are marked.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

MAGIC = 430
"""First number of the header of every tokenizer file of the engine."""

TYPE_PIPELINE = 4
"""Second number of the header: a binary pipeline (``.mtok``).  0-3 are the text formats."""

TEXT_TYPES = {0: "SENTENCEPIECE", 1: "TIKTOKEN", 2: "BERT", 3: "HUGGINGFACE"}
"""Second number of the header in the engine's text files (``.txt``), which this package's ``format`` does not read."""

MAX_U16 = 0xFFFF

MAX_STRING_BYTES = MAX_U16
"""A string has a u16 length."""

MAX_U32 = 0xFFFF_FFFF
MAX_ID = 0x7FFF_FFFF
"""The engine keeps ids in a signed 32-bit integer."""

MAX_RANK = 999_999_999
"""The engine looks for ranks below 10^9; a pair with a higher one never merges."""

MAX_CODE_POINT = 0x10FFFF

MAX_SEQUENCE_DEPTH = 32
"""How deep sequences may nest when a file is read; the engine recurses without a limit, real files nest once."""


class NormalizerOp(IntEnum):
    """First byte of a normalizer record."""

    NONE = 0
    NFKC = 1  # no table: the identity
    PREPEND = 2
    REPLACE = 3
    SEQUENCE = 4
    BERT = 5
    TABLE = 6
    BERT_TABLE = 7
    STRIP = 8  # 3.6.0 and later; 3.5.0 dies at load


class PreTokenizerOp(IntEnum):
    """First byte of a pre-tokenizer record."""

    NONE = 0
    BYTE_LEVEL = 1
    DIGITS = 2
    METASPACE = 3
    SPLIT = 4
    BERT = 5
    SEQUENCE = 6


class SplitBehavior(IntEnum):
    """What a Split does with its matches; every other number is read as REMOVED."""

    ISOLATED = 0
    REMOVED = 1
    MERGED_WITH_PREVIOUS = 2


class ModelOp(IntEnum):
    """First byte of the model section."""

    BPE = 0
    WORDPIECE = 1
    UNIGRAM = 2


class DecoderOp(IntEnum):
    """First byte of a decoder record.  There is no "none": 0 is ByteLevel, and FUSE changes nothing."""

    BYTE_LEVEL = 0
    BYTE_FALLBACK = 1
    METASPACE = 2
    WORDPIECE = 3
    FUSE = 4
    REPLACE = 5
    STRIP = 6
    SEQUENCE = 7


class PostProcessorOp(IntEnum):
    """First byte of an op of the post-processor (read by engines after 3.6.1 alone)."""

    SEQUENCE_A = 0
    SPECIAL_TOKEN = 1


class Flags(IntFlag):
    """The flags byte."""

    CLEAN_UP_TOKENIZATION_SPACES = 1
