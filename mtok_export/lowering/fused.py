"""Runs of normalizers that work code point by code point, fused into one table.

What the whole run makes of each code point that one of its components changes is asked of the ``tokenizers`` library,
so the table is right by construction.  Four things stand round the table op:

- BertNormalizer's clean-up and CJK spacing go into a Bert op in front, which saves a table entry for every ideograph;
- the controls and format characters that the table op turns into a space are replaced in front of it by private
  characters, which the table maps to what they should become;
- NFC and NFKC compose behind the table, by literal replacements (``composition``);
- sequences that a Precompiled map knows as a whole are replaced in front.

The result is then held against the library for every code point; where it differs, that is named with the characters.
"""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from types import MappingProxyType

from mtok_export.format import normalizer as ops
from mtok_export.lowering.asking import CONTROL, GRAVE, asked
from mtok_export.lowering.changing import character_map, may_change
from mtok_export.lowering.character_sets import CHINESE, changed, codes_of
from mtok_export.lowering.clusters import dropped_third, joined, known_sequences, marks_of_maps
from mtok_export.lowering.composition import Composition, canonical_composition, syllables
from mtok_export.lowering.findings import Place
from mtok_export.lowering.hf import normalizer_function, sequence_function
from mtok_export.lowering.options import Composing
from mtok_export.lowering.unicode_tables import SPACED_BY_TABLE_OP, is_asked, ranges
from mtok_export.records import dataclass
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    Precompiled,
    ReplaceNormalizer,
    StripAccents,
)

Records = tuple[ops.Normalizer, ...]
Located = tuple[Normalizer, Place]
"""A component and its place."""
TABLE_KINDS = (BertNormalizer, Lowercase, Nmt, NFC, NFD, NFKC, NFKD, Precompiled, StripAccents)
COMPOSING = (NFC, NFKC)
REORDERING = (NFC, NFD, NFKC, NFKD)
_ONE_BY_ONE = (Lowercase, Nmt, StripAccents, ReplaceNormalizer)
"""What works character by character, whatever stands beside them."""

FIRST_CARRIER = 0x10FE00
"""Private characters from here on carry what the table op would turn into a space."""

LAST_CARRIER = FIRST_CARRIER + len(SPACED_BY_TABLE_OP) - 1

BEHIND_CLUSTER = LAST_CARRIER + 1
"""A private character that stands for a moment behind an ASCII letter whose mark was composed with it."""

_PRIVATE_PLANES = ((0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))
_SPACES = frozenset(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x09, 0x0A, 0x0D)))
_CLEANED = frozenset((0, 0xFFFD, *range(0x20), *range(0x7F, 0xA0)))
_CJK_OF_ENGINE = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
_CJK_BOUNDS = tuple(bound for first, last in _CJK_OF_ENGINE for bound in (first, last + 1))


def lower_run(
    run: Sequence[Located],
    respelt: Mapping[int, str] = MappingProxyType({}),
    composing: Composing = Composing.FULL,
) -> Records:
    """The records for a run of normalizers of ``TABLE_KINDS``; a composing one can only stand last.

    ``respelt`` says which code points are spelt otherwise in the end (``respelling``), ``composing`` what is composed.
    Limits are recorded at the places of the components that cause them.
    """
    return _Run(run, respelt, composing).records()


@dataclass(frozen=True)
class _Cleaner:
    """The Bert op in front: what it makes of a character."""

    clean_text: bool
    handle_chinese_chars: bool

    def __call__(self, char: str) -> str:
        if self.clean_text:
            if char in _SPACES:
                return " "
            if ord(char) in _CLEANED:
                return ""
        if self.handle_chinese_chars and bisect(_CJK_BOUNDS, ord(char)) % 2:
            return f" {char} "
        return char

    def code_points(self, among: Sequence[int]) -> Iterator[int]:
        """Those of some code points, in ascending order, that it may change, and all that are cleaned up."""
        if self.clean_text:
            yield from map(ord, _SPACES)
            yield from _CLEANED
        if self.handle_chinese_chars:
            for first, last in _CJK_OF_ENGINE:
                yield from among[bisect_left(among, first) : bisect(among, last)]

    def record(self) -> Records:
        """The op, where it does anything."""
        if not (self.clean_text or self.handle_chinese_chars):
            return ()
        return (ops.Bert(self.clean_text, self.handle_chinese_chars, strip_accents=False, lowercase=False),)


