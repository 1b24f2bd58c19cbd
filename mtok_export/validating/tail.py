"""What stands behind the added tokens, the chat template apart."""

from __future__ import annotations

from dataclasses import replace

from mtok_export.format.spec import Flags
from mtok_export.format.tail import SequenceA, SpecialTokenId, taken_for_older_layout
from mtok_export.validating.finding import Findings, error, warning
from mtok_export.validating.subject import Subject

_NEXT = ("next",)


def tail_findings(subject: Subject) -> Findings:
    """Flags without a meaning, and a post-processor that is taken for something else."""
    tail, places = subject.file.tail, subject.places
    if tail.flags is not None and tail.flags & ~int(Flags.CLEAN_UP_TOKENIZATION_SPACES):
        why = "only bit 0 has a meaning; the others may get one in a later engine"
        yield warning("flags", "flags", places.section("flags"), f"the flags are {tail.flags:#04x}", why, "set 0 or 1")
    if tail.post_processor:
        for finding in _post_processor(subject):
            yield replace(finding, versions=_NEXT)


def _post_processor(subject: Subject) -> Findings:
    tail, start = subject.file.tail, subject.places.section("post_processor")
    steps = tail.post_processor or ()
    if taken_for_older_layout(steps, tail.padding):
        yield error(
            "post-processor-length",
            "post_processor",
            start,
            f"{len(steps)} ops in a tail of {4 * len(steps)} bytes",
            "by this length engines after 3.6.1 take it for an older layout: ids become garbage",
            "append one zero byte to the file",
        )
    texts = sum(isinstance(step, SequenceA) for step in steps)
    if texts != 1:
        why = "the ids of the text are lost" if texts == 0 else "the ids of the text come more than once"
        yield error("post-processor-text", "post_processor", start, f"the text stands in it {texts} times", why, "once")
    before = []
    for step in steps:
        if not isinstance(step, SpecialTokenId):
            break
        before.append(step.id)
    prefix = subject.file.header.prefix_ids
    if before and prefix:
        yield error(
            "prefix-twice",
            "post_processor",
            start,
            f"ids {before} in front of the text, which the header starts with {list(prefix)}",
            "engines after 3.6.1 put both in front",
            "keep the header's prefix list, and only what follows the text in the post-processor",
        )
