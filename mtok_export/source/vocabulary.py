"""The ``vocab`` of a model: checked at the speed of C, since it may hold hundreds of thousands of entries."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Set
from itertools import chain, islice
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.json_values import U32_MAX, JsonObject, child_path, quote, unsigned, wrong_type
from mtok_export.source.scored_vocab import ScoredVocab
from mtok_export.source.settings import Notice

_PROBED_HOLES = 64
"""How many of the ids without a token are searched for in the file's text, to find tokens that stand there twice."""


def load_id_vocab(source: JsonObject, data: bytes, notices: list[Notice]) -> tuple[dict[str, int], Collection[int]]:
    """Read a vocab that is an object, token -> id.

    Args:
        source: the model's object.
        data: the text of the whole file, in which repeated tokens are looked for.
        notices: gets what is odd about the ids: several tokens with one id, a token that stands there twice.

    Returns:
        The vocab, and its ids: a range where none is left out, which then need not be looked through.

    Raises:
        SourceError: for an id that is no integer from 0 to 2**32 - 1.
    """
    vocab: dict[str, Any] = source.object("vocab").items
    ids = vocab.values()
    if counts_up(ids):
        return vocab, range(len(vocab))  # as nearly all do
    if set(map(type, ids)) - {int} or not 0 <= min(ids) <= max(ids) <= U32_MAX:
        for token, token_id in vocab.items():
            unsigned(token_id, child_path(source.at("vocab"), token))
    distinct = frozenset(ids)
    if len(distinct) < len(vocab):
        notices.append(_shared_ids(vocab, source.at("vocab")))
    if max(distinct) >= len(distinct):
        notices.extend(_repeated_tokens(distinct, data, source.at("vocab")))
    return vocab, distinct


def counts_up(ids: Collection[Any]) -> bool:
    """Whether some values are the integers 0, 1, 2 and so on, in this order."""
    try:
        found = array("I", ids)
    except (OverflowError, TypeError):  # a number that is negative or too large, or none
        return False
    # An array takes truth values for 0 and 1, and nothing else that is no integer.
    return found == array("I", range(len(ids))) and bool not in map(type, islice(ids, 2))


def _shared_ids(vocab: dict[str, int], path: str) -> Notice:
    counts = Counter(vocab.values())
    shared = next(token_id for token_id, count in counts.items() if count > 1)
    tokens = [token for token, token_id in vocab.items() if token_id == shared]
    examples = ", ".join(quote(token) for token in tokens[:3])
    return Notice(
        path,
        f"{sum(count > 1 for count in counts.values())} ids belong to several tokens, such as {shared} to {examples}; "
        "which of them the tokenizers library decodes it to changes from run to run",
    )


def _repeated_tokens(ids: Set[int], data: bytes, path: str) -> list[Notice]:
    """Find tokens that the JSON object holds twice.  All parsers, the library's too, keep the last one.

    The id of the one that is lost is then missing.  So the text is searched for ``: id`` with the first few missing
    ids; only when one is found is the file parsed again, slowly, with repeated keys kept.
    """
    holes = list(islice((i for i in range(max(ids)) if i not in ids), _PROBED_HOLES))
    wanted = b"|".join(str(i).encode() for i in holes)
    if not re.search(rb":\s*(?:" + wanted + rb")\s*[,}]", data):
        return []
    repeated: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and set(map(type, found.values())) == {int} and set(found.values()) == ids:
            counts = Counter(key for key, _ in pairs)
            repeated.extend(key for key, count in counts.items() if count > 1)
        return found

    json.loads(data, object_pairs_hook=keep)
    if not repeated:
        return []
    examples = ", ".join(quote(token) for token in repeated[:3])
    return [Notice(path, f"{len(repeated)} tokens stand there more than once, such as {examples}; the last id counts")]


def holes_notice(vocab_ids: Collection[int], added_ids: Iterable[int], path: str) -> list[Notice]:
    """Say which ids below the highest one no token has, of the vocab (a range, where an id is a position) or added."""
    if isinstance(vocab_ids, range):
        beyond = {token_id for token_id in added_ids if token_id not in vocab_ids}
        if max(beyond, default=-1) < len(vocab_ids) + len(beyond):
            return []
        added_ids = beyond
    distinct = {*vocab_ids, *added_ids}
    if not distinct or max(distinct) < len(distinct):
        return []
    count = max(distinct) + 1 - len(distinct)
    first = ", ".join(str(i) for i in islice(_missing(distinct), 3))
    return [Notice(path, f"{count} ids below the highest one, {max(distinct)}, have no token; the first are {first}")]


def _missing(ids: set[int]) -> Iterable[int]:
    return (i for i in range(max(ids)) if i not in ids)


def load_scored_vocab(source: JsonObject, notices: list[Notice]) -> ScoredVocab:
    """Read the vocab of a Unigram: an array of ``[piece, score]``, where an id is a position.

    A score is the floating point number nearest to the text, as Python's parser reads it.  That of the ``tokenizers``
    library rounds twice, and is off by the last bit in one of four scores that are written with all their digits.

    Args:
        source: the model's object; its vocab is taken out of it, for it is most of what was parsed.
        notices: gets what is odd about the pieces: one that stands there twice.

    Raises:
        SourceError: for an item that is no pair of a string and a finite number.
    """
    items = source.array("vocab")
    path = source.at("vocab")
    if set(map(type, items)) - {list} or set(map(len, items)) - {2}:
        _find_bad_item(items, path)
    columns = tuple(chain.from_iterable(items))
    pieces, scores = columns[0::2], columns[1::2]
    if set(map(type, pieces)) - {str} or set(map(type, scores)) - {float, int}:
        _find_bad_item(items, path)
    vocab = ScoredVocab(pieces, array("d", scores))
    del items, columns, scores, source.items["vocab"]
    repeated = len(vocab) - len(vocab.ids)
    if repeated:
        example = next(piece for piece, count in Counter(vocab.pieces).items() if count > 1)
        problem = f"{repeated} pieces stand there more than once, such as {quote(example)}"
        notices.append(Notice(path, f"{problem}; the tokenizers library finds the last one"))
    return vocab


def _find_bad_item(items: list[Any], path: str) -> None:
    for i, item in enumerate(items):
        if not isinstance(item, list) or len(item) != 2:
            raise wrong_type(item, "an array of a piece and its score", f"{path}[{i}]")
        if not isinstance(item[0], str):
            raise wrong_type(item[0], "a string", f"{path}[{i}][0]")
        if isinstance(item[1], bool) or not isinstance(item[1], (int, float)) or not math.isfinite(item[1]):
            raise wrong_type(item[1], "a number", f"{path}[{i}][1]")
    raise SourceError("an item is damaged", where=path)
