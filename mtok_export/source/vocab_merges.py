"""``vocab.json`` with ``merges.txt``: byte-level BPE whose other parts stand in the code of a tokenizer class.

What goes with which class was read off the converters of ``transformers`` 4 and the classes of version 5.24.  They
agree but for the tokens round a text, where version 4 counts: it is what the models were made with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from mtok_export.errors import SourceError
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.config_tokens import ConfigTokens, config_tokens
from mtok_export.source.conversion import Converted, Defaults, Owner
from mtok_export.source.documents import (
    Json,
    RoledToken,
    bpe,
    byte_level,
    document,
    special_token,
    split_to_bytes,
    template,
)
from mtok_export.source.json_values import JsonObject, parse_object, paused_gc, quote, unsigned
from mtok_export.source.known_ranks import QWEN, QWEN_3_5
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.settings import Notice
from mtok_export.source.tokenizer_class import TokenizerClass, parts_of, tokenizer_class

WORD_END = "</w>"
"""How CLIP and its older relatives mark the end of a word."""

_VERSION_LINE = "#version"
_CLIP_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"

NFC: Json = {"type": "NFC"}


@dataclass(frozen=True)
class _Reading:
    """All that a post-processor may need: the vocabulary, the tokens, the config."""

    vocab: Mapping[str, int]
    name: str
    tokens: ConfigTokens
    config: JsonObject | None
    add_prefix_space: bool

    def flag(self, name: str) -> bool:
        """A truth value of tokenizer_config.json; missing and null are false."""
        return (self.config is not None and self.config.optional_boolean(name)) or False

    def text(self, name: str) -> str | None:
        """A string of tokenizer_config.json."""
        return None if self.config is None else self.config.optional_string(name)

    def find(self, content: str | None) -> list[RoledToken]:
        """The token with this content, if there is one."""
        token_id = None if content is None else self.tokens.id_of(content, self.vocab)
        return [] if content is None or token_id is None else [(content, token_id)]

    def role(self, role: str) -> RoledToken:
        """The token of a role, which must be there."""
        found = self.find(self.tokens.roles.get(role))
        if not found:
            hint = f"name the {role} in tokenizer_config.json"
            raise SourceError(f"a text is put between tokens, and there is no {role}", where=self.name, hint=hint)
        return found[0]


PostProcessor = Callable[[_Reading], Json]


def _plain(reading: _Reading) -> Json:
    """GPT-2: nothing round a text, unless the config asks for it."""
    before = [reading.role("bos_token")] if reading.flag("add_bos_token") else []
    after = [reading.role("eos_token")] if reading.flag("add_eos_token") else []
    return template(before, after) if before or after else byte_level(trim_offsets=False)


def _roberta(reading: _Reading) -> Json:
    roles = {"sep": list(reading.role("sep_token")), "cls": list(reading.role("cls_token"))}
    flags = {"trim_offsets": True, "add_prefix_space": reading.add_prefix_space}
    return {"type": "RobertaProcessing", **roles, **flags}


def _clip(reading: _Reading) -> Json:
    roles = {"sep": list(reading.role("eos_token")), "cls": list(reading.role("bos_token"))}
    return {"type": "RobertaProcessing", **roles, "trim_offsets": False, "add_prefix_space": False}


def _deberta(reading: _Reading) -> Json:
    sep = reading.role("sep_token")
    return template([reading.role("cls_token")], [sep], between=[sep])


def _blenderbot(reading: _Reading) -> Json:
    return template([], [reading.role("eos_token")])


def _whisper(reading: _Reading) -> Json:
    """What the decoder begins with; language and task only where the config names them."""
    language, task = reading.text("language"), reading.text("task")
    stamps = None if reading.flag("predict_timestamps") else "notimestamps"
    names = ("startoftranscript", language, task, stamps)
    before = [token for name in names if name is not None for token in reading.find(f"<|{name}|>")]
    return template(before, [reading.role("eos_token")])


def _tokens(**roles: str) -> dict[str, AddedToken]:
    return {f"{role}_token": special_token(content, 0) for role, content in roles.items()}


_END = "<|endoftext|>"
_GPT2_TOKENS = _tokens(bos=_END, eos=_END, unk=_END)
_ROBERTA_TOKENS = {
    **_tokens(bos="<s>", eos="</s>", unk="<unk>", sep="</s>", pad="<pad>", cls="<s>"),
    "mask_token": special_token("<mask>", 0, lstrip=True),
}
_DEBERTA_TOKENS = {
    **_tokens(bos="[CLS]", eos="[SEP]", unk="[UNK]", sep="[SEP]", pad="[PAD]", cls="[CLS]"),
    "mask_token": special_token("[MASK]", 0, lstrip=True),
}


@dataclass(frozen=True)
class _Class:
    """What a tokenizer class adds to its vocabulary; ``pattern`` of ``None`` is the one of GPT-2."""

    defaults: Mapping[str, AddedToken] = field(repr=False)
    post_processor: PostProcessor = _plain
    pattern: str | None = None
    normalizer: Json | None = None
    add_prefix_space: bool = False
    word_end: str | None = None


_GPT2 = _Class(_GPT2_TOKENS)
_ROBERTA = _Class(_ROBERTA_TOKENS, _roberta)
_QWEN_TOKENS = _tokens(eos=_END, unk=_END, pad=_END)

CLASSES: Mapping[str, _Class] = {
    "BartTokenizer": _ROBERTA,
    "BlenderbotTokenizer": _Class(_ROBERTA_TOKENS, _blenderbot, add_prefix_space=True),
    "CLIPTokenizer": _Class(
        _tokens(bos="<|startoftext|>", eos=_END, unk=_END, pad=_END), _clip, _CLIP_PATTERN, word_end=WORD_END
    ),
    "CodeGenTokenizer": _GPT2,
    "DebertaTokenizer": _Class(_DEBERTA_TOKENS, _deberta),
    "GPT2Tokenizer": _GPT2,
    "GPTNeoXTokenizer": _Class({**_GPT2_TOKENS, **_tokens(pad="<|padding|>")}, normalizer=NFC),
    "LEDTokenizer": _ROBERTA,
    "LayoutLMv3Tokenizer": _Class(_ROBERTA_TOKENS, _roberta, add_prefix_space=True),
    "LongformerTokenizer": _ROBERTA,
    "MvpTokenizer": _ROBERTA,
    "Qwen2Tokenizer": _Class(_QWEN_TOKENS, pattern=QWEN, normalizer=NFC),
    "Qwen3_5Tokenizer": _Class(_QWEN_TOKENS, pattern=QWEN_3_5, normalizer=NFC),
    "RobertaTokenizer": _ROBERTA,
    "WhisperTokenizer": _Class(_GPT2_TOKENS, _whisper),
}


def read_vocab_merges(vocab: bytes, vocab_name: str, merges: bytes, merges_name: str, files: ConfigFiles) -> Converted:
    """Read ``vocab.json`` and ``merges.txt``.

    Args:
        vocab: the vocabulary, a JSON object token -> id.
        vocab_name: its file's name, for messages.
        merges: the merges, a line each, in order of rank.
        merges_name: its file's name.
        files: the config files beside them; without any, the tokenizer is taken for one of GPT-2.

    Returns:
        The ``tokenizer.json`` that says the same.

    Raises:
        SourceError: for what is wrong in either file, for a tokenizer class that is not known here, and for tokens of
            the config files that cannot be.
    """
    named = tokenizer_class(files)
    kind, notices = _kind(named, vocab_name)
    with paused_gc():
        entries = _vocab(parse_object(vocab, vocab_name))
        pairs, more = _merges(merges, merges_name, entries, vocab_name)
    if named is None:
        _refuse_word_ends(pairs, merges_name)
    tokens = config_tokens(files, entries, vocab_name, defaults=kind.defaults, add_defaults=named is not None)
    config = files.tokenizer_config
    prefix = None if config is None else config.optional_boolean("add_prefix_space")
    reading = _Reading(entries, vocab_name, tokens, config, kind.add_prefix_space if prefix is None else prefix)
    whole = document(
        _model(entries, pairs, kind, tokens),
        normalizer=_CLIP_NORMALIZER if kind.word_end else kind.normalizer,
        pre_tokenizer=_pre_tokenizer(kind, reading.add_prefix_space),
        post_processor=kind.post_processor(reading),
        decoder=byte_level(),
        added_tokens=tokens.tokens,
    )
    defaults = Defaults(tokens.roles.get("bos_token"), tokens.roles.get("eos_token"))
    said = (*notices, *more, *tokens.notices)
    return Converted(whole, Owner.TOKENIZERS, vocab, notices=said, defaults=defaults)


def _kind(named: TokenizerClass | None, name: str) -> tuple[_Class, list[Notice]]:
    if named is None:
        problem = "no tokenizer class is named, so it is read as a tokenizer of GPT-2"
        return _GPT2, [Notice(name, f"{problem} (its pattern, <|endoftext|>, nothing round a text)")]
    return parts_of(named, CLASSES), []


# --- the two files ----------------------------------------------------------------------------------------------------


def _vocab(source: JsonObject) -> dict[str, int]:
    items = source.items
    if not items:
        raise source.error(None, "the vocabulary is empty")
    for token, token_id in items.items():
        if type(token_id) is not int or token_id < 0:
            unsigned(token_id, source.at(token))
    unsigned(max(items.values()), source.at(max(items, key=items.__getitem__)))
    return items


def _merges(data: bytes, name: str, vocab: Mapping[str, int], vocab_name: str) -> tuple[list[list[str]], list[Notice]]:
    r"""The merges.  A line ends with ``\n`` alone (or, throughout the file, with ``\r\n``)."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8"
        raise SourceError(problem, where=f"{name}, line {line}") from None
    if text.startswith("\ufeff"):
        hint = "save the file without it"
        raise SourceError("a byte order mark stands in front of the merges", where=f"{name}, line 1", hint=hint)
    notices = []
    if "\r\n" in text and text.count("\n") == text.count("\r\n"):
        text = text.replace("\r\n", "\n")
        notices.append(Notice(name, "its lines end with CR LF; that is no part of the merges"))
    lines = text.split("\n")
    pairs = [line.split(" ") for line in lines if line and not line.startswith(_VERSION_LINE)]
    sound = not set(map(len, pairs)) - {2} and vocab.keys() >= set(chain.from_iterable(pairs))
    if not sound or not all(map(vocab.__contains__, map("".join, pairs))):
        raise _bad_merge(lines, name, vocab, vocab_name)
    return pairs, notices


