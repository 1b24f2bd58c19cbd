"""A good pair has no difference; each damage is found, and the first difference shown is the one it makes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from mtok_export import Aspect, EngineError, Fidelity, FormatError, Limit, MtokError, MtokFile, SourceError
from mtok_export.engine.native import NativeEngine
from mtok_export.format import pre_tokenizer as ops
from mtok_export.format import read
from mtok_export.format.spec import SplitBehavior
from mtok_export.texts import special_texts
from mtok_export.verify import Row, Verification, verify
from mtok_export.verify.results import Difference, Failed, Ids, Text
from tests.verify import pairs
from tests.verify.conftest import SOME_TEXTS, Pair

pytestmark = pytest.mark.usefixtures("quick")

Damaged = Callable[[pairs.Damage], Path]

ID_ROWS = (Row.IDS, Row.PLAIN_IDS, Row.CHAT_IDS)
MOST = len(SOME_TEXTS) * 3 // 4
OTHER = "{% for message in messages %}{{ message.content }}{% endfor %}"


def rows_that_differ(result: Verification) -> set[Row]:
    return {row.row for row in result.rows if row.differences}


def first(result: Verification, row: Row) -> Difference:
    return result.row(row).differences[0]


def ids_of(difference: Difference) -> tuple[list[int], list[int]]:
    """The ids from the first differing one on, of both sides."""
    sides = []
    for side in (difference.expected, difference.found):
        assert isinstance(side, Ids)
        sides.append([piece.id for piece in side.pieces[difference.place - side.start :]])
    return sides[0], sides[1]


def first_by_hand(pair: Pair, path: Path) -> tuple[str, int]:
    """The first text on which the ids differ and where, found without the package's comparison."""
    tokenizer = Tokenizer.from_file(str(pair.directory / "tokenizer.json"))
    contents = [token.content for _, token in sorted(tokenizer.get_added_tokens_decoder().items())]
    texts = [text for text in dict.fromkeys((*SOME_TEXTS, *special_texts(contents))) if "\0" not in text]
    with NativeEngine(path) as engine:
        found = engine.encode_many(texts)
    for text, ids in zip(texts, found, strict=True):
        right = tokenizer.encode(text).ids
        if ids != right:
            same = [a == b for a, b in zip(ids, right, strict=False)]
            return text, same.index(False) if False in same else len(same)
    raise AssertionError("no text differs")


def token_id(pair: Pair, token: str) -> int:
    found = Tokenizer.from_file(str(pair.directory / "tokenizer.json")).token_to_id(token)
    assert isinstance(found, int)
    return found


@pytest.mark.engine
def test_a_good_pair_has_no_difference(pair: Pair) -> None:
    result = verify(pair.directory, pair.file, engine="native")
    assert result.passed()
    assert result.complete
    assert result.engine.startswith("native 3.")
    assert all(row.compared == row.equal > MOST for row in result.rows[:4])
    assert [row.compared for row in result.rows[4:]] == [result.conversations] * 2
    assert result.conversations >= 5


def test_without_the_engine_the_model_compares_all_but_conversations(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtok_export.verify.engines.installed_version", lambda _python: None)
    result = verify(pair.directory, pair.file)
    assert result.engine == "model of 3.6"
    assert result.passed()
    assert not result.complete
    assert list(result.left_out()) == [Row.CHAT_IDS, Row.CHAT_TEXT]
    for row in (Row.CHAT_IDS, Row.CHAT_TEXT):
        assert result.row(row).not_run == "needs the native engine"
        assert (result.row(row).compared, result.row(row).equal) == (0, 0)
    with pytest.raises(EngineError, match=r"does not have the package mnn.*mtok-export\[engine\]"):
        verify(pair.directory, pair.file, engine="native")


# --- damages ----------------------------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.parametrize(
    "damage",
    [
        pairs.swap_merges,
        pairs.swap_ids("\u0120the", "\u0120y"),
        pairs.double_prefix,
        pairs.drop_added_token(pairs.HEADER),
    ],
    ids=["merges swapped", "an id moved", "BOS doubled", "an added token dropped"],
)
def test_the_first_difference_in_ids_is_the_right_one(pair: Pair, damaged: Damaged, damage: pairs.Damage) -> None:
    path = damaged(damage)
    for engine in ("native", "model"):
        result = verify(pair.directory, path, engine=engine)
        assert not result.passed()
        assert Row.IDS in rows_that_differ(result)
        shown = first(result, Row.IDS)
        assert (shown.subject, shown.place) == first_by_hand(pair, path)


