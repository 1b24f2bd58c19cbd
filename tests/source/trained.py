"""Small vocabularies, trained on the built-in texts, and written in the forms in which models ship them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from mtok_export.byte_alphabet import BYTE_TO_CHAR, CHAR_TO_BYTE
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.json_values import parse_object
from mtok_export.texts import builtin_texts

NO_FILES = ConfigFiles(None, None, None, None)


def config_files(
    config: Mapping[str, Any] | None = None,
    *,
    special_tokens_map: Mapping[str, Any] | None = None,
    added_tokens: Mapping[str, int] | None = None,
    model: Mapping[str, Any] | None = None,
) -> ConfigFiles:
    """The files beside a vocabulary, from what is in them."""

    def parsed(value: Mapping[str, Any] | None, name: str) -> Any:
        return None if value is None else parse_object(json.dumps(value).encode(), name)

    return ConfigFiles(
        parsed(config, "tokenizer_config.json"),
        parsed(special_tokens_map, "special_tokens_map.json"),
        parsed(added_tokens, "added_tokens.json"),
        parsed(model, "config.json"),
    )


@cache
def byte_bpe(size: int = 900, pattern: str = r"\s?\p{L}+|\s?\p{N}|\s?[^\s\p{L}\p{N}]+|\s+") -> Mapping[str, Any]:
    """The model of a byte-level BPE, as ``tokenizer.json`` writes it; ids are ranks."""
    tokenizer = Tokenizer(models.BPE())
    steps = [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(builtin_texts(), trainer)
    model: Mapping[str, Any] = json.loads(tokenizer.to_str())["model"]
    return model


@cache
def byte_ranks(size: int = 900) -> Mapping[bytes, int]:
    """The same as ranks of byte strings: the 256 bytes in order, then what the merges make."""
    made = ["".join(pair) for pair in byte_bpe(size)["merges"]]
    tokens = [bytes((byte,)) for byte in range(256)] + [bytes(CHAR_TO_BYTE[char] for char in token) for token in made]
    return {token: rank for rank, token in enumerate(dict.fromkeys(tokens))}


def tiktoken_file(ranks: Mapping[bytes, int]) -> bytes:
    """A file of ranks."""
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())


def tekken_file(ranks: Iterable[bytes], specials: int = 20, **changes: Any) -> dict[str, Any]:
    """The content of a tekken.json; ``changes`` replace or add fields."""
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(ranks)
    ]
    config = {
        "pattern": r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        "num_vocab_tokens": len(vocab),
        "default_vocab_size": len(vocab) + specials,
        "default_num_special_tokens": specials,
        "version": "v3",
    }
    return {"config": config, "vocab": vocab, **changes}


def merges_file(merges: Iterable[Iterable[str]]) -> bytes:
    """A merges.txt."""
    return ("#version: 0.2\n" + "".join(f"{' '.join(pair)}\n" for pair in merges)).encode()


def vocab_with(*specials: str, size: int = 900) -> dict[str, int]:
    """The vocab of the BPE with special tokens in front."""
    vocab = {token: id_ + len(specials) for token, id_ in byte_bpe(size)["vocab"].items()}
    return {**{token: id_ for id_, token in enumerate(specials)}, **vocab}


@cache
def word_pieces(size: int = 900) -> tuple[str, ...]:
    """The lines of a vocab.txt."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=specials, show_progress=False, limit_alphabet=300
    )
    tokenizer.train_from_iterator(builtin_texts(), trainer)
    vocab = tokenizer.get_vocab()
    return tuple(sorted(vocab, key=vocab.__getitem__))


def write_folder(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write files, each from its bytes or from the value that is its JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name).write_bytes(data)
    return folder


ALL_BYTES = "".join(BYTE_TO_CHAR.values())
