"""The chat template: what the engine's Jinja subset ignores in it, or dies of."""

from __future__ import annotations

from mtok_export.format.columns import ID_BYTES
from mtok_export.validating.finding import Finding, Findings, Severity
from mtok_export.validating.subject import Subject

_LENGTH_BYTES = ID_BYTES
"""A text has a length of four bytes in front."""


def chat_template_findings(subject: Subject) -> Findings:
    """One finding for each thing that the engine renders otherwise than Jinja."""
    template = subject.file.tail.chat_template
    if not template:
        return
    # Jinja costs a tenth of a second to import, and many files have no template.
    from mtok_export.templating import template_findings

    start = subject.places.section("chat_template") + _LENGTH_BYTES
    for found in template_findings(template):
        yield Finding(
            Severity.ERROR if found.kills else Severity.WARNING,
            "template-kills" if found.kills else f"template-{found.part.value.replace(' ', '-')}",
            f"chat_template, line {found.lines[0]}",
            start + len(template[: found.offset].encode()),
            f"{found.part.value} {found.name} in {found.excerpt}"
            + (f" (and {len(found.lines) - 1} more lines)" if len(found.lines) > 1 else ""),
            found.effect,
            "write the template without it, or give the engine one of its own",
        )
