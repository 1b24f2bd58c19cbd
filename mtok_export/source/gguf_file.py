"""Read the tokenizer that a GGUF file carries in its metadata.  The weights stay unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mtok_export.errors import Problem, SourceError, UnsupportedError
from mtok_export.source.config_files import only_tokenizer_config
from mtok_export.source.conversion import Converted, Defaults, Owner, PieceType, ScoredPiece
from mtok_export.source.documents import bpe, byte_level, document, special_token, split, template
from mtok_export.source.gguf_metadata import read_metadata
from mtok_export.source.gguf_patterns import BY_BYTE_LEVEL, PRE_TOKENIZATIONS, PreTokenization
from mtok_export.source.json_values import quote
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.sentencepiece_model import convert_model
from mtok_export.source.sentencepiece_proto import ModelType, SentencePieceModel, check_pieces, serialize
from mtok_export.source.settings import Notice
from mtok_export.source.vocab_txt import read_vocab_txt

_PREFIX = "tokenizer.ggml."
_TEMPLATE = "tokenizer.chat_template"
_BYTES = 256

_NO_ID = (-1, 0xFFFFFFFF)
"""What a field of an id holds where there is no such token."""


@dataclass(frozen=True)
class Metadata:
    """The fields of a GGUF file that are about its tokenizer, and the file's name."""

    fields: Mapping[str, Any]
    name: str
    notices: list[Notice] = field(default_factory=list)

    def get(self, key: str, kind: type[Any], default: Any = None) -> Any:
        """A field of ``tokenizer.ggml``; raises ``SourceError`` where it is of another type."""
        value = self.fields.get(_PREFIX + key)
        if value is None:
            return default
        if not isinstance(value, kind):
            problem = f"{kind.__name__} is needed here, not {type(value).__name__}"
            raise SourceError(problem, where=self.at(key), hint="the file seems to be damaged")
        return value

    def at(self, key: str) -> str:
        """Where a field is, for messages."""
        return f"{self.name}: {_PREFIX}{key}"

    def tokens(self) -> list[str]:
        """The vocabulary; raises ``SourceError`` where it is missing, or holds a token twice."""
        tokens: list[str] = self.get("tokens", list, [])
        if not tokens:
            raise SourceError("there are no tokens", where=self.at("tokens"))
        self._check_values("tokens", tokens, str, "a string")
        if len(set(tokens)) < len(tokens):
            repeated = next(token for token, count in Counter(tokens).items() if count > 1)
            raise SourceError(f"the token {quote(repeated)} stands there more than once", where=self.at("tokens"))
        return tokens

    def column(self, key: str, count: int, default: Any) -> list[Any]:
        """One value for each token; raises ``SourceError`` where there are more or fewer."""
        values: list[Any] = self.get(key, list, [default] * count)
        if len(values) != count:
            raise SourceError(f"there are {len(values):,} values for {count:,} tokens", where=self.at(key))
        self._check_values(key, values, (int, float), "a number")
        return values

    def numbers(self, key: str) -> list[int]:
        """A list of whole numbers, empty where there is none; raises ``SourceError`` where it holds others."""
        values: list[int] = self.get(key, list, [])
        self._check_values(key, values, int, "a whole number")
        return values

    def _check_values(self, key: str, values: list[Any], kind: type | tuple[type, ...], needed: str) -> None:
        wrong = next((i for i, value in enumerate(values) if not isinstance(value, kind)), None)
        if wrong is not None:
            problem = f"{needed} is needed here, not {type(values[wrong]).__name__}"
            raise SourceError(problem, where=f"{self.at(key)}[{wrong}]", hint="the file seems to be damaged")

    def types(self, count: int) -> list[PieceType]:
        """The type of each token, by the numbers of sentencepiece; 0 counts as normal."""
        numbers = self.column("token_type", count, PieceType.NORMAL.value)
        known = {0: PieceType.NORMAL, **{kind.value: kind for kind in PieceType}}
        wrong = next((number for number in numbers if number not in known), None)
        if wrong is not None:
            raise SourceError(f"{wrong} is no type of a token", where=self.at("token_type"))
        return [known[number] for number in numbers]

    def role(self, key: str, tokens: list[str], default: int | None = None) -> str | None:
        """The token that a field such as ``bos_token_id`` names."""
        stated: int | None = self.get(key, int)
        token_id = default if stated is None else self.id_at(key, len(tokens))
        return tokens[token_id] if token_id is not None and token_id < len(tokens) else None

    def id_at(self, key: str, count: int) -> int | None:
        """The id that a field states; ``None`` where it states none, or one that no token has, which is noted."""
        token_id: int | None = self.get(key, int)
        if token_id is None or token_id in _NO_ID:
            return None
        if 0 <= token_id < count:
            return token_id
        self.note(self.at(key), f"no token has the id {token_id}, so it is not used")
        return None

    def note(self, where: str, problem: str) -> None:
        """Record what is odd about the file, once."""
        notice = Notice(where, problem)
        if notice not in self.notices:
            self.notices.append(notice)


