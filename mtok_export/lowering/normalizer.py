"""Normalizers: each component of the pipeline to normalizer records, and what that changes.

A faithful lowering gives the components of ``TABLE_KINDS`` to ``fused``; their rules here are those of plain files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from mtok_export.format import normalizer as ops
from mtok_export.lowering.findings import Place
from mtok_export.lowering.fused import COMPOSING, TABLE_KINDS, Located, lower_run
from mtok_export.lowering.hf import normalizer_function
from mtok_export.lowering.options import Options
from mtok_export.lowering.replace import is_pointwise, lower_replace
from mtok_export.lowering.unicode_tables import (
    LINE_SEPARATORS,
    SPACED_BY_TABLE_OP,
    Form,
    ranges,
    table_of,
    unicodedata_table,
)
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    ByteLevelNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    NormalizerSequence,
    Precompiled,
    Prepend,
    ReplaceNormalizer,
    StripAccents,
    StripNormalizer,
)

Records = tuple[ops.Normalizer, ...]

_FORMS: dict[type, Form] = {NFC: "NFC", NFD: "NFD", NFKC: "NFKC", NFKD: "NFKD"}
_COMPOSING = {
    "NFC": ("e\u0301", "U+0065 U+0301 becomes U+00E9"),
    "NFKC": ("e\u0301", "U+0065 U+0301 becomes U+00E9"),
    "NFD": ("a\u0301\u0323", "U+0323 moves in front of U+0301"),
    "NFKD": ("a\u0301\u0323", "U+0323 moves in front of U+0301"),
}


MOST_REPLACED = 16
"""More characters than that are respelt by a table rather than by a replacement, a scan of the text, for each."""


def lower_normalizer(
    normalizer: Normalizer | None, place: Place, options: Options, respelt: Mapping[int, str] = MappingProxyType({})
) -> ops.Normalizer:
    """The record of the whole normalizer; what it changes and what cannot be said is recorded at ``place``.

    ``respelt`` says which code points are spelt otherwise in the end, for the pre-tokenizer (``respelling``).
    """
    if normalizer is None and not respelt:
        return ops.NoNormalizer()
    normalizer = normalizer or NormalizerSequence(())
    steps = tuple(_flattened(normalizer, place))
    if options.faithful and (respelt or any(isinstance(component, TABLE_KINDS) for component, _ in steps)):
        records = _faithful(steps, place, options, respelt)
        if isinstance(normalizer, NormalizerSequence):
            place.became("Sequence")
    else:
        records = _lower(normalizer, place, options)
    if not records:
        return ops.NoNormalizer()
    return records[0] if len(records) == 1 else ops.Sequence(records)


def _flattened(normalizer: Normalizer, place: Place) -> Iterator[Located]:
    """The components that are no Sequence, in order, each with its place."""
    if isinstance(normalizer, NormalizerSequence):
        for position, child in enumerate(normalizer.normalizers):
            yield from _flattened(child, place.at(f".normalizers[{position}]", child))
    else:
        yield normalizer, place


def _faithful(steps: Sequence[Located], place: Place, options: Options, respelt: Mapping[int, str]) -> Records:
    """Runs that work code point by code point as one table each, everything else one by one."""
    records: list[ops.Normalizer] = []
    runs = list(_runs(steps))
    tabled = bool(runs) and any(isinstance(component, TABLE_KINDS) for component, _ in runs[-1])
    if len(respelt) > MOST_REPLACED and not tabled:
        runs.append([(NormalizerSequence(()), place.at("", "respelling for the pre-tokenizer"))])
        tabled = True
    for run in runs:
        last = respelt if tabled and run is runs[-1] else {}
        if last or any(isinstance(component, TABLE_KINDS) for component, _ in run):
            records += lower_run(run, last, options.composing)
            continue
        for component, at in run:
            _limit_prepend(component, at, [earlier for earlier, _ in steps[: steps.index((component, at))]])
            records += _lower(component, at, options)
    if not tabled:
        records += (ops.Replace(chr(code), content) for code, content in sorted(respelt.items()))
    return tuple(records)


def _in_tables(component: Normalizer) -> bool:
    return isinstance(component, TABLE_KINDS) or is_pointwise(component)


def _runs(steps: Sequence[Located]) -> Iterator[list[Located]]:
    """Neighbours that may share a table: composition ends a run, a Bert op that cleans or spaces begins one."""
    run: list[Located] = []
    for component, place in steps:
        fits = _in_tables(component)
        begins = isinstance(component, BertNormalizer) and (component.clean_text or component.handle_chinese_chars)
        if run and (not fits or begins):
            yield run
            run = []
        run.append((component, place))
        if not fits or isinstance(component, COMPOSING):
            yield run
            run = []
    if run:
        yield run


def _lower(normalizer: Normalizer, place: Place, options: Options) -> Records:
    rule = _RULES[type(normalizer)]
    return rule(normalizer, place, options)


def _sequence(normalizer: NormalizerSequence, place: Place, options: Options) -> Records:
    records: list[ops.Normalizer] = []
    for position, child in enumerate(normalizer.normalizers):
        at = place.at(f".normalizers[{position}]", child)
        _limit_prepend(child, at, normalizer.normalizers[:position])
        records += _lower(child, at, options)
    place.became("Sequence" if records else "Sequence of nothing")
    return (ops.Sequence(tuple(records)),)


def _limit_prepend(normalizer: Normalizer, place: Place, earlier: Sequence[Normalizer]) -> None:
    if isinstance(normalizer, Prepend) and any(map(_may_empty, earlier)):
        place.limit("the engine prepends to a stretch that an earlier normalizer has emptied; tokenizers does not")


def _may_empty(normalizer: Normalizer) -> bool:
    """Whether a normalizer can make an empty text out of one that is not."""
    return not isinstance(normalizer, (NFC, NFD, NFKC, NFKD, Lowercase, Prepend, ByteLevelNormalizer)) and not (
        isinstance(normalizer, ReplaceNormalizer) and normalizer.content
    )


def _form(normalizer: Normalizer, place: Place, options: Options) -> Records:
    form = _FORMS[type(normalizer)]
    entries = unicodedata_table(form)
    example, why = _COMPOSING[form]
    place.limit(
        f"the engine looks up one code point at a time: it does not compose or reorder ({why})", example=example
    )
    _limit_spaced(place, lambda char: char)
    place.limit(f"the table follows Unicode {options.python_unicode}, the tokenizers library its own version")
    place.became(f"table of {len(entries):,} entries")
    return (ops.Table(entries),)


def _limit_spaced(place: Place, normalize: Callable[[str], str]) -> None:
    """Name the controls and format characters that the table op turns into a space and ``normalize`` does not."""
    wrong = [code for code in SPACED_BY_TABLE_OP if normalize(chr(code)) != " "]
    if wrong:
        shown = 0x200D if 0x200D in wrong else wrong[-1]
        place.limit(
            f"{len(wrong)} control, joining and direction characters (U+{shown:04X} among them) "
            f"become a space in front of "
            "the table",
            example=f"a{chr(shown)}b",
            characters=ranges(wrong),
        )


def _precompiled(normalizer: Precompiled, place: Place, options: Options) -> Records:
    entries = unicodedata_table("NFKC")
    _limit_spaced(place, normalizer_function(normalizer, place.path))
    place.limit(
        f"written as the NFKC table of Unicode {options.python_unicode}; the character map is not NFKC to the letter",
        example="～ \t\u2581",
    )
    place.limit("the engine looks up one code point at a time: it does not compose", example="e\u0301")
    place.became(f"table of {len(entries):,} entries")
    return (ops.Table(entries),)


def _nmt(normalizer: Nmt, place: Place, _options: Options) -> Records:
    function = normalizer_function(normalizer, place.path)
    entries = table_of(function)
    _limit_spaced(place, function)
    place.became(f"table of {len(entries):,} entries")
    return (ops.Table(entries),)


def _lowercase(_normalizer: Lowercase, place: Place, _options: Options) -> Records:
    place.limit(
        "the engine maps one code point to one: U+0130 becomes i without the combining dot",
        example="\u0130",
        characters=((0x130, 0x130),),
    )
    place.limit("letters that are newer than the engine's case table keep their case")
    place.became("Bert, lower-casing alone")
    return (ops.Bert(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=True),)


def _strip_accents(_normalizer: StripAccents, place: Place, _options: Options) -> Records:
    place.limit(
        "marks are dropped by the engine's own list of categories Mn, Mc and Me, which is not that "
        "of tokenizers for the "
        "newest characters"
    )
    place.became("Bert, mark-stripping alone")
    # The engine strips marks only when the table is not empty; this entry maps a mark to itself.
    keep = ((0x0301, "\u0301"),)
    return (ops.BertTable(False, False, strip_accents=True, lowercase=False, entries=keep),)


def _bert(normalizer: BertNormalizer, place: Place, options: Options) -> Records:
    strip_accents = normalizer.lowercase if normalizer.strip_accents is None else normalizer.strip_accents
    if normalizer.clean_text:
        place.limit(
            "clean_text of the engine drops category Cc alone; tokenizers also drops format and private-use characters",
            example="a\u200db",
        )
        place.limit(
            "clean_text of the engine keeps U+2028 and U+2029, which tokenizers turns into spaces",
            example="a\u2028b",
            characters=((0x2028, 0x2029),),
        )
    if normalizer.handle_chinese_chars:
        place.limit(
            "U+2B820-U+2B91F get spaces round them in the engine, not in tokenizers",
            example="\U0002b820\U0002b821",
            characters=((0x2B820, 0x2B91F),),
        )
    if normalizer.lowercase and not strip_accents:
        place.limit(
            "the engine maps one code point to one: U+0130 becomes i without the combining dot",
            example="\u0130",
            characters=((0x130, 0x130),),
        )
    if normalizer.lowercase:
        place.limit("letters that are newer than the engine's case table keep their case")
    flags = normalizer.clean_text, normalizer.handle_chinese_chars, strip_accents, normalizer.lowercase
    if not strip_accents:
        place.became("Bert")
        return (ops.Bert(*flags),)
    place.limit(
        "the engine drops spacing and enclosing marks (Mc, Me) with the accents; tokenizers drops Mn alone",
        example="\u0915\u093f",
    )
    entries = unicodedata_table("NFD")
    place.limit(f"the table follows Unicode {options.python_unicode}, the tokenizers library its own version")
    place.became(f"Bert with a table of {len(entries):,} entries")
    return (ops.BertTable(*flags, entries=entries),)


def _prepend(normalizer: Prepend, place: Place, _options: Options) -> Records:
    place.became("Prepend")
    return (ops.Prepend(normalizer.prepend),)


def _strip(normalizer: StripNormalizer, place: Place, _options: Options) -> Records:
    place.findings.require_engine((3, 6, 0))
    if normalizer.strip_left:
        place.limit(
            "the engine does not take U+0085, U+2028 and U+2029 for white space",
            example="\u2028a",
            characters=LINE_SEPARATORS,
        )
    if normalizer.strip_right:
        place.limit("the engine's Strip leaves the right end as it is (3.6.0 and 3.6.1)", example="a ")
    place.became("Strip")
    return (ops.Strip(normalizer.strip_left, normalizer.strip_right),)


def _byte_level(_normalizer: ByteLevelNormalizer, place: Place, _options: Options) -> Records:
    place.refuse(
        "bytes can be mapped by the pre-tokenizer alone, so this must be the last normalizer and no "
        "pre-tokenizer follow"
    )
    return ()


def _replace(normalizer: ReplaceNormalizer, place: Place, _options: Options) -> Records:
    return lower_replace(normalizer, place)


_RULES: dict[type, Callable[[Any, Place, Options], Records]] = {
    BertNormalizer: _bert,
    StripNormalizer: _strip,
    StripAccents: _strip_accents,
    NFC: _form,
    NFD: _form,
    NFKC: _form,
    NFKD: _form,
    Lowercase: _lowercase,
    Nmt: _nmt,
    Precompiled: _precompiled,
    ReplaceNormalizer: _replace,
    Prepend: _prepend,
    ByteLevelNormalizer: _byte_level,
    NormalizerSequence: _sequence,
}
