"""The parts of a ``tokenizer.json`` that is made of another source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtok_export.source.pipeline import AddedToken

Json = dict[str, Any]
RoledToken = tuple[str, int]
"""The content of a token and its id."""


def document(
    model: Json,
    *,
    normalizer: Json | None = None,
    pre_tokenizer: Json | None = None,
    post_processor: Json | None = None,
    decoder: Json | None = None,
    added_tokens: Sequence[AddedToken] = (),
) -> Json:
    """The content of a whole file.

    A token has the id that it states: where the ``tokenizers`` library would count to another one, the tokens are put
    into the model's vocab (which is changed), since it takes ids from there first.
    """
    tokens = sorted(added_tokens, key=lambda token: token.id)
    if isinstance(model["vocab"], dict):  # that of a Unigram model is a list, where an id is a position
        _keep_ids(model["vocab"], tokens)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_token(token) for token in tokens],
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": post_processor,
        "decoder": decoder,
        "model": model,
    }


def _keep_ids(vocab: dict[str, int], tokens: Sequence[AddedToken]) -> None:
    """The library counts on from the size of the vocab, in the order of the file."""
    new = [token for token in tokens if token.content not in vocab]
    if any(token.id != len(vocab) + i for i, token in enumerate(new)):
        vocab.update((token.content, token.id) for token in new)


def _added_token(token: AddedToken) -> Json:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def special_token(content: str, token_id: int, *, lstrip: bool = False) -> AddedToken:
    """A special token as ``transformers`` makes one of a bare string."""
    return AddedToken(token_id, content, special=True, single_word=False, lstrip=lstrip, rstrip=False, normalized=False)


# --- components -------------------------------------------------------------------------------------------------------


def byte_level(*, add_prefix_space: bool = False, trim_offsets: bool = True, use_regex: bool = True) -> Json:
    """A ByteLevel, for any slot."""
    flags = {"add_prefix_space": add_prefix_space, "trim_offsets": trim_offsets, "use_regex": use_regex}
    return {"type": "ByteLevel", **flags}


def bpe(
    vocab: Mapping[str, int],
    merges: Sequence[object],
    *,
    unk_token: str | None = None,
    end_of_word_suffix: str | None = None,
    fuse_unk: bool = False,
    byte_fallback: bool = False,
    ignore_merges: bool = False,
) -> Json:
    """A BPE model; ``merges`` as ``tokenizer.json`` has them, in order of rank."""
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unk_token,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": end_of_word_suffix,
        "fuse_unk": fuse_unk,
        "byte_fallback": byte_fallback,
        "ignore_merges": ignore_merges,
        "vocab": vocab,
        "merges": merges,
    }


def split(pattern: str, behavior: str = "Isolated", *, invert: bool = False) -> Json:
    """A Split by a pattern in the words of Oniguruma."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


def split_to_bytes(pattern: str, *, add_prefix_space: bool = False, drops_gaps: bool = False) -> Json:
    """The pre-tokenizer that splits by a pattern (in the words of Oniguruma), then turns to the byte alphabet.

    What the pattern does not match stays, or (``drops_gaps``) is left out.
    """
    bytes_ = byte_level(add_prefix_space=add_prefix_space, trim_offsets=False, use_regex=False)
    step = split(pattern, "Removed", invert=True) if drops_gaps else split(pattern)
    return {"type": "Sequence", "pretokenizers": [step, bytes_]}


def template(before: Sequence[RoledToken], after: Sequence[RoledToken], *, between: Sequence[RoledToken] = ()) -> Json:
    """A TemplateProcessing: ``before A after``, and for a pair ``before A between B after``."""

    def pieces(tokens: Sequence[RoledToken], type_id: int) -> list[Json]:
        return [{"SpecialToken": {"id": content, "type_id": type_id}} for content, _ in tokens]

    first: Json = {"Sequence": {"id": "A", "type_id": 0}}
    second: Json = {"Sequence": {"id": "B", "type_id": 1}}
    tokens = dict((*before, *between, *after))
    return {
        "type": "TemplateProcessing",
        "single": [*pieces(before, 0), first, *pieces(after, 0)],
        "pair": [*pieces(before, 0), first, *pieces(between, 0), second, *pieces(after, 1)],
        "special_tokens": {
            content: {"id": content, "ids": [token_id], "tokens": [content]} for content, token_id in tokens.items()
        },
    }
