"""What is said of a chat template, whichever process looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mtok_export.errors import SourceError
from mtok_export.lowering import chat_template
from mtok_export.lowering.findings import Findings, Place
from mtok_export.report import Limit
from mtok_export.source.settings import ChatTemplate, Settings

TEMPLATE = "{% for m in messages %}{{ m.content|frobnicate }}{% break %}{% endfor %}\n{{ m is divisibleby(3) }}"


def lowered(template: str, *, ahead: bool = False) -> tuple[str, list[Limit], list[str]]:
    settings = Settings(
        eos_token=None,
        bos_token=None,
        stop_tokens=(),
        chat_template=ChatTemplate(template, "chat_template.jinja"),
        clean_up_tokenization_spaces=False,
    )
    findings = Findings()
    place = Place("chat_template", "ChatTemplate", findings)
    asked = chat_template.ask_about_template(settings, faithful=True) if ahead else None
    text = chat_template.lower_chat_template(settings, "", place, faithful=True, asked=asked)
    return text, findings.limits, [problem.reason for problem in findings.problems]


def no_process(function: str, _text: str) -> Callable[[], Any]:
    def fail() -> Any:
        raise SourceError("no process", where=function)

    return fail


@pytest.mark.parametrize("template", [TEMPLATE, "{{ x.split('') }}", "a\r\nb", "{% if", ""])
def test_any_process_finds_the_same(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = lowered(template)
    assert beside == lowered(template, ahead=True)
    monkeypatch.setattr(chat_template, "call_ahead", no_process)
    assert beside == lowered(template)


def test_limits_and_refusals() -> None:
    text, limits, problems = lowered(TEMPLATE)
    assert text == TEMPLATE and len(limits) >= 3 and problems == []
    assert all(limit.example and limit.reason.startswith("the engine's Jinja: ") for limit in limits)
    assert lowered("{{ x.split('') }}")[2] != []
