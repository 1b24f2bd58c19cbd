"""Lowering: the components of a pipeline to the records of a file, with a report of what differs."""

from mtok_export.lowering.options import Composing, Options
from mtok_export.lowering.whole import lower

__all__ = ["Composing", "Options", "lower"]
