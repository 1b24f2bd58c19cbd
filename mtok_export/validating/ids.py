"""The id lists of the header, and the added tokens."""

from __future__ import annotations

from collections.abc import Iterable

from mtok_export.format import model
from mtok_export.format.added_tokens import AddedToken
from mtok_export.shown import counted, listed, visible, visible_bytes
from mtok_export.validating.finding import Findings, error, warning
from mtok_export.validating.subject import Subject


def header_findings(subject: Subject) -> Findings:
    """Ids without a token, and specials that the engine looks for under another text than one would think."""
    start = subject.places.section("header")
    header = subject.file.header
    yield from _special_beyond(subject, start)
    yield from _special_texts(subject, start)
    for name, ids, does in (
        ("stop_ids", header.stop_ids, "generation waits for an id that no entry and no added token explains"),
        ("prefix_ids", header.prefix_ids, "every encoding starts with an id that no entry and no added token explains"),
    ):
        unknown = [id_ for id_ in ids if id_ not in subject.entries and id_ not in subject.added_ids]
        if unknown:
            what = f"{_ids(unknown)} without an entry in the vocabulary and without an added token"
            yield warning("unknown-id", f"header.{name}", start, what, does, "check the id")


def _special_beyond(subject: Subject, start: int) -> Findings:
    if isinstance(subject.file.model, model.Bpe):
        return
    beyond = [id_ for id_ in subject.file.header.special_ids if id_ >= subject.size]
    if beyond:
        unk = visible_bytes(subject.streamed(beyond[0]))
        yield error(
            "special-beyond-vocab",
            "header.special_ids",
            start,
            f"{_ids(beyond)} not below the vocab size {subject.size:,}",
            f"the engine looks for such a special under the unk token's text, so {unk} in a text becomes {beyond[0]}",
            "give the id an entry in the vocabulary (an empty string will do), or leave it out of the list",
        )


def _special_texts(subject: Subject, start: int) -> Findings:
    """What is looked for in a text is what streaming shows for a special; the first of the list that fits is taken."""
    seen: dict[bytes, int] = {}
    blank: dict[bytes, list[int]] = {}
    hidden: list[tuple[int, int]] = []
    for id_ in subject.file.header.special_ids:
        text = subject.streamed(id_)
        if not text:
            continue
        if not text.strip(b" \t\n\v\f\r"):
            blank.setdefault(text, []).append(id_)
        shorter = next((seen[text[:end]] for end in range(1, len(text) + 1) if text[:end] in seen), None)
        if shorter is not None and shorter != id_:
            hidden.append((id_, shorter))
        seen.setdefault(text, id_)
    for text, ids in blank.items():
        yield error(
            "special-is-space",
            "header.special_ids",
            start,
            f"{_ids(ids)} shown as {visible_bytes(text)}",
            f"the engine looks for specials by what it shows for them: every {visible_bytes(text)} in a text becomes "
            f"{ids[0]}",
            "keep the special's string in the vocabulary, or leave it out of the list",
        )
    if hidden:
        pairs = [f"{id_} behind {shorter}" for id_, shorter in hidden]
        yield warning(
            "special-hidden",
            "header.special_ids",
            start,
            f"{counted(len(hidden), 'special')} whose text begins with that of an earlier one: {listed(pairs)}",
            "the first special of the list that fits is taken, not the longest, so these are never found",
            "list longer specials first",
        )


def added_token_findings(subject: Subject) -> Findings:
    """Added tokens that are never found, or not shown as what they are."""
    tokens = subject.file.added_tokens
    empty = [index for index, token in enumerate(tokens) if not token.content]
    if empty:
        yield warning(
            "added-token-empty",
            f"added_tokens[{empty[0]}]",
            subject.places.added_token(empty[0]),
            f"{counted(len(empty), 'added token')} without content",
            "the engine skips it: no text gives its id",
            "leave it out",
        )
    yield from _same_content(subject, tokens)
    unlike = [
        (index, token)
        for index, token in enumerate(tokens)
        if token.content and not token.special and subject.streamed(token.id) not in subject.expected(token.content)
    ]
    if unlike:
        index, token = unlike[0]
        shown = visible_bytes(subject.streamed(token.id))
        yield warning(
            "added-token-not-shown",
            f"added_tokens[{index}]",
            subject.places.added_token(index),
            f"{counted(len(unlike), 'added token')} that the vocabulary has not as it is, first {token.id} "
            f"{visible(token.content)}",
            f"decoding looks into the vocabulary alone and shows {shown}",
            "give it an entry in the vocabulary, in byte-level characters where the file is byte-level",
        )


def _same_content(subject: Subject, tokens: Iterable[AddedToken]) -> Findings:
    first: dict[str, int] = {}
    lost: list[tuple[int, AddedToken]] = []
    for index, token in enumerate(tokens):
        if first.setdefault(token.content, token.id) != token.id and token.content:
            lost.append((index, token))
    if lost:
        index, token = lost[0]
        yield warning(
            "added-token-twice",
            f"added_tokens[{index}]",
            subject.places.added_token(index),
            f"{counted(len(lost), 'added token')} with the content of an earlier one, first {visible(token.content)}",
            f"the text always gives the id of the earlier one, {first[token.content]}, never {token.id}",
            "leave out all but one",
        )


def _ids(ids: list[int]) -> str:
    return ("the id is " if len(ids) == 1 else f"{len(ids):,} ids are ") + listed(map(str, ids))
