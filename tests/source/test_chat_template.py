from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mtok_export.errors import SourceError
from mtok_export.source import ChatTemplate, chat_template, render
from mtok_export.source.chat_template import call_ahead, find_end_of_turn
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.template_worker import answer, explain

USER = {"role": "user", "content": "Hi."}


def rendered(template: str) -> str:
    return render(template, [USER], add_generation_prompt=False, bos_token="<s>", eos_token=None)


def refused(template: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        rendered(template)
    assert caught.value.where == "chat template"
    return caught.value


RENDERED = {
    "variables": ("{{ bos_token }}{{ messages[0]['content'] }}{{ messages[0].role }}", "<s>Hi.user"),
    "None is undefined": ("{{ eos_token is defined }}{{ bos_token is defined }}", "FalseTrue"),
    "no tools": ("{{ tools is none }}{{ documents is none }}", "TrueTrue"),
    "blocks are trimmed": ("{% if true %}\n  a\n  {% endif %}\nb", "  a\nb"),
    "the last line end is dropped": ("a\n", "a"),
    "loop control": ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
    "generation": ("{% generation %}{{ messages[0].content }}{% endgeneration %}!", "Hi.!"),
    "tojson": ("{{ {'b': 'é<', 'a': [1, none]} | tojson }}", '{"b": "é<", "a": [1, null]}'),
    "tojson with options": ("{{ {'b': 1, 'a': 2} | tojson(indent=1, sort_keys=true) }}", '{\n "a": 2,\n "b": 1\n}'),
    "namespace": (
        "{% set ns = namespace(n=0) %}{% for m in 'abc' %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
        "3",
    ),
    "macro": ("{% macro f(x) %}[{{ x }}]{% endmacro %}{{ f(1) }}", "[1]"),
    "date": ("{{ strftime_now('%%') }}", "%"),
    "no escaping": ("{{ '<&>' }}", "<&>"),
    "lone surrogate": ("{{ '\\ud800' }}", "\ud800"),
}


@pytest.mark.parametrize("variant", RENDERED)
def test_render(variant: str) -> None:
    template, text = RENDERED[variant]
    assert rendered(template) == text


def test_render_takes_tools_and_further_variables() -> None:
    tools = [{"name": "f"}]
    text = render(
        "{{ tools[0].name }}{{ x }}", [], add_generation_prompt=True, bos_token="", eos_token="", tools=tools, x=[1]
    )
    assert text == "f[1]"


REFUSED = {
    "syntax": ("a\n{% if %}", "line 2: "),
    "unknown tag": ("{% nothing %}", "unknown tag 'nothing'"),
    "undefined": ("{{ a.b.c }}", "line 1: 'a' is undefined"),
    "raise_exception": ("\n\n{{ raise_exception('no system turn') }}", "line 3: no system turn"),
    "type error": ("{{ 1 + 'x' }}", "unsupported operand"),
    "no message": ("{{ messages[7].content }}", "line 1: "),
    "dunder": ("{{ ().__class__.__bases__ }}", "is unsafe"),
    "changing the messages": ("{{ messages.append(1) }}", "is unsafe"),
    "reading files": ("{% include '/etc/passwd' %}", "no loader"),
    "endless recursion": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
    "text too long": ("{% for i in range(99) %}{{ 'x' * 999999 }}{% endfor %}", "longer than 10000000 characters"),
    "several lines": ("{{ raise_exception('one\\n  two') }}", "line 1: one two"),
    "division": ("{{ 1 / 0 }}", "line 1: division by zero"),
}


@pytest.mark.parametrize("variant", REFUSED)
def test_render_refuses(variant: str) -> None:
    template, message = REFUSED[variant]
    assert message in refused(template).message


def test_the_memory_of_a_template_is_bounded() -> None:
    pytest.importorskip("resource", reason="the platform bounds no memory")
    assert "MemoryError" in refused("{{ ('x' * 10 ** 11) | length }}").message


@pytest.mark.parametrize(
    "template",
    [
        "{% macro f(n) %}{% for i in range(99999) %}{{ f(n - 1) if n else '' }}{% endfor %}{% endmacro %}{{ f(3) }}",
        "{{ 7 ** (7 ** 12) }}",
    ],
)
def test_the_time_of_a_template_is_bounded(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered("warm")
    monkeypatch.setattr(chat_template, "RENDER_SECONDS", 0.3)
    assert "is not rendered after 0.3 seconds" in refused(template).message
    monkeypatch.undo()
    assert rendered("{{ 1 + 1 }}") == "2"


def test_a_renderer_that_died_is_replaced() -> None:
    rendered("x")
    process = chat_template._renderer._process
    assert process is not None
    process.kill()
    process.wait()
    with pytest.raises(SourceError, match="has died"):
        rendered("x")
    assert rendered("x") == "x"


def test_a_python_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chat_template._renderer.stop()
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert "Python cannot be started to render it" in refused("x").message
    chat_template.prepare_renderer("x")


def test_the_worker_answers_in_the_same_process_too() -> None:
    request = {"template": "{{ x }}", "variables": {"x": "y"}}
    assert answer(request, 100) == {"text": "y"}
    assert answer(request, 0) == {"error": "the rendered text is longer than 0 characters"}
    assert explain(ValueError()) == "ValueError"
    assert answer({"call": "json:loads", "text": "[1]"}, 0) == {"value": [1]}
    assert answer({"compile": "{{ x }}"}, 0) == {} and "error" in answer({"compile": "{{ x"}, 0)


# --- calls in the process that renders --------------------------------------------------------------------------------


def test_calls_are_answered_in_their_order_and_between_templates() -> None:
    one, other = (call_ahead("json:loads", text) for text in ("[1]", "[2]"))
    assert rendered("x") == "x"
    assert other() == [2]
    assert one() == [1] == one()


def test_a_prepared_template() -> None:
    for template in ("{{ bos_token }}", "{% nothing %}", "y"):
        chat_template.prepare_renderer(template)
    assert rendered("{{ bos_token }}") == "<s>"
    assert "unknown tag" in refused("{% nothing %}").message


def test_a_call_of_the_project_without_its_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    chat_template._renderer.stop()
    monkeypatch.setattr("sys.path", [path for path in sys.path if "packages" in path or "python3" in path])
    assert call_ahead("mtok_export.templating.analysis:finding_rows", "{{ x }}")() == []
    chat_template._renderer.stop()


def test_a_call_that_fails() -> None:
    with pytest.raises(SourceError, match="Expecting value"):
        call_ahead("json:loads", "?")()
    waiting = call_ahead("time:sleep", "x")
    with pytest.raises(SourceError, match="str"):
        waiting()


ENDLESS = {"template": "{{ 7 ** (7 ** 12) }}", "variables": {}}


def test_a_call_whose_process_dies() -> None:
    rendered("x")
    chat_template._renderer.send(ENDLESS)
    one, other = call_ahead("json:loads", "[]"), call_ahead("json:loads", "[]")
    process = chat_template._renderer._process
    assert process is not None
    process.kill()
    for wait in (one, other, one):
        with pytest.raises(SourceError, match="has died"):
            wait()
    assert rendered("x") == "x"


def test_a_call_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered("warm")
    chat_template._renderer.send(ENDLESS)
    wait = call_ahead("json:loads", "[]")
    monkeypatch.setattr(chat_template, "RENDER_SECONDS", 0.3)
    with pytest.raises(SourceError, match=r"after 0\.3 seconds"):
        wait()
    monkeypatch.undo()
    assert rendered("x") == "x"


def test_a_call_without_a_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chat_template._renderer.stop()
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    wait = call_ahead("json:loads", "[]")
    with pytest.raises(SourceError, match="Python cannot be started"):
        wait()


# --- the end of a turn ------------------------------------------------------------------------------------------------


def token(content: str, token_id: int = 0) -> AddedToken:
    return AddedToken(token_id, content, special=True, single_word=False, lstrip=False, rstrip=False, normalized=False)


TOKENS = [token("<|im_end|>", 7), token("<|im|>", 8), token("</s>", 2), token("<s>", 1), token("<|im_end|>x", 9)]

CHAT_ML = (
    "{% for m in messages %}{{ '<|im|>' + m.role + '\\n' + m.content + '<|im_end|>' + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im|>assistant\\n' }}{% endif %}"
)
NEEDS_SYSTEM = "{% if messages[0].role != 'system' %}{{ raise_exception('system first') }}{% endif %}"


def each(body: str) -> str:
    return "{% for m in messages %}" + body + "{% endfor %}"


CLOSING = {
    "ChatML": (CHAT_ML, "<|im_end|>"),
    "eos_token": (each("{{ m.content }}{% if m.role == 'assistant' %}{{ eos_token }}{% endif %}"), "</s>"),
    "the longest token": (each("{{ m.content }}<|im_end|>x"), "<|im_end|>x"),
    "white space in between": (each("{{ m.content }}\n \n<|im_end|>"), "<|im_end|>"),
    "content stripped": (each("{{ m.content | trim }} </s>"), "</s>"),
    "content as parts": (each("{{ m.content[0].text }}</s>"), "</s>"),
    "content as parts, silently": (each("{% for p in m.content %}{{ p.text }}{% endfor %}</s>"), "</s>"),
    "needs a system turn": (NEEDS_SYSTEM + each("{{ m.content }}<|im_end|>"), "<|im_end|>"),
    "needs a system turn and parts": (NEEDS_SYSTEM + each("{{ m.content[0].text }}<|im_end|>"), "<|im_end|>"),
    "the user's turn ends otherwise": (
        each("{{ m.content }}{{ '</s>' if m.role == 'assistant' else '<|im_end|>' }}"),
        "</s>",
    ),
}


@pytest.mark.parametrize("variant", CLOSING)
def test_end_of_turn(variant: str) -> None:
    template, content = CLOSING[variant]
    found, notices = find_end_of_turn(ChatTemplate(template, "x"), TOKENS, "<s>", "</s>")
    assert found is not None and found.content == content
    assert notices == ()


NOT_CLOSING = {
    "nothing follows": (each("{{ m.content }}"), "nothing follows"),
    "only text follows": (each("{{ m.content }} End"), 'only "End" follows'),
    "a token, but not directly": (each("{{ m.content }} End</s>"), 'only "End</s>" follows'),
    "no words of the assistant": ("{{ messages[0].content }}</s>", "the assistant's words do not appear"),
    "refuses everything": (
        "{{ raise_exception('no') }}",
        "could not be rendered, so it gives no stop token: line 1: no",
    ),
    "no template": ("{% if %}", "could not be rendered"),
}


@pytest.mark.parametrize("variant", NOT_CLOSING)
def test_no_end_of_turn(variant: str) -> None:
    template, message = NOT_CLOSING[variant]
    found, (notice,) = find_end_of_turn(ChatTemplate(template, "x.jinja"), TOKENS, "<s>", "</s>")
    assert found is None
    assert notice.where == "x.jinja"
    assert message in notice.message


def test_requests_are_plain_json() -> None:
    with pytest.raises(TypeError):
        render("x", [], add_generation_prompt=False, bos_token=None, eos_token=None, something=object())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_forked_process_begins_anew() -> None:
    code = (
        "import os, sys\n"
        "from mtok_export.source.chat_template import prepare_renderer, render\n"
        "prepare_renderer('{{ 1 }}')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    text = render('{{ 2 }}', [], add_generation_prompt=False, bos_token=None, eos_token=None)\n"
        "    os._exit(0 if text == '2' else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)
