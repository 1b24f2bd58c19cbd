"""The whole lowering: a source in, a file and a report out."""

from __future__ import annotations

from dataclasses import replace

from mtok_export._version import __version__
from mtok_export.errors import UnsupportedError
from mtok_export.format.header import Header
from mtok_export.format.mtok_file import MtokFile
from mtok_export.format.spec import Flags
from mtok_export.format.tail import Tail, post_processor_padding
from mtok_export.lowering.added_tokens import (
    Streaming,
    limit_added_tokens,
    limit_respelt,
    lower_added_tokens,
    special_ids,
)
from mtok_export.lowering.byte_level_normalizer import move_byte_level
from mtok_export.lowering.chat_template import ask_about_template, lower_chat_template
from mtok_export.lowering.cuts import Front, cut_apart, replaced_characters
from mtok_export.lowering.decoder import DecoderLowering
from mtok_export.lowering.findings import Findings, Place
from mtok_export.lowering.hf import library_version
from mtok_export.lowering.isolated import replace_isolated
from mtok_export.lowering.model import ModelLowering
from mtok_export.lowering.normalizer import lower_normalizer
from mtok_export.lowering.options import Options
from mtok_export.lowering.post_processor import Surroundings, lower_post_processor
from mtok_export.lowering.pre_tokenizer import PreTokenizerLowering
from mtok_export.lowering.respelling import Respelling, respelling
from mtok_export.lowering.shown import entries_of, show_added_tokens
from mtok_export.report import Aspect, Report
from mtok_export.source.pipeline import BPE, ByteLevelPreTokenizer, Pipeline, PreTokenizer, PreTokenizerSequence
from mtok_export.source.settings import Settings, Source

_CONFIG = "tokenizer_config.json"


def lower(source: Source, options: Options | None = None) -> tuple[MtokFile, Report]:
    """Lower a source to a file, and report what was done and what will differ.

    Raises:
        UnsupportedError: parts of the tokenizer cannot be expressed; it lists all of them.
        SourceError: a component's parameters are refused by the ``tokenizers`` library.
    """
    options = options or Options()
    asked = ask_about_template(source.settings, faithful=options.faithful)
    findings = Findings()
    pipeline = move_byte_level(source.pipeline)

    def at(path: str, component: object) -> Place:
        return Place(path, component if isinstance(component, str) else type(component).__name__, findings)

    if options.faithful:
        pipeline = replace_isolated(pipeline, at("$.pre_tokenizer", "Split"))
    respelt = respelling(pipeline) if options.faithful else Respelling()
    normalizer_place = at("$.normalizer", pipeline.normalizer or "none")
    normalizer = lower_normalizer(pipeline.normalizer, normalizer_place, options, respelt.table)
    moved = pipeline.pre_tokenizer is not None and source.pipeline.pre_tokenizer is None
    pre_place = at("$.normalizer" if moved else "$.pre_tokenizer", pipeline.pre_tokenizer)
    absent = replaced_characters(pipeline.normalizer)
    pre_tokenizers = PreTokenizerLowering(pipeline.model, options, respelt, absent=absent)
    pre_tokenizer = pre_tokenizers.lower(pipeline.pre_tokenizer, pre_place)
    model_lowering = ModelLowering(pipeline, options, byte_level=_ends_in_bytes(pipeline.pre_tokenizer))
    model = model_lowering.lower(at("$.model", pipeline.model))
    around = lower_post_processor(pipeline.post_processor, at("$.post_processor", pipeline.post_processor))
    decoder = DecoderLowering(pipeline, options).lower(at("$.decoder", pipeline.decoder or "none"))
    front = Front(normalizer, pre_tokenizer, model, lower_added_tokens(pipeline.added_tokens))
    streaming = Streaming.of({}, decoder)
    if not findings.problems:
        if options.faithful:
            model, entries = show_added_tokens(model, decoder, pipeline)
            limit_respelt(pipeline, normalizer, at("$.added_tokens", "AddedTokens"))
            front = cut_apart(replace(front, model=model), at("$.model", "cuts"))
        else:
            entries = entries_of(model.vocab, {token.id for token in pipeline.added_tokens})
        streaming = Streaming.of(entries, decoder)
        limit_added_tokens(pipeline, model, streaming, at("$.added_tokens", "AddedTokens"))
    settings = source.settings
    place, prefix = at("chat_template", "ChatTemplate"), _prefix_text(pipeline, around)
    template = lower_chat_template(settings, prefix, place, faithful=options.faithful, asked=asked)
    if findings.problems:
        raise UnsupportedError(findings.problems)
    flags = _flags(source, options, at(f"{_CONFIG}: $.clean_up_tokenization_spaces", "clean-up"))
    file = MtokFile(
        header=Header(
            special_ids=special_ids(pipeline.added_tokens, streaming),
            stop_ids=tuple(stop.id for stop in settings.stop_tokens),
            prefix_ids=around.prefix,
        ),
        normalizer=front.normalizer,
        pre_tokenizer=front.pre_tokenizer,
        model=front.model,
        decoder=decoder,
        added_tokens=front.added_tokens,
        tail=_tail(settings, template, around, flags),
    )
    return file, _report(source, options, findings)


def _tail(settings: Settings, template: str, around: Surroundings, flags: Flags) -> Tail:
    program = around.program()
    return Tail(
        chat_template=template,
        eos_token=settings.eos_token.content if settings.eos_token else "",
        flags=int(flags),
        bos_token=settings.bos_token.content if settings.bos_token else "",
        post_processor=program,
        padding=b"" if program is None else post_processor_padding(program),
    )


def _flags(source: Source, options: Options, place: Place) -> Flags:
    """The flags byte.  transformers tidies decoded text where the config asks for it, but never that of a BPE model."""
    if not source.settings.clean_up_tokenization_spaces:
        return Flags(0)
    if options.faithful and isinstance(source.pipeline.model, BPE):
        place.became("nothing: transformers does not tidy the text of a BPE model")
        return Flags(0)
    place.limit(
        "the engine tidies six of the ten sequences: a space before . ? ! and , stays",
        example="a .",
        aspects=(Aspect.DECODING,),
    )
    place.became("flag")
    return Flags.CLEAN_UP_TOKENIZATION_SPACES


def _report(source: Source, options: Options, findings: Findings) -> Report:
    return Report(
        tool_version=__version__,
        encoding="faithful" if options.faithful else "plain",
        tables=f"tokenizers {library_version()}" if options.faithful else f"unicodedata {options.python_unicode}",
        engine=".".join(map(str, findings.engine)),
        files=source.files,
        components=findings.lowered(),
        limits=tuple(findings.limits),
        notices=source.notices,
    )


def _ends_in_bytes(pre_tokenizer: PreTokenizer | None) -> bool:
    """Whether all that the model sees has been mapped to the byte alphabet."""
    if isinstance(pre_tokenizer, PreTokenizerSequence):
        return any(map(_ends_in_bytes, pre_tokenizer.pretokenizers))
    return isinstance(pre_tokenizer, ByteLevelPreTokenizer)


def _prefix_text(pipeline: Pipeline, around: Surroundings) -> str:
    """The prefix ids as they would be written in a text; nothing where one of them is no added token."""
    content = {token.id: token.content for token in pipeline.added_tokens}
    if any(id_ not in content for id_ in around.prefix):
        return ""
    return "".join(map(content.__getitem__, around.prefix))
