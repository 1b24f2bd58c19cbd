"""The engine versions that differ in what they make of a file."""

from __future__ import annotations

from dataclasses import dataclass

from mtok_export.errors import MtokError


@dataclass(frozen=True)
class Version:
    """What one version knows.  ``name`` is ``3.5``, ``3.6`` or ``next`` (the source after 3.6.1)."""

    name: str
    has_strip: bool = True
    skips_absent_normalizers: bool = True
    has_post_processor: bool = False
    falls_back_to_gpt2: bool = False


V3_5 = Version("3.5", has_strip=False, skips_absent_normalizers=False)
V3_6 = Version("3.6")
NEXT = Version("next", has_post_processor=True, falls_back_to_gpt2=True)

VERSIONS = {version.name: version for version in (V3_5, V3_6, NEXT)}


def version_named(name: str) -> Version:
    """The version for a name: one of ``VERSIONS``, or a release number such as ``3.6.1``.

    Raises:
        MtokError: no such version.
    """
    known = VERSIONS.get(name) or VERSIONS.get(".".join(name.split(".")[:2]))
    if known is None:
        raise MtokError(f"unknown engine version {name!r}", hint=f"known are {', '.join(VERSIONS)}")
    return known
