"""A whole ``.mtok`` file as one typed object."""

from __future__ import annotations

import os
from pathlib import Path

from mtok_export.errors import SourceError
from mtok_export.format.added_tokens import AddedToken, decode_added_tokens, encode_added_tokens
from mtok_export.format.checks import check as check
from mtok_export.format.decoder import Decoder, decode_decoder, encode_decoder
from mtok_export.format.header import Header, decode_header, encode_header
from mtok_export.format.model import Model, decode_model, encode_model
from mtok_export.format.normalizer import Normalizer, decode_normalizer, encode_normalizer
from mtok_export.format.pre_tokenizer import PreTokenizer, decode_pre_tokenizer, encode_pre_tokenizer
from mtok_export.format.tail import Tail, decode_tail, encode_tail
from mtok_export.format.wire import Reader, SectionSpan, Writer
from mtok_export.records import dataclass


@dataclass(frozen=True)
class MtokFile:
    """The sections in file order."""

    header: Header
    normalizer: Normalizer
    pre_tokenizer: PreTokenizer
    model: Model
    decoder: Decoder
    added_tokens: tuple[AddedToken, ...]
    tail: Tail

    def encode(self) -> bytes:
        """The bytes of the file.

        Only what the format cannot hold is refused, so that every file that can be read can be written back;
        ``check`` looks for what the engine would stumble over.

        Raises:
            FormatError: a value does not fit the format; the error names its place.
        """
        return self.encode_with_spans()[0]

    def encode_with_spans(self) -> tuple[bytes, tuple[SectionSpan, ...]]:
        """The bytes of the file, and which of them belong to which section, as ``section_spans`` finds it.

        Raises:
            FormatError: as for ``encode``.
        """
        writer = Writer()
        with writer.section("header"):
            encode_header(self.header, writer)
        with writer.section("normalizer"):
            encode_normalizer(self.normalizer, writer)
        with writer.section("pre_tokenizer"):
            encode_pre_tokenizer(self.pre_tokenizer, writer)
        with writer.section("model"):
            encode_model(self.model, writer)
        with writer.section("decoder"):
            encode_decoder(self.decoder, writer)
        with writer.section("added_tokens"):
            encode_added_tokens(self.added_tokens, writer)
        encode_tail(self.tail, writer)
        return writer.getvalue(), tuple(writer.spans)

    @classmethod
    def decode(cls, data: bytes, *, name: str | None = None) -> MtokFile:
        """Read a file from its bytes; encoding the result gives the same bytes again.

        Args:
            data: the whole file.
            name: what errors call the file, if anything.

        Raises:
            FormatError: it is no ``.mtok`` file, or a damaged one; the error names the place and the byte offset.
        """
        return _decode(Reader(data, name))


def section_spans(data: bytes, *, name: str | None = None) -> tuple[SectionSpan, ...]:
    """Which bytes of a file belong to which section.

    Args:
        data: the whole file.
        name: what errors call the file, if anything.

    Returns:
        The sections in file order without a gap: header, normalizer, pre_tokenizer, model, decoder, added_tokens,
        chat_template, eos, flags, bos, post_processor, padding; those that are absent are left out.  Lengths and counts
        belong to the section that they introduce.

    Raises:
        FormatError: as for ``MtokFile.decode``.
    """
    reader = Reader(data, name)
    _decode(reader)
    return tuple(reader.spans)


def read(path: str | os.PathLike[str]) -> MtokFile:
    """Read a file from disk.

    Raises:
        SourceError: the file cannot be opened or read.
        FormatError: it is no ``.mtok`` file, or a damaged one.
    """
    name = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        # ValueError: a path with a null character.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SourceError(f"the .mtok file cannot be read: {reason}", where=name) from error
    return MtokFile.decode(data, name=name)


def _decode(reader: Reader) -> MtokFile:
    with reader.section("header"):
        header = decode_header(reader)
    with reader.section("normalizer"):
        normalizer = decode_normalizer(reader)
    with reader.section("pre_tokenizer"):
        pre_tokenizer = decode_pre_tokenizer(reader)
    with reader.section("model"):
        model = decode_model(reader)
    with reader.section("decoder"):
        decoder = decode_decoder(reader)
    with reader.section("added_tokens"):
        added_tokens = decode_added_tokens(reader)
    tail = decode_tail(reader)
    return MtokFile(header, normalizer, pre_tokenizer, model, decoder, added_tokens, tail)
