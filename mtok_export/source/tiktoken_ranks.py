"""Files of ranks as the library tiktoken reads them: lines of a base64 token, a space, and its rank.

Such a file says neither how texts are split nor which special tokens there are.  Both come from the config files, or
from what is known of the vocabulary (``known_ranks``); a pattern that nobody states is asked for.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from mtok_export.errors import SourceError
from mtok_export.source.byte_ranks import check_single_bytes, ranked_model
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.config_tokens import ConfigTokens, config_tokens, contents
from mtok_export.source.conversion import Converted, Defaults, Owner
from mtok_export.source.documents import Json, byte_level, document, special_token, split_to_bytes, template
from mtok_export.source.json_values import U32_MAX, paused_gc, quote
from mtok_export.source.known_ranks import KNOWN, KnownRanks
from mtok_export.source.rust_pattern import to_oniguruma
from mtok_export.source.settings import Notice

PATTERN_FIELDS = ("pat_str", "pattern")
"""Fields of tokenizer_config.json that hold the pattern; few have one."""

PATTERN_OPTION = "--tiktoken-pattern"
"""The option of the command line that states a pattern."""

_RANK = re.compile(rb"[0-9]{1,10}")

_NOTHING = b"="
"""How the multilingual file of Whisper writes an empty token, on its last line."""


def read_tiktoken(data: bytes, name: str, files: ConfigFiles, *, pattern: str | None = None) -> Converted:
    """Read a file of ranks.

    Args:
        data: the whole file.
        name: its name, for messages.
        files: the config files beside it.
        pattern: the pattern by which texts are split, in the words of tiktoken (its ``pat_str``); it wins over
            everything else.

    Returns:
        The ``tokenizer.json`` with the same ids; ``pattern`` is what tiktoken needs.

    Raises:
        SourceError: for a line that is wrong, with its number; for a pattern that is unknown; for tokens of the config
            files that cannot be.
    """
    ranks = read_ranks(data, name)
    check_single_bytes(ranks, name)
    known = _find_known(data, files)
    stated = _state_pattern(pattern, files, known, name)
    special = {} if known is None else known.ranks.special_tokens(_vocab_size(files))
    made = ranked_model(ranks, name, reserved={*special, *contents(files, name)})
    known_tokens = tuple(special_token(content, id_) for content, id_ in special.items())
    tokens = config_tokens(files, made.model["vocab"], name, defaults={}, known=known_tokens)
    whole = document(
        made.model,
        normalizer={"type": "NFC"} if known is not None and known.composes else None,
        # The known patterns match every text as a whole; tiktoken drops what another one may leave.
        pre_tokenizer=split_to_bytes(to_oniguruma(stated.pattern, stated.where), drops_gaps=not stated.is_known),
        post_processor=_post_processor(known, files, tokens),
        decoder=byte_level(),
        added_tokens=tokens.tokens,
    )
    notices = (*made.notices, *tokens.notices, *_said(known, stated, len(special), name))
    defaults = _defaults(known, tokens)
    return Converted(whole, Owner.TIKTOKEN, data, pattern=stated.pattern, notices=notices, defaults=defaults)


# --- the lines --------------------------------------------------------------------------------------------------------


def read_ranks(data: bytes, name: str) -> dict[bytes, int]:
    """The ranks of a file, token -> rank.

    As in tiktoken a line may end with CR LF, and empty lines are none.

    Raises:
        SourceError: for the first line that is wrong, with its number, and for a file without any.
    """
    ranks: dict[bytes, int] = {}
    with paused_gc():
        lines = data.split(b"\n")
        for line in lines:
            parts = line.split()
            if len(parts) != 2 or _RANK.fullmatch(parts[1]) is None:
                if not parts:
                    continue
                break
            try:
                token = _token(parts[0])
            except binascii.Error:
                break
            rank = int(parts[1])
            if token in ranks or rank > U32_MAX:
                break
            ranks[token] = rank
        else:
            if ranks and len(set(ranks.values())) == len(ranks):
                return ranks
    raise _first_fault(lines, name)


def _token(text: bytes) -> bytes:
    return b"" if text == _NOTHING else base64.b64decode(text, validate=True)


def _first_fault(lines: list[bytes], name: str) -> SourceError:
    """What is wrong with the first bad line."""
    tokens: dict[bytes, int] = {}
    ranks: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fault = _fault(line, tokens, ranks)
        if fault is not None:
            hint = "the file seems to be cut off" if number == len(lines) else "a line is a base64 token and its rank"
            return SourceError(fault, where=f"{name}, line {number}", hint=hint)
        token, rank = line.split()
        tokens[_token(token)] = ranks[int(rank)] = number
    return SourceError("the file is empty; ranks are needed", where=name)


def _fault(line: bytes, tokens: dict[bytes, int], ranks: dict[int, int]) -> str | None:
    """What is wrong with a line; ``tokens`` and ``ranks`` are those of the lines before it, with their lines."""
    shown = quote(line.decode("utf-8", "replace"))
    parts = line.split()
    if len(parts) != 2:
        return f"{shown} has {len(parts)} parts; a token and a rank are needed"
    try:
        token = _token(parts[0])
    except binascii.Error as error:
        return f"the token of {shown} is no base64: {error}"
    if _RANK.fullmatch(parts[1]) is None or int(parts[1]) > U32_MAX:
        return f"the rank of {shown} is no number from 0 to {U32_MAX}"
    if token in tokens:
        return f"the token {parts[0].decode()} stands there a second time, after line {tokens[token]}"
    if int(parts[1]) in ranks:
        return f"the rank {int(parts[1])} stands there a second time, after line {ranks[int(parts[1])]}"
    return None


# --- what is known ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Found:
    """A known vocabulary, and by what it was recognised."""

    ranks: KnownRanks
    by_class: bool

    @property
    def composes(self) -> bool:
        """Only a config says that the vocabulary comes with its own tokenizer, which does more than tiktoken."""
        return self.ranks.nfc and self.by_class


@dataclass(frozen=True)
class _StatedPattern:
    pattern: str
    where: str
    is_known: bool = False


def _find_known(data: bytes, files: ConfigFiles) -> _Found | None:
    classes = set(_classes(files))
    for known in KNOWN:
        if classes.intersection(known.classes):
            return _Found(known, by_class=True)
    digests = {hashlib.sha256(text).hexdigest() for text in (data, data.replace(b"\r\n", b"\n"))}
    for known in KNOWN:
        if digests.intersection(known.sha256):
            return _Found(known, by_class=False)
    return None


def _classes(files: ConfigFiles) -> Iterator[str]:
    """The names of the tokenizer's class: plain, and with the module of the model's own code."""
    config = files.tokenizer_config
    if config is None:
        return
    automatic = config.items.get("auto_map")
    names = automatic.get("AutoTokenizer") if isinstance(automatic, dict) else automatic
    for name in chain([config.items.get("tokenizer_class")], names if isinstance(names, list) else [names]):
        if isinstance(name, str):
            whole = name.rpartition("--")[2]  # "repository--module.Class" names code of another repository
            yield from (whole, whole.rpartition(".")[2])


def _vocab_size(files: ConfigFiles) -> int | None:
    config = files.generation_config
    size = None if config is None else config.items.get("vocab_size")
    return size if isinstance(size, int) else None


def _state_pattern(option: str | None, files: ConfigFiles, known: _Found | None, name: str) -> _StatedPattern:
    if option is not None:
        return _StatedPattern(option, PATTERN_OPTION)
    config = files.tokenizer_config
    if config is not None:
        for field in PATTERN_FIELDS:
            if config.has(field):
                return _StatedPattern(config.string(field), config.at(field))
    if known is not None:
        return _StatedPattern(known.ranks.pattern, f"{name}: the pattern of {known.ranks.name}", is_known=True)
    problem = "this vocabulary is not known, and no file says by which pattern its texts are split"
    hint = f"give the pat_str of its tiktoken encoding with {PATTERN_OPTION}"
    raise SourceError(problem, where=name, hint=hint)


def _post_processor(known: _Found | None, files: ConfigFiles, tokens: ConfigTokens) -> Json | None:
    """What the vocabulary's own tokenizer puts in front of a text, unless the config asks for none."""
    config = files.tokenizer_config
    if known is None or (config is not None and config.optional_boolean("add_bos_token") is False):
        return None
    ids = {token.content: token.id for token in tokens.tokens}
    before = [(content, ids[content]) for content in known.ranks.before if content in ids]
    return template(before, ()) if before else None


