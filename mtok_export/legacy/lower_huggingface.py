"""To type 3: a byte-level BPE with its merges.

The engine splits every text by one fixed pattern, that of Qwen 2 with ASCII letters and digits alone; it dies where a
byte or the result of a merge is no entry.
"""

from __future__ import annotations

from mtok_export.byte_alphabet import BYTE_TO_CHAR, to_chars
from mtok_export.format.header import Header
from mtok_export.legacy.components import is_byte_level, normalizers, pre_tokenizers
from mtok_export.legacy.decoding import limit_decoder
from mtok_export.legacy.entries import MODEL, Entries, entries_of, limit_bpe_options, special_ids
from mtok_export.legacy.huggingface import HuggingFaceFile, merge_fault, token_fault
from mtok_export.legacy.losses import Losses, Part
from mtok_export.legacy.shown import shown_token
from mtok_export.source.pipeline import (
    BPE,
    NFC,
    ByteLevelNormalizer,
    ByteLevelPreTokenizer,
    Pipeline,
    RegexPattern,
    Split,
)
from mtok_export.source.settings import Source

QWEN2_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""What the engine's pattern says, but for ``\\p{L}`` and ``\\p{N}``, which are ASCII letters and digits there."""

_BEYOND_ASCII = ((0x80, 0x10FFFF),)
_SHOWN_SYMBOLS = 3


def lower_huggingface(source: Source, losses: Losses) -> HuggingFaceFile:
    """The file, its header without stop and prefix ids."""
    pipeline = source.pipeline
    model = pipeline.model
    part = Part(MODEL, type(model).__name__)
    if not isinstance(model, BPE) or not is_byte_level(pipeline):
        losses.refuse(part, "type HUGGINGFACE holds byte-level BPE models alone")
        return HuggingFaceFile(Header(), (), ())
    entries = entries_of(pipeline, losses)
    tokens = _tokens(entries)
    _refuse_deadly(frozenset(entries.model.values()), model, part, losses)
    _refuse_lines(tokens, model, part, losses)
    _limit_text(pipeline, losses)
    limit_bpe_options(model, part, losses)
    limit_decoder(pipeline, losses, byte_level=True)
    specials = special_ids(entries, lambda id_: shown_token(tokens[id_]), losses)
    losses.became(part, f"{len(tokens):,} tokens, {len(model.merges):,} merges")
    return HuggingFaceFile(Header(special_ids=specials), tuple(tokens), tuple(model.merges))


def _tokens(entries: Entries) -> list[str]:
    """The lines; an added token stands in the byte alphabet, from which the engine maps everything back."""
    tokens = [entries.model.get(id_, "") for id_ in range(entries.size)]
    for id_, token in entries.added.items():
        if id_ < entries.size:
            tokens[id_] = to_chars(token.content)
    return tokens


def _refuse_deadly(entries: frozenset[str], model: BPE, part: Part, losses: Losses) -> None:
    symbols = [byte for byte, char in BYTE_TO_CHAR.items() if char not in entries]
    if symbols:
        first = ", ".join(f"0x{byte:02X}" for byte in symbols[:_SHOWN_SYMBOLS])
        losses.refuse(
            part, f"{len(symbols)} of the 256 bytes have no token, first {first}: the engine dies of a text with one"
        )
    made = [left + right for left, right in model.merges if left + right not in entries]
    if made:
        losses.refuse(part, f"{len(made):,} merges make no token, first {made[0]!r}: the engine dies of a text with it")


def _refuse_lines(tokens: list[str], model: BPE, part: Part, losses: Losses) -> None:
    faults = [fault for token in tokens if (fault := token_fault(token))]
    faults += [fault for merge in model.merges if (fault := merge_fault(merge))]
    if faults:
        more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
        losses.refuse(part, f"a line cannot hold it: {faults[0]}{more}")


def _limit_text(pipeline: Pipeline, losses: Losses) -> None:
    """Name what is done to a text otherwise than by the engine's pattern."""
    for part, normalizer in normalizers(pipeline):
        if isinstance(normalizer, NFC):
            losses.limit(part, "it is left out", example="e\u0301", characters=_BEYOND_ASCII)
        elif not isinstance(normalizer, ByteLevelNormalizer):
            losses.limit(part, "type HUGGINGFACE of the engine has nothing like it: it is left out")
        losses.became(part, "what the engine does" if isinstance(normalizer, ByteLevelNormalizer) else "nothing")
    same = False
    for part, pre_tokenizer in pre_tokenizers(pipeline):
        fixed = Split(RegexPattern(QWEN2_PATTERN), "Isolated", invert=False)
        if pre_tokenizer == fixed:
            same = True
        elif isinstance(pre_tokenizer, ByteLevelPreTokenizer):
            if pre_tokenizer.add_prefix_space:
                losses.limit(part, "the engine puts no space in front of a text", example="a")
            if not pre_tokenizer.use_regex:
                losses.became(part, "what the engine does")
                continue
        losses.became(part, "the engine's own pattern")
        if not same:
            losses.limit(part, "the engine splits by a pattern of its own, that of Qwen 2", example="12 345")
    whole = Part("$", "Pipeline")
    losses.limit(
        whole,
        "letters, digits and white space beyond ASCII are symbols to the engine's pattern",
        example="na\u00efve \u4e2d\u6587\uff0c",
        characters=_BEYOND_ASCII,
    )
    losses.limit(
        whole,
        "the engine's pattern takes 260 bytes of stack for every byte of an unbroken run of letters, symbols or white "
        "space: 2,010 bytes kill a thread of 512 KiB, 32,000 one of 8 MiB",
        bound="runs of up to 1,900 bytes",
    )
