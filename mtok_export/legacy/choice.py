"""Which of the four types a source becomes."""

from __future__ import annotations

from mtok_export.errors import Problem, UnsupportedError
from mtok_export.legacy.components import is_byte_level, normalizers, pre_tokenizers
from mtok_export.legacy.spec import META, LegacyType
from mtok_export.source.conversion import Owner
from mtok_export.source.pipeline import BPE, Metaspace, Pipeline, ReplaceNormalizer, Unigram, WordPiece
from mtok_export.source.settings import Source


def choose_type(source: Source) -> LegacyType:
    """The type that the format document names for a source.

    SENTENCEPIECE for sentencepiece models and for what is made like them, TIKTOKEN for tiktoken and tekken files,
    BERT for WordPiece, HUGGINGFACE for byte-level BPE.

    Raises:
        UnsupportedError: there is none for this model; one can be asked for all the same.
    """
    if source.pieces:
        return LegacyType.SENTENCEPIECE
    if source.owner in (Owner.TIKTOKEN, Owner.MISTRAL_COMMON):
        return LegacyType.TIKTOKEN
    model = source.pipeline.model
    if isinstance(model, WordPiece):
        return LegacyType.BERT
    if isinstance(model, BPE) and is_byte_level(source.pipeline):
        return LegacyType.HUGGINGFACE
    if isinstance(model, Unigram) or (isinstance(model, BPE) and _marks_spaces(source.pipeline)):
        return LegacyType.SENTENCEPIECE
    reason = "no type of text file is made for it: write a .mtok file, or choose a type with --legacy-type"
    raise UnsupportedError([Problem("$.model", type(model).__name__, reason)], "a tokenizer.txt file")


def _marks_spaces(pipeline: Pipeline) -> bool:
    """Whether spaces become U+2581, as in sentencepiece."""
    replaces = any(isinstance(part, ReplaceNormalizer) and part.content == META for _, part in normalizers(pipeline))
    return replaces or any(isinstance(p, Metaspace) and p.replacement == META for _, p in pre_tokenizers(pipeline))
