"""Which characters a normalizer may change as texts of their own: a run of them is asked about no others."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from mtok_export.lowering.character_sets import BERT_ACCENTS, BERT_LOWERCASE, CLEAN_TEXT, changed, codes_of
from mtok_export.lowering.charsmap import CharacterMap
from mtok_export.lowering.replace import characters
from mtok_export.source.pipeline import (
    NFC,
    NFD,
    NFKC,
    NFKD,
    BertNormalizer,
    Lowercase,
    Nmt,
    Normalizer,
    NormalizerSequence,
    Precompiled,
    ReplaceNormalizer,
    StripAccents,
)


def may_change(component: Normalizer, path: str) -> Iterable[int]:
    """The code points of ``ASKED`` that a component may change, the ideographs apart that Bert puts spaces round.

    Args:
        component: one that can be part of a run.
        path: where it stands, for errors.

    Raises:
        SourceError: the library refuses the component's parameters.
    """
    return _RULES[type(component)](component, path)


def character_map(component: Precompiled) -> CharacterMap:
    """The map of a component that the library has accepted."""
    return _character_map(component.precompiled_charsmap)


@lru_cache(maxsize=1)
def _character_map(charsmap: str) -> CharacterMap:
    return CharacterMap(base64.b64decode(charsmap))


def _by_class(component: Normalizer, _path: str) -> Iterator[int]:
    return codes_of(changed(type(component).__name__))


def _bert(component: BertNormalizer, _path: str) -> Iterator[int]:
    accents = component.lowercase if component.strip_accents is None else component.strip_accents
    flags = {CLEAN_TEXT: component.clean_text, BERT_ACCENTS: accents, BERT_LOWERCASE: component.lowercase}
    for name, flag in flags.items():
        if flag:
            yield from codes_of(changed(name))


def _replace(component: ReplaceNormalizer, path: str) -> Iterable[int]:
    return map(ord, characters(component.pattern, path))


def _precompiled(component: Precompiled, _path: str) -> Iterator[int]:
    return character_map(component).code_points()


def _sequence(component: NormalizerSequence, path: str) -> Iterator[int]:
    for child in component.normalizers:
        yield from may_change(child, path)


_RULES: dict[type, Callable[[Any, str], Iterable[int]]] = {
    **dict.fromkeys((NFC, NFD, NFKC, NFKD, Lowercase, Nmt, StripAccents), _by_class),
    BertNormalizer: _bert,
    ReplaceNormalizer: _replace,
    Precompiled: _precompiled,
    NormalizerSequence: _sequence,
}
