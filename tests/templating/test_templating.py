from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import EngineError
from mtok_export.source.chat_template import render
from mtok_export.templating import Part, TemplateFinding, template_findings
from mtok_export.templating.analysis import DEEPEST, finding_rows
from tests import hand_made as hm
from tests.templating.fragments import ALIKE, KILLING, OTHERWISE

MESSAGES = [{"role": "user", "content": "hello"}]
BETWEEN = "\x02"


def engine_file(template: str, folder: Path) -> Path:
    path = folder / "template.mtok"
    path.write_bytes(hm.mtok(hm.bpe({"a": 0}), end=hm.tail(template, eos="<E>", bos="<B>")))
    return path


def by_jinja(fragment: str) -> str:
    return render(fragment, MESSAGES, add_generation_prompt=True, bos_token="<B>", eos_token="<E>")


@pytest.mark.parametrize("fragment", ALIKE)
def test_nothing_is_said_of_what_both_render_alike(fragment: str) -> None:
    assert template_findings(fragment) == ()


@pytest.mark.parametrize(("name", "fragment"), OTHERWISE)
def test_what_the_engine_renders_otherwise_is_named(name: str, fragment: str) -> None:
    found = template_findings(fragment)
    assert name in {f"{each.part.value} {each.name}" for each in found}
    assert not any(each.kills for each in found)
    assert all(each.effect and each.excerpt and each.lines for each in found)


def test_findings_pass_through_json() -> None:
    for _, fragment in OTHERWISE:
        rows = json.loads(json.dumps(finding_rows(fragment)))
        assert tuple(map(TemplateFinding.of_row, rows)) == template_findings(fragment)


@pytest.mark.parametrize("fragment", KILLING)
def test_what_kills_is_named(fragment: str) -> None:
    assert any(each.kills for each in template_findings(f"line one\n{fragment}"))
    assert {each.lines for each in template_findings(f"line one\n{fragment}") if each.kills} == {(2,)}


@pytest.mark.engine
def test_the_engine_agrees_with_the_sorting(native: Callable[..., NativeEngine], tmp_path: Path) -> None:
    """All fragments in one template: those without a finding come out as Jinja renders them, the others do not."""
    fragments = [*ALIKE, *(fragment for _, fragment in OTHERWISE)]
    path = engine_file(BETWEEN.join(fragments), tmp_path)
    rendered = native(path).chat(MESSAGES).split(BETWEEN)
    alike = {fragment: text == by_jinja(fragment) for fragment, text in zip(fragments, rendered, strict=True)}
    assert alike == {fragment: fragment in ALIKE for fragment in fragments}


@pytest.mark.engine
@pytest.mark.parametrize("fragment", KILLING)
def test_the_engine_dies_of_what_kills(fragment: str, native: Callable[..., NativeEngine], tmp_path: Path) -> None:
    engine = native(engine_file(fragment, tmp_path), deadline=2.0, memory_mib=640)
    with pytest.raises(EngineError, match="rendering a conversation"):
        engine.chat(MESSAGES)


def test_places_are_gathered_with_their_lines() -> None:
    template = "{{ a|join }}\n{{ b|join }} {{ c|join }}\n\n{{ raise_exception('no') }}"
    join, raising = template_findings(template)
    assert (join.part, join.name, join.lines, join.offset) == (Part.FILTER, "join", (1, 2), 0)
    assert (raising.part, raising.name, raising.lines) == (Part.FUNCTION, "raise_exception", (4,))
    assert template[raising.offset :].startswith("{{ raise_exception")
    assert str(join).startswith("filter join (lines 1, 2): ")


def test_what_is_misread_is_given_as_the_engine_reads_it() -> None:
    (found,) = template_findings("{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{% endif %}")
    assert "`(m.role == 'user') != loop.index0`" in found.effect


def test_a_macro_of_the_template_is_no_unknown_function() -> None:
    assert template_findings("{% macro f() %}x{% endmacro %}{{ f() }}") == ()
    assert [each.name for each in template_findings("{{ f() }}")] == ["f"]


def test_control_characters_do_not_stand_in_findings() -> None:
    for found in template_findings("{{ '\x1b[31m\u202e'|join }}{{ x|\x1b }}{{ [1 \x1b"):
        assert (found.excerpt + found.effect + found.name).isprintable()


@pytest.mark.parametrize(("levels", "named"), [(DEEPEST - 1, False), (DEEPEST, True)])
def test_the_depth_that_is_looked_at_does_not_depend_on_the_stack(levels: int, named: bool) -> None:
    found = {found.name for found in template_findings("{{ " + "1+" * levels + "1 }}")}
    assert ("deep nesting" in found) == named


def test_deep_nesting_is_said_and_is_no_traceback() -> None:
    for template in ("{{ " + "(" * 5_000, "{{ " + "[" * 5_000 + "]" * 5_000 + " }}", "{{ x" + ".y" * 20_000 + " }}"):
        template_findings(template)
    assert "deep nesting" in {found.name for found in template_findings("{{ " + "(" * 5_000)}


def test_long_numbers_are_no_traceback() -> None:
    template_findings("{{ " + "9" * 10_000 + " }}")


PIECES = ("{{", "}}", "{%", "%}", "{#", "#}", "-", "+", " ", "\n", "if", "else", "endif", "for", "in", "endfor", "set",
          "macro", "x", "'a'", '"', "'", "\\", "1", ".", ",", "(", ")", "[", "]", "{", "}", ":", "|", "=", "==", "is",
          "not", "and", "loop", "~", "*", "%", "é", "tojson", "True")  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=40))
def test_any_text_can_be_looked_at(template: str) -> None:
    for found in template_findings(template):
        assert found.lines
        assert 0 <= found.offset <= len(template)
