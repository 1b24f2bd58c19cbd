"""Renders chat templates in a process of its own; the other end of ``chat_template.render``.

A template is a program from somebody else.  Jinja's sandbox keeps it from reading files, but not from counting to
infinity or filling the memory in a single C call, which nothing in the same process could stop.  Here the parent kills
the process when it takes too long, and the operating system bounds its memory.

Lines of JSON come in: first ``{"path": [...], "seconds": n, "memory": bytes, "characters": n}``, then requests,
``{"template": text, "variables": {...}}``, or ``{"compile": template}`` for one that will be rendered soon, or
``{"call": "module:function", "text": text}`` for a function of the project that needs jinja2, which is imported here
anyway.  A line goes out for each request: ``{"text": ...}``, ``{}``, ``{"value": ...}`` or ``{"error": ...}``.  This
file runs as a script, without ``site`` and outside of its package, so it imports nothing of the project itself.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2
    from jinja2.parser import Parser


@lru_cache(maxsize=16)
def compile_template(text: str) -> jinja2.Template:
    """Compile a template as ``transformers`` does (5.24): sandbox, trimmed blocks, its functions, filter and tags."""
    import jinja2.ext
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class GenerationTag(jinja2.ext.Extension):
        """``{% generation %}`` marks the assistant's words for training; in rendering it is its body."""

        tags = {"generation"}  # noqa: RUF012  (jinja2 declares it so)

        def parse(self, parser: Parser) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body, lineno=line)

    def tojson(
        value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
    ) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    def raise_exception(message: object) -> None:
        raise jinja2.TemplateError(str(message))

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment.from_string(text)


def render(template: str, variables: dict[str, Any], limit: int) -> str:
    """Render, and give up when the text gets longer than ``limit`` characters (``ValueError``)."""
    pieces, length = [], 0
    for piece in compile_template(template).generate(**variables):
        length += len(piece)
        if length > limit:
            raise ValueError(f"the rendered text is longer than {limit} characters")
        pieces.append(piece)
    return "".join(pieces)


def explain(error: BaseException) -> str:
    """What went wrong, with the line of the template where it is known."""
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    place = f"line {line}: " if line is not None else ""
    return f"{place}{error}" if str(error) else f"{place}{type(error).__name__}"


def call(name: str, text: str) -> Any:
    """What a function, named ``module:function``, makes of a text."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(text)


def answer(request: dict[str, Any], limit: int) -> dict[str, Any]:
    """Answer one request."""
    try:
        if "compile" in request:
            compile_template(request["compile"])
            return {}
        if "call" in request:
            return {"value": call(request["call"], request["text"])}
        return {"text": render(request["template"], request["variables"], limit)}
    except Exception as error:  # a template can raise whatever Python can raise
        return {"error": explain(error)}


def bound_memory(size: int) -> None:
    """Let this process have ``size`` bytes of address space, where the platform can say so."""
    try:
        import resource
    except ImportError:  # Windows: only the deadline protects there
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))


def bound_time(seconds: float) -> None:
    """Let this process have ``seconds`` more of processor time, so that it ends even if its parent was killed."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))


def main() -> None:
    """Serve requests until the input ends."""
    settings = json.loads(sys.stdin.readline())
    sys.path[:] = settings["path"]
    bound_memory(settings["memory"])
    compile_template("")  # imports jinja2, while the parent still does something else
    for line in sys.stdin:
        bound_time(settings["seconds"])
        print(json.dumps(answer(json.loads(line), settings["characters"])), flush=True)


if __name__ == "__main__":
    main()
