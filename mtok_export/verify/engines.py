"""One interface over the real engine and the model of it.

The real engine runs in a child process and can die; the model runs here.  What the engine's Python binding cannot do
(texts and decoded bytes with U+0000 in them) the model does for it, and counts how often.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from mtok_export.engine.model import NEXT, V3_6, Version, model_of, version_named
from mtok_export.engine.native import NativeEngine, installed_version
from mtok_export.errors import EngineError, MtokError
from mtok_export.tokenizer_file import TokenizerFile

DEADLINE_SECONDS = 30.0
"""For loading a file, and for each text: real files need milliseconds."""

MOST_DEATHS = 3
"""So often the engine may die of a text before the rest is given up; each time can cost a whole deadline."""

INSTALL_HINT = "install the extra: pip install 'mtok-export[engine]'"

KINDS = ("auto", "native", "model")

Encoded = list[int] | EngineError


@dataclass(frozen=True)
class EngineChoice:
    """Which engine is to run a file: ``auto`` is the native one where it is installed, else the model.

    ``python`` is the interpreter that has the package ``mnn`` (this one for ``None``); naming one asks for the native
    engine.  ``deadline`` is in seconds.
    """

    kind: str = "auto"
    version: Version = V3_6
    python: str | None = None
    deadline: float = DEADLINE_SECONDS

    @classmethod
    def parse(cls, text: str, *, python: str | None = None) -> EngineChoice:
        """The choice for ``auto``, ``native``, ``model`` or ``model:VERSION``.

        Raises:
            MtokError: it is none of these, or no such version is known.
        """
        kind, colon, version = text.partition(":")
        if kind not in KINDS or (colon and kind != "model"):
            raise MtokError(f"{text!r} is no engine", hint="give auto, native, model or model:VERSION")
        if python is not None and kind == "model":
            raise MtokError("the model of the engine needs no other Python", hint="leave --engine-python out")
        return cls(kind, version_named(version) if colon else V3_6, python)

    @cached_property
    def native(self) -> bool:
        """Whether the native engine is to be used.

        Raises:
            EngineError: it is asked for and not installed, or the other Python cannot be run.
        """
        if self.kind == "model":
            return False
        python = self.python or sys.executable
        if installed_version(python) is not None:
            return True
        if self.kind == "native" or self.python is not None:
            raise EngineError("this Python does not have the package mnn", where=python, hint=INSTALL_HINT)
        return False


class Engine(Protocol):
    """What runs a file.  ``name`` is for people, ``chats`` says whether it can render conversations."""

    @property
    def name(self) -> str:
        """What it is, with its version."""

    @property
    def version(self) -> Version:
        """The version, as the model knows it."""

    @property
    def chats(self) -> bool:
        """Whether it has a template engine."""

    def encode_each(self, texts: Sequence[str]) -> list[Encoded]:
        """The ids of each text, or why the engine failed at it.

        Raises:
            EngineError: the engine failed too often.
        """

    def decode_ids(self, ids: Sequence[int]) -> list[bytes]:
        """What the engine shows for each id in streaming.

        Raises:
            EngineError: the engine failed.
        """

    def decode(self, ids: Sequence[int]) -> bytes:
        """What the engine's whole decoding makes of the ids.

        Raises:
            EngineError: the engine failed.
        """

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        """A conversation, rendered with the file's template.

        Raises:
            EngineError: the engine failed, or it has no template engine.
        """

    def notes(self) -> Iterator[str]:
        """What was done otherwise than by asking this engine."""


class _Model:
    """The model of the engine."""

    def __init__(self, file: TokenizerFile, version: Version) -> None:
        self._model = model_of(file, version)
        self.version = version
        self.name = f"model of {version.name}"
        self.chats = False

    def encode_each(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Encoded:
        try:
            text.encode("utf-8")
            return self._model.encode(text)
        except UnicodeEncodeError as error:
            return EngineError(f"lone surrogate U+{ord(text[error.start]):04X}: this is no text")
        except EngineError as error:
            return error

    def decode_ids(self, ids: Sequence[int]) -> list[bytes]:
        return self._model.decode_ids(ids)

    def decode(self, ids: Sequence[int]) -> bytes:
        return self._model.decode(ids)

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        raise EngineError(f"{len(messages)} messages cannot be rendered: the model has no template engine")

    def notes(self) -> Iterator[str]:
        yield from ()


@dataclass
class _Native:
    """The real engine, with the model beside it for what the binding cannot do."""

    engine: NativeEngine
    file: TokenizerFile
    chats: bool = True
    _nul_texts: set[str] = field(default_factory=set)
    _nul_ids: set[int] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"native {self.engine.version}"

    @cached_property
    def version(self) -> Version:
        try:
            return version_named(self.engine.version)
        except MtokError:  # a release after the ones that the model knows
            return NEXT

    @cached_property
    def _model(self) -> _Model:
        return _Model(self.file, self.version)

    def encode_each(self, texts: Sequence[str]) -> list[Encoded]:
        whole = [text for text in texts if "\0" not in text]
        cut = [text for text in texts if "\0" in text]
        self._nul_texts.update(cut)
        encoded = iter(self.engine.encode_each(whole, max_deaths=MOST_DEATHS))
        modelled = iter(self._model.encode_each(cut) if cut else ())
        return [next(modelled if "\0" in text else encoded) for text in texts]

    def decode_ids(self, ids: Sequence[int]) -> list[bytes]:
        shown = self.engine.decode_ids(ids)
        for place, modelled in enumerate(self._model.decode_ids(ids)):
            if b"\0" in modelled:
                self._nul_ids.add(ids[place])
                shown[place] = modelled
        return shown

    def decode(self, ids: Sequence[int]) -> bytes:
        return self._model.decode(ids)

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        return self.engine.chat(messages)

    def notes(self) -> Iterator[str]:
        where = "by the model of the engine, since the engine's Python binding ends a text there"
        if self._nul_texts:
            yield f"texts with U+0000 ({len(self._nul_texts):,}) were encoded {where}"
        if self._nul_ids:
            yield f"ids that decode to U+0000 ({len(self._nul_ids):,}) were decoded {where}"
        if self.version is NEXT:
            yield f"engine {self.engine.version} is newer than this program, which takes it to run post-processors"


@contextmanager
def open_engine(
    choice: EngineChoice, path: Path, file: TokenizerFile, llm_config: Mapping[str, Any] | None = None
) -> Iterator[Engine]:
    """The chosen engine, with a file loaded.

    Args:
        choice: which engine.
        path: the file on disk, which the native engine reads.
        file: the same file, as read.
        llm_config: more keys for the engine's ``llm_config.json``, where a text file has its chat template.

    Raises:
        EngineError: the engine is missing, refuses the file, dies of it, or takes too long.
    """
    if not choice.native:
        yield _Model(file, choice.version)
        return
    python = choice.python or sys.executable
    with NativeEngine(path, python=python, deadline=choice.deadline, llm_config=llm_config) as engine:
        yield _Native(engine, file)