def read_gguf(path: Path, name: str) -> tuple[Converted, bytes]:
    """Read the tokenizer of a GGUF file.

    Args:
        path: the file, of which only the metadata is read.
        name: what messages call it.

    Returns:
        The tokenizer, and the bytes of the metadata.

    Raises:
        SourceError: the file is damaged, or has no tokenizer.
        UnsupportedError: its tokenizer is of a kind that no tokenizer.json can express, or uses an unknown pattern.
    """
    fields, data = read_metadata(path, name, lambda key: key.startswith("tokenizer."))
    metadata = Metadata(fields, name)
    model = metadata.get("model", str)
    if model is None:
        raise SourceError("there is no tokenizer in this file", where=metadata.at("model"))
    if model not in _MODELS:
        reason = f"the tokenizer is of the kind {quote(model)}; read are {', '.join(_MODELS)}"
        raise UnsupportedError([Problem(metadata.at("model"), model, reason)])
    converted = _MODELS[model](metadata)
    return replace(converted, notices=(*converted.notices, *metadata.notices)), data


# --- sentencepiece ----------------------------------------------------------------------------------------------------


def _llama(metadata: Metadata) -> Converted:
    """BPE by scores; bytes stand in for characters that are no pieces, and BOS in front unless the file says no."""
    return _sentencepiece(metadata, ModelType.BPE, default_ids=(1, 2, 0), add=(True, False))


def _t5(metadata: Metadata) -> Converted:
    return _sentencepiece(metadata, ModelType.UNIGRAM, default_ids=(None, 1, 2), add=(False, True))


def _sentencepiece(
    metadata: Metadata,
    kind: ModelType,
    *,
    default_ids: tuple[int | None, int, int],
    add: tuple[bool, bool],
) -> Converted:
    tokens = metadata.tokens()
    types = metadata.types(len(tokens))
    scores = metadata.column("scores", len(tokens), 0.0)
    unk_id = metadata.get("unknown_token_id", int, default_ids[2])
    if PieceType.UNKNOWN not in types and 0 <= unk_id < len(tokens):
        types[unk_id] = PieceType.UNKNOWN
    pieces = tuple(map(ScoredPiece, tokens, map(float, scores), types))
    byte_fallback = types.count(PieceType.BYTE) == _BYTES
    check_pieces(pieces, byte_fallback, metadata.name)
    named = {
        "bos_token": metadata.role("bos_token_id", tokens, default_ids[0]),
        "eos_token": metadata.role("eos_token_id", tokens, default_ids[1]),
        "unk_token": metadata.role("unknown_token_id", tokens, default_ids[2]),
        "pad_token": metadata.role("padding_token_id", tokens),
    }
    model = SentencePieceModel(
        type=kind,
        pieces=pieces,
        roles={role: token for role, token in named.items() if token is not None},
        byte_fallback=byte_fallback,
        charsmap=bytes(value & 0xFF for value in metadata.numbers("precompiled_charsmap")),
        add_dummy_prefix=metadata.get("add_space_prefix", bool, True),
        remove_extra_whitespaces=metadata.get("remove_extra_whitespaces", bool, False),
        cuts_out_user_defined=True,
    )
    flags = {
        "add_bos_token": metadata.get("add_bos_token", bool, add[0]),
        "add_eos_token": metadata.get("add_eos_token", bool, add[1]),
    }
    converted = convert_model(model, metadata.name, only_tokenizer_config(flags, f"{metadata.name}: tokenizer.ggml"))
    original = serialize(model)
    return replace(
        converted,
        owner=Owner.TOKENIZERS if original is None else Owner.SENTENCEPIECE,
        original=original or b"",
        defaults=_defaults(metadata, tokens, named["bos_token"], named["eos_token"]),
    )


def _defaults(metadata: Metadata, tokens: list[str], bos: str | None, eos: str | None) -> Defaults:
    template_text = metadata.fields.get(_TEMPLATE)
    if template_text is not None and not isinstance(template_text, str):
        problem = f"a string is needed here, not {type(template_text).__name__}"
        raise SourceError(problem, where=f"{metadata.name}: {_TEMPLATE}", hint="the file seems to be damaged")
    named = [key for key in metadata.fields if key.startswith((f"{_TEMPLATE}.", f"{_TEMPLATE}s"))]
    if named:
        metadata.note(metadata.name, f"further chat templates are not used: {', '.join(sorted(named))}")
    for key, token in (("add_bos_token", bos), ("add_eos_token", eos)):
        if metadata.get(key, bool, False) and token is None:
            metadata.note(metadata.at(key), "it is true, and the file names no such token: none is added")
    ends = ((metadata.id_at(key, len(tokens)), key) for key in ("eot_token_id", "eom_token_id"))
    return Defaults(
        bos_token=bos,
        eos_token=eos,
        chat_template=template_text,
        stop_tokens=tuple((token_id, key) for token_id, key in ends if token_id is not None),
    )


# --- byte-level BPE ---------------------------------------------------------------------------------------------------


