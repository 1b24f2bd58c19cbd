"""The class of ``transformers`` that a tokenizer is made for: what a vocabulary without a tokenizer.json is read as."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TypeVar

from mtok_export.errors import SourceError
from mtok_export.records import dataclass
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.json_values import quote, wrong_type

Parts = TypeVar("Parts")

CLASS_OF_MODEL: Mapping[str, str] = {
    "bart": "BartTokenizer",
    "bert": "BertTokenizer",
    "blenderbot": "BlenderbotTokenizer",
    "clip": "CLIPTokenizer",
    "codegen": "CodeGenTokenizer",
    "deberta": "DebertaTokenizer",
    "distilbert": "DistilBertTokenizer",
    "electra": "ElectraTokenizer",
    "gpt2": "GPT2Tokenizer",
    "gpt_neo": "GPT2Tokenizer",
    "gpt_neox": "GPTNeoXTokenizer",
    "gptj": "GPT2Tokenizer",
    "layoutlm": "LayoutLMTokenizer",
    "layoutlmv3": "LayoutLMv3Tokenizer",
    "led": "LEDTokenizer",
    "longformer": "LongformerTokenizer",
    "mobilebert": "MobileBertTokenizer",
    "mpnet": "MPNetTokenizer",
    "mvp": "MvpTokenizer",
    "opt": "GPT2Tokenizer",
    "phi": "CodeGenTokenizer",
    "qwen2": "Qwen2Tokenizer",
    "qwen2_moe": "Qwen2Tokenizer",
    "qwen3": "Qwen2Tokenizer",
    "qwen3_moe": "Qwen2Tokenizer",
    "roberta": "RobertaTokenizer",
    "whisper": "WhisperTokenizer",
}
"""``model_type`` of config.json -> the class that ``transformers`` 4 takes, for models with such vocabularies."""

GENERIC = frozenset(("PreTrainedTokenizer", "TokenizersBackend"))
"""Classes (less ``Fast``) that say nothing: they fit every tokenizer.json."""


@dataclass(frozen=True)
class TokenizerClass:
    """A class, less ``Fast`` at its end, and where it stands."""

    name: str
    where: str


def unknown_class(files: ConfigFiles, known: Container[str]) -> TokenizerClass | None:
    """The tokenizer class, if it is none of the ``known``: ``transformers`` itself then has to convert it."""
    named = tokenizer_class(files)
    return None if named is None or named.name in known else named


def parts_of(named: TokenizerClass, known: Mapping[str, Parts]) -> Parts:
    """What belongs to a class.

    Raises:
        SourceError: the class is none of the ``known``.
    """
    if named.name not in known:
        problem = f"what belongs to a {quote(named.name)} is not known; known are {', '.join(known)}"
        raise SourceError(problem, where=named.where, hint="convert it with transformers, or name the class it is like")
    return known[named.name]


def tokenizer_class(files: ConfigFiles) -> TokenizerClass | None:
    """The class that tokenizer_config.json names, or else the one that goes with the model's type.

    A class that says nothing counts as none.

    Raises:
        SourceError: when the name is no string.
    """
    config = files.tokenizer_config
    if config is not None and config.has("tokenizer_class"):
        name = config.string("tokenizer_class").removesuffix("Fast")
        if name not in GENERIC:
            return TokenizerClass(name, config.at("tokenizer_class"))
    model = files.generation_config
    if model is not None and model.has("model_type"):
        model_type = model.value("model_type")
        if not isinstance(model_type, str):
            raise wrong_type(model_type, "a string", model.at("model_type"))
        if model_type in CLASS_OF_MODEL:
            return TokenizerClass(CLASS_OF_MODEL[model_type], model.at("model_type"))
    return None
