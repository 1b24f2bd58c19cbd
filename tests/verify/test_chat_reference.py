"""What Hugging Face makes of conversations: transformers in a child process."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mtok_export import SourceError, load_source
from mtok_export.source import render
from mtok_export.verify.chat_reference import ChatAnswers, Refused, Rendered, chat_reference
from mtok_export.verify.reference import Reference
from mtok_export.verify.scenes import SCENES, Scene

ModelDir = Callable[[str], Path]

HELLO = Scene("hello", ({"role": "user", "content": "Hello"},))


def ask(path: Path, template: str, scenes: Sequence[Scene] = (HELLO,), seconds: float = 20.0) -> ChatAnswers:
    with chat_reference(load_source(path), template, scenes, seconds=seconds) as reference:
        return reference.answers(seconds)


@pytest.mark.parametrize("name", ["qwen2", "llama3", "deepseek"])
def test_text_and_ids_of_every_conversation(name: str, model_dir: ModelDir) -> None:
    directory = model_dir(name)
    source = load_source(directory)
    settings = source.settings
    assert settings.chat_template is not None
    answers = ask(directory, settings.chat_template.text, SCENES)
    assert answers.notes == ()
    for scene, answer in zip(SCENES, answers.scenes, strict=True):
        assert isinstance(answer, Rendered)
        assert answer.text == render(
            settings.chat_template.text,
            scene.messages,
            add_generation_prompt=True,
            bos_token=settings.bos_token.content if settings.bos_token else None,
            eos_token=settings.eos_token.content if settings.eos_token else None,
        )
        assert [list(answer.ids)] == Reference(source).encode([answer.text], specials=False)


def test_what_a_template_refuses_is_an_answer(model_dir: ModelDir) -> None:
    template = "{% if messages | length > 1 %}{{ raise_exception('one is\n enough') }}{% endif %}{{ bos_token }}ok"
    two = Scene("two", HELLO.messages * 2)
    answers = ask(model_dir("llama3"), template, (two, HELLO))
    refused, rendered = answers.scenes
    assert refused == Refused("TemplateError: one is enough")
    assert isinstance(rendered, Rendered)
    assert rendered.text == "<|begin_of_text|>ok"


def test_a_template_that_never_ends(model_dir: ModelDir) -> None:
    template = "{% if messages[0].content == 'Hello' %}ok{% else %}" + "{% for i in range(9999) %}" * 9
    template += "{% endfor %}" * 9 + "{% endif %}"
    other = Scene("endless", ({"role": "user", "content": "x"},))
    with pytest.raises(SourceError, match=r"did not render the conversation 'endless' within 3 s.*may loop for ever"):
        ask(model_dir("qwen2"), template, (HELLO, other), seconds=3.0)


def test_nothing_is_printed_and_the_environment_stays(model_dir: ModelDir, capfd: pytest.CaptureFixture[str]) -> None:
    before = dict(os.environ)
    loaded = "transformers" in sys.modules
    assert ask(model_dir("qwen2"), "x").notes == ()
    assert capfd.readouterr() == ("", "")
    assert dict(os.environ) == before
    assert ("transformers" in sys.modules) == loaded  # another test may have loaded it


def test_a_config_that_transformers_refuses_leaves_tokenizer_json(model_dir: ModelDir) -> None:
    directory = model_dir("llama3")
    source = load_source(directory)
    (directory / "tokenizer_config.json").write_text('{"added_tokens_decoder": {"one": 1}}', encoding="utf-8")
    with chat_reference(source, "{{ bos_token }}", (HELLO,), seconds=20.0) as reference:
        answers = reference.answers(20.0)
    (note,) = answers.notes
    assert "refuses the files beside tokenizer.json" in note
    (answer,) = answers.scenes
    assert isinstance(answer, Rendered)
    assert answer.text == "<|begin_of_text|>", "the BOS that the directory names is used all the same"


def test_a_file_with_another_name_is_taken_alone(model_dir: ModelDir, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    shutil.copy(model_dir("llama3") / "tokenizer.json", other)
    (answer,) = ask(other, "[{{ bos_token }}]").scenes
    assert isinstance(answer, Rendered)
    assert answer.text == "[]"


def test_a_tokenizer_that_the_library_refuses(model_dir: ModelDir) -> None:
    directory = model_dir("qwen2")
    source = replace(load_source(directory), tokenizer_json=b"{}", folder=None)
    with (
        chat_reference(source, "x", (HELLO,), seconds=5.0) as reference,
        pytest.raises(SourceError, match="the library transformers fails: "),
    ):
        reference.answers(5.0)
