"""Pre-tokenizers: each component of the pipeline to pre-tokenizer records, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mtok_export.format import pre_tokenizer as ops
from mtok_export.format.spec import MAX_ID
from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering import regex
from mtok_export.lowering.findings import Place
from mtok_export.lowering.options import Options
from mtok_export.lowering.respelling import Respelling, joined, shown
from mtok_export.lowering.unicode_tables import LINE_SEPARATORS
from mtok_export.source.models import model_ids
from mtok_export.source.pipeline import (
    BPE,
    BertPreTokenizer,
    ByteLevelPreTokenizer,
    CharDelimiterSplit,
    Digits,
    FixedLength,
    Metaspace,
    Model,
    Pattern,
    PreTokenizer,
    PreTokenizerSequence,
    Punctuation,
    RegexPattern,
    Split,
    SplitBehavior,
    StringPattern,
    UnicodeScripts,
    Unigram,
    Whitespace,
    WhitespaceSplit,
)

Records = tuple[ops.PreTokenizer, ...]

PUNCTUATION = r"[!-/:-@\[-`{-~\p{P}]"
"""ASCII punctuation and the categories P*: what the Punctuation component of tokenizers splits at."""

WORD = r"[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]+"
r"""``\w+|[^\w\s]+`` in the engine's classes."""

WORD_WITH_JOINERS = r"[\p{L}\p{M}\p{N}_\x04]+|[^\s\p{L}\p{M}\p{N}_\x04]+"
"""The same where the vocabulary holds joiners, with which Indic and Persian words are spelt: 0x04 is their class."""

BEFORE_EACH_SPACE = r" [^ ]*|[^ ]+"
"""Cuts a text in front of every space, as Metaspace does once spaces are its replacement."""

_NO_LINE_SEPARATORS = "the engine does not take U+0085, U+2028 and U+2029 for white space"


