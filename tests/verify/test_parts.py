"""The small parts: windows, surroundings, pieces, scenes, limits, text files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mtok_export import Aspect, Fidelity, Limit, MtokFile, Report, SourceError
from mtok_export.engine.model import NEXT, V3_6
from mtok_export.report import Summary
from mtok_export.verify import read_texts
from mtok_export.verify.compare_ids import compare_ids, compare_plain_ids
from mtok_export.verify.coverage import ASPECTS, cover, limits_of_report
from mtok_export.verify.pieces import Pieces
from mtok_export.verify.results import Difference, Row, RowResult, Text
from mtok_export.verify.scenes import SCENES, for_engine
from mtok_export.verify.surroundings import Surroundings, of_file
from mtok_export.verify.windows import first_difference, ids_difference, text_difference
from tests import hand_made as hm

# --- windows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "place"),
    [("abc", "abc", 3), ("abc", "abx", 2), ("abc", "ab", 2), ("", "a", 0), ("xbc", "abc", 0)],
)
def test_the_first_difference(left: str, right: str, place: int) -> None:
    assert first_difference(left, right) == first_difference(right, left) == place


def name(id_: int) -> str:
    return f"n{id_}"


def test_ids_round_the_place() -> None:
    difference = ids_difference("text", "text", [*range(100)], [*range(50), 7, *range(51, 100)], name, name)
    assert (difference.place, str(difference.expected)) == (
        50,
        "... 48 'n48'  49 'n49'  50 'n50'  51 'n51'  52 'n52'  53 'n53' ... (100 ids)",
    )
    assert "49 'n49'  7 'n7'  51 'n51'" in str(difference.found)


def test_a_side_that_is_too_short_shows_its_end() -> None:
    difference = ids_difference("t", "t", [1, 2, 3, 4], [1, 2, 3], name, name)
    assert str(difference.expected) == "... 2 'n2'  3 'n3'  4 'n4' (4 ids)"
    assert str(difference.found) == "... 2 'n2'  3 'n3' (3 ids)"
    assert str(ids_difference("t", "t", [1], [], name, name).found) == "nothing more (0 ids)"


def test_text_is_shown_in_ascii() -> None:
    difference = text_difference("t", "t", "a" * 30 + "é\x1b", "a" * 30 + "e\x1b")
    assert str(difference.expected) == "... 'aaaaaaaaaaaaaaaaaaaa\\xe9\\x1b' (32 characters)"
    assert difference.place == 30


# --- surroundings and pieces ------------------------------------------------------------------------------------------


def post_processed(*steps: int | None) -> MtokFile:
    """A file whose prefix is 1 and whose post-processor has these steps, None for the text."""
    program = b"".join(b"\0" if step is None else b"\1" + hm.u32(step) for step in steps)
    end = hm.tail() + len(steps).to_bytes(2, "little") + program + b"\0"
    return MtokFile.decode(hm.mtok(hm.bpe({"a": 0, "b": 1}), head=hm.header(prefix=[1]), end=end))


def test_what_stands_round_a_text() -> None:
    file = post_processed(3, None, 4, 5)
    assert of_file(file, V3_6) == Surroundings((1,))
    around = of_file(file, NEXT)
    assert around == Surroundings((3, 1), (4, 5))
    assert around.inside([3, 1, 0, 0, 4, 5]) == [0, 0]
    assert of_file(post_processed(None, None), NEXT) is None
    assert of_file(post_processed(4), NEXT) is None


def test_a_piece_is_the_entry_or_the_added_token() -> None:
    data = hm.mtok(hm.bpe({"": 1, "a": 0, "é": 2}), added_tokens=[(1, True, "<s>"), (2, False, "x"), (7, True, "<y>")])
    pieces = Pieces(MtokFile.decode(data))
    assert [pieces(id_) for id_ in (0, 1, 2, 7, 8, -1)] == ["a", "<s>", "é", "<y>", "", ""]


# --- ids --------------------------------------------------------------------------------------------------------------


def test_what_only_lacks_the_suffix_is_by_version() -> None:
    texts = ["a", "b", "c", "d", "e"]
    expected = [[1, 9], [2, 9], [3, 9], None, [5, 9]]
    result = compare_ids(texts, expected, [[1], [7], [3, 9], [4], [5, 9, 9]], [9], (name, name))
    assert (result.compared, result.equal, result.by_version) == (4, 1, 1)
    assert [difference.subject for difference in result.differences] == ["b", "e"]
    strict = compare_ids(texts, expected, [[1], [7], [3, 9], [4], [5, 9, 9]], [], (name, name))
    assert (strict.equal, strict.by_version) == (1, 0)


def test_ids_without_what_stands_round_them() -> None:
    found: list[Any] = [[8, 1, 9], [8, 9], [2, 9], [8]]
    result = compare_plain_ids(["a", "b", "c", "d"], [[1], [], [2], []], found, Surroundings((8,), (9,)), (name, name))
    assert [difference.subject for difference in result.differences] == ["c"]


# --- scenes -----------------------------------------------------------------------------------------------------------


def test_scenes_have_names_of_their_own_and_cover_what_matters() -> None:
    assert len({scene.name for scene in SCENES}) == len(SCENES)
    roles = {message["role"] for scene in SCENES for message in scene.messages}
    keys = {key for scene in SCENES for message in scene.messages for key in message}
    assert roles == {"system", "user", "assistant", "tool"}
    assert keys >= {"reasoning_content", "tool_calls"}
    assert any("<think>" in str(message["content"]) for scene in SCENES for message in scene.messages)


def test_more_than_a_text_goes_through_the_role_json() -> None:
    rich = {"role": "tool", "content": "é", "name": "f"}
    parts = {"role": "user", "content": [{"type": "text", "text": "x"}]}
    plain, *through = for_engine([{"role": "user", "content": "hi"}, rich, parts])
    assert plain == {"role": "user", "content": "hi"}
    assert [message["role"] for message in through] == ["json", "json"]
    assert [json.loads(message["content"]) for message in through] == [rich, parts]
    with pytest.raises(SourceError, match=r"\$\[1\]: a message needs a role"):
        for_engine([{"role": "user", "content": ""}, {"content": "x"}])


# --- limits -----------------------------------------------------------------------------------------------------------


def limit(path: str, *aspects: Aspect, characters: tuple[tuple[int, int], ...] | None = None) -> Limit:
    return Limit(path, "X", Fidelity.APPROXIMATE, "reason", aspects, characters=characters)


def row_of(row: Row, *texts: str) -> RowResult:
    side = Text(0, "", 0)
    return RowResult(row, len(texts), tuple(Difference(text, text, 0, side, side) for text in texts))


def covered(result: RowResult) -> list[str | None]:
    return [difference.limit for difference in result.differences]


@pytest.mark.parametrize("row", list(Row))
def test_a_limit_covers_the_rows_of_its_aspects(row: Row) -> None:
    for aspect in Aspect:
        (found,) = covered(cover(row_of(row, "a"), [limit("$.model", aspect)]))
        assert (found is not None) == (aspect in ASPECTS[row])


def test_characters_decide_and_are_preferred() -> None:
    general, special = limit("$.general", Aspect.IDS), limit("$.special", Aspect.IDS, characters=((0x300, 0x36F),))
    assert covered(cover(row_of(Row.IDS, "a", "e\u0301"), [special])) == [None, "$.special X: reason"]
    both = covered(cover(row_of(Row.IDS, "a", "e\u0301"), [general, special]))
    assert both == ["$.general X: reason", "$.special X: reason"]


def test_a_limit_on_the_suffix_covers_nothing_else() -> None:
    assert covered(cover(row_of(Row.IDS, "a"), [limit("$.post_processor", Aspect.IDS)])) == [None]


SUMMARY = Summary("Bpe", 1, 0, 0, 0, (), (), (), None, 10, "5ha", ())


def report_value(*limits: Limit) -> Any:
    report = Report("1", "faithful", "t", "3.5.0", (), (), limits, (), SUMMARY)
    return json.loads(report.to_json())


def test_a_report_reads_back() -> None:
    limits = (
        limit("$.a", Aspect.IDS, Aspect.CHAT, characters=((1, 2), (5, 5))),
        Limit("$.b", "Y", Fidelity.BOUNDED, "r", bound="10", example="e"),
    )
    assert limits_of_report(report_value(*limits), "5ha", "report.json") == limits


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda value: value.update(tool="other"), r"r\.json: this is no report of mtok export"),
        (lambda value: value.pop("limits"), r"r\.json: limits is missing"),
        (lambda value: value.update(limits={}), r"r\.json: limits is missing or of another type than list"),
        (lambda value: value.update(limits=[3]), r"r\.json: \$\.limits\[0\]: an object was expected"),
        (lambda value: value.update(summary=None), r"r\.json: \$\.summary: an object"),
        (lambda value: value["summary"].update(sha256="x"), "it is the report of another tokenizer"),
        (lambda value: value["limits"][0].update(aspects=["ids", "smell"]), r"\$\.limits\[0\]: 'smell'"),
        (lambda value: value["limits"][0].update(fidelity="exactly"), r"\$\.limits\[0\]: 'exactly'"),
        (lambda value: value["limits"][0].update(reason=None), r"\$\.limits\[0\]: reason is missing"),
        (lambda value: value["limits"][0].update(characters=[[1]]), "characters must hold pairs"),
    ],
)
def test_a_report_that_is_none(change: Any, message: str) -> None:
    value = report_value(limit("$.a", Aspect.IDS))
    change(value)
    with pytest.raises(SourceError, match=message):
        limits_of_report(value, "5ha", "r.json")


@pytest.mark.parametrize("value", [None, [], "x", {}])
def test_json_that_is_no_report(value: Any) -> None:
    with pytest.raises(SourceError, match=r"r\.json: "):
        limits_of_report(value, "5ha", "r.json")


# --- text files -------------------------------------------------------------------------------------------------------


def save(folder: Path, file_name: str, data: bytes) -> Path:
    path = folder / file_name
    path.write_bytes(data)
    return path


def test_plain_lines(tmp_path: Path) -> None:
    path = save(tmp_path, "texts.txt", 'one\r\n\n two \u2028x\n"three"\n \n{}'.encode())
    assert read_texts(path) == ("one", " two \u2028x", '"three"', " ", "{}")


def test_json_lines(tmp_path: Path) -> None:
    lines = ['"one\\ntwo\\u0000"', "", '{"text": "é", "id": 3}', "  ", '"\\ud83d\\ude42"']
    path = save(tmp_path, "texts.jsonl", "\r\n".join(lines).encode())
    assert read_texts(path) == ("one\ntwo\0", "é", "\U0001f642")


@pytest.mark.parametrize(
    ("file_name", "data", "message"),
    [
        ("t.txt", b"a\nb\xff", r"t\.txt, line 2: byte 2 of the line is no UTF-8"),
        ("t.jsonl", b'"a"\n{', r"t\.jsonl, line 2: this is no JSON"),
        ("t.jsonl", b"3", r"line 1: the line must be a string"),
        ("t.jsonl", b'{"txt": "a"}', r"line 1: the line must be a string, or an object"),
        ("t.jsonl", b'"\\ud800"', r"line 1: this is no JSON"),
    ],
)
def test_texts_that_are_none(file_name: str, data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=message):
        read_texts(save(tmp_path, file_name, data))


def test_a_text_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        read_texts(tmp_path / "none")
