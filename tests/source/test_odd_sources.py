"""Sources that are sound but for one thing: each is refused, or the thing is named."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from tokenizers import Tokenizer

from mtok_export import export
from mtok_export.errors import MtokError, OutputError, SourceError
from mtok_export.source import load_source
from mtok_export.source.conversion import Owner
from tests.sentencepiece_models import proto_of, trained

ModelDir = Callable[[str], Path]


def messages(path: Path, **options: Any) -> str:
    return "\n".join(f"{notice.where}: {notice.message}" for notice in load_source(path, **options).notices)


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_a_score_that_is_no_number(tmp_path: Path, model_type: str) -> None:
    proto = proto_of(trained(model_type))
    proto.pieces[100].score = float("nan")
    (tmp_path / "tokenizer.model").write_bytes(proto.SerializeToString())
    with pytest.raises(SourceError, match="the piece with the id 100 is nan"):
        load_source(tmp_path)


def test_a_damaged_character_map_is_no_panic(tmp_path: Path) -> None:
    proto = proto_of(trained("unigram", normalization_rule_name="nmt_nfkc"))
    charsmap = bytearray(proto.normalizer_spec.precompiled_charsmap)
    for place in range(40, len(charsmap) // 2, 97):
        charsmap[place] ^= 0xFF
    proto.normalizer_spec.precompiled_charsmap = bytes(charsmap)
    (tmp_path / "tokenizer.model").write_bytes(proto.SerializeToString())
    with pytest.raises(SourceError, match=r"the tokenizers library (dies of|refuses) it"):
        export(tmp_path, tmp_path / "out.mtok", file_format="mtok")
    assert not (tmp_path / "out.mtok").exists()


def test_a_million_special_tokens(tmp_path: Path) -> None:
    vocab = [{"rank": i, "token_bytes": base64.b64encode(bytes((i,))).decode(), "token_str": None} for i in range(256)]
    config = {"pattern": ".", "default_vocab_size": 3_000_256, "default_num_special_tokens": 3_000_000, "version": "v3"}
    (tmp_path / "tekken.json").write_text(json.dumps({"config": config, "vocab": vocab}), encoding="utf-8")
    with pytest.raises(SourceError, match=r"\$\.config\.default_num_special_tokens: 3,000,000"):
        load_source(tmp_path)


def test_a_pattern_for_what_has_one(model_dir: ModelDir) -> None:
    assert "the tiktoken pattern is not used" in messages(model_dir("gpt2"), tiktoken_pattern=".")
    with pytest.raises(SourceError, match="lone surrogate"):
        load_source(model_dir("gpt2"), tiktoken_pattern="\ud800")


def test_byte_order_marks(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("\ufeff[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n", encoding="utf-8")
    assert "byte order mark" in messages(tmp_path / "vocab.txt")
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2}', encoding="utf-8")
    (tmp_path / "merges.txt").write_text("\ufeffa b\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"merges\.txt, line 1: a byte order mark"):
        load_source(tmp_path / "vocab.json")


def test_a_link_to_itself_is_no_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").symlink_to("tokenizer.model")
    with pytest.raises(SourceError, match=r"tokenizer\.model"):
        load_source(tmp_path)


def test_nothing_is_written_over_a_file_that_was_only_compared(model_dir: ModelDir) -> None:
    folder = model_dir("wordpiece-uncased")
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in vocab), encoding="utf-8")
    with pytest.raises(OutputError, match="one of the files that the tokenizer is read from"):
        export(folder, folder / "vocab.txt")


def test_an_id_beyond_what_the_engine_can_give(model_dir: ModelDir) -> None:
    folder = model_dir("gpt2")
    (folder / "generation_config.json").write_text('{"eos_token_id": [0, 2147483648]}', encoding="utf-8")
    with pytest.raises(
        SourceError, match=r"generation_config\.json: \$\.eos_token_id\[1\]: 2147483648 is out of range"
    ):
        load_source(folder)


def test_special_tokens_by_role_with_flags(model_dir: ModelDir) -> None:
    folder = model_dir("gpt2")
    document = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.json").write_text(json.dumps(document["model"]["vocab"]), encoding="utf-8")
    merges = (merge if isinstance(merge, str) else " ".join(merge) for merge in document["model"]["merges"])
    (folder / "merges.txt").write_text("".join(f"{merge}\n" for merge in merges), encoding="utf-8")
    roles = {"image_token": {"content": "<image>", "lstrip": True}, "audio_token": "<audio>"}
    (folder / "tokenizer_config.json").write_text(json.dumps({"extra_special_tokens": roles}), encoding="utf-8")
    added = {token.content: token.lstrip for token in load_source(folder).pipeline.added_tokens}
    assert (added["<image>"], added["<audio>"]) == (True, False)


def test_no_prefix_where_the_config_wants_none(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").write_bytes(trained("bpe", byte_fallback=True))
    (tmp_path / "tokenizer_config.json").write_text('{"add_prefix_space": false}', encoding="utf-8")
    source = load_source(tmp_path)
    tokenizer = Tokenizer.from_str(source.tokenizer_json.decode())
    assert tokenizer.encode("a", add_special_tokens=False).tokens == ["a"]
    assert source.owner is Owner.TOKENIZERS
    assert "add_prefix_space is false" in messages(tmp_path)


def test_what_a_pattern_leaves_is_dropped_as_tiktoken_drops_it(tmp_path: Path) -> None:
    ranks = [bytes((i,)) for i in range(256)] + [b"ab"]
    lines = (f"{base64.b64encode(token).decode()} {i}\n" for i, token in enumerate(ranks))
    (tmp_path / "some.tiktoken").write_text("".join(lines), encoding="ascii")
    source = load_source(tmp_path, tiktoken_pattern=r"\p{L}+")
    by_rank = {token: i for i, token in enumerate(ranks)}
    encoding = tiktoken.Encoding("some", pat_str=r"\p{L}+", mergeable_ranks=by_rank, special_tokens={})
    tokenizer = Tokenizer.from_str(source.tokenizer_json.decode())
    for text in ("ab, ab 12 é", "...", "abab"):
        assert tokenizer.encode(text, add_special_tokens=False).ids == encoding.encode_ordinary(text)


def test_links_in_a_circle_are_no_target(model_dir: ModelDir, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match="loop"):
        export(model_dir("gpt2"), tmp_path / "loop")


def test_a_format_that_is_none(model_dir: ModelDir, tmp_path: Path) -> None:
    with pytest.raises(MtokError, match="'TXT' is no format"):
        export(model_dir("gpt2"), tmp_path / "a", file_format="TXT")  # type: ignore[arg-type]
