r"""``vocab.txt``: the pieces of a WordPiece vocabulary, a line each; BERT and its relatives.

A line ends with ``\n`` and with nothing else: U+0085, U+2028 and U+000B are in vocabularies, and to Python's
``str.splitlines`` they would be ends of lines.  What goes with which class was read off the converters of
``transformers`` 4 and the classes of version 5.24.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mtok_export.errors import SourceError
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.config_tokens import ConfigTokens, config_tokens
from mtok_export.source.conversion import Converted, Defaults, Owner
from mtok_export.source.documents import Json, RoledToken, document, special_token, template
from mtok_export.source.json_values import JsonObject, paused_gc, quote
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.settings import Notice
from mtok_export.source.tokenizer_class import TokenizerClass, parts_of, tokenizer_class

PREFIX = "##"
MAX_WORD_CHARACTERS = 100
"""Words that are longer are unknown, in every class."""


def _tokens(**roles: str) -> dict[str, AddedToken]:
    return {f"{role}_token": special_token(content, 0) for role, content in roles.items()}


@dataclass(frozen=True)
class _Class:
    """What a tokenizer class adds to its vocabulary; ``seps`` is how many sep tokens stand between a pair."""

    defaults: Mapping[str, AddedToken] = field(repr=False)
    seps: int = 1


_BERT = _Class(_tokens(unk="[UNK]", sep="[SEP]", pad="[PAD]", cls="[CLS]", mask="[MASK]"))
_MPNET_TOKENS = _tokens(bos="<s>", eos="</s>", unk="[UNK]", sep="</s>", pad="<pad>", cls="<s>")

CLASSES: Mapping[str, _Class] = {
    **dict.fromkeys(
        (
            "BertTokenizer",
            "ConvBertTokenizer",
            "DPRContextEncoderTokenizer",
            "DPRQuestionEncoderTokenizer",
            "DPRReaderTokenizer",
            "DistilBertTokenizer",
            "ElectraTokenizer",
            "LayoutLMTokenizer",
            "LayoutLMv2Tokenizer",
            "LxmertTokenizer",
            "MobileBertTokenizer",
            "RetriBertTokenizer",
            "SqueezeBertTokenizer",
        ),
        _BERT,
    ),
    "MPNetTokenizer": _Class({**_MPNET_TOKENS, "mask_token": special_token("<mask>", 0, lstrip=True)}, seps=2),
}


def read_vocab_txt(data: bytes, name: str, files: ConfigFiles) -> Converted:
    """Read a ``vocab.txt``.

    Args:
        data: the whole file.
        name: its name, for messages.
        files: the config files beside it; without any, the tokenizer is taken for one of BERT that lower-cases.

    Returns:
        The ``tokenizer.json`` that says the same.

    Raises:
        SourceError: for a file that is no such vocabulary, for a tokenizer class that is not known here, and for tokens
            of the config files that cannot be.
    """
    named = tokenizer_class(files)
    kind, notices = _kind(named, name)
    with paused_gc():
        vocab, more = _vocab(data, name)
    tokens = config_tokens(files, vocab, name, defaults=kind.defaults, add_defaults=named is not None)
    unk = tokens.roles.get("unk_token", kind.defaults["unk_token"].content)
    if unk not in vocab:
        problem = f"no line is the unknown token {quote(unk)}, which every WordPiece vocabulary needs"
        raise SourceError(problem, where=name, hint="it may be the vocabulary of something else")
    cls, sep = (_role(role, tokens, vocab, name) for role in ("cls_token", "sep_token"))
    normalizer, said = _normalizer(files.tokenizer_config)
    whole = document(
        {
            "type": "WordPiece",
            "unk_token": unk,
            "continuing_subword_prefix": PREFIX,
            "max_input_chars_per_word": MAX_WORD_CHARACTERS,
            "vocab": vocab,
        },
        normalizer=normalizer,
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=template([cls], [sep], between=[sep] * kind.seps),
        decoder={"type": "WordPiece", "prefix": PREFIX, "cleanup": True},
        added_tokens=tokens.tokens,
    )
    defaults = Defaults(tokens.roles.get("bos_token"), tokens.roles.get("eos_token"))
    return Converted(
        whole, Owner.TOKENIZERS, data, notices=(*notices, *more, *tokens.notices, *said), defaults=defaults
    )


def _kind(named: TokenizerClass | None, name: str) -> tuple[_Class, list[Notice]]:
    if named is None:
        problem = "no tokenizer class is named, so it is read as a tokenizer of BERT"
        return _BERT, [Notice(name, f"{problem} (its special tokens, and lower case unless a config says otherwise)")]
    return parts_of(named, CLASSES), []


def _role(role: str, tokens: ConfigTokens, vocab: Mapping[str, int], name: str) -> RoledToken:
    content = tokens.roles.get(role)
    token_id = None if content is None else tokens.id_of(content, vocab)
    if content is None or token_id is None:
        hint = f"name the {role} in tokenizer_config.json"
        raise SourceError(f"a text is put between tokens, and there is no {role}", where=name, hint=hint)
    return content, token_id


def _vocab(data: bytes, name: str) -> tuple[dict[str, int], list[Notice]]:
    """The pieces, piece -> number of its line, counted from 0; of equal lines the last one counts."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8"
        raise SourceError(problem, where=f"{name}, line {line}") from None
    lines = text.removesuffix("\n").split("\n")
    if not text.strip():
        raise SourceError("the file is empty; a piece on every line is needed", where=name)
    notices = []
    if text.startswith("\ufeff"):
        problem = "the file starts with a byte order mark, which is a part of the first piece, as in transformers"
        notices.append(Notice(name, problem))
    if "\r" in text:
        ending = sum(line.endswith("\r") for line in lines)
        lines = [line.removesuffix("\r") for line in lines]
        if ending:
            notices.append(Notice(name, f"{ending} lines end with CR LF; the CR is no part of their pieces"))
        if any("\r" in line for line in lines):
            problem = "a CR stands within a line; it is taken for a part of the piece, as the tokenizers library does"
            notices.append(Notice(name, f"{problem} (transformers 4 took it for the end of a line)"))
    vocab = {piece: number for number, piece in enumerate(lines)}
    if len(vocab) < len(lines):
        example = next(piece for number, piece in enumerate(lines) if vocab[piece] != number)
        count = len(lines) - len(vocab)
        problem = f"{count} lines stand there again further down, such as {quote(example)}"
        notices.append(Notice(name, f"{problem} (line {vocab[example] + 1}); the last one counts, as in transformers"))
    return vocab, notices


def _normalizer(config: JsonObject | None) -> tuple[Json, list[Notice]]:
    """The normalizer that the config asks for; without ``do_basic_tokenize`` it does no more than clean."""

    def flag(name: str, default: bool) -> bool:
        return default if config is None or not config.has(name) else config.boolean(name)

    basic = flag("do_basic_tokenize", True)
    strip_accents = None if config is None else config.optional_boolean("strip_accents")
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": basic and flag("tokenize_chinese_chars", True),
        "strip_accents": strip_accents if basic else False,
        "lowercase": basic and flag("do_lower_case", True),
    }
    notices = []
    if config is not None and config.has("never_split") and config.array("never_split"):
        problem = "words that are never split are known to slow tokenizers alone; the tokenizers library has none"
        notices.append(Notice(config.at("never_split"), problem))
    return normalizer, notices
