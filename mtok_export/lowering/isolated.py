"""Entries that a Split takes out of the text whole, which no merges reach: the user-defined pieces of sentencepiece.

A sentencepiece model cuts them out of a text before anything is merged, dummy prefix and all; in a pipeline that is a
Split by their contents in front, and ``ignore_merges``.  The engine has no ``ignore_merges``.  There each of them is
replaced by two characters, an ordinary one and a private one that stands in no text, and the first of all merges makes
an entry of the two, under the id of the piece.  The piece itself keeps its entry, which sorts behind that of the two:
of several entries with one id the engine shows the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from mtok_export.lowering.findings import Place
from mtok_export.lowering.unreachable import unreachable_entries
from mtok_export.source.pipeline import (
    BPE,
    Normalizer,
    NormalizerSequence,
    Pipeline,
    PreTokenizer,
    PreTokenizerSequence,
    RegexPattern,
    ReplaceNormalizer,
    Split,
    StringPattern,
)

FIRST_PRIVATE = 0x10FC00
"""The private characters from here on stand behind the ordinary ones."""

MOST = 4_096
"""The engine looks for each of them in every text; more than so many would be slow."""

_SPECIAL = frozenset("\\.^$|()[]{}*+?")


def replace_isolated(pipeline: Pipeline, place: Place) -> Pipeline:
    """The same pipeline without the Split and ``ignore_merges``, where both are there for such entries.

    What differs is recorded at ``place``, that of the pre-tokenizer.  A pipeline that is another, or one whose entries
    sort in front of all ordinary characters, stays as it is.
    """
    model = pipeline.model
    if not isinstance(model, BPE) or not model.ignore_merges:
        return pipeline
    steps = _steps(pipeline.pre_tokenizer)
    found = next(((i, contents) for i, step in enumerate(steps) if (contents := _contents(step, model))), None)
    if found is None:
        return pipeline
    index, contents = found
    spelling = _spelling(contents, model)
    if spelling is None:
        return pipeline
    privates = sorted({pair[1] for pair in spelling.values()})
    codes = [ord(char) for char in privates]
    place.limit(
        "private characters stand for user-defined pieces, and vanish from texts that hold them",
        example=privates[0],
        characters=((codes[0], codes[-1]),),
    )
    place.became(f"{len(contents):,} pieces replaced, each by a pair that the first merges join")
    return replace(
        pipeline,
        normalizer=_normalizer(pipeline, privates, spelling),
        pre_tokenizer=PreTokenizerSequence(others) if (others := (*steps[:index], *steps[index + 1 :])) else None,
        model=_model(model, spelling, {token.content for token in pipeline.added_tokens}),
    )


def _steps(pre_tokenizer: PreTokenizer | None) -> tuple[PreTokenizer, ...]:
    if isinstance(pre_tokenizer, PreTokenizerSequence):
        return pre_tokenizer.pretokenizers
    return () if pre_tokenizer is None else (pre_tokenizer,)


def _contents(step: PreTokenizer, model: BPE) -> tuple[str, ...]:
    """The entries that a step isolates, if that is all it does; none where it does something else."""
    if not isinstance(step, Split) or step.behavior != "Isolated" or step.invert:
        return ()
    contents = _alternatives(step.pattern.text) if isinstance(step.pattern, RegexPattern) else ()
    return contents if len(contents) <= MOST and model.vocab.keys() >= set(contents) else ()


def _alternatives(pattern: str) -> tuple[str, ...]:
    """The texts that a pattern of nothing but alternatives matches; none for another pattern."""
    texts = [""]
    chars = iter(pattern)
    for char in chars:
        if char == "|":
            texts.append("")
        elif char == "\\":
            escaped = next(chars, "a")
            if escaped.isalnum():
                return ()
            texts[-1] += escaped
        elif char in _SPECIAL:
            return ()
        else:
            texts[-1] += char
    return tuple(texts) if all(texts) else ()


Spelling = dict[str, tuple[str, str]]
"""Content -> an ordinary character and a private one."""


def _spelling(contents: Sequence[str], model: BPE) -> Spelling | None:
    """A pair for each content, which sorts in front of it; ``None`` where there are no characters for that.

    One private character after another stands behind all ordinary ones that are left for some content; contents that
    sort first have the smallest choice.
    """
    ordinary = sorted(entry for entry in model.vocab if len(entry) == 1 and "!" <= entry <= "~")
    spelling: Spelling = {}
    left = sorted(contents)
    code = FIRST_PRIVATE
    while left:
        free = list(ordinary)
        for content in left:
            if free and free[0] < content[0]:
                spelling[content] = (free.pop(0), chr(code))
        rest = [content for content in left if content not in spelling]
        if len(rest) == len(left):
            return None
        left, code = rest, code + 1
    return spelling


def _normalizer(pipeline: Pipeline, privates: Sequence[str], spelling: Spelling) -> NormalizerSequence:
    before: tuple[Normalizer, ...] = () if pipeline.normalizer is None else (pipeline.normalizer,)
    if isinstance(pipeline.normalizer, NormalizerSequence):
        before = pipeline.normalizer.normalizers
    cleared = [ReplaceNormalizer(StringPattern(private), "") for private in privates]
    longest_first = sorted(spelling, key=len, reverse=True)
    replaced = [ReplaceNormalizer(StringPattern(content), "".join(spelling[content])) for content in longest_first]
    return NormalizerSequence((*before, *cleared, *replaced))


def _model(model: BPE, spelling: Spelling, added: set[str]) -> BPE:
    """The entries and merges for the pairs in front of the others; ``ignore_merges`` where something else needs it."""
    pairs = {"".join(pair): model.vocab[content] for content, pair in spelling.items()}
    beyond = count(max(model.vocab.values()) + 1)
    privates = {private: next(beyond) for private in sorted({pair[1] for pair in spelling.values()})}
    lost = set(unreachable_entries(model)) - spelling.keys() - added
    return replace(
        model,
        vocab={**model.vocab, **pairs, **privates},
        merges=(*spelling.values(), *model.merges),
        ignore_merges=any(not _is_byte_piece(entry) for entry in lost),
    )


def _is_byte_piece(entry: str) -> bool:
    """Such an entry stands for a byte, and a text that spells it out is no more than text to sentencepiece."""
    return len(entry) == len("<0x00>") and entry.startswith("<0x") and entry.endswith(">")
