"""Which tokenizer classes of ``transformers`` use the ids of a sentencepiece file as they are.

Others shift them (XLM-R), append tokens that stand in no file (T5), or treat the text first; for those the file alone
does not tell the ids of the model.
"""

from __future__ import annotations

from mtok_export.source.json_values import JsonObject

SAME_IDS_CLASSES = frozenset(
    (
        "BaichuanTokenizer",
        "CodeLlamaTokenizer",
        "GemmaTokenizer",
        "InternLM2Tokenizer",
        "InternLMTokenizer",
        "LlamaTokenizer",
        "PreTrainedTokenizer",
        "TokenizersBackend",
        "YiTokenizer",
    )
)
"""Without the ``Fast`` at the end, which changes nothing."""

_WITHOUT_BOS = frozenset(("PreTrainedTokenizer", "TokenizersBackend"))

SAME_IDS_MODELS = frozenset(
    (
        "baichuan",
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "internlm",
        "internlm2",
        "llama",
        "mistral",
        "mixtral",
        "phi3",
        "yi",
    )
)
"""``model_type`` of ``config.json``, where no class is named."""


def needs_conversion_by_transformers(tokenizer_config: JsonObject | None, config: JsonObject | None) -> str | None:
    """Why the ids of the file may not be those of the model, or ``None``: what the files beside it say of its class."""
    for source in (tokenizer_config, config):
        named = None if source is None else source.optional_string("tokenizer_class")
        if source is not None and named is not None:
            if named.removesuffix("Fast") in SAME_IDS_CLASSES:
                return None
            return f"{source.at('tokenizer_class')} is {named}, whose ids transformers alone knows"
    model = None if config is None else config.optional_string("model_type")
    if config is None or model is None or model in SAME_IDS_MODELS:
        return None
    return f"{config.at('model_type')} is {model}, whose ids transformers alone knows"


def adds_bos(tokenizer_config: JsonObject | None) -> bool:
    """Whether the class puts BOS in front of a text unless it is told otherwise; that of Llama is taken for granted."""
    named = None if tokenizer_config is None else tokenizer_config.optional_string("tokenizer_class")
    return named is None or named.removesuffix("Fast") in SAME_IDS_CLASSES - _WITHOUT_BOS
