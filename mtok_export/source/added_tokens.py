"""The added tokens of ``tokenizer.json``, with the ids that the ``tokenizers`` library gives them.

The library does not believe the ids of the file.  Found by asking it (0.22 and 0.23 agree on thousands of random
cases): a token whose content the model's vocab holds has the vocab's id; every other one gets the next id, counted from
the size of the vocab (not from its highest id), in the order of the file.  Up to 0.21 the count went on behind the
highest id of the added tokens so far, those of the vocab included, once that had passed the size of the vocab.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.components import check_fields
from mtok_export.source.json_values import U32_MAX, JsonObject, quote
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.settings import Notice

_FIELDS = ("id", "content", "special", "single_word", "lstrip", "rstrip", "normalized")
_TYPES = (int, str, bool, bool, bool, bool, bool)
_values_of: Callable[[dict[str, Any]], tuple[Any, ...]] = itemgetter(*_FIELDS)


def load_added_tokens(
    source: JsonObject, vocab: Mapping[str, int], vocab_ids: Collection[int], size: int, notices: list[Notice]
) -> tuple[AddedToken, ...]:
    """Read the added tokens, in the order of the file.

    Args:
        source: the object of the whole file.
        vocab: the model's vocab, token -> id.
        vocab_ids: all ids of it.
        size: the number of its entries.
        notices: gets what the library changes or drops.

    Raises:
        SourceError: for a token with a missing, unknown or wrong field, and for two with one content but different
            flags (the library then uses some flags of the first and some of the second).
    """
    if "added_tokens" not in source.items:
        return ()
    path = source.at("added_tokens")
    stated = _flawless(source.array("added_tokens"))
    if stated is None:
        stated = _one_by_one(source, path, notices)
    tokens = _with_library_ids(stated, vocab, size)
    notices.extend(_changed_ids(stated, tokens, path))
    notices.extend(_taken_ids(tokens, vocab, vocab_ids, path))
    notices.extend(_ids_of_older_library(tokens, vocab, size, path))
    return tokens


def _flawless(raw: list[Any]) -> list[AddedToken] | None:
    """All tokens, where each has the right fields and a content of its own; there may be thousands."""
    if set(map(type, raw)) != {dict} or set(map(len, raw)) != {len(_FIELDS)}:
        return None
    try:
        rows = list(map(_values_of, raw))
    except KeyError:
        return None
    columns = list(zip(*rows, strict=True))
    if any(set(map(type, column)) != {wanted} for column, wanted in zip(columns, _TYPES, strict=True)):
        return None
    ids, contents = columns[0], set(columns[1])
    if "" in contents or len(contents) < len(rows) or not 0 <= min(ids) <= max(ids) <= U32_MAX:
        return None
    return list(starmap(AddedToken, rows))


def _one_by_one(source: JsonObject, path: str, notices: list[Notice]) -> list[AddedToken]:
    """The tokens of a list with flaws: those without content and all but the first of each content are left out."""
    kept: dict[str, AddedToken] = {}
    empty = repeated = 0
    for i in range(len(source.array("added_tokens"))):
        token = _load_token(source, i)
        before = kept.setdefault(token.content, token)
        if not token.content:
            empty += 1
        elif before is not token:
            repeated += 1
            if _flags(before) != _flags(token):
                problem = f"{quote(token.content)} stands there a second time, with other flags"
                raise SourceError(problem, where=f"{path}[{i}]", hint="keep one of the two")
    kept.pop("", None)
    if empty:
        notices.append(Notice(path, f"{empty} added tokens have no content; the tokenizers library drops them too"))
    if repeated:
        notices.append(Notice(path, f"{repeated} added tokens stand there more than once; the first of each counts"))
    return list(kept.values())


def _load_token(source: JsonObject, i: int) -> AddedToken:
    token = source.element("added_tokens", i)
    check_fields(token, frozenset(_FIELDS), "added token", "")
    flags = [token.boolean(name) for name in _FIELDS[2:]]
    return AddedToken(token.unsigned("id"), token.string("content"), *flags)


def _flags(token: AddedToken) -> tuple[bool, ...]:
    return token.special, token.single_word, token.lstrip, token.rstrip, token.normalized


def _with_library_ids(stated: Sequence[AddedToken], vocab: Mapping[str, int], size: int) -> tuple[AddedToken, ...]:
    tokens = []
    next_id = size
    for token in stated:
        token_id = vocab.get(token.content)
        if token_id is None:
            token_id = next_id
            next_id += 1
        tokens.append(token if token.id == token_id else AddedToken(token_id, token.content, *_flags(token)))
    return tuple(tokens)


def _changed_ids(stated: Sequence[AddedToken], tokens: Sequence[AddedToken], path: str) -> list[Notice]:
    changed = [(before, after) for before, after in zip(stated, tokens, strict=True) if before.id != after.id]
    if not changed:
        return []
    examples = ", ".join(f"{quote(after.content)}: {before.id} -> {after.id}" for before, after in changed[:3])
    explanation = "the tokenizers library takes the id from the vocab, or else counts on from the vocab's size"
    return [Notice(path, f"{len(changed)} added tokens do not have the id they state ({examples}): {explanation}")]


def _taken_ids(
    tokens: Sequence[AddedToken], vocab: Mapping[str, int], vocab_ids: Collection[int], path: str
) -> list[Notice]:
    new = {token.id: token.content for token in tokens if token.content not in vocab and token.id in vocab_ids}
    taken = [(token, token_id) for token, token_id in vocab.items() if token_id in new] if new else []
    if not taken:
        return []
    token, token_id = taken[0]
    example = f"{token_id} belongs to {quote(token)} of the vocab and to the added token {quote(new[token_id])}"
    return [Notice(path, f"{len(taken)} ids belong to two tokens ({example}), as in the tokenizers library")]


def _ids_of_older_library(tokens: Sequence[AddedToken], vocab: Mapping[str, int], size: int, path: str) -> list[Notice]:
    highest = -1
    for token in tokens:
        old_id = vocab.get(token.content, max(highest + 1, size))
        if old_id != token.id:
            problem = f"tokenizers before 0.22 gives {quote(token.content)} the id {old_id}, newer versions {token.id}"
            return [Notice(path, f"{problem} (some ids of the vocab are higher than its size)")]
        highest = max(highest, old_id)
    return []