def _gpt2(metadata: Metadata) -> Converted:
    tokens = metadata.tokens()
    vocab = {token: token_id for token_id, token in enumerate(tokens)}
    recipe = _recipe(metadata)
    merges = [_merge(text, i, metadata) for i, text in enumerate(metadata.get("merges", list, []))]
    model = bpe(vocab, merges, ignore_merges=recipe.ignore_merges)
    bos, eos = metadata.role("bos_token_id", tokens), metadata.role("eos_token_id", tokens)
    before = bos if metadata.get("add_bos_token", bool, recipe.add_bos) else None
    after = eos if metadata.get("add_eos_token", bool, False) else None
    front, back = ([] if token is None else [(token, vocab[token])] for token in (before, after))
    content = document(
        model,
        normalizer={"type": "NFC"} if recipe.nfc else None,
        pre_tokenizer=_pre_tokenizer(recipe),
        post_processor=template(front, back) if front or back else None,
        decoder=byte_level(),
        added_tokens=_added(metadata, tokens, {bos, eos}),
    )
    notices = []
    if recipe.nfc:
        problem = "a GGUF file names no normalizer; texts are composed (NFC), as by Qwen's own tokenizer"
        notices.append(Notice(metadata.at("pre"), problem))
    defaults = _defaults(metadata, tokens, bos, eos)
    return Converted(content, Owner.TOKENIZERS, b"", notices=tuple(notices), defaults=defaults)


def _recipe(metadata: Metadata) -> PreTokenization:
    name = metadata.get("pre", str)
    if name in PRE_TOKENIZATIONS:
        return PRE_TOKENIZATIONS[name]
    problem = "the file does not name its pattern" if name is None else f"the pattern {quote(name)} is not known"
    reason = f"{problem}; known are {', '.join(sorted(PRE_TOKENIZATIONS))}"
    raise UnsupportedError([Problem(metadata.at("pre"), str(name), reason)])


def _merge(text: Any, index: int, metadata: Metadata) -> list[str]:
    place = text.find(" ", 1) if isinstance(text, str) else -1
    if place < 0:
        raise SourceError(f"{text!r} is no merge of two parts", where=f"{metadata.at('merges')}[{index}]")
    return [text[:place], text[place + 1 :]]


def _pre_tokenizer(recipe: PreTokenization) -> dict[str, Any]:
    """The patterns one after another, then bytes to printable characters; that of GPT-2 may be left to the latter."""
    by_byte_level = recipe.steps[-1] == BY_BYTE_LEVEL
    patterns = recipe.steps[:-1] if by_byte_level else recipe.steps
    steps = [split(pattern) for pattern in patterns]
    last = byte_level(use_regex=by_byte_level)
    return {"type": "Sequence", "pretokenizers": [*steps, last]} if steps else last


def _added(metadata: Metadata, tokens: list[str], roles: set[str | None]) -> list[AddedToken]:
    """Control tokens and those of a role are special; user-defined ones are found in a text as well."""
    added = []
    for token_id, (token, kind) in enumerate(zip(tokens, metadata.types(len(tokens)), strict=True)):
        if kind in (PieceType.CONTROL, PieceType.UNKNOWN) or token in roles:
            added.append(special_token(token, token_id))
        elif kind is PieceType.USER_DEFINED:
            added.append(replace(special_token(token, token_id), special=False))
    return added


# --- WordPiece --------------------------------------------------------------------------------------------------------


def _bert(metadata: Metadata) -> Converted:
    """Where WordPiece marks a piece inside a word, GGUF marks the others, with U+2581 in front."""
    tokens = metadata.tokens()
    types = metadata.types(len(tokens))
    pieces = [_word_piece(token, kind) for token, kind in zip(tokens, types, strict=True)]
    if any("\n" in piece for piece in pieces):
        raise SourceError("a token holds a line end, which no WordPiece vocabulary can", where=metadata.at("tokens"))
    cased = any(piece != piece.lower() for piece, kind in zip(pieces, types, strict=True) if kind is PieceType.NORMAL)
    keys = {"unk": "unknown", "sep": "seperator", "pad": "padding", "cls": "bos", "mask": "mask"}  # sic
    ids = {"unk": 100, "sep": 102, "pad": 0, "cls": 101, "mask": 103}
    roles = {f"{role}_token": metadata.role(f"{key}_token_id", pieces, ids[role]) for role, key in keys.items()}
    fields = {"tokenizer_class": "BertTokenizer", "do_lower_case": not cased, **roles}
    files = only_tokenizer_config(fields, f"{metadata.name}: tokenizer.ggml")
    converted = read_vocab_txt("".join(f"{piece}\n" for piece in pieces).encode(), metadata.name, files)
    does = "keep their case, since some entries have capitals" if cased else "are, since no entry has a capital"
    notice = Notice(metadata.name, f"the file does not say whether texts are lower-cased: they {does}")
    return replace(converted, original=b"", notices=(notice, *converted.notices))


def _word_piece(token: str, kind: PieceType) -> str:
    if kind is not PieceType.NORMAL:
        return token
    return token[1:] if token.startswith("\u2581") else f"##{token}"


_MODELS: Mapping[str, Callable[[Metadata], Converted]] = {
    "llama": _llama,
    "gpt2": _gpt2,
    "t5": _t5,
    "bert": _bert,
}
"""The reader of each ``tokenizer.ggml.model``."""
