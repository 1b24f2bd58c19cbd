"""Added tokens and the special list of the header: how the engine finds them, and where that differs.

The engine first looks for every special token that streaming decodes to something, position by position and in list
order, then for all added tokens (the earliest, of those the longest).  ``tokenizers`` first finds the tokens that are
not ``normalized`` (the earliest, of those the longest), then normalizes, then finds the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mtok_export.byte_alphabet import is_spelled, to_bytes
from mtok_export.format import added_tokens as ops
from mtok_export.format import decoder as decoder_ops
from mtok_export.format import normalizer as normalizer_ops
from mtok_export.format.model import Model, WordPiece
from mtok_export.lowering.decoder import META, leaves, replaces_meta
from mtok_export.lowering.findings import Place
from mtok_export.lowering.unicode_tables import ranges
from mtok_export.records import dataclass
from mtok_export.report import Aspect
from mtok_export.source.models import model_ids
from mtok_export.source.pipeline import AddedToken, Pipeline, Unigram


@dataclass(frozen=True)
class Streaming:
    """What streaming makes of the ids of added tokens: the entry of each, seen through the decoder's kind.

    ``texts`` is what the engine shows for the ids that have an entry (``<0xNN>`` entries apart), ``nothing`` what it
    shows for the others.
    """

    texts: Mapping[int, str]
    nothing: str
    byte_level: bool
    word_piece_prefix: str | None
    replaces_meta: bool

    @classmethod
    def of(cls, entries: Mapping[int, str], decoder: decoder_ops.Decoder) -> Streaming:
        """Take the entries of ids, and the decoder of the file."""
        kinds = tuple(leaves(decoder))
        word_pieces = [record for record in kinds if isinstance(record, decoder_ops.WordPiece)]
        empty = cls(
            texts={},
            nothing="",
            byte_level=any(isinstance(record, decoder_ops.ByteLevel) for record in kinds),
            word_piece_prefix=word_pieces[-1].prefix if word_pieces else None,
            replaces_meta=any(map(replaces_meta, kinds)),
        )
        texts = {id_: empty._shown(entry.replace(META, " ")) for id_, entry in entries.items()}
        return replace(empty, texts=texts, nothing=empty._shown(""))

    def text(self, id_: int) -> str:
        """What the engine shows for one id."""
        return self.texts.get(id_, self.nothing)

    def expected(self, content: str) -> str:
        """What the decoder of tokenizers makes of an added token: all decoders work on it as on any other token."""
        if self.byte_level and not is_spelled(content):
            return content
        return self._shown(content.replace(META, " ") if self.replaces_meta else content)

    def _shown(self, text: str) -> str:
        if self.word_piece_prefix is not None:
            prefix = self.word_piece_prefix
            return text.removeprefix(prefix) if prefix and text.startswith(prefix) else f" {text}"
        return to_bytes(text).decode("utf-8", "replace") if self.byte_level else text


def lower_added_tokens(tokens: Iterable[AddedToken]) -> tuple[ops.AddedToken, ...]:
    """The records of the added-tokens section, in the order of the source."""
    return tuple(ops.AddedToken(t.id, t.special, t.lstrip, t.rstrip, t.content) for t in tokens)


def special_ids(tokens: Iterable[AddedToken], streaming: Streaming) -> tuple[int, ...]:
    """The header's special list: the longest content first, since the engine takes the first of the list that fits.

    An id that streams as one space, as it does without an entry under a WordPiece decoder, would be found at every
    space of a text: it is left out, and found as an added token.
    """
    special = {token.id: token.content for token in tokens if token.special and streaming.text(token.id) != " "}
    return tuple(sorted(special, key=lambda id_: (-len(special[id_].encode("utf-8")), id_)))


def limit_added_tokens(pipeline: Pipeline, model: Model, streaming: Streaming, place: Place) -> None:
    """Name what differs in finding and showing the added tokens."""
    _limit_flags(pipeline, place)
    _limit_streaming(pipeline.added_tokens, streaming, place)
    _limit_cached(pipeline, model, streaming, place)
    _limit_order(pipeline, streaming, place)
    if pipeline.added_tokens:
        place.became(f"{len(pipeline.added_tokens):,} added tokens")


def _limit_flags(pipeline: Pipeline, place: Place) -> None:
    """Name the flags that the engine does not know or reads otherwise, each at the first token that has it."""

    def named(found: list[int]) -> tuple[Place, str]:
        content = pipeline.added_tokens[found[0]].content
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        return place.at(f"[{found[0]}]", "AddedToken"), f"{content!r}{more}"

    tokens = pipeline.added_tokens
    if single := [i for i, token in enumerate(tokens) if token.single_word]:
        at, name = named(single)
        at.limit(
            f"the engine has no single_word: {name} is also found inside words",
            example=f"a{tokens[single[0]].content}b",
            holds=[tokens[i].content for i in single],
        )
    if stripping := [i for i, token in enumerate(tokens) if token.lstrip or token.rstrip]:
        at, name = named(stripping)
        at.limit(
            f"the engine strips ASCII white space round {name}, tokenizers all white space",
            example=f"a\u3000{tokens[stripping[0]].content}\u3000b",
            holds=[tokens[i].content for i in stripping],
        )
    normalized = [i for i, token in enumerate(tokens) if token.normalized]
    if normalized and pipeline.normalizer is not None and not _is_identity(pipeline):
        at, name = named(normalized)
        at.limit(f"the engine looks for {name} in the text as it is, tokenizers in the normalized text")


def _is_identity(pipeline: Pipeline) -> bool:
    return getattr(pipeline.normalizer, "normalizers", None) == ()


def _limit_streaming(tokens: tuple[AddedToken, ...], streaming: Streaming, place: Place) -> None:
    silent = [
        t for t in tokens if not t.special and t.content and streaming.text(t.id) != streaming.expected(t.content)
    ]
    if silent:
        place.limit(
            f"{len(silent):,} added tokens that are not special decode to something else or nothing, "
            f"{silent[0].content!r} to "
            f"{streaming.text(silent[0].id)!r}",
            example=silent[0].content,
            aspects=(Aspect.STREAMING, Aspect.DECODING),
        )
    shown = [t for t in tokens if t.special and streaming.text(t.id)]
    if shown:
        place.limit(
            f"{len(shown):,} special tokens are shown in streaming, {shown[0].content!r} as "
            f"{streaming.text(shown[0].id)!r}",
            example=shown[0].content,
            aspects=(Aspect.STREAMING,),
        )


def _limit_cached(pipeline: Pipeline, model: Model, streaming: Streaming, place: Place) -> None:
    """Special tokens are first looked for by what streaming shows for them, whatever their content is."""
    for token in pipeline.added_tokens:
        if not token.special:
            continue
        shown = streaming.text(token.id)
        spaced = shown == f" {token.content}" and isinstance(model, WordPiece)
        if shown and shown != token.content and not spaced:
            place.limit(
                f"the text {shown!r} is taken for the special token {token.content!r}", example=shown, holds=[shown]
            )
        if shown and (token.lstrip or token.rstrip):
            place.limit(
                f"{token.content!r} is found before lstrip and rstrip are looked at: the white space round it stays",
                example=f"a {token.content} b",
                holds=[token.content],
            )


def limit_respelt(pipeline: Pipeline, normalizer: normalizer_ops.Normalizer, place: Place) -> None:
    """Name what a Unigram model of ``tokenizers`` finds in a normalized text: special tokens that are its pieces.

    Their entries are empty here, so that streaming shows nothing for them; only a content that normalization makes,
    such as that of a text in full-width letters, would still be looked for there.
    """
    if not isinstance(pipeline.model, Unigram):
        return
    pieces = model_ids(pipeline.model)
    contents = [token.content for token in pipeline.added_tokens if token.special and token.content in pieces]
    characters = _made(normalizer, frozenset("".join(contents)))
    if characters:
        place.limit(
            f"a special token that only normalization spells, such as {contents[0]!r} out of other characters, is "
            "taken for text",
            example=_respelt(contents[0], normalizer),
            characters=ranges(characters),
        )


def _respelt(content: str, normalizer: normalizer_ops.Normalizer) -> str | None:
    """A content with a character in it that normalization drops."""
    dropped = _made(normalizer, frozenset("\0")) - {0}
    return None if not dropped else f"{content[0]}{chr(min(dropped))}{content[1:]}"


def _made(normalizer: normalizer_ops.Normalizer, wanted: frozenset[str]) -> frozenset[int]:
    """The code points that become one of some characters, or nothing."""
    made: set[int] = set()
    records = normalizer.normalizers if isinstance(normalizer, normalizer_ops.Sequence) else (normalizer,)
    for record in reversed(records):  # what a replacement writes, a later record may change
        if isinstance(record, normalizer_ops.Table):
            made.update(code for code, content in record.entries if not content or wanted & set(content))
        elif isinstance(record, normalizer_ops.Replace) and (
            not record.content or wanted & set(record.content) or made & set(map(ord, record.content))
        ):
            made.update(map(ord, record.pattern))
    return frozenset(made) - frozenset(map(ord, wanted)) if wanted else frozenset()


def _limit_order(pipeline: Pipeline, streaming: Streaming, place: Place) -> None:
    """Name the overlapping contents that the two orders of search treat differently, one pair as an example."""
    tokens = [token for token in pipeline.added_tokens if token.content]
    turn = {t.content: int(not (t.special and streaming.text(t.id) == t.content)) for t in tokens}
    early = [t for t in tokens if not turn[t.content]]
    late = [t for t in tokens if t.normalized]
    overlapping: dict[str, tuple[str, str]] = {}
    for a in (*early, *late):
        for b in tokens:
            if turn[a.content] - turn[b.content] == a.normalized - b.normalized:
                continue
            shared = _overlap(a.content, b.content)
            if shared is not None:
                overlapping.setdefault(a.content, (b.content, shared))
                break
    if overlapping:
        first, (other, shared) = next(iter(overlapping.items()))
        more = f" (as {len(overlapping) - 1:,} more do)" if len(overlapping) > 1 else ""
        place.limit(
            f"{first!r} and {other!r} overlap{more}, and the engine searches for them in another order than tokenizers",
            example=shared,
            holds=list(overlapping),
        )


def _overlap(a: str, b: str) -> str | None:
    """A text in which the two contents overlap, or None."""
    if a in b or b in a:
        return max(a, b, key=len)
    for left, right in ((a, b), (b, a)):
        for size in range(1, min(len(left), len(right))):
            if left.endswith(right[:size]):
                return left + right[size:]
    return None
