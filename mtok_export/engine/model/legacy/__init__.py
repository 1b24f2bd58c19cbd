"""A model of what the engine does with its text files, types 0 to 3; every text is bytes here, as it is there."""

from mtok_export.engine.model.legacy.engine_model import LegacyEngineModel

__all__ = ["LegacyEngineModel"]
