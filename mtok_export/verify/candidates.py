"""A tokenizer file that is to be compared, and where its chat template is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtok_export.errors import MtokError
from mtok_export.format import MtokFile
from mtok_export.legacy.llm_config import LlmConfig, load_llm_config
from mtok_export.tokenizer_file import TokenizerFile

LLM_CONFIG = "llm_config.json"


@dataclass(frozen=True)
class Candidate:
    """A tokenizer file to be compared: where it lies, and what it holds; of a text file, where its template is."""

    path: Path
    file: TokenizerFile
    llm_config: LlmConfig | None = None

    @property
    def chat_template(self) -> str:
        """The chat template that the engine finds: a text file has it in ``llm_config.json``."""
        if isinstance(self.file, MtokFile):
            return self.file.tail.chat_template or ""
        return "" if self.llm_config is None else self.llm_config.chat_template

    @property
    def template_values(self) -> dict[str, Any]:
        """What the engine finds about it in ``llm_config.json``."""
        return {} if self.llm_config is None else self.llm_config.template_values


def config_of(path: Path, file: TokenizerFile, llm_config: Path | None) -> LlmConfig | None:
    """The ``llm_config.json`` of a text file: the one that is named, or else the one beside it.

    Raises:
        SourceError: it cannot be read.
        MtokError: one is named for a ``.mtok`` file, which has its template in itself.
    """
    if isinstance(file, MtokFile):
        if llm_config is not None:
            reason = "a .mtok file has its chat template in itself"
            raise MtokError(reason, where=str(path), hint="leave --llm-config out")
        return None
    beside = path.parent / LLM_CONFIG
    return load_llm_config(llm_config or beside) if llm_config is not None or beside.is_file() else None
