"""Everything that the engine trusts without checking, looked at before the engine does.

``validate(data)`` gives the findings of a file; none of it needs the engine.  ``run_findings`` puts a file into the
real engine and tells what it dies of.
"""

from __future__ import annotations

from mtok_export import legacy
from mtok_export.errors import FormatError
from mtok_export.places import Opened
from mtok_export.validating.chat_template import chat_template_findings
from mtok_export.validating.finding import ALL_VERSIONS, Finding, Severity, error, for_engine
from mtok_export.validating.ids import added_token_findings, header_findings
from mtok_export.validating.models import model_findings
from mtok_export.validating.running import run_findings
from mtok_export.validating.subject import Subject
from mtok_export.validating.tail import tail_findings
from mtok_export.validating.text_files import text_findings
from mtok_export.validating.trees import tree_findings

__all__ = ["ALL_VERSIONS", "Finding", "Severity", "run_findings", "validate", "validate_opened"]


def validate(data: bytes, *, engine: str | None = None) -> list[Finding]:
    """Everything that the engine would stumble over in a file, in file order.

    Args:
        data: the whole file.
        engine: the engine version (one of ``ALL_VERSIONS``) to judge for; without it all of them count, and what only
            3.5 dies of is a warning.

    Returns:
        The findings; a file that cannot be read is one finding, at the byte where reading ends.
    """
    try:
        if legacy.is_legacy(data):
            return for_engine(text_findings(legacy.decode(data), data), engine)
        opened = Opened.of(data, "")
    except FormatError as fault:
        return [_unreadable(fault)]
    return validate_opened(opened, engine=engine)


def validate_opened(opened: Opened, *, engine: str | None = None) -> list[Finding]:
    """``validate`` for a file that is read already."""
    subject = Subject(opened)
    found = [
        *header_findings(subject),
        *tree_findings(subject),
        *model_findings(subject),
        *added_token_findings(subject),
        *chat_template_findings(subject),
        *tail_findings(subject),
    ]
    return for_engine(sorted(found, key=lambda finding: finding.offset or 0), engine)


def _unreadable(fault: FormatError) -> Finding:
    return error(
        "unreadable",
        (fault.where or "").removesuffix(f", byte {fault.offset}").removesuffix(f"byte {fault.offset}"),
        fault.offset,
        fault.message,
        "the engine checks nothing: it reads on behind the end or takes the bytes for something else, and dies, loops "
        "or gives wrong ids",
        fault.hint or "export the file again",
    )
