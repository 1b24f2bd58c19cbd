"""Conversations: the text that a chat template renders, and its ids as an app gets them, prefix and all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtok_export.errors import EngineError
from mtok_export.verify.chat_reference import ChatAnswers, Rendered
from mtok_export.verify.engines import Encoded, Engine
from mtok_export.verify.reference import Reference
from mtok_export.verify.results import Difference, Failed, Row, RowResult
from mtok_export.verify.scenes import Scene, for_engine
from mtok_export.verify.windows import Pieces, ids_difference, text_difference


@dataclass(frozen=True)
class ChatComparison:
    """Both rows, and how something was compared where that is not the usual way."""

    ids: RowResult
    text: RowResult
    notes: tuple[str, ...] = ()

    @property
    def conversations(self) -> int:
        """How many conversations were compared."""
        return self.text.compared


def left_out(reason: str, *, applies: bool = True) -> ChatComparison:
    """Nothing was compared, and no one is to blame; ``applies`` says whether there is something to compare."""
    ids, text = (RowResult(row, not_run=reason, applies=applies) for row in (Row.CHAT_IDS, Row.CHAT_TEXT))
    return ChatComparison(ids, text)


def compare_chat(
    scenes: Sequence[Scene],
    answers: ChatAnswers,
    engine: Engine,
    reference: Reference,
    prefix_ids: Sequence[int],
    pieces: tuple[Pieces, Pieces],
) -> ChatComparison:
    """Compare every conversation that the template takes.

    Args:
        scenes: the conversations.
        answers: what ``transformers`` made of them.
        engine: the engine, which renders the conversation and encodes what it rendered.
        reference: the tokenizer.
        prefix_ids: the header's prefix list: what it supplies may be missing in front of the engine's rendered text.
        pieces: what an id stands for, to Hugging Face and in the file.
    """
    taken = [(scene, hf) for scene, hf in zip(scenes, answers.scenes, strict=True) if isinstance(hf, Rendered)]
    notes = [*answers.notes, *_refusals(scenes, answers)]
    if not taken:
        return left_out("the template takes none of the conversations")
    texts, failure = _render([scene for scene, _ in taken], engine)
    done = taken[: len(texts)]
    right, retokenized = _right_ids([hf for _, hf in done], reference)
    if retokenized:
        notes.append(
            f"{retokenized} conversations: transformers gives other ids than the tokenizers library gives for the "
            "same text; those of the library were taken"
        )
    prefix = "".join(map(reference.piece, prefix_ids))
    try:
        found = engine.encode_each(texts)
    except EngineError as error:
        found, failure = [error] * len(texts), failure or str(error)
    return ChatComparison(
        RowResult(Row.CHAT_IDS, len(done), tuple(_ids_differences(done, right, found, pieces)), failure=failure),
        RowResult(Row.CHAT_TEXT, len(done), tuple(_text_differences(done, texts, prefix)), failure=failure),
        tuple(notes),
    )


def _refusals(scenes: Sequence[Scene], answers: ChatAnswers) -> list[str]:
    pairs = zip(scenes, answers.scenes, strict=True)
    return [f"not compared: {scene.name!r}: {hf.reason}" for scene, hf in pairs if not isinstance(hf, Rendered)]


def _render(scenes: Sequence[Scene], engine: Engine) -> tuple[list[str], str | None]:
    """What the engine renders, up to the first conversation that it fails at, and why it does."""
    texts: list[str] = []
    try:
        for scene in scenes:
            texts.append(engine.chat(for_engine(scene.messages)))  # noqa: PERF401  (what is done before a failure stays)
    except EngineError as error:
        return texts, f"conversation {scenes[len(texts)].name!r}: {error}"
    return texts, None


def _right_ids(rendered: Sequence[Rendered], reference: Reference) -> tuple[list[list[int]], int]:
    """The ids that decide, and for how many conversations they are not those of ``transformers``."""
    ids: list[list[int]] = []
    other = 0
    for hf, plain in zip(rendered, reference.encode([hf.text for hf in rendered], specials=False), strict=True):
        other += plain is not None and plain != list(hf.ids)
        ids.append(list(hf.ids) if plain is None else plain)
    return ids, other


def _ids_differences(
    done: Sequence[tuple[Scene, Rendered]],
    right: Sequence[list[int]],
    found: Sequence[Encoded],
    pieces: tuple[Pieces, Pieces],
) -> list[Difference]:
    differences = []
    for (scene, hf), expected, ids in zip(done, right, found, strict=True):
        if ids == expected:
            continue
        shown = ids_difference(scene.name, hf.text, expected, ids if isinstance(ids, list) else (), *pieces)
        if isinstance(ids, EngineError):
            shown = Difference(scene.name, hf.text, 0, shown.expected, Failed(str(ids)))
        differences.append(shown)
    return differences


def _text_differences(done: Sequence[tuple[Scene, Rendered]], texts: Sequence[str], prefix: str) -> list[Difference]:
    differences = []
    for (scene, hf), text in zip(done, texts, strict=True):
        if not _same_but_for(prefix, hf.text, text):
            expected = hf.text if text.startswith(prefix) else hf.text.removeprefix(prefix)
            differences.append(text_difference(scene.name, hf.text, expected, text))
    return differences


def _same_but_for(prefix: str, expected: str, found: str) -> bool:
    """Whether the texts are the same, where what is missing in front may be part of the prefix."""
    missing = expected[: len(expected) - len(found)]
    return expected == missing + found and (prefix.startswith(missing) or prefix.endswith(missing))
