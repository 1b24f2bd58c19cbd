"""What a model directory says, read strictly into a typed pipeline and settings; needs no Hugging Face library."""

from mtok_export.source.chat_template import render
from mtok_export.source.model_dir import load_source
from mtok_export.source.pipeline import Pipeline
from mtok_export.source.settings import (
    ChatTemplate,
    Notice,
    Settings,
    Source,
    SourceFile,
    SpecialToken,
    StopToken,
)
from mtok_export.source.tokenizer_json import load_pipeline

__all__ = [
    "ChatTemplate",
    "Notice",
    "Pipeline",
    "Settings",
    "Source",
    "SourceFile",
    "SpecialToken",
    "StopToken",
    "load_pipeline",
    "load_source",
    "render",
]
