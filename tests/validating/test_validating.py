from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtok_export.engine.native import NativeEngine
from mtok_export.errors import EngineError
from mtok_export.format import MtokFile, faults
from mtok_export.validating import Finding, Severity, run_findings, validate
from tests import hand_made as hm
from tests.format import samples, strategies
from tests.validating.defects import ERRORS, SOUND, SOUND_UNIGRAM, SOUND_WORD_PIECE, WARNINGS


def found(file: MtokFile, severity: Severity, engine: str | None = None) -> dict[str, Finding]:
    return {each.code: each for each in validate(file.encode(), engine=engine) if each.severity is severity}


@pytest.mark.parametrize("file", [SOUND, SOUND_WORD_PIECE, SOUND_UNIGRAM], ids=["bpe", "word piece", "unigram"])
def test_sound_files_have_no_findings(file: MtokFile) -> None:
    assert validate(file.encode()) == []


@pytest.mark.parametrize("code", ERRORS)
def test_each_error_is_found_with_its_place(code: str) -> None:
    file = ERRORS[code]()
    errors = found(file, Severity.ERROR)
    assert code in errors
    finding = errors[code]
    assert finding.what
    assert finding.why
    assert finding.fix
    assert finding.offset is not None
    assert 0 <= finding.offset < len(file.encode())


@pytest.mark.parametrize("code", WARNINGS)
def test_each_warning_is_found_with_its_place(code: str) -> None:
    file = WARNINGS[code]()
    warnings = found(file, Severity.WARNING)
    assert code in warnings
    assert warnings[code].offset is not None
    assert found(file, Severity.ERROR) == {}


def test_offsets_are_those_of_the_records() -> None:
    file = ERRORS["id-beyond-vocab"]()
    offset = found(file, Severity.ERROR)["id-beyond-vocab"].offset
    assert file.encode()[offset:].startswith(b"\x01\x00b\x03\x00\x00\x00")
    file = ERRORS["template-kills"]()
    finding = found(file, Severity.ERROR)["template-kills"]
    assert file.encode()[finding.offset :].startswith(b"{{ [1.5] }}")
    assert finding.where == "chat_template, line 2"
    file = ERRORS["decoder-endless"]()
    finding = found(file, Severity.ERROR)["decoder-endless"]
    assert (finding.where, file.encode()[finding.offset or 0]) == ("decoder.decoders[1]", 5)


def test_only_the_versions_that_it_concerns_are_judged() -> None:
    file = WARNINGS["unknown-to-3.5"]()
    assert "unknown-to-3.5" in found(file, Severity.ERROR, engine="3.5")
    assert validate(file.encode(), engine="3.6") == []
    file = ERRORS["post-processor-length"]()
    assert validate(file.encode(), engine="3.6") == []
    assert "post-processor-length" in found(file, Severity.ERROR, engine="next")


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b"", 0, "empty"),
        (b"430 4\n0 0 0\n\n\x00\x00\x09", 15, "unknown model op 9"),
        (SOUND.encode()[:-4], None, "ends"),
        (b"version https://git-lfs.github.com/spec/v1\n", 0, "Git LFS"),
    ],
    ids=["empty", "unknown op", "cut off", "pointer"],
)
def test_what_cannot_be_read_is_one_finding_with_its_offset(data: bytes, offset: int | None, words: str) -> None:
    (finding,) = validate(data)
    assert (finding.severity, finding.code) == (Severity.ERROR, "unreadable")
    assert words in finding.what
    assert finding.offset is not None
    assert offset is None or finding.offset == offset


def test_every_cut_of_a_file_is_a_finding_or_a_shorter_tail() -> None:
    data = samples.BPE.encode()
    for size in range(len(data)):
        for finding in validate(data[:size]):
            assert finding.offset is None or finding.offset <= size


@settings(max_examples=200, deadline=None, derandomize=True)
@given(strategies.files)
def test_every_fault_of_the_format_is_found(file: MtokFile) -> None:
    """Whatever the format's own check refuses has a finding in the same section."""
    sections = {finding.where.partition(".")[0].partition("[")[0] for finding in validate(file.encode())}
    for fault in faults(file):
        assert (fault.where or "").partition(".")[0].partition("[")[0] in sections


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("ab中é\\[](){}+*?|^$.,-:=!<>xpupLN019 &i"), max_size=14))
def test_any_pattern_can_be_looked_at(pattern: str) -> None:
    for finding in validate(hm.mtok(hm.bpe({"a": 0}), pre_tokenizer=hm.split(pattern))):
        assert finding.what.isprintable()


# --- the engine -------------------------------------------------------------------------------------------------------