def _bad_merge(lines: list[str], name: str, vocab: Mapping[str, int], vocab_name: str) -> SourceError:
    for number, line in enumerate(lines, 1):
        if not line or line.startswith(_VERSION_LINE):
            continue
        parts, where = line.split(" "), f"{name}, line {number}"
        if len(parts) != 2:
            problem = f"a merge is two tokens with one space between them; {quote(line)} has {len(parts) - 1} spaces"
            return SourceError(problem, where=where, hint="the file may be damaged, or be no list of merges")
        for token in (*parts, "".join(parts)):
            if token not in vocab:
                problem = f"the merge {quote(line)} needs the token {quote(token)}, which is not in {vocab_name}"
                return SourceError(problem, where=where, hint="the two files must belong together")
    return SourceError("a merge is damaged", where=name)


def _refuse_word_ends(pairs: list[list[str]], name: str) -> None:
    found = next((pair for pair in pairs if pair[1].endswith(WORD_END)), None)
    if found is not None:
        problem = f"the merge {quote(' '.join(found))} marks the end of a word, which GPT-2 does not do"
        raise SourceError(problem, where=name, hint="name the tokenizer_class in tokenizer_config.json")


# --- the document -----------------------------------------------------------------------------------------------------

_CLIP_NORMALIZER: Json = {
    "type": "Sequence",
    "normalizers": [
        NFC,
        {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
        {"type": "Lowercase"},
    ],
}


def _model(vocab: dict[str, int], pairs: list[list[str]], kind: _Class, tokens: ConfigTokens) -> Json:
    unk = tokens.roles.get("unk_token") if kind.word_end else None
    return bpe(vocab, pairs, unk_token=unk, end_of_word_suffix=kind.word_end)


def _pre_tokenizer(kind: _Class, add_prefix_space: bool) -> Json:
    if kind.pattern is None:
        return byte_level(add_prefix_space=add_prefix_space)
    if not kind.word_end:
        return split_to_bytes(kind.pattern, add_prefix_space=add_prefix_space)
    split = {"type": "Split", "pattern": {"Regex": kind.pattern}, "behavior": "Removed", "invert": True}
    return {"type": "Sequence", "pretokenizers": [split, byte_level()]}
