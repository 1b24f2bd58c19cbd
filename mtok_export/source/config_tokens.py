"""The tokens that the config files add to a vocabulary, where no ``tokenizer.json`` has the last word on them.

As ``transformers`` does it: ``added_tokens_decoder`` of tokenizer_config.json states ids and flags; without it
``added_tokens.json`` states ids.  Tokens that are named by a role, or listed as further special tokens, and stand
nowhere else get the next ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from mtok_export.errors import SourceError
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.documents import special_token
from mtok_export.source.json_values import JsonObject, quote, unsigned
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.settings import Notice
from mtok_export.source.special_tokens import is_decimal, named_token

ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""The roles in the order in which ``transformers`` adds their tokens."""

_LISTS = ("additional_special_tokens", "extra_special_tokens")
_FLAGS = ("lstrip", "rstrip", "single_word")


@dataclass(frozen=True)
class ConfigTokens:
    """What the config files make of a vocabulary: the added tokens, the token of each role, and notices."""

    tokens: tuple[AddedToken, ...]
    roles: Mapping[str, str]
    notices: tuple[Notice, ...] = ()

    def id_of(self, content: str, vocab: Mapping[str, int]) -> int | None:
        """The id of a token: of an added one, or else of one in the vocab."""
        return next((token.id for token in self.tokens if token.content == content), vocab.get(content))


def config_tokens(
    files: ConfigFiles,
    vocab: Mapping[str, int],
    name: str,
    *,
    defaults: Mapping[str, AddedToken],
    add_defaults: bool = False,
    known: Sequence[AddedToken] = (),
) -> ConfigTokens:
    """Gather the added tokens.

    Args:
        files: the config files.
        vocab: the vocabulary, token -> id.
        name: the vocabulary's file, for messages.
        defaults: what a tokenizer class takes for a role that no file names, role -> token (its id does not count).
        add_defaults: whether one that the vocabulary does not hold gets a new id, as in ``transformers``; otherwise it
            is left out.
        known: tokens that the vocabulary is known to have; the files may give their ids to others.

    Raises:
        SourceError: a token that states the id of another one, or is described wrongly.
    """
    stated = _stated(files)
    taken = {token.id for token in stated.values()}
    given = {token.content: token for token in known if token.content not in stated and token.id not in taken}
    present = {*vocab, *stated, *given}
    defaults = {role: token for role, token in defaults.items() if add_defaults or token.content in present}
    named = dict(_named(files, defaults))
    notices = [*_other_ids(stated, vocab, name)]
    special = {token.content for token in named.values()} | {token.content for token in _listed(files)}
    with_flags = (*_legacy_flags(files, stated, special), *given.values())
    tokens = {token.content: token for token in _with_vocab_ids(with_flags, vocab)}
    _refuse_taken_ids(tokens, vocab, name)
    free = count(max((*vocab.values(), *(token.id for token in tokens.values())), default=-1) + 1)
    for token in (*named.values(), *_listed(files)):
        if token.content not in tokens:
            token_id = vocab.get(token.content)
            tokens[token.content] = replace(token, id=next(free) if token_id is None else token_id)
            if token_id is None:
                problem = f"{quote(token.content)} has no id anywhere and gets the next one"
                notices.append(Notice(name, f"{problem}, {tokens[token.content].id}, as in transformers"))
    roles = {role: token.content for role, token in named.items()}
    return ConfigTokens(tuple(tokens.values()), roles, tuple(notices))


def contents(files: ConfigFiles, name: str) -> frozenset[str]:
    """The contents of the tokens that the config files add to any vocabulary; the errors are those of above."""
    nothing: dict[str, int] = {}
    return frozenset(token.content for token in config_tokens(files, nothing, name, defaults={}).tokens)


# --- tokens that state their ids --------------------------------------------------------------------------------------


def _stated(files: ConfigFiles) -> dict[str, AddedToken]:
    """The tokens with ids of their own, by content."""
    config = files.tokenizer_config
    if config is not None and config.has("added_tokens_decoder"):
        return _of_decoder(config.object("added_tokens_decoder"))
    table = files.added_tokens
    if table is None:
        return {}
    return {content: special_token(content, table.unsigned(content)) for content in table.items if content}


def _of_decoder(decoder: JsonObject) -> dict[str, AddedToken]:
    tokens: dict[str, AddedToken] = {}
    for key, entry in decoder.members():
        if not is_decimal(key):
            raise decoder.error(key, f"the key must be an id, not {quote(key)}")
        token = _described(entry, unsigned(int(key), decoder.at(key)), special=False)
        if token.content in tokens:
            other = tokens[token.content].id
            raise decoder.error(key, f"{quote(token.content)} has the id {other} already; a token has one id")
        if token.content:
            tokens[token.content] = token
    return tokens


