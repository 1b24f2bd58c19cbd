"""What the engine's Jinja subset makes of a chat template, without running it.

``template_findings(template)`` lists tags, filters, tests, calls and expressions that the engine ignores or takes for
something else, and those that its process dies of.
"""

from mtok_export.templating.analysis import template_findings
from mtok_export.templating.findings import Part, TemplateFinding

__all__ = ["Part", "TemplateFinding", "template_findings"]
