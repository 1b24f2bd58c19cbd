r"""The Replace normalizer: literal patterns, and the regexes that literal replacements can express.

The engine replaces literal text alone.  A regex is expressed when it is one character or one class, by a replacement
for each of its characters; and when it is a run of those (``+`` or ``{2,}``), by replacing the pair by one several
times: after k times a run of up to 2^k has become one character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mtok_export.format import normalizer as ops
from mtok_export.lowering.findings import Place
from mtok_export.lowering.hf import normalizer_function
from mtok_export.lowering.unicode_tables import ASKED, SPACED_BY_TABLE_OP, WHITE_SPACE, is_asked, ranges, table_of
from mtok_export.source.pipeline import Normalizer, RegexPattern, ReplaceNormalizer, StringPattern

MAX_MEMBERS = 64
"""A class with more characters than this would cost the engine a scan of the text for each."""

HALVINGS = 10
"""Pairs are replaced by one this many times."""

_ONE_CHARACTER = r"""
    (?P<atom> [^\\\[\](){}.*+?^$|]                              # a literal
            | \\[pP]\{\^?\w+\} | \\[sdwh] | \\u[0-9A-Fa-f]{4} | \\[^\w\s]   # an escape that matches one character
            | \[ (?: [^\\\[\]&] | \\[pP]\{\^?\w+\} | \\u[0-9A-Fa-f]{4} | \\[sdwhtnr] | \\[^\w\s] )+ \]
    )
    (?P<run> \+ | \{2,\} )?
"""
"""In the verbose form, compiled when a regex is first seen, since few tokenizers replace one."""

_PLAIN_ITEM = r"\\u([0-9A-Fa-f]{4})|([^\\\[\]&^:-])"
_PLAIN_CLASS = rf"\[(?:{_PLAIN_ITEM})+\]"
"""A class that lists its characters, which leaves nothing to ask about."""

Records = tuple[ops.Normalizer, ...]


def _shape(regex: str) -> re.Match[str] | None:
    return re.fullmatch(_ONE_CHARACTER, regex, re.VERBOSE)


def is_pointwise(normalizer: Normalizer) -> bool:
    """Whether a normalizer is a Replace of single characters, one by one."""
    if not isinstance(normalizer, ReplaceNormalizer):
        return False
    if isinstance(normalizer.pattern, StringPattern):
        return len(normalizer.pattern.text) == 1
    shape = _shape(normalizer.pattern.text)
    return shape is not None and shape["run"] is None


def lower_replace(normalizer: ReplaceNormalizer, place: Place) -> Records:
    """Literal Replace records for a Replace component; refused where there are none."""
    if isinstance(normalizer.pattern, StringPattern):
        if not normalizer.pattern.text:
            place.refuse("an empty pattern inserts between all characters, which the engine cannot do")
            return ()
        place.became("Replace")
        return (ops.Replace(normalizer.pattern.text, normalizer.content),)
    return _lower_regex(normalizer.pattern, normalizer.content, place)


def _lower_regex(pattern: RegexPattern, content: str, place: Place) -> Records:
    shape = _shape(pattern.text)
    if shape is None:
        place.refuse(
            f"the engine replaces literal text, and the regex {pattern.text!r} is more than a "
            f"character, a class or a run"
        )
        return ()
    members = tuple(characters(RegexPattern(shape["atom"]), place.path))
    if not 0 < len(members) <= MAX_MEMBERS:
        place.refuse(
            f"the regex {pattern.text!r} matches {len(members)} characters; up to {MAX_MEMBERS} can be written out"
        )
        return ()
    if shape["run"] is None:
        return _each(members, content, pattern, place)
    return _run(members, content, pattern, shape["run"], place)


def characters(pattern: RegexPattern | StringPattern, path: str) -> Iterable[str]:
    """The characters of ``ASKED`` that a pattern of one character matches in the tokenizers library, ascending.

    Args:
        pattern: that of a pointwise Replace.
        path: where it stands, for errors.

    Raises:
        SourceError: the library refuses the pattern.
    """
    if len(pattern.text) == 1:  # a literal, or it would be no pattern of one character
        return pattern.text if is_asked(ord(pattern.text)) else ""
    function = normalizer_function(ReplaceNormalizer(pattern, ""), path)
    if re.fullmatch(_PLAIN_CLASS, pattern.text):
        codes = {ord(char) if char else int(digits, 16) for digits, char in re.findall(_PLAIN_ITEM, pattern.text[1:-1])}
        return map(chr, sorted(filter(is_asked, codes)))
    if pattern.text.startswith("[:"):  # inside a class this would be a class of its own
        return (chr(code) for code, mapped in table_of(function) if not mapped)
    # Most tokenizers have no class here, and no other need of these.
    from mtok_export.lowering.regex.charset import CharSet
    from mtok_export.lowering.regex.oniguruma import char_set

    return map(chr, char_set(pattern.text) & CharSet.of(ASKED))


def _each(members: tuple[str, ...], content: str, pattern: RegexPattern, place: Place) -> Records:
    """One replacement for each character; what an earlier one writes must not be found by a later one."""
    if len(content) > 1 and any(member in content for member in members):
        place.refuse(f"the replacement {content!r} holds a character that the regex {pattern.text!r} matches")
        return ()
    records = tuple(ops.Replace(member, content) for member in members if member != content)
    place.became(f"{len(records)} Replace")
    return records


def _run(members: tuple[str, ...], content: str, pattern: RegexPattern, run: str, place: Place) -> Records:
    if not content and run == "+":
        return _each(members, content, pattern, place)
    if content not in members or (run != "+" and members != (content,)):
        place.refuse(f"runs matched by {pattern.text!r} can become one character of the run alone, not {content!r}")
        return ()
    single = tuple(ops.Replace(member, content) for member in members if member != content)
    halving = (ops.Replace(content * 2, content),) * HALVINGS
    place.limit(
        f"runs of {content!r} are collapsed by halving",
        bound=f"runs of up to {2**HALVINGS:,}",
        characters=ranges({*map(ord, members), *SPACED_BY_TABLE_OP}) + WHITE_SPACE,
        run=2**HALVINGS + 1,
        example=f"a{content * (2**HALVINGS + 1)}b",
    )
    place.became(f"{len(single) + len(halving)} Replace")
    return single + halving
