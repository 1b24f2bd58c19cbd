"""Renders conversations with ``transformers``, in a process of its own; the other end of ``chat_reference.py``.

It is a process of its own because a template is a program from somebody else that may never end, because the library
is slow to import and prints when it is, and because it must be kept off the network without changing the settings of
the program that uses this one.

Reads one JSON object from stdin:

- ``path``: for ``sys.path``;
- ``tokenizer``: a ``tokenizer.json``; ``folder``: with the files beside it, or null;
- ``template``; ``tokens``: the texts of ``bos_token`` and ``eos_token``;
- ``scenes``: lists of messages; ``seconds``: for rendering all of them.

Writes JSON lines: one for the start, ``{"version": ..., "alone": why the folder was not loaded, or null}``, and one for
each scene, ``{"text": ..., "ids": [...]}`` or ``{"error": ...}``.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any, TextIO


def load(request: dict[str, Any]) -> tuple[Any, str | None]:
    """The tokenizer, and why the files beside ``tokenizer.json`` were not used, if they were not.

    ``PreTrainedTokenizerFast`` takes ``tokenizer.json`` as it is; of the classes that ``AutoTokenizer`` chooses, some
    build another tokenizer from its vocabulary.
    """
    from transformers import PreTrainedTokenizerFast

    reason = None
    if request["folder"] is not None:
        try:
            return PreTrainedTokenizerFast.from_pretrained(request["folder"], local_files_only=True), None
        except Exception as error:  # whatever it raises about a config
            reason = f"{type(error).__name__}: {error}"
    return PreTrainedTokenizerFast(tokenizer_file=request["tokenizer"]), reason


def answer(tokenizer: Any, messages: list[dict[str, Any]], template: str, variables: dict[str, str]) -> dict[str, Any]:
    """One conversation as text and as ids."""
    options: dict[str, Any] = {"chat_template": template, "add_generation_prompt": True, **variables}
    try:
        text = tokenizer.apply_chat_template(messages, tokenize=False, **options)
        ids = tokenizer.apply_chat_template(messages, tokenize=True, return_dict=False, **options)
    except Exception as error:  # a template can raise whatever Python can raise
        return {"error": f"{type(error).__name__}: {error}"}
    return {"text": text, "ids": list(ids)}


def main(source: TextIO, sink: TextIO) -> None:
    """Answer the request."""
    request = json.load(source)
    sys.path[:] = request["path"]
    import transformers

    tokenizer, reason = load(request)
    print(json.dumps({"version": transformers.__version__, "alone": reason}), file=sink, flush=True)
    if hasattr(signal, "setitimer"):  # not on Windows, where the parent's patience ends later
        signal.setitimer(signal.ITIMER_REAL, request["seconds"])
    given = request["tokens"]
    variables = {role: text for role, text in given.items() if getattr(tokenizer, role, None) is None}
    for messages in request["scenes"]:
        print(json.dumps(answer(tokenizer, messages, request["template"], variables)), file=sink, flush=True)


if __name__ == "__main__":
    real_output = sys.stdout
    sys.stdout = sys.stderr  # what the library prints there is no answer
    main(sys.stdin, real_output)
