"""Normalizer, pre-tokenizer and decoder: records that the engine stumbles over, or that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from mtok_export.engine.model import V3_6, normalizers
from mtok_export.format import decoder as d
from mtok_export.format import model
from mtok_export.format import normalizer as n
from mtok_export.format import pre_tokenizer as p
from mtok_export.places import Located, Places
from mtok_export.validating.finding import Findings, error, warning
from mtok_export.validating.patterns import pattern_findings
from mtok_export.validating.subject import Subject

_ONLY_3_5 = ("3.5",)
_RELEASED_3_6 = ("3.6",)
Rule = Callable[[Places, Located], Findings]


def tree_findings(subject: Subject) -> Findings:
    """Record by record in file order, then what several records do together."""
    for name in ("normalizer", "pre_tokenizer", "decoder"):
        rules = _RULES[name]
        for located in subject.places.trees[name].walk():
            yield from rules.get(type(located.record), _nothing)(subject.places, located)
            yield from _absent_children(name, located)
    yield from _spaces(subject)
    yield from _byte_level(subject)


def _nothing(_places: Places, _at: Located) -> Findings:
    yield from ()


def _no_effect(at: Located, what: str, why: str, fix: str = "leave the record out") -> Findings:
    yield warning("no-effect", at.path, at.start, what, why, fix)


# --- normalizer -------------------------------------------------------------------------------------------------------


def _absent_children(section: str, at: Located) -> Findings:
    empty = {"normalizer": n.NoNormalizer, "pre_tokenizer": p.NoPreTokenizer}.get(section)
    for child in at.children:
        if empty is not None and type(child.record) is empty:
            what, why = "NONE inside a sequence", "engine 3.5.0 dies of it; later ones print a warning and skip it"
            found = error("absent-child", child.path, child.start, what, why, "leave the record out")
            yield replace(found, versions=_ONLY_3_5)


def _strip(_places: Places, at: Located) -> Findings:
    why = "engine 3.5.0 does not know it and reads the bytes behind it as something else"
    found = error("unknown-to-3.5", at.path, at.start, "STRIP (8)", why, "use engine 3.6.0 or later")
    yield replace(found, versions=_ONLY_3_5)
    if at.record.strip_right:
        why = "3.6.0 and 3.6.1 look one byte too far and remove nothing at the right end"
        fix = "do not rely on it"
        found = warning("strip-right", at.path, at.start, "STRIP at the right end", why, fix)
        yield replace(found, versions=_RELEASED_3_6)


def _table(places: Places, at: Located) -> Findings:
    codes = [code for code, _ in at.record.entries]
    index = _first_out_of_order(codes)
    if index is not None:
        yield error(
            "table-order",
            f"{at.path}.entries[{index}]",
            places.table_entry(at, index),
            f"U+{codes[index]:04X} stands behind U+{codes[index - 1]:04X}",
            "the engine searches the table by bisection, so look-ups miss",
            "sort the entries by code point, each once",
        )


def _bert_table(places: Places, at: Located) -> Findings:
    if at.record.strip_accents and not at.record.entries:
        why = "accents are stripped only with a table that has an entry"
        yield from _no_effect(at, "strip_accents without table entries", why, "write the decompositions into the table")
    yield from _table(places, at)


def _bert(_places: Places, at: Located) -> Findings:
    if at.record.strip_accents:
        why = "BERT (5) never strips accents; BERT_TABLE (7) does"
        yield from _no_effect(at, "strip_accents", why, "use BERT_TABLE with the decompositions")


def _nfkc(_places: Places, at: Located) -> Findings:
    yield from _no_effect(at, "NFKC without a table (1)", "the engine leaves the text as it is", "use TABLE (6)")


def _empty(name: str, why: str) -> Rule:
    def rule(_places: Places, at: Located) -> Findings:
        if not getattr(at.record, name):
            yield from _no_effect(at, f"an empty {name}", why)

    return rule


def _metaspace(_places: Places, at: Located) -> Findings:
    if not at.record.replacement:
        why = "every space of the text is deleted"
        yield warning("metaspace-deletes", at.path, at.start, "an empty replacement", why, "usual is U+2581")


def _digits(_places: Places, at: Located) -> Findings:
    if not at.record.individual_digits:
        yield from _no_effect(at, "DIGITS without individual_digits", "the engine splits nothing then", "use a SPLIT")


# --- decoder ----------------------------------------------------------------------------------------------------------


def _endless(name: str) -> Rule:
    def rule(_places: Places, at: Located) -> Findings:
        if not getattr(at.record, name):
            what = f"an empty {name} in the decoder"
            why = "decoding a list of ids never ends"
            yield error("decoder-endless", at.path, at.start, what, why, "leave the record out")

    return rule


def _decoder_strip(_places: Places, at: Located) -> Findings:
    for name in ("start", "stop"):
        count = getattr(at.record, name)
        if count > 1:
            why = "the engine removes the content once at most"
            yield warning("strip-once", at.path, at.start, f"{name} is {count}", why, "use as many STRIPs in a row")


def _word_piece_decoder(_places: Places, at: Located) -> Findings:
    if not at.record.cleanup:
        why = "the engine tidies spaces before . ? ! , in any case"
        yield warning("cleanup-anyway", at.path, at.start, "WORDPIECE without cleanup", why, "name it as a limit")


_RULES: dict[str, dict[type[Any], Rule]] = {
    "normalizer": {
        n.Nfkc: _nfkc,
        n.Prepend: _empty("prepend", "nothing is put in front"),
        n.Replace: _empty("pattern", "nothing is replaced"),
        n.Bert: _bert,
        n.Table: _table,
        n.BertTable: _bert_table,
        n.Strip: _strip,
    },
    "pre_tokenizer": {p.Metaspace: _metaspace, p.Digits: _digits, p.Split: pattern_findings},
    "decoder": {
        d.Replace: _endless("pattern"),
        d.Metaspace: _endless("replacement"),
        d.Strip: _decoder_strip,
        d.WordPiece: _word_piece_decoder,
    },
}
"""Records that no rule stands for have nothing that could be wrong with them alone."""


def _spaces(subject: Subject) -> Findings:
    """A table is not all that TABLE does."""
    tables = [at for at in subject.places.trees["normalizer"].walk() if isinstance(at.record, n.Table)]
    normalize = normalizers.build(subject.file.normalizer, V3_6)
    if normalize is not None and any(at.record.entries for at in tables) and normalize(_DIRECTION_MARK).strip() == "":
        yield warning(
            "table-spaces",
            tables[0].path,
            tables[0].start,
            "TABLE (6) with nothing in front that keeps controls, joiners and direction marks from it",
            "before it looks anything up it turns them into spaces: U+200D in emoji and U+200C in words are lost",
            "replace them by private-use characters in front of the table, and map those back in it",
        )


_DIRECTION_MARK = "\u202e"
"""One of the characters that TABLE turns into a space, and that no known tokenizer does."""


def _byte_level(subject: Subject) -> Findings:
    """Bytes are made printable once on the way in, and once back on the way out."""
    places, record = subject.places, subject.file.model
    makers = [at for at in places.trees["pre_tokenizer"].walk() if isinstance(at.record, p.ByteLevel)]
    in_model = isinstance(record, model.Bpe) and record.byte_level
    if len(makers) + in_model > 1:
        second = makers[0] if in_model else makers[1]
        yield error(
            "bytes-mapped-twice",
            second.path,
            second.start,
            "BYTE_LEVEL as pre-tokenizer " + ("and byte_level of the model" if in_model else "more than once"),
            "the printable characters of the first are taken for text by the second: nearly all ids come out wrong",
            "keep one of them",
        )
    root = places.trees["decoder"]
    back = any(isinstance(at.record, d.ByteLevel) for at in root.walk())
    if makers or in_model:
        if not back:
            yield error(
                "bytes-not-mapped-back",
                root.path,
                root.start,
                "a byte-level tokenizer without BYTE_LEVEL in the decoder",
                "decoded text keeps the printable stand-ins (a space comes out as U+0120)",
                "use the decoder BYTE_LEVEL (0)",
            )
    elif back:
        yield warning(
            "bytes-mapped-back",
            root.path,
            root.start,
            "BYTE_LEVEL in the decoder of a tokenizer that is not byte-level",
            "decoder 0 is not 'none': characters such as U+0120 and U+00E9 come out as single bytes",
            "for no decoder use FUSE (4)",
        )


def _first_out_of_order(values: Sequence[int]) -> int | None:
    return next((index for index, (one, other) in enumerate(pairwise(values), 1) if one >= other), None)
