"""A model of the engine: runs a file in Python as the engine would, for several of its versions.

It stands in where the real engine cannot run, and for versions that the registries do not have.  Its only judge is the
real engine: tests hold the two against each other on real files and on random ones.
"""

from mtok_export.engine.model.engine_model import EngineModel
from mtok_export.engine.model.legacy import LegacyEngineModel
from mtok_export.engine.model.version import NEXT, V3_5, V3_6, VERSIONS, Version, version_named
from mtok_export.format import MtokFile
from mtok_export.legacy import LegacyFile

__all__ = [
    "NEXT",
    "V3_5",
    "V3_6",
    "VERSIONS",
    "EngineModel",
    "LegacyEngineModel",
    "Version",
    "model_of",
    "version_named",
]


def model_of(file: MtokFile | LegacyFile, version: Version = V3_6) -> EngineModel | LegacyEngineModel:
    """The model of an engine version that runs a file; all versions do the same with a text file.

    Raises:
        EngineError: this version dies of the file, or reads outside its memory.
    """
    return EngineModel(file, version) if isinstance(file, MtokFile) else LegacyEngineModel(file)
