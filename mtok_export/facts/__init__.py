"""What the ``tokenizers`` library answers where nothing but its version decides, written down so as not to be asked.

Each module here is a table: ``DATA``, the answers, and ``VERSIONS``, the versions of the library that gave them.
``scripts/ask_tokenizers.py`` writes the tables by asking the library about everything that stands in them, and a test
asks the installed one again.  With a version that is not listed a table is as good as absent: the library is asked.
"""

from __future__ import annotations

import binascii
import zlib
from importlib import import_module


def holds(name: str) -> bool:
    """Whether the installed library is known to give the answers of a table, which is named by its module."""
    from tokenizers import __version__

    return __version__ in import_module(f"{__name__}.{name}").VERSIONS


def read(name: str) -> bytes:
    """The answers of a table, whichever library is installed: for what is right with any of them."""
    return unpacked(import_module(f"{__name__}.{name}").DATA)


def stored(name: str) -> bytes | None:
    """The answers of a table; ``None`` where the installed library may give others and has to be asked."""
    return read(name) if holds(name) else None


def packed(data: bytes) -> str:
    """Bytes as text for a module of Python: deflated, then base64, which unlike base85 is read without a loop."""
    return binascii.b2a_base64(zlib.compress(data, 9), newline=False).decode("ascii")


def unpacked(text: str) -> bytes:
    """The bytes that ``packed`` was given."""
    return zlib.decompress(binascii.a2b_base64(text))