@pytest.mark.engine
def test_a_moved_id_is_shown_in_every_row(pair: Pair, damaged: Damaged) -> None:
    the, other = token_id(pair, "\u0120the"), token_id(pair, "\u0120y")
    result = verify(pair.directory, damaged(pairs.swap_ids("\u0120the", "\u0120y")), engine="native")
    assert rows_that_differ(result) == set(Row) - {Row.CHAT_TEXT, Row.OWNER_IDS}
    for row in ID_ROWS:
        expected, found = ids_of(first(result, row))
        assert (expected[0], found[0]) == (the, other)
    text = first(result, Row.STREAMING)
    assert isinstance(text.expected, Text)
    assert isinstance(text.found, Text)
    at = text.place - text.expected.start
    assert text.expected.text[at - 1 :].startswith(" the")
    assert text.found.text[at - 1 :].startswith(" y")


@pytest.mark.engine
def test_a_doubled_bos_in_plain_text(pair: Pair, damaged: Damaged) -> None:
    bos = token_id(pair, pairs.BOS)
    result = verify(pair.directory, damaged(pairs.double_prefix), engine="native")
    assert rows_that_differ(result) == {Row.IDS, Row.CHAT_IDS}
    assert len(result.row(Row.IDS).differences) == result.row(Row.IDS).compared
    shown = first(result, Row.IDS)
    assert (shown.place, ids_of(shown)[1][0]) == (1, bos)


@pytest.mark.engine
def test_a_doubled_bos_in_conversations_alone(pair: Pair, damaged: Damaged) -> None:
    bos = token_id(pair, pairs.BOS)
    result = verify(pair.directory, damaged(pairs.print_bos), engine="native")
    assert rows_that_differ(result) == {Row.CHAT_IDS}
    row = result.row(Row.CHAT_IDS)
    assert len(row.differences) == row.compared
    for difference in row.differences:
        expected, found = ids_of(difference)
        assert (difference.place, expected[0], found[0]) == (1, token_id(pair, pairs.HEADER), bos)
    assert row.differences[0].subject == "single turn"


@pytest.mark.engine
def test_a_dropped_added_token_is_at_the_place(pair: Pair, damaged: Damaged) -> None:
    result = verify(pair.directory, damaged(pairs.drop_added_token(pairs.HEADER)), engine="native")
    header = token_id(pair, pairs.HEADER)
    for row in (Row.IDS, Row.PLAIN_IDS, Row.CHAT_IDS):
        assert ids_of(first(result, row))[0][0] == header
    assert pairs.HEADER in first(result, Row.IDS).subject


@pytest.mark.engine
def test_another_template(pair: Pair, damaged: Damaged) -> None:
    result = verify(pair.directory, damaged(pairs.with_template(OTHER)), engine="native")
    assert rows_that_differ(result) == {Row.CHAT_IDS, Row.CHAT_TEXT}
    shown = first(result, Row.CHAT_TEXT)
    assert (shown.subject, shown.place) == ("single turn", 0)
    assert str(shown.found).startswith("'When do I sow carrots?'")


@pytest.mark.engine
def test_a_template_on_one_side_alone(pair: Pair, damaged: Damaged, tmp_path: Path) -> None:
    result = verify(pair.directory, damaged(pairs.with_template("")), engine="native")
    assert rows_that_differ(result) == {Row.CHAT_TEXT}
    assert first(result, Row.CHAT_TEXT).subject == "the file has no chat template"
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "tokenizer.json").write_bytes((pair.directory / "tokenizer.json").read_bytes())
    result = verify(alone, pair.file, engine="model")
    assert first(result, Row.CHAT_TEXT).subject == "the model directory has no chat template"
    assert not result.passed()


