"""The tokenizer as Hugging Face defines it: one frozen class for every component of ``tokenizer.json``.

What the engine can express and what it cannot are modelled alike; deciding that is the lowering's work.  The names of
classes and fields are those of the ``tokenizers`` library (read off version 0.23), so that a key of the JSON is found
here by the same word.  Nothing here reads files or knows the ``.mtok`` format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from mtok_export.records import dataclass

# --- patterns ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StringPattern:
    """A pattern that matches its own text: ``{"String": "..."}``."""

    text: str


@dataclass(frozen=True)
class RegexPattern:
    """A pattern in the syntax of the Oniguruma library: ``{"Regex": "..."}``."""

    text: str


Pattern = StringPattern | RegexPattern

SplitBehavior = Literal["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
PrependScheme = Literal["always", "never", "first"]

# --- normalizers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BertNormalizer:
    """Clean-up, spaces round CJK ideographs, accents, case; ``strip_accents`` of ``None`` follows ``lowercase``."""

    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool | None
    lowercase: bool


@dataclass(frozen=True)
class StripNormalizer:
    """Remove white space at either end (``Strip`` in the JSON)."""

    strip_left: bool
    strip_right: bool


@dataclass(frozen=True)
class StripAccents:
    """Remove combining marks (category Mn)."""


@dataclass(frozen=True)
class NFC:
    """Unicode normalization form C."""


@dataclass(frozen=True)
class NFD:
    """Unicode normalization form D."""


@dataclass(frozen=True)
class NFKC:
    """Unicode normalization form KC."""


@dataclass(frozen=True)
class NFKD:
    """Unicode normalization form KD."""


@dataclass(frozen=True)
class Lowercase:
    """Full lower-casing (one character may become several)."""


@dataclass(frozen=True)
class Nmt:
    """The clean-up of control and space characters that comes from NMT."""


@dataclass(frozen=True)
class Precompiled:
    """A sentencepiece character map; ``precompiled_charsmap`` is the base64 text of the JSON."""

    precompiled_charsmap: str = field(repr=False)


@dataclass(frozen=True)
class ReplaceNormalizer:
    """Replace every match of ``pattern`` by ``content`` (``Replace`` in the JSON)."""

    pattern: Pattern
    content: str


@dataclass(frozen=True)
class Prepend:
    """Put ``prepend`` in front of every text that is not empty."""

    prepend: str


@dataclass(frozen=True)
class ByteLevelNormalizer:
    """Map each UTF-8 byte to its printable character (``ByteLevel`` in the JSON)."""


@dataclass(frozen=True)
class NormalizerSequence:
    """Normalizers one after another (``Sequence`` in the JSON)."""

    normalizers: tuple[Normalizer, ...]


Normalizer = (
    BertNormalizer
    | StripNormalizer
    | StripAccents
    | NFC
    | NFD
    | NFKC
    | NFKD
    | Lowercase
    | Nmt
    | Precompiled
    | ReplaceNormalizer
    | Prepend
    | ByteLevelNormalizer
    | NormalizerSequence
)

# --- pre-tokenizers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BertPreTokenizer:
    """Split at white space (removed) and round punctuation (isolated)."""


@dataclass(frozen=True)
class ByteLevelPreTokenizer:
    """Optional leading space, optional GPT-2 pattern, then bytes to printable characters (``ByteLevel`` in JSON)."""

    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool


@dataclass(frozen=True)
class CharDelimiterSplit:
    """Split at one character, which is removed."""

    delimiter: str


@dataclass(frozen=True)
class Metaspace:
    """Spaces become ``replacement``; ``prepend_scheme`` says where one is put in front; ``split`` cuts before each."""

    replacement: str
    prepend_scheme: PrependScheme
    split: bool


@dataclass(frozen=True)
class Whitespace:
    r"""Keep what ``\w+|[^\w\s]+`` matches."""


@dataclass(frozen=True)
class WhitespaceSplit:
    """Split at white space, which is removed."""


@dataclass(frozen=True)
class Split:
    """Split by a pattern; ``invert`` swaps matches and gaps."""

    pattern: Pattern
    behavior: SplitBehavior
    invert: bool


@dataclass(frozen=True)
class Punctuation:
    """Split at punctuation (ASCII punctuation and the categories P*)."""

    behavior: SplitBehavior


@dataclass(frozen=True)
class Digits:
    """Split at numeric characters (categories N*), one by one or in runs."""

    individual_digits: bool


@dataclass(frozen=True)
class UnicodeScripts:
    """Split where the script changes."""


@dataclass(frozen=True)
class FixedLength:
    """Cut into pieces of ``length`` characters."""

    length: int


@dataclass(frozen=True)
class PreTokenizerSequence:
    """Pre-tokenizers one after another (``Sequence`` in the JSON)."""

    pretokenizers: tuple[PreTokenizer, ...]


PreTokenizer = (
    BertPreTokenizer
    | ByteLevelPreTokenizer
    | CharDelimiterSplit
    | Metaspace
    | Whitespace
    | WhitespaceSplit
    | Split
    | Punctuation
    | Digits
    | UnicodeScripts
    | FixedLength
    | PreTokenizerSequence
)

# --- models -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BPE:
    """Byte-pair encoding.  ``merges`` are in order of rank; their parts may hold spaces."""

    vocab: dict[str, int] = field(repr=False)
    merges: Sequence[tuple[str, str]] = field(repr=False)
    dropout: float | None
    unk_token: str | None
    continuing_subword_prefix: str | None
    end_of_word_suffix: str | None
    fuse_unk: bool
    byte_fallback: bool
    ignore_merges: bool


@dataclass(frozen=True)
class WordPiece:
    """Greedy longest match from the left."""

    vocab: dict[str, int] = field(repr=False)
    unk_token: str
    continuing_subword_prefix: str
    max_input_chars_per_word: int


@dataclass(frozen=True)
class WordLevel:
    """Whole pre-tokens looked up."""

    vocab: dict[str, int] = field(repr=False)
    unk_token: str


@dataclass(frozen=True)
class Unigram:
    """Viterbi search over pieces; an id is a position in ``vocab``, whose items are (piece, score)."""

    vocab: Sequence[tuple[str, float]] = field(repr=False)
    unk_id: int | None
    byte_fallback: bool


Model = BPE | WordPiece | WordLevel | Unigram

# --- post-processors --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BertProcessing:
    """``cls A sep``; each of the two is (token, id)."""

    sep: tuple[str, int]
    cls: tuple[str, int]


@dataclass(frozen=True)
class RobertaProcessing:
    """``cls A sep``; ``trim_offsets`` and ``add_prefix_space`` change offsets alone."""

    sep: tuple[str, int]
    cls: tuple[str, int]
    trim_offsets: bool
    add_prefix_space: bool


@dataclass(frozen=True)
class ByteLevelProcessing:
    """Offsets alone; no id changes (``ByteLevel`` in the JSON)."""

    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool


@dataclass(frozen=True)
class TemplateSequence:
    """One of the input sequences in a template, ``A`` or ``B``."""

    id: Literal["A", "B"]
    type_id: int


@dataclass(frozen=True)
class TemplateSpecialToken:
    """A special token in a template, by its name in ``special_tokens``."""

    id: str
    type_id: int


TemplatePiece = TemplateSequence | TemplateSpecialToken


@dataclass(frozen=True)
class TemplateToken:
    """What a name in a template stands for: one or more ids with their tokens."""

    id: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class TemplateProcessing:
    """Templates for one sequence and for a pair."""

    single: tuple[TemplatePiece, ...]
    pair: tuple[TemplatePiece, ...]
    special_tokens: tuple[TemplateToken, ...]


@dataclass(frozen=True)
class PostProcessorSequence:
    """Post-processors one after another (``Sequence`` in the JSON)."""

    processors: tuple[PostProcessor, ...]


PostProcessor = BertProcessing | RobertaProcessing | ByteLevelProcessing | TemplateProcessing | PostProcessorSequence

# --- decoders ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BPEDecoder:
    """Turn the end-of-word ``suffix`` into a space."""

    suffix: str


@dataclass(frozen=True)
class ByteLevelDecoder:
    """Printable characters back to bytes (``ByteLevel`` in the JSON); its three flags are not used in decoding."""

    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool


@dataclass(frozen=True)
class WordPieceDecoder:
    """Join pieces that start with ``prefix``, put spaces before the others (``WordPiece`` in the JSON)."""

    prefix: str
    cleanup: bool


@dataclass(frozen=True)
class MetaspaceDecoder:
    """``replacement`` back to spaces (``Metaspace`` in the JSON)."""

    replacement: str
    prepend_scheme: PrependScheme
    split: bool


@dataclass(frozen=True)
class CTC:
    """Collapse repeats and padding of a CTC output."""

    pad_token: str
    word_delimiter_token: str
    cleanup: bool


@dataclass(frozen=True)
class ReplaceDecoder:
    """Replace in every token (``Replace`` in the JSON)."""

    pattern: Pattern
    content: str


@dataclass(frozen=True)
class Fuse:
    """Join all tokens into one."""


@dataclass(frozen=True)
class StripDecoder:
    """Remove up to ``start`` and ``stop`` times the character ``content`` at the ends of each token (``Strip``)."""

    content: str
    start: int
    stop: int


@dataclass(frozen=True)
class ByteFallback:
    """``<0xNN>`` tokens back to bytes."""


@dataclass(frozen=True)
class DecoderSequence:
    """Decoders one after another (``Sequence`` in the JSON)."""

    decoders: tuple[Decoder, ...]


Decoder = (
    BPEDecoder
    | ByteLevelDecoder
    | WordPieceDecoder
    | MetaspaceDecoder
    | CTC
    | ReplaceDecoder
    | Fuse
    | StripDecoder
    | ByteFallback
    | DecoderSequence
)

# --- the rest of the file ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AddedToken:
    """A string that is found before the model sees the text.

    ``id`` is the id that the ``tokenizers`` library gives the token, which is not always the one the file states.
    """

    id: int
    content: str
    special: bool
    single_word: bool
    lstrip: bool
    rstrip: bool
    normalized: bool


@dataclass(frozen=True)
class Truncation:
    """How long an encoding may get; not part of a ``.mtok`` file."""

    direction: Literal["Left", "Right"]
    max_length: int
    strategy: str
    stride: int


@dataclass(frozen=True)
class Padding:
    """How short encodings are filled up; not part of a ``.mtok`` file.  ``fixed`` is ``None`` for BatchLongest."""

    fixed: int | None
    direction: Literal["Left", "Right"]
    pad_to_multiple_of: int | None
    pad_id: int
    pad_type_id: int
    pad_token: str


@dataclass(frozen=True)
class Pipeline:
    """A whole ``tokenizer.json``."""

    normalizer: Normalizer | None
    pre_tokenizer: PreTokenizer | None
    model: Model
    post_processor: PostProcessor | None
    decoder: Decoder | None
    added_tokens: tuple[AddedToken, ...]
    truncation: Truncation | None = None
    padding: Padding | None = None