DIES = (
    "[中", "中(", "中)", "中{2", "中{a}", "(?<=中)a", "(?P<n>中)", "(?i:中)", "(?>中)", r"中\x{4e00}", r"中\1",
    "[[:foo:]中]", "[中-一]", "*中", "^*中", "中{3,2}", "中{99999999999}", "中{100000}", "中\\", r"[a-\d中]",
    "(?=中)*a", r"\p{L}{99999999999}", "a{2147483648}",
)  # fmt: skip
LIVES = (
    "中++", "中?+", "中{2}", "中}", "(?:中)", r"\p中", r"中\h", r"中\x41", r"中\u6587", r"(中)\1", "|中", "[中&&文]",
    "[[:alpha:]中]", "[[=a=]中]", "[]中]", "[^]中]", "中]", "中{1,2}{3}", r"\é中", "中(?=a)", r"中\b", r"[\w-中]",
    "[^a](?=[中])", r"\c中", "a{2147483647}", "[a", "a)b", "*a", r"\p{", "(?<=a)b",
)  # fmt: skip
TEXTS = ("中中 文a", "aa中b")


def kills(pattern: str) -> bool:
    findings = validate(hm.mtok(hm.bpe({"a": 0}), pre_tokenizer=hm.split(pattern)))
    return any(finding.code == "pattern-kills" for finding in findings)


def test_patterns_that_kill_are_told_from_those_that_do_not() -> None:
    assert [pattern for pattern in DIES if not kills(pattern)] == []
    assert [pattern for pattern in LIVES if kills(pattern)] == []


Native = Callable[..., NativeEngine]


@pytest.mark.engine
def test_the_engine_lives_with_the_patterns_that_are_let_through(native: Native, tmp_path: Path) -> None:
    """All of them in one file, one after another."""
    sequence = b"\6" + hm.u32(len(LIVES)) + b"".join(map(hm.split, LIVES))
    path = tmp_path / "x.mtok"
    path.write_bytes(hm.mtok(hm.bpe({"a": 0}), pre_tokenizer=sequence))
    assert native(path, deadline=10.0).encode_many(TEXTS) == [[0], [0, 0]]


@pytest.mark.engine
def test_the_engine_dies_of_the_patterns_that_kill(native: Native, tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    for pattern in DIES:
        path.write_bytes(hm.mtok(hm.bpe({"a": 0}), pre_tokenizer=hm.split(pattern)))
        with pytest.raises(EngineError, match="encoding text"):
            native(path, deadline=5.0).encode_many(TEXTS)


@pytest.mark.engine
def test_running_tells_what_the_engine_dies_of(tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    vocab = {char: number for number, char in enumerate("a中")}
    path.write_bytes(hm.mtok(hm.bpe(vocab), pre_tokenizer=hm.split("[一-龥]+"), end=hm.tail("{{ [1.5] }}")))
    codes = {finding.code for finding in run_findings(path, deadline=2.0)}
    assert codes == {"engine-text", "engine-template"}
    path.write_bytes(hm.mtok(hm.bpe(vocab), end=hm.tail("{{ messages[0].content }}")))
    assert run_findings(path, deadline=10.0) == []


@pytest.mark.engine
def test_running_tells_that_the_engine_refuses_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    path.write_bytes(b"431 4\n0 0 0\n\n")
    assert {finding.code for finding in run_findings(path, deadline=5.0)} <= {"engine-load", "engine-text"}
    assert run_findings(path, deadline=5.0)


@pytest.mark.engine
@pytest.mark.parametrize(
    ("code", "text", "ids"),
    [
        ("special-beyond-vocab", "a<unk>", [1, 7]),  # not [1, 0]
        ("special-is-space", "a a", [3, 0, 3]),  # not [3, 3]
        ("byte-piece-score", "é", [0xC3, 0xA9]),  # not [257]
    ],
)
def test_the_engine_gives_wrong_ids_for_what_is_an_error(
    code: str, text: str, ids: list[int], native: Native, tmp_path: Path
) -> None:
    path = tmp_path / "x.mtok"
    path.write_bytes(ERRORS[code]().encode())
    assert native(path).encode(text) == ids


@pytest.mark.engine
@pytest.mark.parametrize(
    ("file", "text", "ids"),
    [
        (ERRORS["merge-without-entry"], "ab", [0, 1]),  # nothing merges
        (WARNINGS["special-hidden"], "<s>", [0]),  # not [1]
        (WARNINGS["added-token-twice"], "x", [0]),  # never 1
        (WARNINGS["metaspace-deletes"], "a b", [1]),  # one word
    ],
    ids=["merge-without-entry", "special-hidden", "added-token-twice", "metaspace-deletes"],
)
def test_the_engine_does_what_is_said_of_it(
    file: Callable[[], MtokFile], text: str, ids: list[int], native: Native, tmp_path: Path
) -> None:
    path = tmp_path / "x.mtok"
    path.write_bytes(file().encode())
    assert native(path).encode(text) == ids


@pytest.mark.engine
def test_bytes_that_are_mapped_twice_find_other_entries(native: Native, tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    vocab = {char: number for number, char in enumerate("aĠÄ")}
    path.write_bytes(hm.mtok(hm.bpe(vocab, byte_level=True), pre_tokenizer=b"\1\0"))
    assert native(path).encode("a ") == [0, 2]  # not [0, 1]