def _described(entry: JsonObject, token_id: int, *, special: bool) -> AddedToken:
    """A token written as an object; ``transformers`` takes a missing flag for false, ``normalized`` for true."""
    special = entry.boolean("special", default=special)
    lstrip, rstrip, single_word = (entry.boolean(flag, default=False) for flag in _FLAGS)
    normalized = entry.boolean("normalized", default=True)
    return AddedToken(token_id, entry.string("content"), special, single_word, lstrip, rstrip, normalized)


def _legacy_flags(files: ConfigFiles, stated: Mapping[str, AddedToken], special: set[str]) -> Iterator[AddedToken]:
    """Of ``added_tokens.json`` those are special that are named elsewhere too; only the others are normalized."""
    config = files.tokenizer_config
    legacy = config is None or not config.has("added_tokens_decoder")
    for token in stated.values():
        if legacy:
            is_special = token.content in special
            yield replace(token, special=is_special, normalized=not is_special)
        else:
            yield replace(token, special=token.special or token.content in special)


def _with_vocab_ids(tokens: Iterable[AddedToken], vocab: Mapping[str, int]) -> Iterator[AddedToken]:
    for token in tokens:
        token_id = vocab.get(token.content, token.id)
        yield token if token_id == token.id else replace(token, id=token_id)


def _other_ids(stated: Mapping[str, AddedToken], vocab: Mapping[str, int], name: str) -> Iterator[Notice]:
    """Where the vocabulary gives a token another id; the ``tokenizers`` library believes the vocabulary."""
    other = [token for token in stated.values() if vocab.get(token.content, token.id) != token.id]
    if other:
        token = other[0]
        example = f"{quote(token.content)} ({token.id} there, {vocab[token.content]} here)"
        yield Notice(name, f"{len(other)} tokens of the config have another id here, which counts: {example}")


def _refuse_taken_ids(tokens: Mapping[str, AddedToken], vocab: Mapping[str, int], name: str) -> None:
    new = {token.id: token.content for token in tokens.values() if token.content not in vocab}
    if len(new) < sum(content not in vocab for content in tokens):
        seen: dict[int, str] = {}
        for content, token in tokens.items():
            if content not in vocab and seen.setdefault(token.id, content) != content:
                problem = f"the id {token.id} is given to {quote(seen[token.id])} and to {quote(content)}"
                raise SourceError(problem, where=name, hint="mend the config files")
    if new and vocab and min(new) <= max(vocab.values()):
        for content, token_id in vocab.items():
            if token_id in new:
                problem = (
                    f"the id {token_id} belongs to {quote(content)}, and to the added token {quote(new[token_id])}"
                )
                raise SourceError(problem, where=name, hint="mend the config files")


# --- tokens that are named --------------------------------------------------------------------------------------------


def _named(files: ConfigFiles, defaults: Mapping[str, AddedToken]) -> Iterator[tuple[str, AddedToken]]:
    """The token of each role, from the files or else from the defaults; its id does not count yet."""
    for role in ROLES:
        if any(source is not None and role in source.items for source in _naming(files)):
            found, _ = named_token(files, role)
            if found is not None:
                yield role, _flagged(files, role, found.content)
        elif role in defaults:
            yield role, defaults[role]


def _naming(files: ConfigFiles) -> tuple[JsonObject | None, ...]:
    config = files.tokenizer_config
    if config is not None and "added_tokens_decoder" in config.items:
        return (config,)
    return config, files.special_tokens_map


def _flagged(files: ConfigFiles, role: str, content: str) -> AddedToken:
    """A named token with the flags of the object that names it; a bare string has none."""
    for source in reversed(_naming(files)):
        value = None if source is None else source.items.get(role)
        if source is not None and isinstance(value, dict) and value.get("content") == content:
            return replace(_described(source.object(role), 0, special=True), special=True)
    return special_token(content, 0)


def _of_role(roles: JsonObject, role: str) -> AddedToken:
    value = roles.items[role]
    if isinstance(value, dict):
        return replace(_described(roles.object(role), 0, special=True), special=True)
    return special_token(roles.string(role), 0)


def _listed(files: ConfigFiles) -> Iterator[AddedToken]:
    """The further special tokens, which have no role; as strings, or as objects with flags."""
    for source in _naming(files):
        for key in _LISTS:
            value = None if source is None else source.items.get(key)
            if source is None or value is None:
                continue
            if isinstance(value, dict):  # role -> content, or an object with flags
                roles = source.object(key)
                yield from (_of_role(roles, role) for role in roles.items)
                continue
            for i, member in enumerate(source.array(key)):
                if isinstance(member, dict):
                    yield replace(_described(source.element(key, i), 0, special=True), special=True)
                elif isinstance(member, str) and member:
                    yield special_token(member, 0)
                else:
                    raise source.error(key, "a list of strings (or objects with a content) is needed here")
