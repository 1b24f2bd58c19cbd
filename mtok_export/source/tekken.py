"""``tekken.json``, the tokenizer file of Mistral, as the library mistral-common reads it.

Its ranks are those of tiktoken.  The ids begin with a block of special tokens, so the id of a rank is the rank plus the
size of that block.  mistral-common never finds a special token in a text: it puts their ids together itself.  Here, as
in the conversion by ``transformers``, a text that spells one gives its id, since an engine gets conversations as text.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.byte_ranks import ranked_model
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.conversion import Converted, Defaults, Owner
from mtok_export.source.documents import byte_level, document, special_token, split_to_bytes, template
from mtok_export.source.json_values import JsonObject, parse_object, paused_gc, quote, wrong_type
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.rust_pattern import to_oniguruma
from mtok_export.source.settings import Notice

BOS, EOS = "<s>", "</s>"

MOST_SPECIAL_TOKENS = 100_000
"""Mistral's files have 1,000."""

LAST_VERSION_WITHOUT_SPECIAL_TOKENS = 7
"""Files of later versions have to list their special tokens."""

DEFAULT_SPECIAL_TOKENS = (
    *("<unk>", BOS, EOS, "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"),
)
"""The special tokens of a file that lists none, in the order of their ids (read off mistral-common 1.13)."""

KNOWN_VERSIONS = ("v1", "v2", "v3", "v7", "v11", "v13", "v15")
"""Versions that mistral-common 1.13 reads.  They change how conversations are written, and no id of a text."""

NOT_OF_TEXT: Mapping[str, str] = {
    "image": "how images become tokens",
    "multimodal": "how images become tokens",
    "audio": "how sound becomes tokens",
    "model_settings_builder": "how settings of the model are written into a conversation",
}
"""Parts of a file that say nothing about text: field -> what they are about."""

_FIELDS = frozenset(("config", "vocab", "special_tokens", "version", "type", *NOT_OF_TEXT))
_BYTES = 256


def read_tekken(data: bytes, name: str, files: ConfigFiles) -> Converted:
    """Read a ``tekken.json``.

    Args:
        data: the whole file.
        name: its name, for messages.
        files: the config files beside it, which add nothing to this format.

    Returns:
        The ``tokenizer.json`` with the same ids, and the token that mistral-common puts in front of a conversation.

    Raises:
        SourceError: for what mistral-common would refuse, with its JSON path.
    """
    del files
    source = parse_object(data, name)
    config = source.object("config")
    size = config.unsigned("default_vocab_size")
    specials = config.unsigned("default_num_special_tokens")
    if specials > size:
        problem = f"{specials} special tokens do not fit into a vocabulary of {size}"
        raise config.error("default_num_special_tokens", problem)
    if specials > MOST_SPECIAL_TOKENS:
        problem = f"{specials:,} special tokens are more than any model has; up to {MOST_SPECIAL_TOKENS:,} are read"
        raise config.error("default_num_special_tokens", problem)
    tokens = _special_tokens(source, config, specials)
    with paused_gc():
        ranks = _ranks(source, size - specials)
        made = ranked_model(ranks, source.at("vocab"), first_id=specials, reserved={token.content for token in tokens})
    ids = {token.content: token.id for token in tokens}
    pattern = config.string("pattern")
    whole = document(
        made.model,
        pre_tokenizer=split_to_bytes(to_oniguruma(pattern, config.at("pattern"))),
        post_processor=template([(BOS, ids[BOS])], ()) if BOS in ids else None,
        decoder=byte_level(),
        added_tokens=tokens,
    )
    defaults = Defaults(BOS if BOS in ids else None, EOS if EOS in ids else None)
    notices = (*made.notices, *_notices(source, config, len(ranks)))
    return Converted(whole, Owner.MISTRAL_COMMON, data, pattern=pattern, notices=notices, defaults=defaults)


