from __future__ import annotations

import random
import re

import pytest

from mtok_export.lowering.regex import translate
from mtok_export.lowering.regex.charset import CharSet
from mtok_export.lowering.regex.confining import confined
from mtok_export.lowering.regex.oniguruma import char_set
from mtok_export.lowering.regex.reading import goes_wide
from mtok_export.lowering.regex.wide import is_modelled, write_class
from tests.lowering.regex.patterns import CHARACTERS, REAL

SPECIAL = CharSet.of_text("\\]^-[\n\r\t\f\v&|")
SETS = {
    "letters": char_set(r"\p{L}"),
    "all but letters": ~char_set(r"\p{L}"),
    "numbers and special characters": char_set(r"\p{N}") | SPECIAL,
    "all but numbers and special characters": ~(char_set(r"\p{N}") | SPECIAL),
    "private": char_set(r"\p{Co}"),
    "the last one": char_set(r"\p{Lo}") | CharSet.of([(0x10FFFF, 0x10FFFF)]),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("pattern", ["{0}", r"\[{0}?\]|{0}{{2,3}}(?={0})", r"a\\{0}|(?!{0})[bé]\]"])
def test_it_matches_where_the_pattern_matches(pattern: str, name: str) -> None:
    chars = CHARACTERS + "\\]^-[\f&|\U0010ffff"
    whole = pattern.format(write_class(SETS[name]))
    short = confined(whole, chars)
    assert goes_wide(short)
    choice = random.Random(name + pattern)
    for _ in range(300):
        text = "".join(choice.choices(chars, k=choice.randint(1, 8)))
        assert [each.span() for each in re.finditer(short, text)] == [each.span() for each in re.finditer(whole, text)]


def test_classes_of_ascii_stay() -> None:
    letters = write_class(char_set(r"\p{L}"))
    assert confined(f"[a-z]{letters}[^ b]\\[é]", "xé1中") == "[a-z][xé中][^ b]\\[é]"


@pytest.mark.parametrize("chars", ["", "1"])
def test_a_class_of_none_of_the_characters_matches_nowhere(chars: str) -> None:
    short = confined(write_class(char_set(r"\p{L}")), chars)
    assert goes_wide(short)
    assert not re.search(short, "1aé")


def test_what_is_written_for_real_patterns_becomes_short() -> None:
    written = {step.pattern for name in ("o200k", "kimi") for step in translate(REAL[name], faithful=True).steps}
    wide = [pattern for pattern in written if goes_wide(pattern)]
    assert wide
    for pattern in wide:
        assert is_modelled(pattern)
        assert len(confined(pattern, "aé中")) < 1_000
