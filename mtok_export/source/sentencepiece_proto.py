"""Read the protobuf of a sentencepiece model, with the classes that the ``sentencepiece`` package ships.

What that library refuses to load is refused here.  A file that is cut where a field ends is still a sound protobuf; it
is known by its missing last parts.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import Any

from mtok_export.errors import MtokError, SourceError
from mtok_export.source.conversion import PieceType, ScoredPiece
from mtok_export.source.json_values import quote

INSTALL_HINT = "pip install 'mtok-export[sentencepiece]'"

_BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in range(256))


class ModelType(Enum):
    """The algorithms of sentencepiece, by their numbers in the protobuf."""

    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4


@dataclass(frozen=True)
class SentencePieceModel:
    """What encoding needs of a model: the pieces, the algorithm and the rules of the normalizer.

    ``roles`` are the pieces that the trainer was told to use for unk, bos, eos and pad, as far as they exist.
    ``cuts_out_user_defined`` says that user-defined pieces are found in the text as it is given and that what follows
    one starts anew, dummy prefix and all; sentencepiece itself does not.
    """

    type: ModelType
    pieces: tuple[ScoredPiece, ...] = field(repr=False)
    roles: dict[str, str]
    byte_fallback: bool = False
    charsmap: bytes = field(default=b"", repr=False)
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    treat_whitespace_as_suffix: bool = False
    denormalizes: bool = False
    cuts_out_user_defined: bool = False

    @property
    def space(self) -> str:
        """What stands for a space in the pieces."""
        return "\u2581" if self.escape_whitespaces else " "

    @property
    def unk_id(self) -> int:
        """The id of the one unknown piece."""
        return next(i for i, piece in enumerate(self.pieces) if piece.type is PieceType.UNKNOWN)


def parse_sentencepiece(data: bytes, name: str) -> SentencePieceModel:
    """Read a model.

    Args:
        data: the whole file.
        name: its name, for messages.

    Raises:
        SourceError: the file is cut short or damaged, or sentencepiece would refuse it.
        MtokError: the packages that read it are not installed.
    """
    proto = _protobuf().ModelProto()
    try:
        proto.ParseFromString(data)
        pieces = tuple([ScoredPiece(piece.piece, piece.score, PieceType(piece.type)) for piece in proto.pieces])
    except Exception as error:  # protobuf's own DecodeError, or that of a string that is no UTF-8
        hint = "it is cut short or damaged: fetch it again"
        raise SourceError(f"the protobuf cannot be read: {_one_line(error)}", where=name, hint=hint) from None
    damaged = next((i for i, piece in enumerate(pieces) if not isinstance(piece.piece, str)), None)
    if damaged is not None:  # the library gives bytes for what is no UTF-8
        raise SourceError(f"the piece with the id {damaged} is not UTF-8", where=name, hint="fetch the file again")
    for part in ("trainer_spec", "normalizer_spec"):
        if not proto.HasField(part):
            problem = f"{part} is missing behind {len(pieces):,} pieces: the file is cut short"
            raise SourceError(problem, where=name, hint="fetch it again")
    trainer, normalizer = proto.trainer_spec, proto.normalizer_spec
    check_pieces(pieces, trainer.byte_fallback, name)
    contents = {piece.piece for piece in pieces}
    roles = {f"{role}_token": getattr(trainer, f"{role}_piece") for role in ("unk", "bos", "eos", "pad")}
    return SentencePieceModel(
        type=ModelType(trainer.model_type),
        pieces=pieces,
        roles={role: content for role, content in roles.items() if content in contents},
        byte_fallback=trainer.byte_fallback,
        charsmap=normalizer.precompiled_charsmap,
        add_dummy_prefix=normalizer.add_dummy_prefix,
        remove_extra_whitespaces=normalizer.remove_extra_whitespaces,
        escape_whitespaces=normalizer.escape_whitespaces,
        treat_whitespace_as_suffix=trainer.treat_whitespace_as_suffix,
        denormalizes=bool(proto.denormalizer_spec.precompiled_charsmap),
    )


def serialize(model: SentencePieceModel) -> bytes | None:
    """The file of a model that was not read from one; ``None`` where the packages for it are not installed."""
    try:
        proto = _protobuf().ModelProto()
    except MtokError:
        return None
    for piece in model.pieces:
        proto.pieces.add(piece=piece.piece, score=piece.score, type=piece.type.value)
    proto.trainer_spec.model_type = model.type.value
    proto.trainer_spec.byte_fallback = model.byte_fallback
    proto.normalizer_spec.precompiled_charsmap = model.charsmap
    for rule in ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces"):
        setattr(proto.normalizer_spec, rule, getattr(model, rule))
    data: bytes = proto.SerializeToString()
    return data


def _protobuf() -> Any:
    """The module with the protobuf classes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about its own age, which says nothing about the file
            from sentencepiece import sentencepiece_model_pb2
    except ImportError as error:
        problem = f"reading a sentencepiece model needs the packages sentencepiece and protobuf: {error}"
        raise MtokError(problem, hint=INSTALL_HINT) from None
    except Exception as error:  # protobuf refuses classes that are made for a newer version of it
        problem = f"the packages sentencepiece and protobuf do not fit together: {_one_line(error)}"
        raise MtokError(problem, hint="pip install -U sentencepiece protobuf") from None
    return sentencepiece_model_pb2


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def check_pieces(pieces: Sequence[ScoredPiece], byte_fallback: bool, name: str) -> None:
    """Refuse a vocabulary that sentencepiece does not load: raises ``SourceError``."""
    unknown = sum(piece.type is PieceType.UNKNOWN for piece in pieces)
    if unknown != 1:
        raise SourceError(f"{unknown} pieces are of the type UNKNOWN; exactly one is needed", where=name)
    counts = Counter(piece.piece for piece in pieces)
    if len(counts) < len(pieces):
        repeated = next(piece for piece, count in counts.items() if count > 1)
        ids = ", ".join(str(i) for i, piece in enumerate(pieces) if piece.piece == repeated)
        raise SourceError(f"the piece {quote(repeated)} stands there more than once (ids {ids})", where=name)
    for i, piece in enumerate(pieces):
        if not isfinite(piece.score):
            raise SourceError(
                f"the score of the piece with the id {i} is {piece.score}, which is no number", where=name
            )
        if not piece.piece or "\0" in piece.piece:
            what = "holds U+0000" if piece.piece else "is empty"
            raise SourceError(f"the piece with the id {i} {what}", where=name)
    byte_pieces = {piece.piece for piece in pieces if piece.type is PieceType.BYTE}
    wrong = min(byte_pieces - _BYTE_PIECES, default=None)
    if wrong is not None:
        raise SourceError(f"{quote(wrong)} is of the type BYTE, and no byte is called so", where=name)
    if byte_fallback and len(byte_pieces) < len(_BYTE_PIECES):
        missing = min(_BYTE_PIECES - byte_pieces)
        raise SourceError(f"byte_fallback is on, but {missing} is no piece of the type BYTE", where=name)
