"""The patterns that ``tokenizer.ggml.pre`` of a GGUF file names; the file itself holds none.

The names and what they stand for were read off src/llama-vocab.cpp of llama.cpp (August 2026), with the patterns in the
words of the tokenizer.json that each was taken from, where that file says them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mtok_export.source.known_ranks import LLAMA_3, O200K, QWEN, QWEN_3_5

BY_BYTE_LEVEL = ""
"""Stands for the pattern of GPT-2, which the ByteLevel pre-tokenizer has built in."""

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""The same, spelt out for where another pattern follows."""

_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK_3 = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    (
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
        "| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
    ),
)
_DEEPSEEK_CODER = (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}")
_FALCON = (r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]")
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
_BAILING = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
_SEED = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True)
class PreTokenization:
    """What a name stands for.

    ``steps`` are patterns, each of which cuts what the ones before have left; ``ignore_merges`` takes words that are
    entries whole; ``add_bos`` holds where the file does not say; ``nfc`` is known of the tokenizers that use the name,
    not of llama.cpp, which composes nothing.
    """

    steps: tuple[str, ...]
    ignore_merges: bool = False
    add_bos: bool = False
    nfc: bool = False


_LLAMA_3 = PreTokenization((LLAMA_3,), ignore_merges=True, add_bos=True)
_QWEN = PreTokenization((QWEN,))

_GROUPS: tuple[tuple[PreTokenization, tuple[str, ...]], ...] = (
    (
        _LLAMA_3,
        ("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"),
    ),
    (PreTokenization((LLAMA_3,)), ("dbrx", "smaug-bpe", "glm4", "chatglm-bpe")),
    (replace(_QWEN, nfc=True), ("qwen2",)),
    (
        _QWEN,
        ("deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2", "hunyuan", "solar-open", "grok-2"),
    ),
    (PreTokenization((QWEN_3_5,), nfc=True), ("qwen35",)),
    (PreTokenization((O200K,)), ("gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2")),
    (PreTokenization((_TEKKEN,), ignore_merges=True, add_bos=True), ("tekken",)),
    (PreTokenization(_DEEPSEEK_3), ("deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4")),
    (PreTokenization(_DEEPSEEK_CODER), ("deepseek-coder",)),
    (
        PreTokenization((BY_BYTE_LEVEL,)),
        (
            *("gpt-2", "phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum"),
            *("modern-bert", "exaone4", "mpt", "olmo", "jais", "trillion", "granite-docling"),
        ),
    ),
    (
        PreTokenization((r"\p{N}", BY_BYTE_LEVEL)),
        ("starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"),
    ),
    (PreTokenization(_FALCON), ("falcon",)),
    (PreTokenization((_BLOOM,)), ("bloom", "gpt3-finnish", "poro-chat")),
    (PreTokenization((_BLOOM, r"\p{N}")), ("viking",)),
    (PreTokenization((_BAILING,)), ("bailingmoe", "bailingmoe2", "llada-moe")),
    (PreTokenization((_SEED,)), ("seed-coder",)),
)


def _by_name() -> Iterator[tuple[str, PreTokenization]]:
    for recipe, names in _GROUPS:
        yield from ((name, recipe) for name in names)


PRE_TOKENIZATIONS: Mapping[str, PreTokenization] = dict(_by_name())
"""What each name of ``tokenizer.ggml.pre`` stands for."""
