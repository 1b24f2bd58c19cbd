from __future__ import annotations

import pytest

from mtok_export.characters import FoldedClass
from mtok_export.lowering.regex import RegexLimit, translate, translate_split
from mtok_export.lowering.regex.behind import resolve
from mtok_export.lowering.regex.build import Builder
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.cuts import Cuts, certain_cuts
from mtok_export.lowering.regex.fold import class_members
from mtok_export.lowering.regex.limits import CONTROLS, LINE_SEPARATORS, newer_characters
from mtok_export.lowering.regex.matcher import split
from mtok_export.lowering.regex.oniguruma import char_set
from mtok_export.lowering.regex.parse import parse
from tests.lowering.regex.patterns import REAL


def limits(pattern: str) -> tuple[RegexLimit, ...]:
    return translate(pattern, faithful=True).limits


def cuts_of(pattern: str) -> Cuts | None:
    return certain_cuts(resolve(Builder(pattern).build(parse(pattern))))


@pytest.mark.parametrize("pattern", ["a", "[^ab]", ".", r"[\s\S]+", "[a-z]+[0-9]*|\n", "(?i:ab)"])
def test_ascii_is_exact(pattern: str) -> None:
    assert translate(pattern, faithful=True).exact


def test_control_characters_pass_for_classes() -> None:
    (controls, newer) = limits(r"\p{N}{1,3}")
    assert controls.characters == CharSet.of([(2, 2)])
    assert newer.characters == newer_characters() & char_set(r"\p{N}")


def test_line_separators_are_no_white_space() -> None:
    (_, separators) = limits(r"\s+")
    assert separators.characters == LINE_SEPARATORS


def test_a_limit_is_only_there_where_a_pattern_can_tell() -> None:
    assert limits(r"[\s\S]") == ()
    assert {limit.characters for limit in limits(r"\s+")} == {CONTROLS & CharSet.of([(3, 3)]), LINE_SEPARATORS}


def test_case_beyond_ascii_that_is_ignored() -> None:
    (variants,) = limits("(?i:'s|'k)|a+")
    assert variants.characters == CharSet.of_text("\u017f\u212a")
    assert variants.example is not None
    assert not {"\u017f", "\u212a"}.isdisjoint(variants.example)


def test_coarse_classes_are_said_once_for_a_pattern() -> None:
    reasons = [limit.reason for limit in translate_split(REAL["o200k"], "Isolated", False, thorough=False).limits]
    (coarse,) = (reason for reason in reasons if r"\p{Lu}" in reason)
    assert r"[\p{Ll}\p{Lm}\p{Lo}\p{M}] takes in all letters and marks" in coarse


def test_limits_cover_texts_by_their_characters() -> None:
    limit = RegexLimit("reason", characters=CharSet.of_text("é"))
    assert limit.covers("café")
    assert not limit.covers("cafe")
    assert RegexLimit("reason").covers("")


def test_newer_characters_are_unassigned_to_the_engine() -> None:
    assert newer_characters() <= class_members(FoldedClass.OTHER)
    assert newer_characters().isdisjoint(char_set(r"\p{C}"))


def test_a_cut_between_cases_is_certain() -> None:
    cuts = cuts_of(REAL["o200k"])
    assert cuts is not None
    assert not cuts.after
    assert split("приветМирAБ aÉa", cuts.before) == ("привет", "Мир", "AБ a", "Éa")
    assert split("McDonald you'rE", cuts.before) == ("McDonald you'rE",)


def test_cuts_round_a_script_are_certain() -> None:
    cuts = cuts_of(REAL["kimi"])
    assert cuts is not None
    assert split("abc中文def", (*cuts.before, *cuts.after)) == ("abc", "中文", "def")
    assert split("  中", cuts.before) == ("  中",)  # the pattern looks at what follows white space
    assert split("  中", cuts.after)[-1] == "中"


@pytest.mark.parametrize("name", ["gpt2", "qwen2", "falcon", "spaces"])
def test_no_cuts_where_they_would_change_nothing(name: str) -> None:
    assert cuts_of(REAL[name]) is None