class PreTokenizerLowering:
    """Rules for the pre-tokenizers of one pipeline; the model decides whether some of them may be left out."""

    def __init__(self, model: Model, options: Options, respelt: Respelling, *, absent: str = "") -> None:
        """Rules for one model.

        ``respelt`` says which characters the normalizer spells otherwise for the pre-tokenizer; ``absent`` are
        characters that no text holds when it gets here, since the normalizer replaces them.
        """
        self.model = model
        self.options = options
        self.respelt = respelt
        self.absent = absent

    def lower(self, pre_tokenizer: PreTokenizer | None, place: Place) -> ops.PreTokenizer:
        """The record of the whole pre-tokenizer; what it changes and what cannot be said is recorded at ``place``."""
        if pre_tokenizer is None:
            return ops.NoPreTokenizer()
        records = self._lower(pre_tokenizer, place)
        if not records:
            return ops.NoPreTokenizer()
        return records[0] if len(records) == 1 else ops.Sequence(records)

    def _lower(self, pre_tokenizer: PreTokenizer, place: Place) -> Records:
        rule = _RULES[type(pre_tokenizer)]
        return rule(self, pre_tokenizer, place)

    def _sequence(self, sequence: PreTokenizerSequence, place: Place) -> Records:
        records: list[ops.PreTokenizer] = []
        for position, child in enumerate(sequence.pretokenizers):
            records += self._lower(child, place.at(f".pretokenizers[{position}]", child))
        place.became("Sequence" if records else "Sequence of nothing")
        return (ops.Sequence(tuple(records)),)

    def _split_by(
        self, pattern: Pattern, behavior: SplitBehavior, invert: bool, place: Place, *, faithful: bool | None = None
    ) -> Records:
        """Split records for a pattern of Hugging Face, with the limits and refusals of the translation."""
        wanted = self.options.faithful if faithful is None else faithful
        translation = regex.translate_split(
            pattern.text, behavior, invert, literal=isinstance(pattern, StringPattern), faithful=wanted
        )
        for reason in translation.refused:
            place.refuse(reason)
        _record(translation.limits, place)
        steps = tuple(ops.Split(step.pattern, step.invert, step.behavior) for step in translation.steps)
        place.became(" + ".join(["Split, rewritten" if translation.changed else "Split"] * len(steps)) or "nothing")
        return steps

    def _split(self, split: Split, place: Place) -> Records:
        if self._matches_nowhere(split):
            place.became("nothing: the normalizer leaves nothing to match")
            return ()
        return self._split_by(split.pattern, split.behavior, split.invert, place)

    def _matches_nowhere(self, split: Split) -> bool:
        literal = isinstance(split.pattern, StringPattern) and not split.invert
        return self.options.faithful and literal and any(char in split.pattern.text for char in self.absent)

    def _byte_level(self, byte_level: ByteLevelPreTokenizer, place: Place) -> Records:
        records: list[ops.PreTokenizer] = []
        if byte_level.add_prefix_space:
            if self.options.faithful:
                records.append(ops.Metaspace(" ", add_prefix_space=True))
            else:
                place.limit("the op has no add_prefix_space: no space is put in front", example="a")
        if byte_level.use_regex:
            _record(
                regex.translate_split(regex.GPT2_PATTERN, "Isolated", False, literal=False, faithful=False).limits,
                place,
            )
        records.append(ops.ByteLevel(byte_level.use_regex))
        place.became("ByteLevel" if len(records) == 1 else "Metaspace (leading space) + ByteLevel")
        return tuple(records)

    def _digits(self, digits: Digits, place: Place) -> Records:
        if self.options.faithful:
            pattern = r"\p{N}" if digits.individual_digits else r"\p{N}+"
            return self._split_by(RegexPattern(pattern), "Isolated", False, place)
        if digits.individual_digits:
            place.limit("the op knows ASCII digits alone", example="١٢")
        else:
            place.limit("the op does nothing unless digits are split one by one", example="a1")
        place.became("Digits")
        return (ops.Digits(digits.individual_digits),)

    def _metaspace(self, metaspace: Metaspace, place: Place) -> Records:
        replacement, prepend = metaspace.replacement, metaspace.prepend_scheme != "never"
        if metaspace.prepend_scheme == "first":
            place.limit(
                "the space is put in front of every stretch between added tokens, not of the text's first alone",
                example="text after an added token",
            )
        if prepend and ord(replacement) not in self.respelt.table:
            code = ord(replacement)
            place.limit(
                f"a stretch that starts with {replacement!r} itself gets one more in front",
                example=f"{replacement}a",
                characters=((code, code),),
            )
        needed = metaspace.split and self._needs_cuts(replacement)
        if not needed and not (metaspace.split and self._gains_by_cuts()):
            place.became("Metaspace")
            return (ops.Metaspace(replacement, prepend),)
        if not self.options.faithful:
            place.limit(
                f"the op does not split, and the vocabulary has entries with {replacement!r} after another character",
                example=self._entry_to_cut(replacement),
            )
            place.became("Metaspace")
            return (ops.Metaspace(replacement, prepend),)
        if needed:
            place.limit(f"a literal {replacement!r} in a text does not start a new piece", example=f"a{replacement}b")
        cut = ops.Split(BEFORE_EACH_SPACE, invert=False, behavior=EngineBehavior.ISOLATED)
        first = (ops.Metaspace(" ", add_prefix_space=True),) if prepend else ()
        place.became(" + ".join([*["Metaspace (leading space)"] * len(first), "Split", "Metaspace"]))
        return (*first, cut, ops.Metaspace(replacement, add_prefix_space=False))

    def _gains_by_cuts(self) -> bool:
        """Whether pieces as short as words make the model faster: to Unigram, each place costs as much as is before it.

        The cuts of BPE are worked out from its merges, later.
        """
        return self.options.faithful and isinstance(self.model, Unigram)

    def _needs_cuts(self, replacement: str) -> bool:
        """Whether the model could join what Metaspace would have cut apart.

        BPE and Unigram only ever produce vocabulary entries, so they cannot where no entry holds the replacement after
        another character; and the replacement itself must be an entry, or unknown pieces could fuse across a cut.
        """
        if not isinstance(self.model, (BPE, Unigram)):
            return True
        return replacement not in model_ids(self.model) or self._entry_to_cut(replacement) is not None

    def _entry_to_cut(self, replacement: str) -> str | None:
        """The first entry, in their order, that holds the replacement after another character."""
        pieces = model_ids(self.model)
        text = "\0".join(pieces)  # counted as a whole, since there may be a quarter of a million entries
        starts = text.count(f"\0{replacement}") + text.startswith(replacement)
        if text.count("\0") < len(pieces) and text.count(replacement) == starts:
            return None
        return min((piece for piece in pieces if piece.find(replacement, 1) > 0), default=None)

    def _whitespace(self, _whitespace: Whitespace, place: Place) -> Records:
        inside = joined(self.model)
        if self.options.faithful:
            self._limit_kinds(place)
        else:
            self._limit_whitespace(inside, place)
        place.became("Split")
        pattern = WORD_WITH_JOINERS if inside else WORD
        return (ops.Split(pattern, invert=True, behavior=EngineBehavior.REMOVED),)

    @staticmethod
    def _limit_whitespace(inside: bool, place: Place) -> None:
        place.limit("the engine's classes make numbers such as U+00B2 and U+00BD a part of a word", example="x\u00b2")
        place.limit("connecting punctuation other than _ and circled letters end a word", example="a\u203fb")
        place.limit(
            f"U+0085, U+2028 and U+2029 are taken for {'parts of words' if inside else 'punctuation'}, not for white "
            "space",
            example="a\u2028b",
            characters=LINE_SEPARATORS,
        )
        place.limit("U+0001-U+0007 are taken for letters, numbers and the like", example="a\x01b", characters=((1, 7),))
        if inside:
            place.limit(
                "format, private and unassigned characters are parts of words, as the joiners are", example="a\u00adb"
            )
        else:
            place.limit("the joiners U+200C and U+200D end a word", example="a\u200db", characters=((0x200C, 0x200D),))

    def _limit_kinds(self, place: Place) -> None:
        """Name the characters that could not be spelt otherwise."""
        left = self.respelt.left
        if left:
            place.limit(
                f"{len(left):,} characters are taken for a part of a word and are none, or the other way round "
                f"({shown(left)})",
                example=f"a{chr(left.first())}b",
                characters=left.ranges,
            )

    def _whitespace_split(self, _whitespace: WhitespaceSplit, place: Place) -> Records:
        return self._split_by(RegexPattern(r"\s+"), "Removed", False, place)

    def _bert(self, _bert: BertPreTokenizer, place: Place) -> Records:
        if self.options.faithful:
            self._limit_kinds(place)
        else:
            place.limit(_NO_LINE_SEPARATORS, example="a\u2028b", characters=LINE_SEPARATORS)
        place.became("Bert")
        return (ops.Bert(),)

    def _char_delimiter(self, split: CharDelimiterSplit, place: Place) -> Records:
        return self._split_by(StringPattern(split.delimiter), "Removed", False, place)

    def _punctuation(self, punctuation: Punctuation, place: Place) -> Records:
        return self._split_by(RegexPattern(PUNCTUATION), punctuation.behavior, False, place, faithful=True)

    def _fixed_length(self, fixed: FixedLength, place: Place) -> Records:
        if fixed.length < 1:
            place.refuse(f"a length of {fixed.length} cuts nothing, and the tokenizers library dies of it")
            return ()
        place.became("Split")
        return (ops.Split(rf"[\s\S]{{1,{min(fixed.length, MAX_ID)}}}", invert=False, behavior=EngineBehavior.ISOLATED),)

    def _unicode_scripts(self, _scripts: UnicodeScripts, place: Place) -> Records:
        place.refuse("the engine cannot tell scripts apart")
        return ()


def _record(limits: Iterable[regex.RegexLimit], place: Place) -> None:
    """The limits of a pattern as limits of its component."""
    for limit in limits:
        characters = None if limit.characters is None else limit.characters.ranges
        place.limit(limit.reason, example=limit.example, bound=limit.bound, characters=characters)


_RULES: dict[type, Callable[[PreTokenizerLowering, Any, Place], Records]] = {
    BertPreTokenizer: PreTokenizerLowering._bert,
    ByteLevelPreTokenizer: PreTokenizerLowering._byte_level,
    CharDelimiterSplit: PreTokenizerLowering._char_delimiter,
    Digits: PreTokenizerLowering._digits,
    FixedLength: PreTokenizerLowering._fixed_length,
    Metaspace: PreTokenizerLowering._metaspace,
    PreTokenizerSequence: PreTokenizerLowering._sequence,
    Punctuation: PreTokenizerLowering._punctuation,
    Split: PreTokenizerLowering._split,
    UnicodeScripts: PreTokenizerLowering._unicode_scripts,
    Whitespace: PreTokenizerLowering._whitespace,
    WhitespaceSplit: PreTokenizerLowering._whitespace_split,
}
