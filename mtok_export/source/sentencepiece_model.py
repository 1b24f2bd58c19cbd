"""Read a sentencepiece model: what it does, in the words of ``tokenizer.json``.

On a text without special tokens the ids are those of sentencepiece.  A control piece that is spelt out in a text is a
special token, as in ``transformers``; sentencepiece itself takes it for plain text.  Around such a token, as there,
every stretch of text gets the dummy prefix.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mtok_export.errors import Problem, SourceError, UnsupportedError
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.config_tokens import ConfigTokens, config_tokens
from mtok_export.source.conversion import Converted, Defaults, Owner, PieceType, ScoredPiece
from mtok_export.source.documents import bpe, document, special_token, template
from mtok_export.source.json_values import quote, unsigned
from mtok_export.source.pipeline import AddedToken
from mtok_export.source.sentencepiece_classes import adds_bos
from mtok_export.source.sentencepiece_components import decoder, is_cut_out, is_isolated, normalizer_and_pre_tokenizer
from mtok_export.source.sentencepiece_merges import derive_merges
from mtok_export.source.sentencepiece_proto import ModelType, SentencePieceModel, parse_sentencepiece
from mtok_export.source.settings import Notice
from mtok_export.source.special_tokens import is_decimal


def read_sentencepiece(data: bytes, name: str, files: ConfigFiles) -> Converted:
    """Read ``tokenizer.model``, ``spiece.model`` and the like.

    Args:
        data: the whole file.
        name: its name, for messages.
        files: the JSON files beside it: they add tokens, rename control pieces and say what stands round a text.

    Raises:
        SourceError: the file is cut short, damaged, or contradicts the files beside it.
        UnsupportedError: it is a WORD or CHAR model, or puts white space behind words.
        MtokError: the packages that read it are not installed.
    """
    model = parse_sentencepiece(data, name)
    config = files.tokenizer_config
    if config is not None and model.add_dummy_prefix and config.optional_boolean("add_prefix_space") is False:
        # The config counts, as in transformers, and then the library that owns the file is wrong.
        converted = convert_model(replace(model, add_dummy_prefix=False), name, files)
        problem = "add_prefix_space is false, so no space stands in front of a text, although the model asks for one"
        return replace(converted, notices=(Notice(config.at("add_prefix_space"), problem), *converted.notices))
    return replace(convert_model(model, name, files), owner=Owner.SENTENCEPIECE, original=data)


def convert_model(model: SentencePieceModel, name: str, files: ConfigFiles) -> Converted:
    """The same for a model that has been read; ``owner`` and ``original`` are left to the caller."""
    _refuse(model, name)
    pieces, renamed = _renamed(model.pieces, files)
    vocab = {piece.piece: i for i, piece in enumerate(pieces)}
    roles = {role: renamed.get(content, content) for role, content in model.roles.items()}
    known = [token for i, piece in enumerate(pieces) for token in _added(i, piece, model)]
    tokens = config_tokens(
        files, vocab, name, defaults={role: special_token(text, 0) for role, text in roles.items()}, known=known
    )
    # The dummy prefix is a part of the normalizer, so a normalized token would be looked for with a space in front.
    added = [replace(token, normalized=False) for token in tokens.tokens if token.content]
    normalizer, pre_tokenizer = normalizer_and_pre_tokenizer(model)
    body, notices = _MODELS[model.type](replace(model, pieces=pieces), vocab, added, name)
    before, after, around = _around(model, files, tokens, vocab, name)
    content = document(
        body,
        normalizer=normalizer,
        pre_tokenizer=pre_tokenizer,
        post_processor=template(before, after) if before or after else None,
        decoder=decoder(model),
        added_tokens=added,
    )
    renaming = [Notice(name, f"{quote(old)} is called {quote(new)} by the config") for old, new in renamed.items()]
    return Converted(
        document=content,
        owner=Owner.TOKENIZERS,
        original=b"",
        pieces=model.pieces,
        notices=(*renaming, *tokens.notices, *notices, *around, *_general_notices(model, name), *_legacy(model, files)),
        defaults=Defaults(bos_token=roles.get("bos_token"), eos_token=roles.get("eos_token")),
    )


def _refuse(model: SentencePieceModel, name: str) -> None:
    problems = []
    if model.type not in _MODELS:
        reason = f"this is a model of the type {model.type.name}, which has no counterpart; UNIGRAM and BPE have"
        problems.append(Problem(f"{name}: trainer_spec.model_type", model.type.name, reason))
    if model.treat_whitespace_as_suffix:
        reason = "white space stands behind words, which neither tokenizers nor the engine can do"
        problems.append(Problem(f"{name}: trainer_spec", "treat_whitespace_as_suffix", reason))
    if problems:
        raise UnsupportedError(problems)


def _renamed(pieces: Sequence[ScoredPiece], files: ConfigFiles) -> tuple[tuple[ScoredPiece, ...], dict[str, str]]:
    """The pieces with the names that ``added_tokens_decoder`` gives to those that no text is cut into."""
    config = files.tokenizer_config
    contents = {piece.piece for piece in pieces}
    renamed: dict[str, str] = {}
    result = list(pieces)
    if config is not None and config.has("added_tokens_decoder"):
        table = config.object("added_tokens_decoder")
        for key, entry in table.members():
            token_id = unsigned(int(key), table.at(key)) if is_decimal(key) else len(pieces)
            content = entry.string("content")
            if token_id < len(pieces) and content not in contents and result[token_id].type is not PieceType.NORMAL:
                renamed[result[token_id].piece] = content
                result[token_id] = replace(result[token_id], piece=content)
    return tuple(result), renamed


def _added(token_id: int, piece: ScoredPiece, model: SentencePieceModel) -> Iterator[AddedToken]:
    """The added token that a piece becomes, if it does."""
    if piece.type in (PieceType.CONTROL, PieceType.UNKNOWN):
        yield special_token(piece.piece, token_id)
    elif is_cut_out(piece, model):
        yield replace(special_token(piece.piece, token_id), special=False)


# --- models -----------------------------------------------------------------------------------------------------------

Body = tuple["dict[str, object]", "list[Notice]"]


def _bpe(model: SentencePieceModel, vocab: dict[str, int], _added: Sequence[AddedToken], name: str) -> Body:
    derived = derive_merges(model.pieces)
    notices = []
    if derived.unreachable:
        example = quote(derived.unreachable[0])
        problem = f"{len(derived.unreachable):,} pieces, such as {example}, are made of characters that are no pieces"
        notices.append(Notice(name, f"{problem}: sentencepiece joins those, a BPE model of tokenizers cannot"))
    if derived.kept_unused:
        example = quote(derived.kept_unused[0])
        problem = f"{len(derived.kept_unused):,} pieces of the type UNUSED, such as {example}, are parts of others"
        notices.append(
            Notice(name, f"{problem}: where one remains, sentencepiece cuts it again and tokenizers does not")
        )
    body = bpe(
        vocab,
        derived.merges,
        unk_token=model.pieces[model.unk_id].piece,
        fuse_unk=True,
        byte_fallback=model.byte_fallback,
        ignore_merges=any(is_isolated(piece, model) for piece in model.pieces),
    )
    return body, notices


def _unigram(model: SentencePieceModel, vocab: dict[str, int], added: Sequence[AddedToken], name: str) -> Body:
    beyond = sorted(token.id for token in added if token.content not in vocab)
    if beyond != list(range(len(vocab), len(vocab) + len(beyond))):
        problem = f"the added tokens have the ids {beyond[0]} to {beyond[-1]}, with holes behind {len(vocab):,} pieces"
        raise SourceError(problem, where=name, hint="a Unigram model has no room for holes: mend the config files")
    body: dict[str, object] = {
        "type": "Unigram",
        "unk_id": model.unk_id,
        "vocab": list(_scored(model)),
        "byte_fallback": model.byte_fallback,
    }
    return body, []


def _scored(model: SentencePieceModel) -> Iterator[list[object]]:
    """Pieces with the scores that sentencepiece uses.

    A user-defined piece beats every other way to cover its bytes; an unused one is never found, for which it gets a
    space in front, since no text has one behind the normalizer.
    """
    highest = max((piece.score for piece in model.pieces if piece.type is PieceType.NORMAL), default=0.0)
    for piece in model.pieces:
        if piece.type is PieceType.USER_DEFINED:
            yield [piece.piece, len(piece.piece.encode()) * highest - 0.1]
        elif piece.type is PieceType.UNUSED:
            yield [f" {piece.piece}" if model.escape_whitespaces else piece.piece, piece.score]
        else:
            yield [piece.piece, piece.score]


_MODELS = {ModelType.BPE: _bpe, ModelType.UNIGRAM: _unigram}


# --- what stands round a text -----------------------------------------------------------------------------------------

Roled = list["tuple[str, int]"]


def _around(
    model: SentencePieceModel, files: ConfigFiles, tokens: ConfigTokens, vocab: Mapping[str, int], name: str
) -> tuple[Roled, Roled, list[Notice]]:
    """The tokens in front of a text and behind it: what the config says, or else what Llama's class does."""
    config = files.tokenizer_config
    notices = []
    add_bos = None if config is None else config.optional_boolean("add_bos_token")
    add_eos = None if config is None else config.optional_boolean("add_eos_token")
    bos = tokens.roles.get("bos_token")
    if add_bos is None:
        add_bos = model.type is ModelType.BPE and adds_bos(config)
        if add_bos and bos is not None:
            problem = f"nothing says whether {quote(bos)} stands in front of a text"
            problem = f"{problem}; it does, as in LlamaTokenizer of transformers 4"
            notices.append(Notice(name, problem))
    eos = tokens.roles.get("eos_token")
    for flag, content, field in ((add_bos, bos, "add_bos_token"), (add_eos, eos, "add_eos_token")):
        if flag and content is None:
            notices.append(Notice(name, f"{field} is true, and nothing names that token: none is added"))
    wanted = (bos if add_bos else None, eos if add_eos else None)
    front, back = (
        [] if content is None else [(content, token_id)]
        for content in wanted
        for token_id in [-1 if content is None else tokens.id_of(content, vocab)]
        if token_id is not None
    )
    return front, back, notices


