"""What a file means to the engine: faults that can be written down, but that the engine would stumble over.

The engine checks nothing when it loads a file.  The rules here are those whose breach makes it miss look-ups, loop,
write past an array or crash; FORMAT.md states each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isnan
from operator import le, lt
from typing import TYPE_CHECKING, Any

from mtok_export.errors import FormatError
from mtok_export.format import decoder, model, normalizer, pre_tokenizer
from mtok_export.format.bounds import all_below, all_numbers, pairs_ascend
from mtok_export.format.header import Header
from mtok_export.format.spec import MAX_ID, MAX_RANK, Flags
from mtok_export.format.tail import Tail, taken_for_older_layout
from mtok_export.packed_tokens import PackedTokens

if TYPE_CHECKING:
    from mtok_export.format.mtok_file import MtokFile

Faults = Iterator[FormatError]


def check(file: MtokFile) -> None:
    """Make sure that the engine can load and use the file.

    STRIP, which 3.5 does not know, is let through: it is sound where the engine is newer.

    Raises:
        FormatError: the first fault; ``faults`` gives them all.
    """
    for fault in faults(file):
        raise fault


def faults(file: MtokFile) -> Faults:
    """Everything in the file that the engine would stumble over, in file order; each error names its place."""
    yield from _header_faults(file.header)
    if type(file.model) in _UNK_FOR_UNKNOWN_IDS:
        yield from _special_faults(file.header, len(file.model.vocab))
    yield from _tree_faults(_NORMALIZER_RULES, file.normalizer, "normalizer")
    yield from _tree_faults(_PRE_TOKENIZER_RULES, file.pre_tokenizer, "pre_tokenizer")
    yield from _MODEL_RULES[type(file.model)](file.model)
    yield from _tree_faults(_DECODER_RULES, file.decoder, "decoder")
    yield from _tail_faults(file.tail)


def _header_faults(header: Header) -> Faults:
    for name in ("special_ids", "stop_ids", "prefix_ids"):
        for index, value in enumerate(getattr(header, name)):
            if not 0 <= value <= MAX_ID:
                yield FormatError(f"the id is {value}, not from 0 to {MAX_ID}", where=f"header.{name}[{index}]")


_UNK_FOR_UNKNOWN_IDS = (model.WordPiece, model.Unigram)
"""Models that decode an id beyond the vocabulary to the unk token; Bpe decodes it to nothing."""


def _special_faults(header: Header, size: int) -> Faults:
    for index, value in enumerate(header.special_ids):
        if value >= size:
            message = f"id {value} is not below the vocab size {size}: its text would be that of the unk token"
            yield FormatError(message, where=f"header.special_ids[{index}]", hint="give it an entry in the vocabulary")


Rule = Callable[[Any, str], Faults]


def _tree_faults(rules: dict[type[Any], Rule], record: Any, where: str) -> Faults:
    rule = rules.get(type(record))
    if rule is not None:
        yield from rule(record, where)


def _no_children_of(empty: type[Any], name: str, rules: dict[type[Any], Rule]) -> Rule:
    """The rule of a Sequence: none of its children is ``empty``, and each child keeps its own rule."""

    def rule(record: Any, where: str) -> Faults:
        concerned = {empty, *rules}  # few of what may be tens of thousands of children
        for index, child in enumerate(getattr(record, name)):
            if type(child) in concerned:
                place = f"{where}.{name}[{index}]"
                if type(child) is empty:
                    yield FormatError("NONE cannot stand in a sequence: engine 3.5.0 dies of it", where=place)
                yield from _tree_faults(rules, child, place)

    return rule


def _decoder_sequence(record: decoder.Sequence, where: str) -> Faults:
    for index, child in enumerate(record.decoders):
        yield from _tree_faults(_DECODER_RULES, child, f"{where}.decoders[{index}]")


def _table(record: normalizer.Table | normalizer.BertTable, where: str) -> Faults:
    code_points = [code_point for code_point, _ in record.entries]
    if not all(map(lt, code_points, islice(code_points, 1, None))):
        index = _first_out_of_order(code_points, lt)
        message = f"U+{code_points[index]:04X} does not follow U+{code_points[index - 1]:04X} in ascending order"
        yield FormatError(f"{message}: look-ups would miss", where=f"{where}.entries[{index}]")


def _not_empty(name: str) -> Rule:
    def rule(record: Any, where: str) -> Faults:
        if not getattr(record, name):
            yield FormatError("the string is empty: the engine would loop for ever", where=f"{where}.{name}")

    return rule


_NORMALIZER_RULES: dict[type[Any], Rule] = {normalizer.Table: _table, normalizer.BertTable: _table}
_NORMALIZER_RULES[normalizer.Sequence] = _no_children_of(normalizer.NoNormalizer, "normalizers", _NORMALIZER_RULES)

_PRE_TOKENIZER_RULES: dict[type[Any], Rule] = {}
_PRE_TOKENIZER_RULES[pre_tokenizer.Sequence] = _no_children_of(
    pre_tokenizer.NoPreTokenizer, "pre_tokenizers", _PRE_TOKENIZER_RULES
)

_DECODER_RULES: dict[type[Any], Rule] = {
    decoder.Replace: _not_empty("pattern"),
    decoder.Metaspace: _not_empty("replacement"),
    decoder.Sequence: _decoder_sequence,
}


_BLOCK = 512


def _vocab_faults(vocab: model.Vocab) -> Faults:
    tokens, ids = vocab.tokens, vocab.ids
    if len(ids) != len(tokens):
        yield FormatError(f"{len(tokens)} tokens, but {len(ids)} ids", where="model.vocab")
    # Several entries may share a token: look-ups find the first of them.
    if not _in_order(tokens):
        index = _first_out_of_order(tokens, le)
        message = f"{tokens[index]!r} stands behind {tokens[index - 1]!r}, which sorts after it: look-ups would miss"
        yield FormatError(message, where=f"model.vocab[{index}]")
    size = len(tokens)
    if not all_below(ids, size):
        where, value = next((f"model.vocab[{index}]", value) for index, value in enumerate(ids) if value >= size)
        message = f"id {value} is not below the vocab size {size}: the engine would write past the end of an array"
        yield FormatError(message, where=where, hint="every id needs an entry, if only one with an empty string")


def _bpe_faults(record: model.Bpe) -> Faults:
    yield from _vocab_faults(record.vocab)
    merges, size = record.merges, len(record.vocab)
    if not len(merges.left) == len(merges.right) == len(merges.rank):
        counts = f"{len(merges.left)} left ids, {len(merges.right)} right ids and {len(merges.rank)} ranks"
        yield FormatError(f"the columns differ in length: {counts}", where="model.merges")
        return
    in_order = pairs_ascend(merges.left, merges.right)
    if not in_order:
        pairs = list(zip(merges.left, merges.right, strict=True))
        index = _first_out_of_order(pairs, lt)
        message = f"the pair {pairs[index]} does not follow {pairs[index - 1]} in ascending order: look-ups would miss"
        yield FormatError(message, where=f"model.merges[{index}]")
    for name, column in (("left", merges.left[-1:] if in_order else merges.left), ("right", merges.right)):
        if not all_below(column, size):
            column = getattr(merges, name)
            index, value = next((index, value) for index, value in enumerate(column) if value >= size)
            message = f"{name} id {value} is not below the vocab size {size}"
            yield FormatError(message, where=f"model.merges[{index}]")
    if not all_below(merges.rank, MAX_RANK + 1):
        index, value = next((index, value) for index, value in enumerate(merges.rank) if value > MAX_RANK)
        message = f"rank {value} is over the limit of {MAX_RANK}: the pair would never merge"
        yield FormatError(message, where=f"model.merges[{index}]")


def _word_piece_faults(record: model.WordPiece) -> Faults:
    yield from _vocab_faults(record.vocab)
    if record.unk_token not in record.vocab.tokens:
        message = f"{record.unk_token!r} has no entry in the vocabulary: the engine would give the id -1"
        yield FormatError(message, where="model.unk_token")


def _unigram_faults(record: model.Unigram) -> Faults:
    yield from _vocab_faults(record.vocab)
    size = len(record.vocab)
    if len(record.scores) != size:
        yield FormatError(f"{size} tokens, but {len(record.scores)} scores", where="model.scores")
    if not all_numbers(record.scores):
        index = next(index for index, score in enumerate(record.scores) if isnan(score))
        yield FormatError("the score is not a number", where=f"model.scores[{index}]")
    if not 0 <= record.unk_id < size:
        yield FormatError(f"{record.unk_id} is not from 0 to {size - 1}, an id of the vocabulary", where="model.unk_id")
    if record.byte_fallback:
        missing = sorted({f"<0x{byte:02X}>" for byte in range(256)}.difference(record.vocab.tokens))
        if missing:
            message = f"it is set, but {len(missing)} of the 256 byte pieces are missing, such as {missing[0]}"
            yield FormatError(message, where="model.byte_fallback")


_MODEL_RULES: dict[type[Any], Callable[[Any], Faults]] = {
    model.Bpe: _bpe_faults,
    model.WordPiece: _word_piece_faults,
    model.Unigram: _unigram_faults,
}


def _tail_faults(tail: Tail) -> Faults:
    if tail.flags is not None and tail.flags & ~int(Flags.CLEAN_UP_TOKENIZATION_SPACES):
        yield FormatError(f"the flags are {tail.flags:#x}, but only bit 0 has a meaning", where="flags")
    if tail.post_processor and taken_for_older_layout(tail.post_processor, tail.padding):
        message = "its length is four bytes per op, so engines after 3.6.1 would take it for an older layout"
        yield FormatError(message, where="post_processor", hint="append post_processor_padding(steps) as padding")


def _in_order(tokens: Sequence[str]) -> bool:
    """Whether no token sorts after the next one.  Text compares by code point, also the order of its UTF-8 bytes."""
    if isinstance(tokens, PackedTokens):
        return tokens.strings.ascend()
    # Sorting what is sorted is the quickest look at many strings; of these few all stay in the processor's cache.
    blocks = (list(tokens[start : start + _BLOCK + 1]) for start in range(0, len(tokens), _BLOCK))
    return all(sorted(block) == block for block in blocks)


def _first_out_of_order(values: Sequence[Any], compare: Callable[[Any, Any], bool]) -> int:
    """The index of the first value that does not ``compare`` with the one before it; there must be one."""
    return next(index for index in range(1, len(values)) if not compare(values[index - 1], values[index]))