def _defaults(known: _Found | None, tokens: ConfigTokens) -> Defaults:
    """What ends generation, and what begins a text, where no config says so."""
    if known is None:
        return Defaults()
    ids = {token.content: token.id for token in tokens.tokens}
    before = [content for content in known.ranks.before if content in ids]
    ends = [content for content in known.ranks.ends if content in ids]
    reason = f"what is known of {known.ranks.name}"
    return Defaults(
        bos_token=before[0] if len(before) == 1 else None,
        eos_token=ends[0] if ends else None,
        stop_tokens=tuple((ids[content], reason) for content in ends[1:]),
    )


def _said(known: _Found | None, stated: _StatedPattern, count: int, name: str) -> Iterator[Notice]:
    if known is None:
        yield Notice(name, "special tokens are those of the config files; the vocabulary itself is not known")
        return
    what = "the pattern" if stated.pattern == known.ranks.pattern else "no pattern"
    recognised = "by its tokenizer class" if known.by_class else "by its SHA-256"
    facts = f"{what} and {count} special tokens come from what is known of it ({known.ranks.origin})"
    yield Notice(name, f"this is the vocabulary of {known.ranks.name}, recognised {recognised}; {facts}")
    if known.ranks.nfc and not known.by_class:
        classes = " or ".join(known.ranks.classes) or "its own tokenizer"
        yield Notice(
            name,
            f"{classes} composes texts (NFC) before it looks anything up; no config names it here, so texts are "
            "taken as they are, as tiktoken does",
        )
