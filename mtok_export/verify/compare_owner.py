"""Ids of texts against the library that a source was made for, where that is not ``tokenizers``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mtok_export.errors import MtokError, SourceError
from mtok_export.source.settings import Source
from mtok_export.verify.compare_ids import Expected, difference
from mtok_export.verify.engines import Encoded
from mtok_export.verify.owners import LIBRARIES, without_special_strings
from mtok_export.verify.results import Row, RowResult
from mtok_export.verify.windows import Pieces


@dataclass(frozen=True)
class OwnerComparison:
    """The row, if there is one, and what was compared."""

    rows: tuple[RowResult, ...] = ()
    notes: tuple[str, ...] = ()


def compare_owner(
    source: Source,
    texts: Sequence[str],
    converted: Expected,
    found: Sequence[Encoded],
    plain: RowResult,
    pieces: tuple[Pieces, Pieces],
) -> OwnerComparison:
    """Compare the ids of the texts that spell out no special token with those of the owner.

    Args:
        source: the source; nothing is compared where its owner is ``tokenizers``.
        texts: the texts.
        converted: what ``tokenizers`` makes of each with the converted tokenizer.
        found: what the engine makes of each, without what stands round it.
        plain: the row of ids without specials; where owner and converted tokenizer agree, its differences stand here
            too, with the limits that cover them.  A difference between those two is named by a notice of the source.
        pieces: what an id stands for, to Hugging Face and in the file.
    """
    library = LIBRARIES[source.owner]
    if library is None:
        return OwnerComparison()
    if plain.failure is not None:
        return OwnerComparison((RowResult(Row.OWNER_IDS, failure=plain.failure),))
    try:
        owner = library(source)
    except SourceError as error:
        return OwnerComparison((RowResult(Row.OWNER_IDS, failure=str(error)),))
    except MtokError as error:
        return OwnerComparison((RowResult(Row.OWNER_IDS, not_run=str(error)),))
    chosen = without_special_strings(texts, source)
    named = {other.text: other for other in plain.differences}
    differences = []
    compared = apart = 0
    for i, right in zip(chosen, owner.encode([texts[i] for i in chosen]), strict=True):
        if right is None:
            continue
        compared += 1
        apart += right != converted[i]
        if right != converted[i] and right != found[i]:
            notice = next((notice for notice in source.notices if notice.names(texts[i])), None)
            name = None if notice is None else f"{notice.where}: {notice.message}"
            differences.append(replace(difference(texts[i], right, found[i], pieces), limit=name))
        elif texts[i] in named and right != found[i]:
            differences.append(named[texts[i]])
    note = (
        f"the owner is {owner.name}, asked for {compared:,} texts that spell out no special token; on {apart:,} of "
        "them the converted tokenizer has other ids"
    )
    return OwnerComparison((RowResult(Row.OWNER_IDS, compared, tuple(differences)),), (note,))
