"""The zoo is what it says: every tokenizer loads, is of its family, and is the same each time it is made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import normalizers

from mtok_export.texts import builtin_texts
from tests.charsmap import MAPPING, charsmap
from tests.tokenizer_zoo import NAMES, tokenizer, zoo
from tests.zoo_bytes import UNREACHABLE, byte_word

TOO_LONG = {key for key in MAPPING if len(key) > 1 and len(key.encode()) > 5}


@pytest.mark.parametrize("name", NAMES)
def test_every_tokenizer_gives_ids_and_text(name: str) -> None:
    encoded = tokenizer(name).encode_batch(list(builtin_texts()))
    used = {number for encoding in encoded for number in encoding.ids}
    assert len(used) > 300
    assert sum(len(encoding.ids) for encoding in encoded) > len(builtin_texts())


@pytest.mark.parametrize("name", NAMES)
def test_added_tokens_have_the_ids_that_the_file_states(name: str) -> None:
    for token in json.loads(zoo(name))["added_tokens"]:
        assert tokenizer(name).token_to_id(token["content"]) == token["id"]


def test_training_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import hashlib\n"
        "from tests.tokenizer_zoo import NAMES, zoo\n"
        "print(hashlib.sha256(b''.join(zoo(name) for name in NAMES)).hexdigest())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed, **more},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, more in (("1", {}), ("2", {"TOKENIZERS_PARALLELISM": "false"}))
    }
    assert len(outputs) == 1


def test_some_words_of_llama3_are_reached_by_no_merge() -> None:
    llama3 = json.loads(zoo("llama3"))
    built = {left + right for left, right in llama3["model"]["merges"]}
    for word in UNREACHABLE:
        assert byte_word(word) not in built
        assert tokenizer("llama3").encode(word.replace("Ġ", " "), add_special_tokens=False).tokens == [byte_word(word)]


def test_unigram_scores_are_all_different() -> None:
    scores = [score for _, score in json.loads(zoo("unigram"))["model"]["vocab"] if score != 0.0]
    assert len(scores) == len(set(scores))


@pytest.mark.parametrize("name", NAMES)
def test_model_directories_hold_what_hugging_face_reads(name: str, model_dir: Callable[[str], Path]) -> None:
    folder = model_dir(name)
    assert (folder / "tokenizer.json").read_bytes() == zoo(name)
    assert isinstance(json.loads((folder / "tokenizer_config.json").read_bytes()), dict)
    generation = folder / "generation_config.json"
    if generation.exists():
        stops = json.loads(generation.read_bytes())["eos_token_id"]
        assert all(isinstance(stop, int) for stop in (stops if isinstance(stops, list) else [stops]))


# --- the character map ------------------------------------------------------------------------------------------------


def test_the_character_map_is_understood_by_tokenizers() -> None:
    normalizer = normalizers.Precompiled(charsmap(MAPPING))
    for key, value in MAPPING.items():
        if key not in TOO_LONG:
            assert normalizer.normalize_str(key) == value
            assert normalizer.normalize_str(f"x {key} x") == f"x {value} x"


def test_the_character_map_changes_nothing_else() -> None:
    normalizer = normalizers.Precompiled(charsmap(MAPPING))
    others = (chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000 and chr(code) not in MAPPING)
    assert [character for character in others if normalizer.normalize_str(character) != character] == []