class _Run:
    def __init__(self, run: Sequence[Located], respelt: Mapping[int, str], composing: Composing) -> None:
        self.composing = composing
        self.respelt = respelt
        self.components = [component for component, _ in run]
        self.places = [place for _, place in run]
        normalize = sequence_function(self.components, self.places[0].path)
        self.wanted: Callable[[str], str] = (lambda text: normalize(text).translate(respelt)) if respelt else normalize
        self._steps = [
            (normalizer_function(component, place.path), CONTROL if isinstance(component, Precompiled) else GRAVE)
            for component, place in run
        ]
        first = self.components[0]
        bert = first if isinstance(first, BertNormalizer) else None
        self.cleaner = _Cleaner(bert is not None and bert.clean_text, bert is not None and bert.handle_chinese_chars)

    def records(self) -> Records:
        codes = sorted(self._looked_at())
        chars = list(map(chr, codes))
        made = zip(codes, chars, self._wanted_of(chars), strict=True)
        entries = {code: wanted for code, char, wanted in made if wanted != char}
        carried: list[ops.Normalizer] = []
        wrong: list[int] = []
        spaced = frozenset(SPACED_BY_TABLE_OP)
        for code in sorted({*spaced, *self.cleaner.code_points(codes)}):
            char = chr(code)
            wanted, cleaned = entries.pop(code, char), self.cleaner(char)
            if cleaned != char:
                if not self._mapped_inside(char, cleaned, wanted, entries):
                    wrong.append(code)
            elif code in spaced:
                if wanted != " ":
                    carried.append(self._carry(char, wanted, entries))
            elif wanted != char:
                entries[code] = wanted
        self._limit_wrong(wrong)
        self._limit_private(carried)
        table = (ops.Table(tuple(sorted(entries.items()))),) if entries else ()
        records = (*self.cleaner.record(), *self._sequences(), *carried, *table, *self._composition(entries))
        self._became(len(carried), len(entries))
        return records

    def _looked_at(self) -> set[int]:
        """The code points that may need something: the others nothing changes, or the Bert op as it should."""
        codes = set(filter(is_asked, self.respelt))
        for component, place in zip(self.components, self.places, strict=True):
            codes.update(may_change(component, place.path))
        if self.cleaner.handle_chinese_chars:
            theirs = changed(CHINESE)
            if ord(" ") in codes:
                codes.update(codes_of(theirs), codes_of(_CJK_BOUNDS))
            else:  # then the ideographs that both sides put spaces round come out alike
                codes.update(codes_of(tuple(sorted({*theirs} ^ {*_CJK_BOUNDS}))))
        if self.cleaner.clean_text:
            codes.update(_CLEANED, map(ord, _SPACES))
        return codes.union(SPACED_BY_TABLE_OP)

    def _wanted_of(self, texts: Sequence[str]) -> Sequence[str]:
        """What the run makes of each of many texts: ``wanted``, but in a few calls."""
        for function, separator in self._steps:
            texts = asked(function, texts, separator)
        if not self.respelt:
            return texts
        respelt = frozenset(map(chr, self.respelt))
        return [text if respelt.isdisjoint(text) else text.translate(self.respelt) for text in texts]

    @staticmethod
    def _mapped_inside(char: str, cleaned: str, wanted: str, entries: dict[int, str]) -> bool:
        """Whether the Bert op's result can be made right: an ideograph inside its spaces may still be mapped."""
        if cleaned == wanted:
            return True
        if cleaned == f" {char} " and wanted.startswith(" ") and wanted.endswith(" ") and len(wanted) > 2:
            entries[ord(char)] = wanted[1:-1]
            return True
        return False

    @staticmethod
    def _carry(char: str, wanted: str, entries: dict[int, str]) -> ops.Normalizer:
        """A replacement in front of the table for a character that it would turn into a space."""
        if not wanted:
            return ops.Replace(char, "")
        carrier = FIRST_CARRIER + SPACED_BY_TABLE_OP.index(ord(char))
        entries[carrier] = wanted
        return ops.Replace(char, chr(carrier))

    def _sequences(self) -> Records:
        """Letter and mark together where a Precompiled map knows the two as one."""
        kinds = zip(self.components, self.places, strict=True)
        maps = [place for component, place in kinds if isinstance(component, Precompiled)]
        if not maps:
            return ()
        rules = tuple(known_sequences(self._wanted_of, self._may_know()))
        third = tuple(dropped_third(rules, self._wanted_of))
        behind = chr(BEHIND_CLUSTER) if third else ""
        maps[0].limit(
            f"{len(rules)} sequences of a letter and a mark that the character map knows are replaced; what else it "
            "makes of a character with a mark behind it, as a whole, differs",
            example="\u2460\u0301",
            characters=ranges({*marks_of_maps(), *joined(self._wanted_of)}),
        )
        return (
            *(ops.Replace(pattern, content + behind * pattern[0].isascii()) for pattern, content in rules),
            *(ops.Replace(behind + mark, behind) for mark in third),
            *((ops.Replace(behind, ""),) if third else ()),
        )

    def _may_know(self) -> Callable[[bytes], bool]:
        """Whether the run may make something else of a letter and a mark, by their first bytes, than one by one."""
        first, *others = self.components
        if isinstance(first, Precompiled) and all(isinstance(one, _ONE_BY_ONE) for one in others):
            return character_map(first).may_know
        return lambda _start: True

    def _composition(self, entries: Mapping[int, str]) -> Records:
        reordering = [i for i, component in enumerate(self.components) if isinstance(component, REORDERING)]
        if not reordering:
            return ()
        composition = canonical_composition()
        place = self.places[reordering[-1]]
        composing = isinstance(self.components[-1], COMPOSING)
        if not composing and not any(self._wanted_of(list(map(chr, composition.marks)))):
            return ()  # the run drops all marks, so their order does not matter
        rules: list[Iterable[tuple[str, str]]] = []
        if self.composing is Composing.NONE:
            self._limit_marks(place, composition, entries, "are left as they are: nothing is composed or ordered")
        else:
            work = "are composed and ordered" if composing else "are ordered"
            self._limit_marks(
                place,
                composition,
                entries,
                f"{work} by replacements, one exchange for each pair: of three and more marks on one letter, of rare "
                "pairs, and of pairs from different scripts the order may stay as it is",
            )
            rules += (composition.exchanges, composition.pairs) if composing else (composition.exchanges,)
        if composing and self.composing is Composing.FULL:
            rules.append(syllables())
        elif composing:
            place.limit(
                "Korean letters are not composed to syllables",
                example="\u1100\u1161",
                characters=ranges({ord(pattern[-1]) for pattern, _ in syllables()}),
            )
        return tuple(starmap(ops.Replace, chain.from_iterable(rules)))

    @staticmethod
    def _limit_marks(place: Place, composition: Composition, entries: Mapping[int, str], what: str) -> None:
        """Name what the replacements do not reach; ``entries`` tell which further characters become marks."""
        marks = frozenset((*composition.marks, *composition.partners))
        become = [code for code, content in entries.items() if content and ord(content[0]) in marks]
        place.limit(f"marks {what}", example="a\u0301\u0308\u0323", characters=ranges((*marks, *become)))

    def _limit_wrong(self, wrong: Iterable[int]) -> None:
        codes = list(wrong)
        if codes:
            self.places[0].limit(
                f"{len(codes)} characters are cleaned or spaced otherwise by the engine's Bert op",
                example=f"a{chr(codes[0])}b",
                characters=ranges(codes),
            )

    def _limit_private(self, carried: Sequence[ops.Normalizer]) -> None:
        changed = [pair for pair in _PRIVATE_PLANES if self.wanted(chr(pair[0])) != chr(pair[0])]
        if changed:
            self.places[0].limit(
                "private characters of planes 15 and 16 stay; tokenizers drops them",
                example="\U000f0000",
                characters=tuple(changed),
            )
        elif carried:
            last = BEHIND_CLUSTER if any(isinstance(one, Precompiled) for one in self.components) else LAST_CARRIER
            self.places[0].limit(
                f"U+{FIRST_CARRIER:04X}-U+{last:04X} (private characters) stand for controls and format characters",
                example=chr(FIRST_CARRIER),
                characters=((FIRST_CARRIER, last),),
            )

    def _became(self, carried: int, entries: int) -> None:
        kinds = " + ".join(type(component).__name__ for component in self.components)
        for place in self.places:
            place.became(f"one table of {entries:,} entries for {kinds}, {carried} characters carried round it")
