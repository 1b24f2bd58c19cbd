"""The row of a source that another library owns: its ids are the right ones, whatever the conversion makes of it."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mtok_export import MtokError, MtokFile, SourceError, export, load_source
from mtok_export.format import read
from mtok_export.source.conversion import Owner
from mtok_export.source.settings import Source
from mtok_export.verify import Candidate, EngineChoice, Row, Verification, compare, verify
from mtok_export.verify.owners import LIBRARIES, MistralCommon, SentencePiece, Tiktoken, without_special_strings
from tests.sentencepiece_models import ids, trained
from tests.verify import pairs

TEMPLATE = "{{ bos_token }}{% for m in messages %}[INST] {{ m.content }} [/INST]{% endfor %}"
OPTIONS = {
    "byte_fallback": True,
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "control_symbols": ("[INST]", "[/INST]"),
    "vocab_size": 900,
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.model").write_bytes(trained("bpe", **OPTIONS))
    (folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>", "chat_template": TEMPLATE}))
    return folder


@pytest.fixture
def file(directory: Path, tmp_path: Path) -> Path:
    export(directory, tmp_path / "good.mtok", report=tmp_path / "report.json")
    return tmp_path / "good.mtok"


def from_source(source: Source, file: Path) -> Verification:
    return compare(source, Candidate(file, MtokFile.decode(file.read_bytes())), EngineChoice.parse("model"))


@pytest.mark.engine
def test_a_sentencepiece_directory_passes_with_its_chat_rows(directory: Path, file: Path, tmp_path: Path) -> None:
    result = verify(directory, file, engine="native", report=tmp_path / "report.json")
    assert result.passed(allow_named=True)
    assert result.complete
    assert [row.row for row in result.rows] == list(Row)
    assert result.conversations > 0
    for row in (Row.IDS, Row.PLAIN_IDS, Row.CHAT_IDS, Row.CHAT_TEXT, Row.OWNER_IDS):
        assert (row, result.row(row).differences) == (row, ())
    compared = result.row(Row.OWNER_IDS).compared
    assert 1000 < compared < result.row(Row.IDS).compared
    (note,) = [note for note in result.notes if "owner" in note]
    assert note.startswith("the owner is sentencepiece 0.")
    assert note.endswith(
        f"asked for {compared:,} texts that spell out no special token; on 0 of them the converted "
        "tokenizer has other ids"
    )


def test_a_damage_shows_in_the_row(directory: Path, file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.mtok"
    content = read(file)
    assert isinstance(content, MtokFile)
    damaged.write_bytes(pairs.swap_ids("e", "t")(content).encode())
    result = verify(directory, damaged, engine="model")
    assert not result.passed(allow_named=True)
    assert len(result.row(Row.OWNER_IDS).differences) > 200


def test_what_the_conversion_gets_wrong_shows_although_the_file_is_as_the_conversion(
    directory: Path, file: Path
) -> None:
    """The file does what the converted tokenizer does; the owner has another vocabulary, and no limit covers that."""
    source = load_source(directory)
    other = trained("bpe", **{**OPTIONS, "vocab_size": 901})
    result = from_source(replace(source, original=other), file)
    assert result.row(Row.PLAIN_IDS).differences == ()
    wrong = result.row(Row.OWNER_IDS)
    texts = [difference.subject for difference in wrong.differences]
    assert texts
    assert all(difference.limit is None for difference in wrong.differences)
    assert all(ids(other, [text]) != ids(source.original, [text]) for text in texts)


def test_what_the_source_names_is_named(tmp_path: Path) -> None:
    """The character map of nmt_nfkc, of which the two libraries make something else where marks pile up."""
    model, file, report = (tmp_path / name for name in ("spiece.model", "out.mtok", "report.json"))
    model.write_bytes(trained("unigram"))
    export(model, file, report=report)
    wrong = verify(model, file, engine="model", report=report).row(Row.OWNER_IDS)
    named = [difference for difference in wrong.differences if difference.limit is not None]
    assert any("of a letter with several marks" in str(difference.limit) for difference in named)
    assert len(named) == len(wrong.differences)


def test_an_owner_that_refuses_its_own_bytes_is_a_failure(directory: Path, file: Path) -> None:
    result = from_source(replace(load_source(directory), original=b"rubbish"), file)
    failure = result.row(Row.OWNER_IDS).failure
    assert failure is not None
    assert failure.startswith("tokenizer.model: sentencepiece refuses it: ")


def test_without_the_library_the_row_is_left_out(directory: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = load_source(directory)
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    result = from_source(source, file)
    row = result.row(Row.OWNER_IDS)
    assert row.not_run is not None
    assert "pip install 'mtok-export[sentencepiece]'" in row.not_run
    assert list(result.left_out()) == [Row.CHAT_IDS, Row.CHAT_TEXT, Row.OWNER_IDS]


def test_every_owner_has_its_entry() -> None:
    assert LIBRARIES.keys() == set(Owner)
    assert all(library is None or library.owner is owner for owner, library in LIBRARIES.items())


def test_texts_that_spell_out_a_special_token_are_left_out(directory: Path) -> None:
    texts = ["a", "a<s>b", "[INST", "[INST]", "</s", "</s>"]
    assert without_special_strings(texts, load_source(directory)) == [0, 2, 4]


# --- the other libraries ----------------------------------------------------------------------------------------------

RANKS = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b" ab": 257, b"abab": 258}


def owned(directory: Path, owner: Owner, original: bytes, pattern: str = "") -> Source:
    return replace(load_source(directory), owner=owner, original=original, pattern=pattern)


def test_tiktoken(directory: Path) -> None:
    lines = b"".join(base64.b64encode(token) + f" {rank}\n".encode() for token, rank in RANKS.items())
    library = Tiktoken(owned(directory, Owner.TIKTOKEN, lines, r" ?\w+|\s+"))
    assert library.encode(["abab ab", "b\n"]) == [[258, 257], [98, 10]]
    assert library.name.startswith("tiktoken 0.")
    with pytest.raises(SourceError, match="tiktoken refuses it"):
        Tiktoken(owned(directory, Owner.TIKTOKEN, b"rubbish", "x"))


def test_mistral_common(directory: Path) -> None:
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for token, rank in RANKS.items()
    ]
    config = {
        "pattern": r" ?\w+|\s+",
        "num_vocab_tokens": len(vocab),
        "default_vocab_size": len(vocab) + 1000,
        "default_num_special_tokens": 1000,
        "version": "v3",
    }
    library = MistralCommon(
        owned(directory, Owner.MISTRAL_COMMON, json.dumps({"config": config, "vocab": vocab}).encode())
    )
    assert library.encode(["abab ab"]) == [[1258, 1257]]
    assert library.name.startswith("mistral-common 1.")


def test_a_library_that_is_missing_is_named(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[tuple[Callable[[Source], object], str, str]] = [
        (Tiktoken, "tiktoken", "tiktoken"),
        (SentencePiece, "sentencepiece", "sentencepiece"),
        (MistralCommon, "mistral_common", "mistral"),
    ]
    source = load_source(directory)
    for library, module, extra in wanted:
        for name in [name for name in sys.modules if name.split(".")[0] == module] + [module]:
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MtokError) as caught:
            library(source)
        assert caught.value.hint == f"pip install 'mtok-export[{extra}]'"
