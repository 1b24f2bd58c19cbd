"""Export Hugging Face tokenizers to the ``.mtok`` file of the MNN engine, and say what differs.

``export(path, out)`` does the whole job; ``load_source`` and ``lower`` are its two halves, ``MtokFile`` is the file.
"""

from typing import TYPE_CHECKING

from mtok_export._version import __version__
from mtok_export.lazy import names_of

if TYPE_CHECKING:
    from mtok_export.errors import (
        EngineError,
        FormatError,
        MtokError,
        OutputError,
        Problem,
        SourceError,
        UnsupportedError,
    )
    from mtok_export.exporting import export
    from mtok_export.format import MtokFile
    from mtok_export.lowering import Composing, Options, lower
    from mtok_export.report import Aspect, Fidelity, Limit, Report
    from mtok_export.source import load_source

_HOMES = {
    "Aspect": "report",
    "Composing": "lowering",
    "EngineError": "errors",
    "Fidelity": "report",
    "FormatError": "errors",
    "Limit": "report",
    "MtokError": "errors",
    "MtokFile": "format",
    "Options": "lowering",
    "OutputError": "errors",
    "Problem": "errors",
    "Report": "report",
    "SourceError": "errors",
    "UnsupportedError": "errors",
    "export": "exporting",
    "load_source": "source",
    "lower": "lowering",
}
"""Where each name is; its module is imported when it is first asked for, since few commands need all of them."""

__all__ = [
    "Aspect",
    "Composing",
    "EngineError",
    "Fidelity",
    "FormatError",
    "Limit",
    "MtokError",
    "MtokFile",
    "Options",
    "OutputError",
    "Problem",
    "Report",
    "SourceError",
    "UnsupportedError",
    "__version__",
    "export",
    "load_source",
    "lower",
]

__getattr__ = names_of(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
