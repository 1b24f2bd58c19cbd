"""Sources whose numbers would make an export explode: refused or taken, in one line and little memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mtok_export import SourceError, UnsupportedError, export
from mtok_export.format import model as models
from mtok_export.format import read
from mtok_export.source import chat_template
from mtok_export.source.chat_template import render

ModelDir = Callable[[str], Path]


def edited(directory: Path, edit: Callable[[dict[str, Any]], None]) -> Path:
    path = directory / "tokenizer.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    edit(value)
    path.write_text(json.dumps(value), encoding="utf-8")
    return directory


@pytest.mark.parametrize("id_", [5_000_000, 2**31 - 1])
@pytest.mark.parametrize("name", ["gpt2", "wordlevel", "wordpiece-cased"])
def test_an_id_far_beyond_the_others_is_refused(name: str, id_: int, model_dir: ModelDir, tmp_path: Path) -> None:
    directory = edited(model_dir(name), lambda value: value["model"]["vocab"].update({"far away": id_}))
    with pytest.raises(UnsupportedError, match=rf"the highest id is {id_:,}"):
        export(directory, tmp_path / "out.mtok")


@pytest.mark.parametrize("plain", [False, True], ids=["faithful", "plain"])
def test_a_word_length_beyond_32_bits_is_the_longest_there_is(plain: bool, model_dir: ModelDir, tmp_path: Path) -> None:
    directory = edited(
        model_dir("wordpiece-cased"), lambda value: value["model"].update(max_input_chars_per_word=2**53)
    )
    export(directory, tmp_path / "out.mtok", plain=plain)
    model = read(tmp_path / "out.mtok").model
    assert isinstance(model, models.WordPiece)
    assert model.max_chars == 2**31 - 1


def test_a_fixed_length_of_nothing_is_refused(model_dir: ModelDir, tmp_path: Path) -> None:
    directory = edited(
        model_dir("gpt2"), lambda value: value.update(pre_tokenizer={"type": "FixedLength", "length": 0})
    )
    with pytest.raises(UnsupportedError, match="a length of 0 cuts nothing"):
        export(directory, tmp_path / "out.mtok")


def test_a_template_that_never_ends_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every further rendering of it fails at once, however long the process would be given."""
    endless = "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"
    monkeypatch.setattr(chat_template, "RENDER_SECONDS", 1)
    messages = [{"role": "user", "content": "a"}]

    def rendered() -> str:
        return render(endless, messages, add_generation_prompt=True, bos_token=None, eos_token=None)

    with pytest.raises(SourceError, match="not rendered after 1 seconds") as first:
        rendered()
    monkeypatch.setattr(chat_template, "RENDER_SECONDS", 10_000)
    with pytest.raises(SourceError) as second:
        rendered()
    assert str(second.value) == str(first.value)
