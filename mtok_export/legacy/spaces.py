"""How a pipeline treats spaces and the start of a text, against what type SENTENCEPIECE always does.

The engine puts U+2581 in front of every stretch of text between special tokens and in the place of every space, and
lets the model work on the whole stretch.
"""

from __future__ import annotations

from mtok_export.legacy.components import normalizers, pre_tokenizers
from mtok_export.legacy.losses import Losses, Part, only
from mtok_export.legacy.spec import META
from mtok_export.source.pipeline import (
    Metaspace,
    Pipeline,
    Prepend,
    PrependScheme,
    ReplaceNormalizer,
    Split,
    StringPattern,
)

_SPACES = only(f" {META}")


def limit_spaces(pipeline: Pipeline, pieces: list[str], losses: Losses) -> None:
    """Name every normalizer and pre-tokenizer that does something else.

    Args:
        pipeline: the pipeline.
        pieces: the pieces that the engine can merge.
        losses: gets the limits.
    """
    schemes: list[PrependScheme | None] = []
    replaced = False
    for part, normalizer in normalizers(pipeline):
        if normalizer == Prepend(META):
            schemes.append(None)
        elif normalizer == ReplaceNormalizer(StringPattern(" "), META):
            replaced = True
        else:
            _limit_unknown(part, losses)
            continue
        losses.became(part, "what the engine does with every text")
    for part, pre_tokenizer in pre_tokenizers(pipeline):
        if isinstance(pre_tokenizer, Metaspace) and pre_tokenizer.replacement == META:
            replaced = True
            schemes.append(pre_tokenizer.prepend_scheme)
            _limit_metaspace(part, pre_tokenizer, pipeline, pieces, losses)
        elif replaced and isinstance(pre_tokenizer, Split) and pre_tokenizer.pattern == StringPattern(" "):
            losses.became(part, "nothing: there is no space left to split at")
        else:
            _limit_unknown(part, losses)
    whole = Part("$", "Pipeline")
    if not replaced:
        losses.limit(whole, f"the engine turns spaces into {META!r}", example="a b", characters=_SPACES)
    if all(scheme == "never" for scheme in schemes):
        losses.limit(whole, f"the engine puts {META!r} in front of every text, and of what follows a special token")


def _limit_unknown(part: Part, losses: Losses) -> None:
    losses.limit(part, "type SENTENCEPIECE of the engine has nothing like it: it is left out")
    losses.became(part, "nothing")


def _limit_metaspace(part: Part, metaspace: Metaspace, pipeline: Pipeline, pieces: list[str], losses: Losses) -> None:
    losses.became(part, "what the engine does with every text")
    if metaspace.prepend_scheme != "never":
        losses.limit(
            part,
            f"the engine puts {META!r} in front of a text that starts with a space as well",
            example=" a",
            characters=_SPACES,
        )
    contents = [token.content for token in pipeline.added_tokens if token.content]
    if metaspace.prepend_scheme == "first" and contents:
        losses.limit(
            part,
            f"the engine puts {META!r} in front of what follows a special token as well",
            example=f"a{contents[0]}b",
            characters=only(content[0] for content in contents),
        )
    joined = [piece for piece in pieces if META in piece[1:]] if metaspace.split else []
    if joined:
        losses.limit(
            part,
            f"the engine does not split before {META!r}: it makes {len(joined):,} pieces that hold it inside, first "
            f"{joined[0]!r}",
            example=joined[0].replace(META, " "),
            characters=_SPACES,
        )