def _special_tokens(source: JsonObject, config: JsonObject, count: int) -> tuple[AddedToken, ...]:
    """The block of special tokens; ids that the file gives to none are ``<SPECIAL_id>``."""
    stated: dict[int, str] = {}
    if source.has("special_tokens"):
        entries = source.objects("special_tokens")
        _refuse_too_many(len(entries), count, source.at("special_tokens"))
        for entry in entries:
            rank = entry.unsigned("rank")
            if rank >= len(entries):
                raise entry.error("rank", f"{rank} is out of range; the {len(entries)} of the list count from 0")
            if rank in stated:
                raise entry.error("rank", f"{rank} is the rank of {quote(stated[rank])} already")
            stated[rank] = entry.string("token_str")
    else:
        _refuse_missing_list(source, config)
        _refuse_too_many(len(DEFAULT_SPECIAL_TOKENS), count, config.at("default_num_special_tokens"))
        stated = dict(enumerate(DEFAULT_SPECIAL_TOKENS))
    contents = [stated.get(id_, f"<SPECIAL_{id_}>") for id_ in range(count)]
    seen: dict[str, int] = {}
    for id_, content in enumerate(contents):
        if seen.setdefault(content, id_) != id_ or not content:
            problem = f"the special tokens {seen[content]} and {id_} are both {quote(content)}"
            raise SourceError(
                problem if content else f"the special token {id_} is empty", where=source.at("special_tokens")
            )
    return tuple([special_token(content, id_) for id_, content in enumerate(contents)])


def _refuse_too_many(listed: int, count: int, where: str) -> None:
    if listed > count:
        raise SourceError(f"{listed} special tokens are listed, and there is room for {count}", where=where)


def _refuse_missing_list(source: JsonObject, config: JsonObject) -> None:
    version = config.string("version")
    number = version[1:]
    if not (number.isdecimal() and int(number) <= LAST_VERSION_WITHOUT_SPECIAL_TOKENS):
        problem = f"a file of version {quote(version)} must list its special tokens"
        raise source.error("special_tokens", problem, "fetch a newer tekken.json; mistral-common refuses this one too")


def _ranks(source: JsonObject, count: int) -> dict[bytes, int]:
    """The ranks of the first ``count`` entries; those behind them are not used.

    An entry must state its own position as its rank, and the first 256 are the bytes in order.
    """
    entries = source.array("vocab")
    if len(entries) < count:
        raise source.error("vocab", f"{count} entries are needed, and there are {len(entries)}")
    if count < _BYTES:
        raise source.error("vocab", f"{count} entries are used, which is less than one for each byte")
    ranks: dict[bytes, int] = {}
    for i, entry in enumerate(entries[:count]):
        token = _token(entry, i)
        if token is None or ranks.setdefault(token, i) != i or (i < _BYTES and token != bytes((i,))):
            raise _bad_entry(source, i, ranks)
    return ranks


def _token(entry: Any, i: int) -> bytes | None:
    """The bytes of entry ``i``; ``None`` where anything is wrong with it."""
    try:
        if entry["rank"] != i or isinstance(entry["rank"], bool):
            return None
        return base64.b64decode(entry["token_bytes"], validate=True) or None
    except (TypeError, KeyError, ValueError):
        return None


def _bad_entry(source: JsonObject, i: int, ranks: Mapping[bytes, int]) -> SourceError:
    entry = source.element("vocab", i)
    if entry.unsigned("rank") != i:
        return entry.error("rank", f"{entry.unsigned('rank')} is not the position of the entry, which is {i}")
    text = entry.string("token_bytes")
    try:
        token = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        return entry.error("token_bytes", f"{quote(text)} is no base64: {error}")
    if not token:
        return entry.error("token_bytes", "the token is empty")
    if ranks.get(token, i) != i:
        return entry.error("token_bytes", f"{quote(text)} stands there a second time, after entry {ranks[token]}")
    if i < _BYTES:
        return entry.error("token_bytes", f"{quote(text)} is not the byte 0x{i:02x}, which must have this rank")
    return wrong_type(entry.items, "an entry of the vocabulary", entry.path)


def _notices(source: JsonObject, config: JsonObject, used: int) -> Iterator[Notice]:
    version = config.items.get("version")
    if version not in KNOWN_VERSIONS:
        problem = f"the version {version!r} is newer than what is known here; its ids are read as those of "
        yield Notice(config.at("version"), problem + KNOWN_VERSIONS[-1])
    more = len(source.array("vocab")) - used
    if more:
        yield Notice(source.at("vocab"), f"the last {more} entries are beyond default_vocab_size and not used")
    for field in source.items:
        if field in NOT_OF_TEXT:
            yield Notice(source.at(field), f"{NOT_OF_TEXT[field]} is no part of a tokenizer for text, and left out")
        elif field not in _FIELDS:
            yield Notice(source.at(field), "the field is not known here, and left out")
