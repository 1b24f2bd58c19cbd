"""The tokenizers of the corpus that have a tokenizer.json."""

from __future__ import annotations

ALL = (
    "all-minilm-l6-v2",
    "aranizer-bpe-32k",
    "aranizer-sp-32k",
    "deepseek-v4",
    "deepseek_v3",
    "gemma3",
    "gpt4o",
    "llama2",
    "llama3_1",
    "mon-unigram",
    "multilingual-e5-small",
    "nepali-sentencepiece",
    "nepali-wordpiece",
    "oromo-bpe",
    "oromo-wordpiece",
    "qwen3",
)
