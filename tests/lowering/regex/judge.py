"""The judges: pieces as ``tokenizers`` cuts them, and as the real engine does.

The engine only gives ids.  A WordPiece model that knows every character of an alphabet both as the start of a piece and
as its continuation gives back where each piece starts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mtok_export.engine.native import NativeEngine
from mtok_export.format import MtokFile, decoder, normalizer, pre_tokenizer
from mtok_export.format.header import Header
from mtok_export.format.model import Vocab, WordPiece
from mtok_export.format.tail import Tail
from mtok_export.lowering.regex import SplitStep

Native = Callable[..., NativeEngine]
Pieces = tuple[str, ...]

UNKNOWN = "[UNK]"
INSIDE = "\U0010fffe"


def _records(steps: Sequence[SplitStep]) -> pre_tokenizer.PreTokenizer:
    records = tuple(pre_tokenizer.Split(step.pattern, step.invert, step.behavior) for step in steps)
    return records[0] if len(records) == 1 else pre_tokenizer.Sequence(records)


def _file(steps: Sequence[SplitStep], alphabet: str) -> tuple[MtokFile, list[str]]:
    tokens = sorted([UNKNOWN, *alphabet, *(INSIDE + char for char in alphabet)])
    model = WordPiece(Vocab(tuple(tokens), array("I", range(len(tokens)))), UNKNOWN, INSIDE, 65_535)
    file = MtokFile(Header(), normalizer.NoNormalizer(), _records(steps), model, decoder.Fuse(), (), Tail())
    return file, tokens


def _pieces(ids: Iterable[int], tokens: Sequence[str]) -> Pieces:
    pieces: list[str] = []
    for number in ids:
        token = tokens[number]
        assert token != UNKNOWN
        if token.startswith(INSIDE):
            pieces[-1] += token[len(INSIDE) :]
        else:
            pieces.append(token)
    return tuple(pieces)


def engine_pieces(
    native: Native, folder: Path, steps: Sequence[SplitStep], texts: Sequence[str], *, stack_kib: int | None = None
) -> list[Pieces]:
    """What the real engine's Splits leave of some texts."""
    file, tokens = _file(steps, "".join(sorted(set("".join(texts)))))
    path = folder / "pieces.mtok"
    path.write_bytes(file.encode())
    return [_pieces(ids, tokens) for ids in native(path, stack_kib=stack_kib).encode_many(texts)]
