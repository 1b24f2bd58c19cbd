"""What the ``tokenizers`` library answers where nothing but its version decides, written down so as not to be asked.

Each module here is a table: ``DATA``, the answers, and ``VERSIONS``, the versions of the library that gave them.
``scripts/ask_tokenizers.py`` writes the tables by asking the library about everything that stands in them, and a test
asks the installed one again.  With a version that is not listed a table is as good as absent: the library is asked.
"""

from __future__ import annotations

import binascii
import zlib
from importlib import import_module


def stored(name: str) -> bytes | None:
    """The answers of a table, if the installed library is known to give them.

    Args:
        name: the module of the table.

    Returns:
        ``None`` where they have to be asked for.
    """
    from tokenizers import __version__

    table = import_module(f"{__name__}.{name}")
    return unpacked(table.DATA) if __version__ in table.VERSIONS else None


def packed(data: bytes) -> str:
    """Bytes as text for a module of Python: deflated, then base64, which unlike base85 is read without a loop."""
    return binascii.b2a_base64(zlib.compress(data, 9), newline=False).decode("ascii")


def unpacked(text: str) -> bytes:
    """The bytes that ``packed`` was given."""
    return zlib.decompress(binascii.a2b_base64(text))
