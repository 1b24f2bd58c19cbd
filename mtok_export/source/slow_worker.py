"""Converts a tokenizer with ``transformers``, in a process of its own; the other end of ``slow.py``.

It is a process of its own because the library is slow to import and prints when it is, because it must be kept off the
network without changing the settings of the program that uses this one, and because a model's own code, where that is
allowed to run, shall not run in that program.

Reads one JSON object from stdin: ``path`` for ``sys.path``, the ``folder``, ``trust_remote_code``, and ``out``, the
file to write: ``{"tokenizer": the text of the tokenizer.json, "class": ..., "version": ..., "roles": {...}}`` or
``{"error": ..., "kind": ...}``.  This file runs as a script, outside of its package, so it imports nothing of the
project.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROLES = ("bos_token", "eos_token")


def convert(folder: str, trust_remote_code: bool) -> dict[str, Any]:
    """Load the tokenizer and turn it into a tokenizer.json."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(
        folder, local_files_only=True, trust_remote_code=trust_remote_code
    )
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        from transformers.convert_slow_tokenizer import convert_slow_tokenizer

        backend = convert_slow_tokenizer(tokenizer)
    roles = {role: getattr(tokenizer, role, None) for role in ROLES}
    return {
        "tokenizer": backend.to_str(),
        "class": type(tokenizer).__name__,
        "version": transformers.__version__,
        "roles": {role: str(token) for role, token in roles.items() if token is not None},
    }


def main() -> None:
    """Answer the request."""
    request = json.load(sys.stdin)
    sys.path[:] = request["path"]
    try:
        answer = convert(request["folder"], request["trust_remote_code"])
    except Exception as error:  # a library, or a model's code, can raise whatever Python can raise
        answer = {"kind": type(error).__name__, "error": str(error)}
    Path(request["out"]).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