def _general_notices(model: SentencePieceModel, name: str) -> Iterator[Notice]:
    cut_out = [piece.piece for piece in model.pieces if is_cut_out(piece, model)]
    if cut_out and model.add_dummy_prefix:
        problem = f"behind one of {len(cut_out):,} user-defined pieces, such as {quote(cut_out[0])}, the text gets the "
        yield Notice(name, f"{problem}dummy prefix again, as in llama.cpp; sentencepiece puts it in front once")
    spaced = [
        piece.piece
        for piece in model.pieces
        if piece.type is PieceType.USER_DEFINED and model.space in piece.piece[1:] and not is_isolated(piece, model)
    ]
    if spaced and model.type is ModelType.BPE:
        problem = f"{len(spaced):,} user-defined pieces hold a space, such as {quote(spaced[0])}: they are merged by "
        yield Notice(name, f"{problem}their scores; sentencepiece cuts them out first")
    if model.charsmap:
        problem = "of a letter with several marks the character map of tokenizers may change another part than that of "
        yield Notice(name, f"{problem}sentencepiece", characters=_marks())
    if model.byte_fallback and model.type is ModelType.UNIGRAM:
        problem = "a text that spells out a byte piece, such as <0x41>, gives that piece"
        yield Notice(name, f"{problem}; sentencepiece takes it for plain text", strings=("<0x",))
    if model.denormalizes:
        yield Notice(name, "decoded text is not denormalized: the rules of the model for that are left out")


def _legacy(model: SentencePieceModel, files: ConfigFiles) -> Iterator[Notice]:
    """The flag of Llama's class that says where the dummy prefix stands."""
    config = files.tokenizer_config
    if config is not None and model.add_dummy_prefix and config.optional_boolean("legacy") is False:
        problem = "legacy is false: transformers puts the dummy prefix in front of the whole text alone"
        yield Notice(config.at("legacy"), f"{problem}; here, as on the engine, it stands behind special tokens as well")


def _marks() -> tuple[tuple[int, int], ...]:
    """The ranges of combining marks."""
    marks = {code for code in range(0x0300, 0x1F000) if unicodedata.category(chr(code)).startswith("M")}
    firsts = sorted(code for code in marks if code - 1 not in marks)
    lasts = sorted(code for code in marks if code + 1 not in marks)
    return tuple(zip(firsts, lasts, strict=True))