@pytest.mark.engine
def test_the_template_that_was_exported_can_be_given(pair: Pair, damaged: Damaged, tmp_path: Path) -> None:
    template = tmp_path / "other.jinja"
    template.write_text(OTHER, encoding="utf-8")
    result = verify(pair.directory, damaged(pairs.with_template(OTHER)), engine="native", chat_template=template)
    assert rows_that_differ(result) == {Row.CHAT_IDS}, "the prefix puts a BOS where this template has none"
    assert result.row(Row.CHAT_TEXT).compared > 5


@pytest.mark.engine
def test_a_template_that_takes_no_conversation(pair: Pair, tmp_path: Path) -> None:
    template = tmp_path / "strict.jinja"
    template.write_text("{{ raise_exception('no') }}", encoding="utf-8")
    result = verify(pair.directory, pair.file, engine="native", chat_template=template)
    assert (result.passed(), result.complete) == (True, False)
    assert result.row(Row.CHAT_IDS).not_run == "the template takes none of the conversations"


@pytest.mark.engine
def test_tokens_that_transformers_would_add_do_not_decide(tmp_path: Path) -> None:
    directory, path = pairs.write_directory(tmp_path / "model"), tmp_path / "out.mtok"
    config = json.loads((directory / "tokenizer_config.json").read_text(encoding="utf-8"))
    config["chat_template"] += "<|unheard of|>"
    config["additional_special_tokens"] = ["<|unheard of|>"]
    (directory / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    pairs.write_file(directory, path, tmp_path / "report.json")
    result = verify(directory, path, engine="native")
    assert result.row(Row.CHAT_IDS).equal == result.conversations > 5
    assert any("those of the library were taken" in note for note in result.notes)


# --- versions and limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "by_version"), [("model:3.5", True), ("model:3.6.1", True), ("model:next", False)])
def test_a_suffix_is_expected_by_version(
    engine: str, by_version: bool, model_dir: Callable[[str], Path], tmp_path: Path
) -> None:
    directory, path = model_dir("roberta"), tmp_path / "roberta.mtok"
    pairs.write_file(directory, path, tmp_path / "report.json")
    row = verify(directory, path, engine=engine).row(Row.IDS)
    assert (row.by_version > MOST, row.equal > MOST) == (by_version, not by_version)
    assert len(row.differences) < 20


def test_a_suffix_that_the_version_could_add_is_missed(model_dir: Callable[[str], Path], tmp_path: Path) -> None:
    directory, path = model_dir("roberta"), tmp_path / "roberta.mtok"
    pairs.write_file(directory, path, tmp_path / "report.json")
    file = read(path)
    path.write_bytes(replace(file, tail=replace(file.tail, post_processor=None, padding=b"")).encode())
    row = verify(directory, path, engine="model:next").row(Row.IDS)
    assert len(row.differences) == row.compared
    assert verify(directory, path, engine="model:3.6").row(Row.IDS).by_version > MOST


def report_with(pair: Pair, path: Path, *limits: Limit) -> Path:
    """The report of the pair, as if it were about the file at ``path`` and named these limits."""
    value = json.loads(pair.report.read_text(encoding="utf-8"))
    value["limits"] = [limit.as_dict() for limit in limits]
    value["summary"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    report = path.with_suffix(".json")
    report.write_text(json.dumps(value), encoding="utf-8")
    return report


def test_limits_of_the_report_cover_differences(pair: Pair, damaged: Damaged) -> None:
    path = damaged(pairs.swap_ids("\u0120the", "\u0120y"))
    limit = partial(Limit, "$.model", "BPE", Fidelity.APPROXIMATE)
    ids = limit("two ids are exchanged", (Aspect.IDS,))
    shown = limit("they are shown so", (Aspect.STREAMING, Aspect.DECODING))

    def result_with(*limits: Limit) -> Verification:
        return verify(pair.directory, path, engine="model", report=report_with(pair, path, *limits))

    nothing, half, whole = result_with(), result_with(ids), result_with(ids, shown)
    assert nothing.differences == half.differences == whole.differences
    assert nothing.unnamed == nothing.differences
    assert half.unnamed == len(half.row(Row.STREAMING).differences) + len(half.row(Row.WHOLE).differences)
    assert whole.unnamed == 0
    assert [r.passed(allow_named=True) for r in (nothing, half, whole)] == [False, False, True]
    assert not whole.passed()
    assert first(whole, Row.IDS).limit == "$.model BPE: two ids are exchanged"


def test_a_limit_with_characters_covers_the_texts_that_hold_them(pair: Pair, damaged: Damaged) -> None:
    path = damaged(pairs.swap_ids("\u0120the", "\u0120y"))
    limit = Limit("$.model", "BPE", Fidelity.APPROXIMATE, "q", (Aspect.IDS,), characters=((0x51, 0x51), (0x71, 0x71)))
    row = verify(pair.directory, path, engine="model", report=report_with(pair, path, limit)).row(Row.IDS)
    assert 0 < row.named < len(row.differences)
    assert all(
        (difference.limit is not None) == bool({"q", "Q"} & set(difference.text)) for difference in row.differences
    )


def test_the_report_of_another_file_covers_nothing(pair: Pair, damaged: Damaged) -> None:
    with pytest.raises(SourceError, match="report of another tokenizer file"):
        verify(pair.directory, damaged(pairs.swap_merges), engine="model", report=pair.report)


def test_texts_of_the_user_are_compared_too(pair: Pair, damaged: Damaged) -> None:
    path = damaged(pairs.swap_ids("\u0120the", "\u0120y"))
    text = "zzz qqq 0x1f the"
    result = verify(pair.directory, path, engine="model", texts=["zzz qqq 0x1f", text])
    assert result.texts == verify(pair.directory, path, engine="model").texts + 2
    assert [difference.subject for difference in result.row(Row.IDS).differences][-1] == text


# --- files made to kill the engine ------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.parametrize("engine", ["native", "model"])
def test_an_id_far_beyond_the_vocabulary(pair: Pair, damaged: Damaged, engine: str) -> None:
    result = verify(pair.directory, damaged(pairs.far_id), engine=engine, deadline=3.0)
    assert not result.passed(allow_named=True)
    assert all(row.failure and not row.compared for row in result.rows)
    assert any("is not below the vocab size" in fault for fault in result.faults)


@pytest.mark.engine
def test_a_template_without_end(pair: Pair, damaged: Damaged) -> None:
    result = verify(pair.directory, damaged(pairs.with_template(pairs.ENDLESS)), engine="native", deadline=2.0)
    assert not result.passed(allow_named=True)
    assert rows_that_differ(result) == set()
    (failure,) = result.failures()
    assert "conversation 'single turn'" in failure
    assert all(result.row(row).compared > MOST for row in (Row.IDS, Row.STREAMING))


def test_a_body_that_is_cut_off(pair: Pair, tmp_path: Path) -> None:
    data = pair.file.read_bytes()
    path = tmp_path / "cut.mtok"
    for size in (0, 7, 40, len(data) // 3, len(data) // 2, len(data) - 200):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError, match=r"cut\.mtok"):
            verify(pair.directory, path, deadline=2.0)


@pytest.mark.engine
def test_a_text_that_the_engine_dies_of_is_a_difference(
    pair: Pair, damaged: Damaged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recursion of a pattern over non-ASCII characters ends the process on a long run of them."""
    deadly = "\u4e00" * 200_000
    step = ops.Split("[\u4e00-\u9fa5]+", False, SplitBehavior.ISOLATED)

    def damage(file: MtokFile) -> MtokFile:
        return replace(file, pre_tokenizer=ops.Sequence((step, file.pre_tokenizer)))

    monkeypatch.setattr("mtok_export.verify.verification.builtin_texts", lambda: ("a", deadly, "b"))
    result = verify(pair.directory, damaged(damage), engine="native")
    shown = first(result, Row.IDS)
    assert shown.subject == deadly
    assert isinstance(shown.found, Failed)
    assert "SIGSEGV" in shown.found.message
    assert len(result.row(Row.IDS).differences) == 1


# --- wrong use --------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(pair: Pair, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="it does not exist"):
        verify(pair.directory, tmp_path / "none.mtok")


@pytest.mark.parametrize("engine", ["", "real", "model:9", "native:3.5", "auto:3.6"])
def test_an_engine_that_is_none(pair: Pair, engine: str) -> None:
    with pytest.raises(MtokError, match=r"is no engine|unknown engine version"):
        verify(pair.directory, pair.file, engine=engine)
