"""Export Hugging Face tokenizers to the ``.mtok`` file of the MNN engine, and say what differs.

``export(path, out)`` does the whole job; ``load_source`` and ``lower`` are its two halves, ``MtokFile`` is the file.
"""

from mtok_export._version import __version__
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
