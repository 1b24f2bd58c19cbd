"""The reader of each kind of tokenizer file, and what is done with several files in one directory.

The readers are imported when they are needed: each brings a library with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from mtok_export.errors import MtokError, SourceError
from mtok_export.records import dataclass
from mtok_export.source.config_files import CONFIG, ConfigFiles
from mtok_export.source.conversion import Converted
from mtok_export.source.files import ModelFolder, read_head
from mtok_export.source.json_values import JsonObject, parse_object
from mtok_export.source.kinds import MERGES_OF, Found, Kind, TokenizerFile, kind_of_content
from mtok_export.source.settings import Notice
from mtok_export.source.tokenizer_class import unknown_class

_HEAD = 4096


@dataclass(frozen=True)
class Request:
    """One tokenizer file to be read: where, with which files beside it, and what the user says about it."""

    folder: ModelFolder
    file: TokenizerFile
    files: ConfigFiles
    trust_remote_code: bool
    asked_for: bool
    tiktoken_pattern: str | None = None

    @property
    def name(self) -> str:
        """What messages call the file."""
        return self.folder.name_of(self.file.path)

    def data(self) -> bytes:
        """The content of the file; raises ``SourceError``."""
        return self.folder.read(self.file.path)


def convert(
    found: Found, files: ConfigFiles, *, trust_remote_code: bool, tiktoken_pattern: str | None = None
) -> tuple[Converted, str]:
    """Read the first tokenizer file of a directory that has no ``tokenizer.json``.

    Args:
        found: the tokenizer files.
        files: the JSON files beside them.
        trust_remote_code: whether Python code that comes with the model may be run.
        tiktoken_pattern: by which pattern the texts of a file of tiktoken ranks are split.

    Returns:
        The tokenizer, converted, and the name of its file.

    Raises:
        SourceError: it cannot be read, or another file of the directory holds another tokenizer.
        UnsupportedError: it is sound, but no tokenizer.json can say the same.
    """
    first, *others = (
        Request(found.folder, file, files, trust_remote_code, found.asked_for, tiktoken_pattern) for file in found.files
    )
    converted = _read(first)
    notices = tuple(notice for other in others for notice in _beside(other, first, converted))
    return replace(converted, notices=(*converted.notices, *notices)), first.name


def _read(request: Request) -> Converted:
    return READERS[request.file.kind](request)


def _beside(other: Request, first: Request, converted: Converted) -> Iterator[Notice]:
    """Compare another tokenizer file of the same directory with the one that is used.

    Raises:
        SourceError: it holds another number of entries, so one of the two is of another tokenizer.
    """
    if first.file.kind is other.file.kind is Kind.GGUF:
        yield Notice(other.name, f"lies beside {first.name}, which is used: one model, most likely, in several files")
        return
    # What is only compared is no source, but nothing may be written over it either.
    scratch = ModelFolder(other.folder.folder, other.folder.root, companions=True, paths=other.folder.paths)
    try:
        size = _size(_read(replace(other, folder=scratch)))
    except MtokError as error:
        reason = str(error).splitlines()[0]
        yield Notice(other.name, f"lies beside {first.name}, which is used, and cannot be compared with it: {reason}")
        return
    ours = _size(converted)
    if size != ours:
        raise SourceError(
            f"two tokenizers: {first.file.title} has {ours:,} entries and {other.file.title} {size:,}",
            where=str(first.folder.root),
            hint="give the file that counts in place of the directory",
        )
    yield Notice(other.name, f"lies beside {first.name}, which is used; both have {ours:,} entries")


def _size(converted: Converted) -> int:
    return len(converted.document["model"]["vocab"])


# --- one reader for each kind -----------------------------------------------------------------------------------------


def _model_file(request: Request) -> Converted:
    """A file that is named like a sentencepiece model, or like none: what it is, its content says."""
    kind = kind_of_content(read_head(request.file.path, request.name, _HEAD), request.name)
    if kind is Kind.TOKENIZER_JSON:
        raise SourceError(
            "this is JSON, as a tokenizer.json is, under another name",
            where=request.name,
            hint="rename it to tokenizer.json if that is what it is",
        )
    if kind is None:
        raise SourceError(
            "this is neither a sentencepiece model nor a list of tiktoken ranks",
            where=request.name,
            hint="the file may be damaged: fetch it again",
        )
    converted = _BY_CONTENT[kind](request)
    if kind is request.file.kind:
        return converted
    notice = Notice(request.name, f"in spite of its name this is {kind.value}, and was read as one")
    return replace(converted, notices=(notice, *converted.notices))


def _sentencepiece(request: Request) -> Converted:
    from mtok_export.source.sentencepiece_classes import needs_conversion_by_transformers
    from mtok_export.source.sentencepiece_model import read_sentencepiece

    reason = needs_conversion_by_transformers(request.files.tokenizer_config, _config(request))
    if reason is None:
        return read_sentencepiece(request.data(), request.name, request.files)
    if request.asked_for:
        notice = Notice(request.name, f"{reason}; the ids are those of the file, which was asked for by its name")
        converted = read_sentencepiece(request.data(), request.name, request.files)
        return replace(converted, notices=(notice, *converted.notices))
    request.data()
    try:
        converted = _slow(request)
    except SourceError as error:
        hint = f"give {request.name} itself to read the ids of the file"
        raise SourceError(f"{reason}, and it fails: {error.message}", where=error.where, hint=hint) from None
    return replace(converted, notices=(Notice(request.name, reason), *converted.notices))


def _by_transformers(request: Request, reason: str) -> Converted:
    """Leave a file to ``transformers``, which knows what ``reason`` says is not known here."""
    request.data()
    try:
        converted = _slow(request)
    except SourceError as error:
        raise SourceError(f"{reason}, and it fails: {error.message}", where=error.where, hint=error.hint) from None
    return replace(converted, notices=(Notice(request.name, reason), *converted.notices))


def _config(request: Request) -> JsonObject | None:
    path = request.folder.find(CONFIG)
    return None if path is None else parse_object(request.folder.read(path), request.folder.name_of(path))


def _tiktoken(request: Request) -> Converted:
    from mtok_export.source.tiktoken_ranks import read_tiktoken

    return read_tiktoken(request.data(), request.name, request.files, pattern=request.tiktoken_pattern)


def _tekken(request: Request) -> Converted:
    from mtok_export.source.tekken import read_tekken

    return read_tekken(request.data(), request.name, request.files)


def _vocab_merges(request: Request) -> Converted:
    from mtok_export.source.vocab_merges import CLASSES, read_vocab_merges

    unknown = unknown_class(request.files, CLASSES)
    if unknown is not None and not request.asked_for:
        return _by_transformers(request, f"{unknown.where} is {unknown.name}, whose parts transformers alone knows")
    merges = request.file.path.with_name(MERGES_OF[request.file.path.name])
    return read_vocab_merges(
        request.data(), request.name, request.folder.read(merges), request.folder.name_of(merges), request.files
    )


def _vocab_txt(request: Request) -> Converted:
    from mtok_export.source.vocab_txt import CLASSES, read_vocab_txt

    unknown = unknown_class(request.files, CLASSES)
    if unknown is not None and not request.asked_for:
        return _by_transformers(request, f"{unknown.where} is {unknown.name}, whose parts transformers alone knows")
    return read_vocab_txt(request.data(), request.name, request.files)


def _gguf(request: Request) -> Converted:
    from mtok_export.source.gguf_file import read_gguf

    converted, metadata = read_gguf(request.file.path, request.name)
    request.folder.remember(request.file.path, f"{request.name} (metadata)", metadata)
    return converted


def _slow(request: Request) -> Converted:
    from mtok_export.source.slow import read_slow

    return read_slow(request.folder.folder, request.files, trust_remote_code=request.trust_remote_code)


Reader = Callable[[Request], Converted]

READERS: Mapping[Kind, Reader] = {
    Kind.TEKKEN: _tekken,
    Kind.SENTENCEPIECE: _model_file,
    Kind.TIKTOKEN: _tiktoken,
    Kind.VOCAB_MERGES: _vocab_merges,
    Kind.VOCAB_TXT: _vocab_txt,
    Kind.GGUF: _gguf,
    Kind.SLOW: _slow,
}
"""The reader of every kind but tokenizer.json, by the name of a file."""

_BY_CONTENT: Mapping[Kind, Reader] = {
    Kind.TEKKEN: _tekken,
    Kind.SENTENCEPIECE: _sentencepiece,
    Kind.TIKTOKEN: _tiktoken,
    Kind.GGUF: _gguf,
}
"""The reader of what the content of a file called like a sentencepiece model turns out to be."""
