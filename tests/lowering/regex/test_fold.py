from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.characters import FoldedClass
from mtok_export.format import MtokFile, decoder, normalizer, pre_tokenizer
from mtok_export.format.header import Header
from mtok_export.format.model import Bpe, Merges, Vocab
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import Tail
from mtok_export.lowering.regex.charset import ALL_CHARS, ASCII, CharSet
from mtok_export.lowering.regex.fold import EVERYTHING, approximate, class_members, fold, members
from mtok_export.lowering.regex.limits import newer_characters
from mtok_export.lowering.regex.oniguruma import char_set
from mtok_export.lowering.regex.program import LETTERS, NUMBERS, mask_of
from tests.lowering.regex.judge import Native

BLOCK = 8_192


def file_that_keeps(folded: FoldedClass) -> MtokFile:
    """Ids are bytes; a Split removes every character that the engine does not fold to one class."""
    rows = sorted((char, byte) for byte, char in BYTE_TO_CHAR.items())
    vocab = Vocab(tuple(char for char, _ in rows), array("I", [byte for _, byte in rows]))
    none = Merges(array("I"), array("I"), array("I"))
    model = Bpe(vocab, none, byte_fallback=False, byte_level=True)
    split = pre_tokenizer.Split(f"[^\\x{folded:02x}]+", invert=False, behavior=SplitBehavior.REMOVED)
    return MtokFile(Header(), normalizer.NoNormalizer(), split, model, decoder.ByteLevel(), (), Tail())


@pytest.mark.engine
@pytest.mark.parametrize("folded", list(FoldedClass), ids=lambda folded: folded.name)
def test_classes_are_those_of_the_engine(folded: FoldedClass, native: Native, tmp_path: Path) -> None:
    path = tmp_path / "fold.mtok"
    path.write_bytes(file_that_keeps(folded).encode())
    codes = [code for code in ALL_CHARS if code]
    blocks = ["".join(map(chr, codes[at : at + BLOCK])) for at in range(0, len(codes), BLOCK)]
    kept = "".join(bytes(ids).decode() for ids in native(path, deadline=120).encode_many(blocks))
    assert CharSet.of_text(kept) == class_members(folded)


def test_classes_share_no_character_and_leave_none_out() -> None:
    assert sum(len(class_members(folded)) for folded in FoldedClass) == len(ALL_CHARS - ASCII) + len(FoldedClass)


def test_folding() -> None:
    assert fold("aé1²\u3000\u0301。€\u200d\x01") == b"a\x011\x02\x03\x05\x06\x07\x04\x01"


def test_ascii_is_exact() -> None:
    chars = char_set(r"\p{Lu}")
    assert approximate(chars) == mask_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") | 1 << FoldedClass.LETTER
    assert members(approximate(chars)) & ASCII - CharSet.of([(1, 7)]) == chars & ASCII


@pytest.mark.parametrize(("expression", "mask"), [(r"\p{L}", LETTERS), (r"\p{N}", NUMBERS), (r"\d", NUMBERS)])
def test_a_set_that_holds_most_of_a_class_takes_it_in(expression: str, mask: int) -> None:
    assert approximate(char_set(expression)) == mask


def test_a_set_of_a_few_characters_of_a_class_does_not() -> None:
    assert approximate(CharSet.of_text("é。a")) == mask_of("a")


def test_everything_is_everything() -> None:
    assert approximate(ALL_CHARS) == EVERYTHING
    assert members(EVERYTHING) == ALL_CHARS


def test_letters_differ_in_control_characters_and_new_letters_alone() -> None:
    wrong = members(approximate(char_set(r"\p{L}"))) ^ char_set(r"\p{L}")
    assert wrong - newer_characters() == CharSet.of([(1, 1)])
