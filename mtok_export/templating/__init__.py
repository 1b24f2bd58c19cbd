"""What the engine's Jinja subset makes of a chat template, without running it.

``template_findings(template)`` lists tags, filters, tests, calls and expressions that the engine ignores or takes for
something else, and those that its process dies of.
"""

from typing import TYPE_CHECKING

from mtok_export.lazy import names_of

if TYPE_CHECKING:
    from mtok_export.templating.analysis import template_findings
    from mtok_export.templating.findings import Part, TemplateFinding

_HOMES = {"Part": "findings", "TemplateFinding": "findings", "template_findings": "analysis"}
"""Where each name is; that of the findings alone does without jinja2."""

__all__ = ["Part", "TemplateFinding", "template_findings"]

__getattr__ = names_of(__name__, _HOMES)
