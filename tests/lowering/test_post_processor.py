"""What surrounds a text, against the tokenizers library: every short sequence of post-processors."""

from __future__ import annotations

import itertools

import pytest
from tokenizers import Tokenizer, models, processors

from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.post_processor import lower_post_processor
from mtok_export.source.pipeline import (
    BertProcessing,
    ByteLevelProcessing,
    PostProcessor,
    PostProcessorSequence,
    RobertaProcessing,
    TemplatePiece,
    TemplateProcessing,
    TemplateSequence,
    TemplateSpecialToken,
    TemplateToken,
)

TEXT_ID, X, Y = 0, 1, 2


def template(single: str, pair: str = "$A:0 $B:0") -> tuple[TemplateProcessing, object]:
    """A template in both worlds, from the library's short spelling."""

    def pieces(text: str) -> tuple[TemplatePiece, ...]:
        return tuple(
            TemplateSequence("A" if word.startswith("$A") else "B", 0)
            if word.startswith("$")
            else TemplateSpecialToken(word.partition(":")[0], 0)
            for word in text.split()
        )

    tokens = (TemplateToken("[X]", (X,), ("[X]",)), TemplateToken("[Y]", (Y, X), ("[Y]", "[X]")))
    theirs = processors.TemplateProcessing(
        single=single,
        pair=pair,
        special_tokens=[("[X]", X), {"id": "[Y]", "ids": [Y, X], "tokens": ["[Y]", "[X]"]}],
    )
    return TemplateProcessing(pieces(single), pieces(pair), tokens), theirs


PARTS: dict[str, tuple[PostProcessor, object]] = {
    "bert": (BertProcessing(("[Y]", Y), ("[X]", X)), processors.BertProcessing(("[Y]", Y), ("[X]", X))),
    "roberta": (
        RobertaProcessing(("[Y]", Y), ("[X]", X), True, True),
        processors.RobertaProcessing(("[Y]", Y), ("[X]", X)),
    ),
    "bytes": (ByteLevelProcessing(True, True, True), processors.ByteLevel()),
    "bos": template("[X] $A", "[X]:0 $A:0 $B:0 [Y]:0"),
    "eos": template("$A [Y]", "$A:0 [Y]:0 $B:0"),
    "both": template("[X] $A [Y]"),
    "plain": template("$A"),
}


def library_ids(parts: list[object]) -> list[int] | None:
    """The library's ids for a one-token text, or None where it fails (its panics are no ordinary exceptions)."""
    tokenizer = Tokenizer(models.WordLevel({"a": TEXT_ID, "[X]": X, "[Y]": Y}, unk_token="a"))
    tokenizer.post_processor = processors.Sequence(parts)
    try:
        ids: list[int] = tokenizer.encode("a").ids
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None
    return ids


@pytest.mark.parametrize(
    "names", [n for size in (1, 2, 3) for n in itertools.product(PARTS, repeat=size)], ids="+".join
)
def test_surroundings_are_those_of_the_library(names: tuple[str, ...]) -> None:
    ours = PostProcessorSequence(tuple(PARTS[name][0] for name in names))
    findings = Findings()
    around = lower_post_processor(ours, Place("$.post_processor", "Sequence", findings))
    expected = library_ids([PARTS[name][1] for name in names])
    if expected is None:
        assert findings.problems
    else:
        assert not findings.problems
        assert [*around.prefix, TEXT_ID, *around.suffix] == expected


def test_a_template_that_repeats_the_text_is_refused() -> None:
    findings = Findings()
    lower_post_processor(template("$A $A")[0], Place("$.post_processor", "TemplateProcessing", findings))
    assert [problem.path for problem in findings.problems] == ["$.post_processor"]


def test_no_suffix_gives_no_program() -> None:
    around = lower_post_processor(template("[X] $A")[0], Place("$.post_processor", "TemplateProcessing", Findings()))
    assert (around.prefix, around.program()) == ((X,), None)
