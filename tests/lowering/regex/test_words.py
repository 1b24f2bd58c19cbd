from __future__ import annotations

import random
from pathlib import Path

import pytest

from mtok_export.lowering.regex import oniguruma, translate, translate_split
from mtok_export.lowering.regex.behind import resolve
from mtok_export.lowering.regex.build import Builder
from mtok_export.lowering.regex.matcher import split
from mtok_export.lowering.regex.parse import parse
from mtok_export.lowering.regex.words import WINDOW, CasedWords, cased_words
from mtok_export.report import Fidelity
from mtok_export.source.pipeline import SplitBehavior
from tests.lowering.regex.judge import Native, engine_pieces
from tests.lowering.regex.patterns import REAL

WITHOUT_TAIL = REAL["o200k"].replace("(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "")
PATTERNS = {"with a tail": REAL["o200k"], "without": WITHOUT_TAIL}
LETTERS = "aABcéÉЯя中ア\u0301\u0903ǅʰ"
SENTENCES = (
    "DİYARBAKIR'DAN GELEN OTOBÜS",
    "ÉcoleNormale éCOLE ÀÉÎÕÜ àéîõü ÇA ça",
    "Straße STRASSE STRAẞE",
    "ŁÓDŹ Łódź ŠKODA Škoda ÆRØ ærø",
    "верблюжийРегистр ПаскальРегистр ЗМЕЯ",
    "使用GPT模型，中AB！中Ab 文字Я",
    "e\u0301COLE E\u0301cole",
)


def words_of(pattern: str) -> CasedWords | None:
    return cased_words(resolve(Builder(pattern).build(parse(pattern))))


def random_words(seed: int, chars: str, count: int) -> list[str]:
    choice = random.Random(seed)
    return ["".join(choice.choices(chars, k=choice.randint(1, 10))) for _ in range(count)]


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("behavior", ["Isolated", "Removed"])
def test_case_of_any_script_is_exact_within_the_window(name: str, behavior: SplitBehavior) -> None:
    pattern, invert = PATTERNS[name], behavior == "Removed"
    steps = translate_split(pattern, behavior, invert).steps
    for text in (*SENTENCES, *random_words(1, LETTERS + "'! \n1", 2_000)):
        assert split(text, steps) == oniguruma.split(text, pattern, behavior, invert), text


@pytest.mark.engine
@pytest.mark.parametrize("name", PATTERNS)
def test_words_on_the_engine(name: str, native: Native, tmp_path: Path) -> None:
    texts = [*SENTENCES, *random_words(2, LETTERS + "'! \n1", 300)]
    expected = [oniguruma.split(text, PATTERNS[name], "Isolated", False) for text in texts]
    assert engine_pieces(native, tmp_path, translate(PATTERNS[name], faithful=True).steps, texts) == expected


def test_differences_are_covered_by_a_limit() -> None:
    translation = translate(REAL["o200k"], faithful=True)
    for text in random_words(3, LETTERS + "stmdelr'", 3_000):
        if split(text, translation.steps) != oniguruma.split(text, REAL["o200k"], "Isolated", False):
            assert any(limit.covers(text) for limit in translation.limits)


@pytest.mark.parametrize(("size", "right"), [(WINDOW, True), (WINDOW + 1, False)])
def test_the_window_has_an_end(size: int, right: bool) -> None:
    translation = translate(WITHOUT_TAIL, faithful=True)
    for text in ("中" + "A" * size, "é" + "中" * size + "Éa"):
        expected = oniguruma.split(text, WITHOUT_TAIL, "Isolated", False)
        assert (split(text, translation.steps) == expected) == right
    (limit,) = (limit for limit in translation.limits if limit.fidelity is Fidelity.BOUNDED)
    assert limit.bound is not None
    assert str(WINDOW) in limit.bound
    assert limit.example is not None


def test_letters_that_end_a_tail_are_known() -> None:
    words = words_of(REAL["o200k"])
    assert words is not None
    assert "".join(map(chr, words.ends & words.small)) == "delmst\u017f"


@pytest.mark.parametrize(
    "pattern",
    [
        REAL["qwen2"],
        r"[A-Z]*[a-z]+|[A-Z]+[a-z]*|é[A-Z]",  # another option takes capitals
        r"[A-Zé]*[a-zé]+(?:a)?|[A-Zé]+[a-zé]*(?:a)?",  # the tail starts with a letter
        r"[A-Zé]*[a-zé]+|[A-Zé]*[a-zé]+",
        r"[A-Zé]*[a-zé]+|[A-Zè]+[a-zè]*",
        r"[A-Zé]*[a-zé]+|[A-Zé]+[a-zé]*|é(?!b)",  # looks across a cut
    ],
)
def test_other_patterns_are_left_alone(pattern: str) -> None:
    assert words_of(pattern) is None
