r"""Added tokens that the model can be taught to yield, so that they need not be searched for.

Gemma 3 has 6,242 added tokens ``<unused0>`` to ``<unused6241>`` and 70 for tags of HTML.  At every hit the engine looks
for all of them again in the rest of the text, at every ``<`` of it: a page of HTML of 8,000 characters takes it half a
minute.  Here such tokens become pieces of their own, cut out by one pattern, and merges put each piece together.

Let *T* be such a token: of ASCII without white space, neither special nor stripping.

1. *It is found in the same places.*  No character of any token but the first is the first one of a token that could
   overlap with it, and none is the beginning of another: occurrences never overlap, whatever is searched for first.
   The normalizer neither makes nor changes a character of *T*, and what stands at both sides of *T* goes through the
   normalizer and the pre-tokenizer as it would alone (condition 3 of ``added_runs``).
2. *Its piece becomes T.*  The new merges have higher ranks than all old ones: they begin when nothing else can be
   merged.  *T* is then the symbols *s1 s2 ... sn*, worked out here, and the new merges are *(s1, s2)*, *(s1s2, s3)* and
   so on, through entries that no old merge knows.  No symbol but the first is the first one of another token, so no
   other new merge can begin.
3. *Nothing else changes.*  A new merge needs *s1* and *s2* of some *T* side by side, or what such a merge has made.
   Between those two the pattern cuts every text, except the pieces that are such tokens.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise

from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.model import Bpe, Merges, Vocab
from mtok_export.lowering.cuts.added_runs import Normalizers, PreTokenizers, leaves_alone, leaves_starts_alone
from mtok_export.lowering.cuts.folded import Relation
from mtok_export.lowering.cuts.merging import symbols_of
from mtok_export.lowering.cuts.word_list import word_list
from mtok_export.lowering.regex.program import Program
from mtok_export.packed_tokens import chained
from mtok_export.records import dataclass

MIN_TOKENS = 64
"""Fewer than this are searched for in less time than a further pattern takes."""

PRINTABLE = frozenset(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True)
class Taught:
    """A model that yields further tokens, those that are still to be searched for, and a pattern for the others."""

    model: Bpe
    searched: tuple[AddedToken, ...]
    pieces: Program


def teach(
    tokens: Sequence[AddedToken], model: Bpe, relation: Relation, steps: Normalizers, records: PreTokenizers
) -> Taught | None:
    """Teach a model as many added tokens as possible.

    Args:
        tokens: those that are searched for.
        model: the model of the file.
        relation: what the pattern joins, as ``pattern.coarse`` made it.
        steps: the normalizers, one after another.
        records: the pre-tokenizers.

    Returns:
        ``None`` where there are too few to gain anything.
    """
    candidates = [token for token in _apart(tokens) if _passes(token, model, steps, records)]
    if len(candidates) < MIN_TOKENS:
        return None
    speller = _Speller(model, relation)
    spelt = {token: symbols for token in candidates if (symbols := speller.spelling(token.content)) is not None}
    first = frozenset(symbols[0] for symbols in spelt.values())
    spelt = {token: symbols for token, symbols in spelt.items() if first.isdisjoint(symbols[1:])}
    prefixes = {prefix for symbols in spelt.values() for prefix in _prefixes(symbols)}
    known = frozenset(prefix for prefix in prefixes if model.vocab.id_of(prefix) is not None)
    if known:
        spelt = {token: symbols for token, symbols in spelt.items() if known.isdisjoint(_prefixes(symbols))}
    if len(spelt) < MIN_TOKENS:
        return None
    size = 1 + max(max(model.vocab.ids), max(token.id for token in tokens))
    searched = tuple(token for token in tokens if token not in spelt)
    pieces = word_list([token.content for token in spelt])
    return Taught(_with_merges(model, list(spelt.values()), size), searched, pieces)


def _apart(tokens: Sequence[AddedToken]) -> list[AddedToken]:
    """Those that overlap with no token, in whatever text."""
    contents = sorted(token.content for token in tokens if token.content)
    inner = frozenset(char for content in contents for char in content[1:])
    first = frozenset(content[0] for content in contents)
    beginnings = {one for one, other in pairwise(contents) if other.startswith(one)}
    begun = {content for content in contents if any(map(content.startswith, beginnings))}
    return [
        token
        for token in tokens
        if token.content
        and token.content[0] not in inner
        and first.isdisjoint(token.content[1:])
        and token.content not in begun
    ]


def _passes(token: AddedToken, model: Bpe, steps: Normalizers, records: PreTokenizers) -> bool:
    """Whether a token reaches the model as it is, and nothing else becomes it on the way."""
    chars = frozenset(token.content)
    return (
        not (token.special or token.lstrip or token.rstrip)
        and chars <= PRINTABLE
        and model.vocab.id_of(token.content) == token.id
        and all(leaves_alone(chars, step) for step in steps)
        and all(leaves_starts_alone(chars, record) for record in records)
    )


class _Speller:
    """Works out what is left of texts when nothing more can be merged; between two cuts, once for all."""

    def __init__(self, model: Bpe, relation: Relation) -> None:
        self._model = model
        self._relation = relation
        self._known: dict[str, tuple[str, ...] | None] = {}

    def spelling(self, text: str) -> tuple[str, ...] | None:
        """The symbols of a text, if they are all entries, and there is a cut behind the first one."""
        first, *others = self._pieces(text)
        symbols: list[str] = []
        for piece in (first, *others):
            if piece not in self._known:
                self._known[piece] = symbols_of(piece, self._model)
            found = self._known[piece]
            if found is None:
                return None
            symbols += found
        return tuple(symbols) if others and symbols[0] == first else None

    def _pieces(self, text: str) -> list[str]:
        starts = [
            place
            for place, (left, right) in enumerate(pairwise(text), 1)
            if not self._relation[ord(left)] >> ord(right) & 1
        ]
        return [text[start:end] for start, end in pairwise((0, *starts, len(text)))]


def _prefixes(symbols: Sequence[str]) -> list[str]:
    return list(accumulate(symbols))[1:-1]


def _with_merges(model: Bpe, spellings: Sequence[Sequence[str]], size: int) -> Bpe:
    """The model with the merges that put symbols together, and an entry for each step on the way, from an id on."""
    steps = sorted({prefix for symbols in spellings for prefix in _prefixes(symbols)})
    new = {prefix: size + place for place, prefix in enumerate(steps)}

    @cache
    def id_for(token: str) -> int:
        found = new.get(token) or model.vocab.id_of(token)
        assert found is not None, "symbols and tokens are entries"
        return found

    joined = {pair for symbols in spellings for pair in zip(accumulate(symbols), symbols[1:], strict=False)}
    pairs = [(id_for(left), id_for(right)) for left, right in joined]
    return replace(model, vocab=_with_entries(model.vocab, new, size), merges=_with_pairs(model.merges, sorted(pairs)))


def _with_entries(vocab: Vocab, new: Mapping[str, int], size: int) -> Vocab:
    """The entries with new ones, and empty ones for ids between that are those of added tokens without an entry."""
    if not new:
        return vocab
    holes = range(max(vocab.ids) + 1, size)
    start, end = bisect_left(vocab.tokens, min(new)), bisect_right(vocab.tokens, max(new))
    rows = sorted((*zip(vocab.tokens[start:end], vocab.ids[start:end], strict=True), *new.items()))
    tokens = ("",) * len(holes), vocab.tokens[:start], tuple(token for token, _ in rows), vocab.tokens[end:]
    ids = array("I", holes) + vocab.ids[:start] + array("I", [id_ for _, id_ in rows]) + vocab.ids[end:]
    return Vocab(chained(tokens), ids)


def _with_pairs(merges: Merges, pairs: Sequence[tuple[int, int]]) -> Merges:
    """The merges with new ones, which come after all others."""
    left, right, rank = (array("I", column) for column in (merges.left, merges.right, merges.rank))
    rank_of_first = max(rank, default=-1) + 1
    for place, (one, other) in enumerate(pairs):
        start, end = bisect_left(left, one), bisect_right(left, one)
        at = bisect_left(right, other, start, end)
        left.insert(at, one)
        right.insert(at, other)
        rank.insert(at, rank_of_first + place)
    return Merges(left, right, rank)
