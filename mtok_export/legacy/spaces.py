"""How a pipeline treats spaces and the start of a text, against what type SENTENCEPIECE always does.

The engine puts U+2581 in front of every stretch of text between special tokens and in the place of every space, and
lets the model work on the whole stretch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mtok_export.legacy.components import normalizers, pre_tokenizers
from mtok_export.legacy.losses import Losses, Part, only
from mtok_export.legacy.spec import META
from mtok_export.source.pipeline import (
    Metaspace,
    Normalizer,
    Pipeline,
    Prepend,
    PreTokenizer,
    RegexPattern,
    ReplaceNormalizer,
    Split,
    StringPattern,
)

WORDS = Split(RegexPattern(" *[^ ]+| +"), "Isolated", invert=False)
"""Each word with the spaces in front of it."""

LAST_SPACES = Split(RegexPattern(r" +(?![\s\S])"), "Removed", invert=False)
"""Drops the spaces at the end of a text."""

RUNS = ReplaceNormalizer(RegexPattern(" {2,}"), " ")
"""Makes one space of several."""

_SPACES = only(f" {META}")
_TO_META = ReplaceNormalizer(StringPattern(" "), META)
_TO_SPACE = ReplaceNormalizer(StringPattern(META), " ")


def limit_spaces(pipeline: Pipeline, pieces: Sequence[str], losses: Losses) -> None:
    """Name every normalizer and pre-tokenizer that does something else.

    Args:
        pipeline: the pipeline.
        pieces: the pieces that the engine can merge.
        losses: gets the limits.
    """
    walk = _Walk(pipeline, pieces, losses)
    for part, normalizer in normalizers(pipeline):
        walk.normalizer(part, normalizer)
    for part, pre_tokenizer in pre_tokenizers(pipeline):
        walk.pre_tokenizer(part, pre_tokenizer)
    walk.finish()


@dataclass
class _Walk:
    """Follows the spaces through a pipeline: whether one stands in front, and whether they have become U+2581."""

    pipeline: Pipeline
    pieces: Sequence[str]
    losses: Losses
    prefixed: bool = False
    marked: bool = False
    whole: Part = field(default_factory=lambda: Part("$", "Pipeline"))

    def normalizer(self, part: Part, normalizer: Normalizer) -> None:
        if normalizer in (Prepend(META), Prepend(" ")):
            self.prefixed = True
        elif normalizer in (_TO_META, _TO_SPACE):
            self.marked = normalizer == _TO_META
        elif normalizer == RUNS:
            self._lost(part, "a run of spaces stays as it is, and so does a space that a text starts with", "a  b")
            return
        else:
            self._unknown(part)
            return
        self.losses.became(part, "what the engine does with every text")

    def pre_tokenizer(self, part: Part, pre_tokenizer: PreTokenizer) -> None:
        if isinstance(pre_tokenizer, Metaspace) and pre_tokenizer.replacement == META:
            self._metaspace(part, pre_tokenizer)
        elif pre_tokenizer == WORDS:
            self._joined(part, [piece for piece in self.pieces if META in piece.lstrip(META)])
        elif pre_tokenizer == LAST_SPACES:
            self._lost(part, "the spaces that a text ends with stay", "a ")
            return
        elif not (self.marked and isinstance(pre_tokenizer, Split) and pre_tokenizer.pattern == StringPattern(" ")):
            self._unknown(part)
            return
        self.losses.became(part, "what the engine does with every text")

    def finish(self) -> None:
        if not self.marked:
            self.losses.limit(self.whole, f"the engine turns spaces into {META!r}", example="a b", characters=_SPACES)
        if not self.prefixed:
            self.losses.limit(
                self.whole, f"the engine puts {META!r} in front of every text, and of what follows a special token"
            )

    def _metaspace(self, part: Part, metaspace: Metaspace) -> None:
        self.marked = True
        if metaspace.split:
            self._joined(part, [piece for piece in self.pieces if META in piece[1:]])
        if metaspace.prepend_scheme == "never":
            return
        self.prefixed = True
        self.losses.limit(
            part,
            f"the engine puts {META!r} in front of a text that starts with a space as well",
            example=" a",
            characters=_SPACES,
        )
        contents = [token.content for token in self.pipeline.added_tokens if token.content]
        if metaspace.prepend_scheme == "first" and contents:
            self.losses.limit(
                part,
                f"the engine puts {META!r} in front of what follows a special token as well",
                example=f"a{contents[0]}b",
                characters=only(content[0] for content in contents),
            )

    def _joined(self, part: Part, pieces: Sequence[str]) -> None:
        """Name pieces that reach over a place where the pipeline splits."""
        if pieces:
            self.losses.limit(
                part,
                f"the engine splits nowhere: it makes {len(pieces):,} pieces of several parts, first {pieces[0]!r}",
                example=pieces[0].replace(META, " "),
                characters=_SPACES,
            )

    def _lost(self, part: Part, reason: str, example: str) -> None:
        self.losses.limit(part, reason, example=example, characters=_SPACES)
        self.losses.became(part, "nothing")

    def _unknown(self, part: Part) -> None:
        self.losses.limit(part, "type SENTENCEPIECE of the engine has nothing like it: it is left out")
        self.losses.became(part, "nothing")
