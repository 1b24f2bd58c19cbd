"""Lowering: the components of a pipeline to the records of a file, with a report of what differs."""

from mtok_export.lowering.lower import lower
from mtok_export.lowering.options import Composing, Options

__all__ = ["Composing", "Options", "lower"]
