"""A model of the engine: runs a file in Python as the engine would, for several of its versions.

It stands in where the real engine cannot run, and for versions that the registries do not have.  Its only judge is the
real engine: tests hold the two against each other on real files and on random ones.
"""

from mtok_export.engine.model.engine_model import EngineModel
from mtok_export.engine.model.version import NEXT, V3_5, V3_6, VERSIONS, Version, version_named

__all__ = ["NEXT", "V3_5", "V3_6", "VERSIONS", "EngineModel", "Version", "version_named"]
