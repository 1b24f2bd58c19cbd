"""Decoders: each component of the pipeline to decoder records, and what that changes.

The engine decodes in two ways.  Streaming takes one id at a time and looks at the vocabulary entry alone: U+2581
becomes a space, ``<0xNN>`` a byte, and the kind of decoder decides about the byte alphabet and WordPiece prefixes.
Whole decoding runs the records over the list of entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from mtok_export.byte_alphabet import is_spelled
from mtok_export.format import decoder as ops
from mtok_export.lowering.findings import Place
from mtok_export.lowering.model import BYTE_PIECES
from mtok_export.lowering.options import Options
from mtok_export.report import Aspect, Effect
from mtok_export.source.models import model_ids
from mtok_export.source.pipeline import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    Decoder,
    DecoderSequence,
    Fuse,
    MetaspaceDecoder,
    Pipeline,
    RegexPattern,
    ReplaceDecoder,
    StripDecoder,
    WordPieceDecoder,
)

META = "\u2581"
"""The one replacement character that streaming knows."""

NO_PREFIX = "\U0010ffff"
"""A prefix that no token has: every token then gets a space in front."""

Records = tuple[ops.Decoder, ...]

_WHOLE = (Aspect.DECODING,)
_STREAMING = (Aspect.STREAMING,)


def leaves(decoder: ops.Decoder) -> Iterator[ops.Decoder]:
    """The records of a decoder that are no Sequence."""
    if isinstance(decoder, ops.Sequence):
        for child in decoder.decoders:
            yield from leaves(child)
    else:
        yield decoder


def replaces_meta(record: ops.Decoder) -> bool:
    """Whether a record turns U+2581 into spaces."""
    if isinstance(record, ops.Metaspace):
        return record.replacement == META
    return isinstance(record, ops.Replace) and (record.pattern, record.content) == (META, " ")


class DecoderLowering:
    """Rules for the decoder of one pipeline; ``fused`` turns true once all tokens have been joined into one."""

    def __init__(self, pipeline: Pipeline, options: Options) -> None:
        self.pipeline = pipeline
        self.options = options
        self.fused = False

    def lower(self, place: Place) -> ops.Decoder:
        """The record of the whole decoder; a missing one is Fuse, the only record that changes nothing."""
        decoder = self.pipeline.decoder
        if decoder is None:
            return self._missing(place)
        records = self._lower(decoder, place)
        record = records[0] if len(records) == 1 else ops.Sequence(records)
        self._limit_meta(record, place)
        return record

    def _limit_meta(self, record: ops.Decoder, place: Place) -> None:
        """Streaming shows U+2581 as a space, whatever the decoder says."""
        if any(replaces_meta(leaf) for leaf in leaves(record)) or META not in self._joined:
            return
        odd = min((token for token in self._tokens() if META in token), default=None)
        if odd is not None:
            place.limit(
                f"streaming shows {META!r} as a space",
                example=odd,
                aspects=(Aspect.STREAMING,),
                characters=((ord(META), ord(META)),),
            )

    def _missing(self, place: Place) -> ops.Decoder:
        """The tokenizers library then puts a space between all tokens: what WordPiece does without its prefix."""
        if not self.options.faithful or not self._specials_have_entries():
            place.limit(
                "there is no decoder: tokenizers puts a space between all tokens, the engine joins them",
                example="two tokens",
                aspects=(Aspect.STREAMING, Aspect.DECODING),
            )
            place.became("Fuse")
            return ops.Fuse()
        place.limit("the engine tidies spaces before . ? ! and , in any case", example="a .", aspects=_WHOLE)
        self._limit_leading_space(place)
        place.became("WordPiece with a prefix that no token has")
        return ops.WordPiece(NO_PREFIX, cleanup=False)

    def _specials_have_entries(self) -> bool:
        """Whether no special token would stream as a space alone under a WordPiece decoder, and be found at each."""
        return all(token.content in self._entries for token in self.pipeline.added_tokens if token.special)

    def _lower(self, decoder: Decoder, place: Place) -> Records:
        return _RULES[type(decoder)](self, decoder, place)

    def _sequence(self, sequence: DecoderSequence, place: Place) -> Records:
        records: list[ops.Decoder] = []
        for position, child in enumerate(sequence.decoders):
            records += self._lower(child, place.at(f".decoders[{position}]", child))
        place.became("Sequence")
        return (ops.Sequence(tuple(records)),)

    def _byte_level(self, _decoder: ByteLevelDecoder, place: Place) -> Records:
        known = is_spelled(self._joined)
        odd = None if known else min((token for token in self._tokens() if not is_spelled(token)), default=None)
        if odd is not None:
            place.limit(
                "of an entry with a character outside the byte alphabet tokenizers keeps every "
                "character, the engine still "
                "maps those that are in it",
                example=odd,
                aspects=(Aspect.STREAMING, Aspect.DECODING),
            )
        place.became("ByteLevel")
        return (ops.ByteLevel(),)

    def _byte_fallback(self, _decoder: ByteFallback, place: Place) -> Records:
        place.limit(
            "bytes that are no UTF-8 come out as they are; tokenizers writes U+FFFD for each",
            example="<0xE4>",
            aspects=(Aspect.STREAMING, Aspect.DECODING),
            holds=["<0x"],
        )
        odd = None
        if self._joined.count("<0x") != sum(piece in self._entries for piece in BYTE_PIECES):
            odd = min((token for token in self._tokens() if token.startswith("<0x") and len(token) != 6), default=None)
        if odd is not None:
            place.limit(
                "the engine takes every entry that starts with <0x and two hexadecimal digits for a byte",
                example=odd,
                aspects=(Aspect.STREAMING, Aspect.DECODING),
            )
        place.became("ByteFallback")
        return (ops.ByteFallback(),)

    def _fuse(self, _decoder: Fuse, place: Place) -> Records:
        self.fused = True
        place.became("Fuse")
        return (ops.Fuse(),)

    def _metaspace(self, decoder: MetaspaceDecoder, place: Place) -> Records:
        prefix = decoder.prepend_scheme != "never"
        if prefix:
            place.limit(
                f"of several {decoder.replacement!r} in the first token the engine drops one, tokenizers all of them",
                example="  a",
                aspects=_WHOLE,
            )
            self._limit_leading_space(place)
        self._limit_streaming_replacement(decoder.replacement, " ", place)
        place.became("Metaspace")
        return (ops.Metaspace(decoder.replacement, prefix),)

    def _word_piece(self, decoder: WordPieceDecoder, place: Place) -> Records:
        if decoder.cleanup:
            place.limit(
                "the engine tidies . ? ! and , alone; tokenizers also apostrophes, n't, 'm, 's, 've, "
                '\'re and "do not"',
                example="i ' m",
                aspects=_WHOLE,
            )
        else:
            place.limit("the engine tidies spaces before . ? ! and , in any case", example="a .", aspects=_WHOLE)
        self._limit_leading_space(place)
        place.limit("punctuation is not tidied in streaming", example="a .", aspects=_STREAMING)
        place.became("WordPiece")
        return (ops.WordPiece(decoder.prefix, decoder.cleanup),)

    def _replace(self, decoder: ReplaceDecoder, place: Place) -> Records:
        if isinstance(decoder.pattern, RegexPattern):
            place.refuse(f"the engine replaces literal text, not the regex {decoder.pattern.text!r}")
            return ()
        if not decoder.pattern.text:
            place.refuse("an empty pattern would make the engine loop for ever")
            return ()
        self._limit_streaming_replacement(decoder.pattern.text, decoder.content, place)
        place.became("Replace")
        return (ops.Replace(decoder.pattern.text, decoder.content),)

    def _strip(self, decoder: StripDecoder, place: Place) -> Records:
        if decoder.start > 1 or decoder.stop > 1:
            place.limit(
                f"the engine removes {decoder.content!r} at most once at either end, tokenizers {decoder.start} and "
                f"{decoder.stop} times",
                example=decoder.content * 2 + "a",
                aspects=_WHOLE,
            )
        if not self.fused:
            place.limit(
                "the engine strips the first token's start and the last one's end, tokenizers every token",
                example="two tokens",
                aspects=_WHOLE,
            )
        if decoder.start and decoder.content == " ":
            self._limit_leading_space(place)
        elif decoder.start or decoder.stop:
            place.limit("nothing is stripped in streaming", example=f"{decoder.content}a", aspects=_STREAMING)
        place.became("Strip")
        return (ops.Strip(decoder.content, decoder.start, decoder.stop),)

    def _bpe(self, decoder: BPEDecoder, place: Place) -> Records:
        place.refuse(f"the engine has no decoder for the end-of-word suffix {decoder.suffix!r}")
        return ()

    def _ctc(self, _decoder: CTC, place: Place) -> Records:
        place.refuse("the engine has no CTC decoder")
        return ()

    def _limit_leading_space(self, place: Place) -> None:
        place.limit(
            "the first token keeps its leading space in streaming",
            example="a",
            aspects=_STREAMING,
            effect=Effect.LEADING_SPACE,
        )

    def _limit_streaming_replacement(self, pattern: str, content: str, place: Place) -> None:
        if (pattern, content) != (META, " "):
            place.limit(
                f"streaming shows {pattern!r} as it is: it knows U+2581 alone", example=pattern, aspects=_STREAMING
            )

    def _tokens(self) -> list[str]:
        """The entries that the model produces; added tokens get entries of their own in a faithful file."""
        added = {token.content for token in self.pipeline.added_tokens} if self.options.faithful else set()
        return [entry for entry in self._entries if entry not in added]

    @cached_property
    def _entries(self) -> Mapping[str, int]:
        """All entries, those of added tokens too."""
        return model_ids(self.pipeline.model)

    @cached_property
    def _joined(self) -> str:
        """All entries in one text, in which nothing has to be looked for that no entry holds."""
        return "".join(self._entries)


_RULES: dict[type, Callable[[DecoderLowering, Any, Place], Records]] = {
    BPEDecoder: DecoderLowering._bpe,
    ByteFallback: DecoderLowering._byte_fallback,
    ByteLevelDecoder: DecoderLowering._byte_level,
    CTC: DecoderLowering._ctc,
    DecoderSequence: DecoderLowering._sequence,
    Fuse: DecoderLowering._fuse,
    MetaspaceDecoder: DecoderLowering._metaspace,
    ReplaceDecoder: DecoderLowering._replace,
    StripDecoder: DecoderLowering._strip,
    WordPieceDecoder: DecoderLowering._word_piece,
}
