"""Decoding of ids: id by id, as an app shows them while they come, and as a whole.

The ids are those of Hugging Face, so that what differs is the decoding alone.  Bytes of the engine that are no UTF-8
count as U+FFFD, which is how they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtok_export.errors import EngineError
from mtok_export.verify.compare_ids import Expected
from mtok_export.verify.engines import Engine
from mtok_export.verify.reference import Reference
from mtok_export.verify.results import Difference, Row, RowResult
from mtok_export.verify.windows import text_difference


def compare_streaming(texts: Sequence[str], ids: Expected, engine: Engine, reference: Reference) -> RowResult:
    """Compare what the engine shows for each id alone, joined, with what streaming shows on the side of Hugging Face.

    Args:
        texts: the texts that the ids are of.
        ids: the right ids of each, without the special tokens round them.
        engine: the engine.
        reference: the tokenizer.
    """
    pairs = [(text, right) for text, right in zip(texts, ids, strict=True) if right is not None]
    used = sorted({id_ for _, right in pairs for id_ in right})
    try:
        shown = dict(zip(used, engine.decode_ids(used), strict=True))
    except EngineError as error:
        return RowResult(Row.STREAMING, failure=str(error))
    differences: list[Difference] = []
    for text, right in pairs:
        found = b"".join(shown[id_] for id_ in right).decode("utf-8", "replace")
        expected = reference.stream(right)
        if found != expected:
            differences.append(text_difference(text, text, expected, found))
    return RowResult(Row.STREAMING, len(pairs), tuple(differences))


def compare_whole(texts: Sequence[str], ids: Expected, engine: Engine, reference: Reference) -> RowResult:
    """Compare the engine's whole decoding, which drops special tokens, with that of Hugging Face, which is told to.

    Args:
        texts: the texts that the ids are of.
        ids: the right ids of each, with the special tokens round them.
        engine: the engine.
        reference: the tokenizer.
    """
    pairs = [(text, right) for text, right in zip(texts, ids, strict=True) if right is not None]
    expected = reference.decode_tidied([right for _, right in pairs])
    differences: list[Difference] = []
    try:
        for (text, right), whole in zip(pairs, expected, strict=True):
            found = engine.decode(right).decode("utf-8", "replace")
            if found != whole:
                differences.append(text_difference(text, text, whole, found))
    except EngineError as error:
        return RowResult(Row.WHOLE, failure=str(error))
    return RowResult(Row.WHOLE, len(pairs), tuple(differences))
