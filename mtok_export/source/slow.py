"""Tokenizers that only ``transformers`` can read: it converts them, in a process of its own.

Code that comes with a model is run there, and only when the user trusts it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.source.config_files import ConfigFiles
from mtok_export.source.conversion import Converted, Defaults, Owner
from mtok_export.source.json_values import describe, parse_json
from mtok_export.source.settings import Notice

CONVERT_SECONDS = 300
"""How long the library may take; converting a large sentencepiece vocabulary takes it about a minute."""

_TRUST_OPTION = "--trust-remote-code"
_REASON_CHARACTERS = 300
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TOKENIZERS_PARALLELISM": "false",
}
"""No network, no talk; what would be fetched is missing from the directory, and that is worth an error."""


def read_slow(path: Path, files: ConfigFiles, *, trust_remote_code: bool) -> Converted:
    """Let ``transformers`` convert the tokenizer of a directory.

    Args:
        path: the directory.
        files: the config files in it, which the library reads itself.
        trust_remote_code: whether Python code from the directory may be run, as the config asks for it.

    Returns:
        What the library makes of it.

    Raises:
        SourceError: when the library is not installed, or cannot read or convert the tokenizer.
    """
    answer = _ask(path, trust_remote_code)
    if "error" in answer:
        raise _failure(answer, path, needs_code=_names_code(files) and not trust_remote_code)
    text = answer["tokenizer"].encode("utf-8")
    document = parse_json(text, "the tokenizer.json of transformers")
    if not isinstance(document, dict):
        raise SourceError(f"transformers makes {describe(document)} of it", where=str(path))
    message = f"it was converted by transformers {answer['version']} ({answer['class']})"
    if trust_remote_code and _names_code(files):
        message += ", with code from the directory"
    roles: Mapping[str, str] = answer["roles"]
    defaults = Defaults(roles.get("bos_token"), roles.get("eos_token"))
    return Converted(document, Owner.TOKENIZERS, text, notices=(Notice(path.name, message),), defaults=defaults)


def _names_code(files: ConfigFiles) -> bool:
    """Whether the config says that the tokenizer is made by Python code of the model."""
    config = files.tokenizer_config
    automatic = None if config is None else config.items.get("auto_map")
    return bool(automatic.get("AutoTokenizer") if isinstance(automatic, dict) else automatic)


def _ask(path: Path, trust_remote_code: bool) -> dict[str, Any]:
    """Run the worker and return its answer."""
    with tempfile.TemporaryDirectory(prefix="mtok-convert-") as folder:
        out = Path(folder) / "answer.json"
        request = {
            "path": sys.path,
            "folder": str(path.resolve()),
            "trust_remote_code": trust_remote_code,
            "out": str(out),
        }
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-X", "utf8", str(Path(__file__).with_name("slow_worker.py"))],
                input=json.dumps(request),
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, **_ENVIRONMENT},
                timeout=CONVERT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            problem = f"transformers has not converted it after {CONVERT_SECONDS} seconds"
            raise SourceError(problem, where=str(path)) from None
        except OSError as error:
            raise SourceError(f"Python cannot be started to convert it: {error}", where=str(path)) from None
        if not out.is_file():
            reason = _short(done.stderr) or f"exit code {done.returncode}"
            raise SourceError(f"the process that converts it has died: {reason}", where=str(path))
        answer: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return answer


def _failure(answer: Mapping[str, str], path: Path, *, needs_code: bool) -> SourceError:
    reason = _short(answer["error"]) or answer["kind"]
    if answer["kind"] in ("ModuleNotFoundError", "ImportError"):
        hint = "install what it names, or give a directory with a tokenizer.json"
        return SourceError(f"transformers cannot read it without another package: {reason}", where=str(path), hint=hint)
    if needs_code:
        problem = "its tokenizer is made by Python code in the directory, which is only run if you trust it"
        hint = f"read that code, then give {_TRUST_OPTION}"
        return SourceError(f"{problem}; without it transformers says: {reason}", where=str(path), hint=hint)
    hint = "give a directory with a tokenizer.json"
    return SourceError(f"transformers cannot convert it: {reason}", where=str(path), hint=hint)


def _short(text: str) -> str:
    """The text in one line, its end cut off where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _REASON_CHARACTERS else line[:_REASON_CHARACTERS] + "…"
