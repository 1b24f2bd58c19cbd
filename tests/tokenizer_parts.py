"""What the tokenizers of the zoo are made of: patterns, pieces of ``tokenizer.json``, and trained vocabularies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from mtok_export.texts import groups, languages

Json = dict[str, Any]

TAUGHT = ("English", "German", "French", "Spanish", "Turkish", "Vietnamese", "Russian", "Greek", "Arabic", "Hindi")
TAUGHT_TOO = ("Thai", "Chinese (simplified)", "Japanese", "Korean")

# The patterns of three well-known families; they are data that real files hold, letter by letter.
CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
QWEN2 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = QWEN2.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{CONTRACTIONS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CJK_RUN = "[一-龥぀-ゟ゠-ヿ]+"
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^" + "\r\n" + r"\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[" + "\r\n" + r"]*|\s*[" + "\r\n" + r"]+|\s+(?!\S)|\s+"
)

SPACE = "\u2581"


def corpus() -> list[str]:
    """What is trained on; not everything that is tested on."""
    texts = [text for name in TAUGHT for text in languages()[name]]
    texts += [text for name in TAUGHT_TOO for text in languages()[name]]
    return texts + list(groups()["code"]) + list(groups()["numbers"][:16])


# --- parts of a tokenizer.json ----------------------------------------------------------------------------------------


def split(pattern: str, behavior: str = "Isolated", *, invert: bool = False, literal: bool = False) -> Json:
    kind = "String" if literal else "Regex"
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def byte_level(*, use_regex: bool = False, add_prefix_space: bool = False) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": True,
        "use_regex": use_regex,
    }


def in_sequence(kind: str, *parts: Json) -> Json:
    """A Sequence; the key of its parts depends on the stage."""
    return {"type": "Sequence", kind: list(parts)}


def metaspace(prepend_scheme: str = "always") -> Json:
    return {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": prepend_scheme, "split": True}


def replace(pattern: str, content: str) -> Json:
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


def added(content: str, token_id: int, *, special: bool = True, **flags: bool) -> Json:
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": not special}
    return {"id": token_id, "content": content, **usual, **flags, "special": special}


def template(before: Sequence[tuple[str, int]], after: Sequence[tuple[str, int]] = ()) -> Json:
    def tokens(names: Sequence[tuple[str, int]], type_id: int) -> list[Json]:
        return [{"SpecialToken": {"id": name, "type_id": type_id}} for name, _ in names]

    def sequence(name: str, type_id: int) -> list[Json]:
        return [{"Sequence": {"id": name, "type_id": type_id}}]

    single = [*tokens(before, 0), *sequence("A", 0), *tokens(after, 0)]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, *sequence("B", 1), *tokens(after, 1)],
        "special_tokens": {name: {"id": name, "ids": [number], "tokens": [name]} for name, number in (*before, *after)},
    }


def bpe_model(vocab: Mapping[str, int], merges: Iterable[Sequence[str]], **flags: Any) -> Json:
    usual = {
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
    }
    return {"type": "BPE", **usual, **flags, "vocab": dict(vocab), "merges": [list(pair) for pair in merges]}


def whole(
    model: Json,
    *,
    normalizer: Json | None = None,
    pre_tokenizer: Json | None = None,
    post_processor: Json | None = None,
    decoder: Json | None = None,
    added_tokens: Sequence[Json] = (),
) -> Json:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(added_tokens),
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": post_processor,
        "decoder": decoder,
        "model": model,
    }


# --- training ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """What byte-pair training learned: tokens in order of their ids, and merges in order of rank."""

    tokens: tuple[str, ...]
    merges: tuple[tuple[str, str], ...]

    def numbered(self, first: Sequence[str] = ()) -> dict[str, int]:
        """Ids for ``first`` and then for the tokens."""
        return {token: number for number, token in enumerate(dict.fromkeys((*first, *self.tokens)))}


def _train(pre_tokenizer: Any, size: int, *, normalizer: Any = None, bytes_first: bool = False) -> Trained:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet()) if bytes_first else []
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(corpus(), trainer)
    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    return Trained(tuple(tokens), tuple((left, right) for left, right in model["merges"]))


@cache
def trained_bytes(pattern: str) -> Trained:
    """Byte-level tokens within the pieces of a pattern (empty: that of GPT-2)."""
    byte_tokens = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not pattern)
    if not pattern:
        return _train(byte_tokens, 1200, bytes_first=True)
    parts = [pre_tokenizers.Split(Regex(pattern), "isolated"), byte_tokens]
    return _train(pre_tokenizers.Sequence(parts), 1200, bytes_first=True)


@cache
def trained_pieces(*, runs: bool = False) -> Trained:
    """Pieces as sentencepiece has them: a space mark at the start alone, or (``runs``) several."""
    if not runs:
        return _train(pre_tokenizers.Metaspace(), 1600)
    pieces = pre_tokenizers.Split(Regex(f"{SPACE}*[^{SPACE}]+|{SPACE}+"), "isolated")
    return _train(pieces, 1600, normalizer=normalizers.Replace(" ", SPACE))


@cache
def trained_words(*, uncased: bool = False) -> Trained:
    """Tokens within words and single punctuation marks."""
    normalizer = normalizers.BertNormalizer(lowercase=uncased, strip_accents=uncased)
    return _train(pre_tokenizers.BertPreTokenizer(), 1600, normalizer=normalizer)


BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))
