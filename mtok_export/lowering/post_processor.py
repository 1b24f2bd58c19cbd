"""Post-processors: the special tokens round the text, as a header prefix and a program for engines after 3.6.1.

What stands before the text goes into the header's prefix list, which every engine puts in front; only what follows it
goes into the program, since an engine that runs the program has already put the prefix there.

In the ``tokenizers`` library a post-processor takes a list of encodings and gives one: a template turns one encoding
into as many as it has pieces, and a processor after it treats each of them as a sequence of its own.  That is
followed here, with ``None`` standing for the ids of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mtok_export.format.tail import PostProcessorStep, SequenceA, SpecialTokenId
from mtok_export.lowering.findings import Place
from mtok_export.records import dataclass
from mtok_export.source.pipeline import (
    BertProcessing,
    ByteLevelProcessing,
    PostProcessor,
    PostProcessorSequence,
    RobertaProcessing,
    TemplateProcessing,
    TemplateSequence,
)

Encoding = tuple["int | None", ...]
Encodings = tuple[Encoding, ...]

_TEXT: Encodings = ((None,),)


@dataclass(frozen=True)
class Surroundings:
    """The ids before and after the ids of the text."""

    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()

    def program(self) -> tuple[PostProcessorStep, ...] | None:
        """The post-processor of the file: nothing at all where nothing follows the text."""
        if not self.suffix:
            return None
        return (SequenceA(), *map(SpecialTokenId, self.suffix))


def lower_post_processor(post_processor: PostProcessor | None, place: Place) -> Surroundings:
    """What a single sequence is surrounded with; parts that cannot be said are recorded at ``place``."""
    if post_processor is None:
        return Surroundings()
    ids = [item for encoding in _process(post_processor, _TEXT, place) for item in encoding]
    if ids.count(None) != 1:
        place.refuse(f"the text must stand once in what is put together, it stands {ids.count(None)} times")
        return Surroundings()
    at = ids.index(None)
    around = Surroundings(tuple(i for i in ids[:at] if i is not None), tuple(i for i in ids[at:] if i is not None))
    if around.suffix:
        place.limit(
            f"the ids {list(around.suffix)} after the text are added by engines after 3.6.1 alone",
            bound="engines after 3.6.1",
            example="a",
        )
    return around


def _process(post_processor: PostProcessor, encodings: Encodings, place: Place) -> Encodings:
    return _RULES[type(post_processor)](post_processor, encodings, place)


def _bert(processing: BertProcessing, encodings: Encodings, place: Place) -> Encodings:
    place.became("header prefix + program")
    first, *others = encodings
    sep = processing.sep[1]
    return ((processing.cls[1], *first, sep), *((*other, sep) for other in others))


def _roberta(processing: RobertaProcessing, encodings: Encodings, place: Place) -> Encodings:
    place.became("header prefix + program")
    first, *others = encodings
    sep = processing.sep[1]
    return ((processing.cls[1], *first, sep), *((sep, *other, sep) for other in others))


def _nothing(_processing: ByteLevelProcessing, encodings: Encodings, place: Place) -> Encodings:
    place.became("nothing: it changes offsets alone")
    return encodings


def _template(template: TemplateProcessing, encodings: Encodings, place: Place) -> Encodings:
    if len(encodings) > 2:
        place.refuse(
            f"it gets {len(encodings)} sequences from the processor before it; the tokenizers library fails here too"
        )
        return _TEXT
    ids_of = {token.id: token.ids for token in template.special_tokens}
    pieces = template.single if len(encodings) == 1 else template.pair
    made: list[Encoding] = []
    for piece in pieces:
        if not isinstance(piece, TemplateSequence):
            made.append(ids_of[piece.id])
        elif piece.id == "A":
            made.append(encodings[0])
        elif len(encodings) == 2:
            made.append(encodings[1])
        else:
            place.refuse("the template for one sequence asks for $B")
            return _TEXT
    if not made:
        place.refuse("the template is empty, so the text is lost")
        return _TEXT
    place.became("header prefix + program")
    return tuple(made)


def _sequence(sequence: PostProcessorSequence, encodings: Encodings, place: Place) -> Encodings:
    for position, child in enumerate(sequence.processors):
        encodings = _process(child, encodings, place.at(f".processors[{position}]", child))
    place.became("its parts")
    return encodings


_RULES: dict[type, Callable[[Any, Encodings, Place], Encodings]] = {
    BertProcessing: _bert,
    RobertaProcessing: _roberta,
    ByteLevelProcessing: _nothing,
    TemplateProcessing: _template,
    PostProcessorSequence: _sequence,
}
