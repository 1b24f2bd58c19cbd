"""The whole comparison of a tokenizer file with the model directory that it was made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from mtok_export.errors import EngineError
from mtok_export.format import MtokFile
from mtok_export.report import Limit
from mtok_export.source.settings import Source
from mtok_export.texts import builtin_texts, special_texts
from mtok_export.tokenizer_file import TokenizerFile, file_faults
from mtok_export.verify import surroundings
from mtok_export.verify.candidates import Candidate
from mtok_export.verify.chat_reference import ChatReference, chat_reference
from mtok_export.verify.compare_chat import ChatComparison, compare_chat, left_out
from mtok_export.verify.compare_decoding import compare_streaming, compare_whole
from mtok_export.verify.compare_ids import Expected, compare_ids, compare_plain_ids
from mtok_export.verify.compare_owner import compare_owner
from mtok_export.verify.coverage import cover
from mtok_export.verify.engines import Encoded, Engine, EngineChoice, open_engine
from mtok_export.verify.owners import LIBRARIES
from mtok_export.verify.pieces import Pieces
from mtok_export.verify.reference import Reference
from mtok_export.verify.results import Difference, Row, RowResult, Text, Verification
from mtok_export.verify.scenes import SCENES
from mtok_export.verify.segmentations import ids_effect, no_effect

Progress = Callable[[str], None]

STEPS = ("load", "encode", "decode", "chat")
"""What ``progress`` is told of."""


def compare(
    source: Source,
    candidate: Candidate,
    choice: EngineChoice,
    *,
    texts: Sequence[str] = (),
    limits: Sequence[Limit] = (),
    progress: Progress = lambda _step: None,
) -> Verification:
    """Run a file and the tokenizer it was made from on the same texts and conversations, and compare.

    Args:
        source: the model directory, as read.
        candidate: the file.
        choice: which engine runs it.
        texts: further texts, beside the built-in ones and those made from the added tokens.
        limits: the differences that are named in advance.
        progress: called with the name of each step of ``STEPS`` before it starts.

    Raises:
        SourceError: the ``tokenizers`` library or ``transformers`` refuses the directory.
        EngineError: the engine is not installed.  (What the file does to it is part of the result.)
    """
    progress("load")
    contents = [token.content for token in source.pipeline.added_tokens]
    all_texts = tuple(dict.fromkeys((*builtin_texts(), *special_texts(contents), *texts)))
    reference = Reference(source)
    native = choice.native
    with ExitStack() as stack:
        template = source.settings.chat_template
        chat = None
        if template is not None and candidate.chat_template and native:
            seconds = choice.deadline
            chat = stack.enter_context(chat_reference(source, template.text, SCENES, seconds=seconds))
        try:
            opened = open_engine(choice, candidate.path, candidate.file, candidate.template_values)
            engine = stack.enter_context(opened)
        except EngineError as error:
            rows = tuple(RowResult(row, failure=str(error)) for row in _rows(source))
            name = "native" if native else f"model of {choice.version.name}"
            return Verification(name, len(all_texts), 0, rows, tuple(_faults(candidate.file)))
        comparison = _Comparison(source, candidate, all_texts, reference, engine, chat, choice)
        return comparison.run(limits, progress)


def _rows(source: Source) -> Iterator[Row]:
    """The rows that there are for a source."""
    yield from (row for row in Row if row is not Row.OWNER_IDS or LIBRARIES[source.owner] is not None)


def _faults(file: TokenizerFile) -> Iterator[str]:
    yield from map(str, file_faults(file))


class _Comparison:
    """The comparison itself, once everything is loaded."""

    def __init__(
        self,
        source: Source,
        candidate: Candidate,
        texts: Sequence[str],
        reference: Reference,
        engine: Engine,
        chat: ChatReference | None,
        choice: EngineChoice,
    ) -> None:
        self.source = source
        self.candidate = candidate
        self.file = candidate.file
        self.texts = texts
        self.reference = reference
        self.engine = engine
        self.chat = chat
        self.choice = choice
        self.pieces = reference.piece, Pieces(candidate.file)

    def run(self, limits: Sequence[Limit], progress: Progress) -> Verification:
        """Fill all rows."""
        progress("encode")
        whole = self.reference.encode(self.texts, specials=True)
        plain = self.reference.encode(self.texts, specials=False)
        around = surroundings.of_file(self.file, self.engine.version)
        rows, found = self._ids(whole, plain, around)
        progress("decode")
        rows.append(compare_streaming(self.texts, plain, self.engine, self.reference))
        rows.append(compare_whole(self.texts, whole, self.engine, self.reference))
        progress("chat")
        chat = self._chat()
        rows += [chat.ids, chat.text]
        rows = [cover(row, limits) for row in rows]
        owner = compare_owner(self.source, self.texts, plain, _inside(found, around), rows[1], self.pieces)
        failing = sum(ids is None for ids in whole)
        notes = [f"{failing:,} texts left out: the tokenizers library fails on them"] if failing else []
        return Verification(
            engine=self.engine.name,
            texts=len(self.texts),
            conversations=chat.conversations,
            rows=(*rows, *owner.rows),
            faults=tuple(_faults(self.file)),
            notes=(*notes, *owner.notes, *self.engine.notes(), *chat.notes),
        )

    def _ids(
        self, whole: Expected, plain: Expected, around: surroundings.Surroundings | None
    ) -> tuple[list[RowResult], Sequence[Encoded]]:
        """Both rows of ids, and the engine's ids."""
        adds = self.engine.version.has_post_processor and isinstance(self.file, MtokFile)
        suffix = () if adds else self.reference.suffix()
        try:
            found = self.engine.encode_each(self.texts)
        except EngineError as error:
            return [RowResult(row, failure=str(error)) for row in (Row.IDS, Row.PLAIN_IDS)], ()
        # A text file does not search for the best segmentation, so its differences are none of those that have names.
        effect = ids_effect(self.source.pipeline.model) if isinstance(self.file, MtokFile) else no_effect
        ids = compare_ids(self.texts, whole, found, suffix, self.pieces, effect)
        if around is None:
            failure = "the post-processor of the file does not hold the text just once"
            return [ids, RowResult(Row.PLAIN_IDS, failure=failure)], found
        return [ids, compare_plain_ids(self.texts, plain, found, around, self.pieces, effect)], found

    def _chat(self) -> ChatComparison:
        """Both rows of conversations."""
        ours, theirs = self.candidate.chat_template, self.source.settings.chat_template
        if self.candidate.llm_config is None and not isinstance(self.file, MtokFile):
            reason = "a text file has its chat template in llm_config.json, and none is given"
            return left_out(reason, applies=theirs is not None)
        if not ours and theirs is None:
            return left_out("neither side has a chat template", applies=False)
        if not ours or theirs is None:
            return _template_on_one_side(ours, theirs.text if theirs else None)
        if self.chat is None:
            return left_out("needs the native engine")
        answers = self.chat.answers(self.choice.deadline)
        prefix = self.file.header.prefix_ids
        return compare_chat(SCENES, answers, self.engine, self.reference, prefix, self.pieces)


def _inside(found: Sequence[Encoded], around: surroundings.Surroundings | None) -> list[Encoded]:
    """The engine's ids without what stands round each text."""
    return [around.inside(ids) if around is not None and isinstance(ids, list) else ids for ids in found]


def _template_on_one_side(ours: str | None, theirs: str | None) -> ChatComparison:
    """One side has a chat template and the other none: that is one difference, whatever it renders."""
    expected, found = (Text(0, text[:60], len(text)) for text in (theirs or "", ours or ""))
    subject = "the file has no chat template" if theirs else "the model directory has no chat template"
    difference = Difference(subject, theirs or "", 0, expected, found)
    reason = f"{subject}, the other side has one"
    return ChatComparison(
        RowResult(Row.CHAT_IDS, not_run=reason), replace(RowResult(Row.CHAT_TEXT, 1), differences=(difference,))
    )
