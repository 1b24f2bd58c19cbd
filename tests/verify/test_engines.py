"""One interface over the real engine and the model of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mtok_export import EngineError, MtokError, MtokFile
from mtok_export.engine.model import NEXT, V3_5, V3_6
from mtok_export.verify.engines import DEADLINE_SECONDS, Engine, EngineChoice, open_engine
from tests import hand_made as hm

VOCAB = {"a": 0, "b": 1, "<s>": 2, "<0x00>": 3, "x\0y": 4}
BYTES = hm.mtok(
    hm.bpe(VOCAB),
    head=hm.header(special=[2], prefix=[2]),
    decoder=hm.BYTE_FALLBACK,
    added_tokens=[(2, True, "<s>")],
    end=hm.tail("{% for m in messages %}[{{ m.content }}]{% endfor %}"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "hand-made.mtok"
    path.write_bytes(BYTES)
    return path


def choose(text: str) -> EngineChoice:
    return EngineChoice.parse(text)


def test_choices() -> None:
    assert (choose("model").version, choose("model:3.5").version, choose("model:next").version) == (V3_6, V3_5, NEXT)
    assert choose("model:3.6.1").version is V3_6
    assert choose("auto").deadline == DEADLINE_SECONDS
    assert not choose("model").native
    with pytest.raises(MtokError, match="needs no other Python"):
        EngineChoice.parse("model", python="python3")


def test_auto_takes_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtok_export.verify.engines.installed_version", lambda python: "3.6.1" if python else None)
    assert choose("auto").native
    monkeypatch.setattr("mtok_export.verify.engines.installed_version", lambda _python: None)
    assert not choose("auto").native
    for asked in (choose("native"), EngineChoice.parse("auto", python="/no/such/python")):
        with pytest.raises(EngineError, match="does not have the package mnn"):
            assert asked.native


@pytest.mark.engine
def test_both_engines_say_the_same(path: Path) -> None:
    file = MtokFile.decode(BYTES)
    answers = []
    for text in ("native", "model"):
        with open_engine(choose(text), path, file) as engine:
            encoded = engine.encode_each(["ab", "", "a\0b", "b<s>"])
            answers.append((encoded, engine.decode_ids([0, 2, 3, 4, 9]), engine.decode([2, 0, 1, 3])))
    assert answers[0] == answers[1]
    assert answers[0][0] == [[2, 0, 1], [2], [2, 0, 3, 1], [2, 1, 2]]
    assert answers[0][1] == [b"a", b"<s>", b"\0", b"x\0y", b""]


@pytest.mark.engine
def test_what_the_binding_cuts_is_done_by_the_model_and_said(path: Path) -> None:
    with open_engine(choose("native"), path, MtokFile.decode(BYTES)) as engine:
        engine.encode_each(["a"])
        engine.decode_ids([0])
        assert list(engine.notes()) == []
        engine.encode_each(["a\0", "\0", "a\0"])
        engine.decode_ids([3, 4])
        assert [note.split(" were ")[0] for note in engine.notes()] == [
            "texts with U+0000 (2)",
            "ids that decode to U+0000 (2)",
        ]


@pytest.mark.engine
@pytest.mark.parametrize("text", ["native", "model"])
def test_a_lone_surrogate_is_an_error_in_its_place(path: Path, text: str) -> None:
    with open_engine(choose(text), path, MtokFile.decode(BYTES)) as engine:
        first, second, third = engine.encode_each(["a", "\ud800", "b\udcff"])
    assert first == [2, 0]
    assert "lone surrogate U+D800" in str(second)
    assert "lone surrogate U+DCFF" in str(third)


@pytest.mark.engine
def test_only_the_native_engine_renders(path: Path) -> None:
    file = MtokFile.decode(BYTES)
    with open_engine(choose("native"), path, file) as engine:
        assert engine.chats
        assert engine.chat([{"role": "user", "content": "hi"}]) == "[hi]"
    with open_engine(choose("model"), path, file) as engine:
        assert not engine.chats
        with pytest.raises(EngineError, match="no template engine"):
            engine.chat([{"role": "user", "content": "hi"}])


@pytest.mark.engine
def test_another_python(path: Path) -> None:
    with open_engine(EngineChoice.parse("auto", python=sys.executable), path, MtokFile.decode(BYTES)) as engine:
        assert engine.name.startswith("native ")


@pytest.mark.engine
def test_a_release_that_is_not_known_counts_as_the_newest(path: Path) -> None:
    with open_engine(choose("native"), path, MtokFile.decode(BYTES)) as engine:
        known: Engine = engine
        assert known.version in (V3_5, V3_6)
        engine.engine._runner.version = "4.0.0"  # type: ignore[attr-defined]
        del engine.__dict__["version"]
        assert known.version is NEXT
        assert any("4.0.0 is newer" in note for note in known.notes())


def test_the_model_refuses_a_file_that_breaks_its_version(path: Path) -> None:
    bad = MtokFile.decode(hm.mtok(hm.bpe({"a": 0, "b": 9})))
    with pytest.raises(EngineError, match="beyond the 2 entries"), open_engine(choose("model"), path, bad):
        pass
