"""One thing that is wrong with a file, as far as the engine is concerned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

ALL_VERSIONS = ("3.5", "3.6", "next")
"""The engine versions by name: 3.5.0; 3.6.0 and 3.6.1; the source after 3.6.1."""


class Severity(Enum):
    """How bad it is.

    An error kills the process, or gives wrong ids or text; a warning is something that is silently other than it looks.
    """

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """One finding.

    ``code`` names the kind of finding and never changes; ``where`` is the path of the record and ``offset`` its first
    byte; ``what`` says what is in the file, ``why`` what the engine makes of it, ``fix`` what to do; ``versions`` are
    the engine versions that it concerns.
    """

    severity: Severity
    code: str
    where: str
    offset: int | None
    what: str
    why: str
    fix: str
    versions: tuple[str, ...] = ALL_VERSIONS

    def as_dict(self) -> dict[str, Any]:
        """The finding as plain JSON values."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "where": self.where,
            "offset": self.offset,
            "what": self.what,
            "why": self.why,
            "fix": self.fix,
            "versions": list(self.versions),
        }


Findings = Iterator[Finding]


def error(code: str, where: str, offset: int | None, what: str, why: str, fix: str) -> Finding:
    """A finding that kills the process or corrupts ids or text."""
    return Finding(Severity.ERROR, code, where, offset, what, why, fix)


def warning(code: str, where: str, offset: int | None, what: str, why: str, fix: str) -> Finding:
    """A finding about something that is silently other than it looks."""
    return Finding(Severity.WARNING, code, where, offset, what, why, fix)


def for_engine(findings: Iterable[Finding], version: str | None) -> list[Finding]:
    """The findings that concern one engine version; without one, all of them.

    An error that only a version before the newest release has is a warning then: the file is sound for the newest.
    """
    if version is not None:
        return [finding for finding in findings if version in finding.versions]
    return [
        finding if set(finding.versions) & {"3.6", "next"} else replace(finding, severity=Severity.WARNING)
        for finding in findings
    ]
