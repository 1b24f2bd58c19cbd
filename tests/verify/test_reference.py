"""What Hugging Face makes of texts: the tokenizers library, and what is added to it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mtok_export import SourceError, load_source
from mtok_export.source.settings import Source
from mtok_export.verify.reference import Reference, tidied

ModelDir = Callable[[str], Path]

TEXTS = ("Hello, world", "grüße 世界", "", "a\ufffdb", "1 2 3")


def changed(directory: Path, change: Callable[[dict[str, Any]], None]) -> Source:
    path = directory / "tokenizer.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")
    return load_source(directory)


def test_padding_and_truncation_are_off(model_dir: ModelDir) -> None:
    def pad(value: dict[str, Any]) -> None:
        value["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
        value["padding"] = {
            "strategy": {"Fixed": 100},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "x",
        }

    plain = Reference(load_source(model_dir("gpt2"))).encode(TEXTS, specials=True)
    padded = Reference(changed(model_dir("gpt2"), pad)).encode(TEXTS, specials=True)
    assert plain == padded
    assert len(plain[0] or ()) > 4


@pytest.mark.parametrize(
    ("name", "behind"), [("gpt2", []), ("llama2", []), ("roberta", ["</s>"]), ("wordpiece-cased", ["[SEP]"])]
)
def test_the_ids_behind_a_text(name: str, behind: list[str], model_dir: ModelDir) -> None:
    reference = Reference(load_source(model_dir(name)))
    assert [reference.piece(id_) for id_ in reference.suffix()] == behind
    (whole,), (plain,) = (reference.encode(["ab"], specials=specials) for specials in (True, False))
    assert whole is not None
    assert plain is not None
    assert whole[len(whole) - len(behind) - len(plain) :] == [*plain, *reference.suffix()]


def test_a_text_that_the_library_fails_at_is_none(model_dir: ModelDir) -> None:
    def forget_unk(value: dict[str, Any]) -> None:
        value["model"]["unk_token"] = "[NONE]"

    reference = Reference(changed(model_dir("wordpiece-cased"), forget_unk))
    first, second = reference.encode(["the", "\U0001fae0"], specials=False)
    assert first
    assert second is None


def test_a_model_that_the_library_fails_at_has_no_suffix(model_dir: ModelDir) -> None:
    def forget_unk(value: dict[str, Any]) -> None:
        value["model"]["unk_token"] = "[NONE]"
        value["model"]["vocab"].pop("a", None)
        value["model"]["merges"] = []

    reference = Reference(changed(model_dir("gpt2"), forget_unk))
    assert reference.encode(["a"], specials=False) == [None]
    assert reference.suffix() == ()


def test_a_decoder_that_the_library_dies_of(model_dir: ModelDir) -> None:
    def strip_oddly(value: dict[str, Any]) -> None:
        value["decoder"] = {"type": "Strip", "content": "a", "start": 2, "stop": 1}

    reference = Reference(changed(model_dir("gpt2"), strip_oddly))
    (ids,) = reference.encode(["a"], specials=False)
    with pytest.raises(SourceError, match=r"\$\.decoder: the tokenizers library fails to decode"):
        reference.decode([ids or ()])


def test_a_tokenizer_that_the_library_refuses(model_dir: ModelDir) -> None:
    source = load_source(model_dir("gpt2"))
    with pytest.raises(SourceError, match=r"tokenizer\.json: the tokenizers library refuses it"):
        Reference(replace(source, tokenizer_json=b'{"model": {}}'))


def test_pieces(model_dir: ModelDir) -> None:
    reference = Reference(load_source(model_dir("llama2")))
    assert (reference.piece(1), reference.piece(-1), reference.piece(1 << 30)) == ("<s>", "", "")


def test_streaming_holds_nothing_back_at_the_end(model_dir: ModelDir) -> None:
    reference = Reference(load_source(model_dir("gpt2")))
    for text in (*TEXTS, "\ufffd", "a \ufffd"):
        (ids,) = reference.encode([text], specials=False)
        assert ids is not None
        assert reference.stream(ids) == reference.decode([ids])[0] == text


def test_streaming_skips_special_tokens_and_strips_the_first_space(model_dir: ModelDir) -> None:
    reference = Reference(load_source(model_dir("llama2")))
    (ids,) = reference.encode(["one two<s>three"], specials=True)
    assert ids is not None
    assert ids[0] == 1
    assert reference.stream(ids).replace("  ", " ") == "one two three"


def test_tidying_is_that_of_transformers() -> None:
    texts = [
        "a . b ? c ! d , e",
        "i ' m , you ' re",
        "do n't , I 'm , he 's , they 've , we 're , she 'd",
        " .",
        "  .",
        "x . ' y",
        "' '",
        " n't'm 's",
        "l ' eau . . .",
    ]
    program = (
        "import json, sys; from transformers import PreTrainedTokenizerFast as T; from tokenizers import Tokenizer;"
        "from tokenizers.models import BPE; t = T(tokenizer_object=Tokenizer(BPE()));"
        "print(json.dumps([t.clean_up_tokenization(text) for text in json.load(sys.stdin)]))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    assert [tidied(text) for text in texts] == json.loads(done.stdout)


@pytest.mark.parametrize(("name", "tidies"), [("wordpiece-cased", True), ("gpt2", False)])
def test_a_bpe_model_is_never_tidied(name: str, tidies: bool, model_dir: ModelDir) -> None:
    source = load_source(model_dir(name))
    settings = replace(source.settings, clean_up_tokenization_spaces=True)
    assert Reference(replace(source, settings=settings)).tidies is tidies
    without = replace(source, settings=replace(settings, clean_up_tokenization_spaces=False))
    assert not Reference(without).tidies
