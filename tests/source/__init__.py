"""Tests of ``mtok_export.source``."""
