"""A model directory on which nothing differs, the file made from it, and ways to damage that file."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mtok_export import MtokFile, export
from mtok_export.format.model import Bpe, Merges, Vocab
from tests import tokenizer_zoo

NAME = "llama3"

BOS = "<|begin_of_text|>"
HEADER = "<|start_header_id|>"


def write_directory(folder: Path) -> Path:
    """A tokenizer with a BOS, a chat template and special tokens of which the engine gets everything right."""
    directory = tokenizer_zoo.write_model_dir(NAME, folder)
    path = directory / "tokenizer.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["pre_tokenizer"] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    value["model"]["ignore_merges"] = False
    path.write_text(json.dumps(value), encoding="utf-8")
    return directory


def write_file(directory: Path, path: Path, report: Path) -> Path:
    """The good file and its report."""
    export(directory, path, report=report)
    return path


Damage = Callable[[MtokFile], MtokFile]


def _bpe(file: MtokFile) -> Bpe:
    assert isinstance(file.model, Bpe)
    return file.model


def swap_ids(one: str, other: str) -> Damage:
    """Two entries of the vocabulary exchange their ids."""

    def damage(file: MtokFile) -> MtokFile:
        model = _bpe(file)
        tokens, ids = model.vocab.tokens, array("I", model.vocab.ids)
        left, right = tokens.index(one), tokens.index(other)
        ids[left], ids[right] = ids[right], ids[left]
        return replace(file, model=replace(model, vocab=Vocab(tokens, ids)))

    return damage


def swap_merges(file: MtokFile) -> MtokFile:
    """The first merge of all and the one in the middle exchange their ranks."""
    merges = _bpe(file).merges
    rank = array("I", merges.rank)
    first, middle = rank.index(min(rank)), rank.index(sorted(rank)[len(rank) // 2])
    rank[first], rank[middle] = rank[middle], rank[first]
    return replace(file, model=replace(_bpe(file), merges=Merges(merges.left, merges.right, rank)))


def double_prefix(file: MtokFile) -> MtokFile:
    """The header puts its prefix twice."""
    prefix = file.header.prefix_ids
    return replace(file, header=replace(file.header, prefix_ids=prefix * 2))


def print_bos(file: MtokFile) -> MtokFile:
    """The template prints the BOS, which the prefix supplies already."""
    template = file.tail.chat_template or ""
    assert template.startswith("{% set bos_token = '' %}\n")
    return with_template(template.partition("\n")[2])(file)


def drop_added_token(content: str) -> Damage:
    """An added token is missing, in the section and in the special list."""

    def damage(file: MtokFile) -> MtokFile:
        (dropped,) = (token.id for token in file.added_tokens if token.content == content)
        special = tuple(id_ for id_ in file.header.special_ids if id_ != dropped)
        kept = tuple(token for token in file.added_tokens if token.id != dropped)
        return replace(file, header=replace(file.header, special_ids=special), added_tokens=kept)

    return damage


def with_template(template: str) -> Damage:
    """Another chat template."""
    return lambda file: replace(file, tail=replace(file.tail, chat_template=template))


def far_id(file: MtokFile) -> MtokFile:
    """An id far beyond the vocabulary."""
    model = _bpe(file)
    ids = array("I", model.vocab.ids)
    ids[5] = 0x0FFF_FFFF
    return replace(file, model=replace(model, vocab=Vocab(model.vocab.tokens, ids)))


ENDLESS = "{% macro again() %}x{{ again() }}{% endmacro %}{{ again() }}"
