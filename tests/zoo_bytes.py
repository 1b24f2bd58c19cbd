"""Byte-level BPE tokenizers of the zoo."""

from __future__ import annotations

from tokenizers import pre_tokenizers

from tests.tokenizer_parts import (
    CJK_RUN,
    DEEPSEEK,
    LLAMA3,
    O200K,
    QWEN2,
    Json,
    added,
    bpe_model,
    byte_level,
    in_sequence,
    split,
    template,
    trained_bytes,
    whole,
)


def gpt2() -> Json:
    vocab = trained_bytes("").numbered()
    vocab["<|endoftext|>"] = len(vocab)
    return whole(
        bpe_model(vocab, trained_bytes("").merges),
        pre_tokenizer=byte_level(use_regex=True),
        post_processor=byte_level(use_regex=True, add_prefix_space=True),
        decoder=byte_level(use_regex=True, add_prefix_space=True),
        added_tokens=[added("<|endoftext|>", vocab["<|endoftext|>"])],
    )


def qwen2() -> Json:
    vocab = trained_bytes(QWEN2).numbered()
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    others = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
    tokens = [added(content, len(vocab) + n) for n, content in enumerate(specials)]
    tokens += [
        added(content, len(vocab) + len(specials) + n, special=False, normalized=False)
        for n, content in enumerate(others)
    ]
    return whole(
        bpe_model(vocab, trained_bytes(QWEN2).merges, continuing_subword_prefix="", end_of_word_suffix=""),
        normalizer={"type": "NFC"},
        pre_tokenizer=in_sequence("pretokenizers", split(QWEN2), byte_level()),
        post_processor=byte_level(),
        decoder=byte_level(),
        added_tokens=tokens,
    )


def o200k() -> Json:
    """As the file for GPT-4o: the pattern inverted, and a token beyond a hole in the ids."""
    vocab = trained_bytes(O200K).numbered()
    vocab.update({"<|endoftext|>": len(vocab), "<|endofprompt|>": len(vocab) + 19})
    return whole(
        bpe_model(vocab, trained_bytes(O200K).merges, continuing_subword_prefix="", end_of_word_suffix=""),
        pre_tokenizer=in_sequence("pretokenizers", split(O200K, "Removed", invert=True), byte_level()),
        decoder=byte_level(use_regex=True, add_prefix_space=True),
        added_tokens=[added(name, vocab[name]) for name in ("<|endoftext|>", "<|endofprompt|>")],
    )


UNREACHABLE = ("Ġlighthouse", "neighbours", "Ġпоезд")
"""Whole words that ``llama3`` holds and no merge builds."""


def llama3() -> Json:
    words = [byte_word(word) for word in UNREACHABLE]
    vocab = trained_bytes(LLAMA3).numbered()
    for word in words:
        vocab.setdefault(word, len(vocab))
    bos, eos, start, end, turn = (
        ("<|begin_of_text|>", len(vocab)),
        ("<|end_of_text|>", len(vocab) + 1),
        ("<|start_header_id|>", len(vocab) + 2),
        ("<|end_header_id|>", len(vocab) + 3),
        ("<|eot_id|>", len(vocab) + 4),
    )
    return whole(
        bpe_model(vocab, trained_bytes(LLAMA3).merges, ignore_merges=True),
        pre_tokenizer=in_sequence("pretokenizers", split(LLAMA3), byte_level()),
        post_processor=in_sequence("processors", byte_level(use_regex=True, add_prefix_space=True), template([bos])),
        decoder=byte_level(use_regex=True, add_prefix_space=True),
        added_tokens=[added(*token) for token in (bos, eos, start, end, turn)],
    )


def byte_word(word: str) -> str:
    """A word in the characters that stand for its bytes; a leading ``Ġ`` stands for a space already."""
    text = " " + word[1:] if word.startswith("Ġ") else word
    return "".join(piece for piece, _ in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text))


def deepseek() -> Json:
    parts = [split(r"\p{N}{1,3}"), split(CJK_RUN), split(DEEPSEEK), byte_level()]
    trained = trained_bytes(DEEPSEEK)
    names = ["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"]
    vocab = trained.numbered(names)
    others = [added("<｜User｜>", len(vocab), special=False), added("<think>", len(vocab) + 1, special=False)]
    return whole(
        bpe_model(vocab, trained.merges),
        normalizer=in_sequence("normalizers"),
        pre_tokenizer=in_sequence("pretokenizers", *parts),
        post_processor=byte_level(use_regex=True, add_prefix_space=True),
        decoder=byte_level(use_regex=True, add_prefix_space=True),
        added_tokens=[*(added(name, vocab[name]) for name in names), *others],
    )


def roberta() -> Json:
    names = ("<s>", "<pad>", "</s>", "<unk>")
    trained = trained_bytes("")
    vocab = trained.numbered(names)
    vocab["<mask>"] = len(vocab)
    return whole(
        bpe_model(vocab, trained.merges, unk_token="<unk>"),
        pre_tokenizer=byte_level(use_regex=True),
        post_processor={
            "type": "RobertaProcessing",
            "sep": ["</s>", vocab["</s>"]],
            "cls": ["<s>", vocab["<s>"]],
            "trim_offsets": True,
            "add_prefix_space": False,
        },
        decoder=byte_level(use_regex=True, add_prefix_space=True),
        added_tokens=[*(added(name, vocab[name]) for name in names), added("<mask>", vocab["<mask>"], lstrip=True)],
    )


def odd_added_tokens() -> Json:
    """Added tokens of every kind: overlapping, stripping, whole words, looked for after normalizing, not special."""
    plain = gpt2()
    first = len(plain["model"]["vocab"])
    tokens = [
        added("<a>", first),
        added("<a><b>", first + 1),
        added("<left>", first + 2, lstrip=True),
        added("<right>", first + 3, rstrip=True),
        added("<both>", first + 4, special=False, lstrip=True, rstrip=True),
        added("word", first + 5, special=False, single_word=True),
        added("ÉTÉ", first + 6, special=False, normalized=True),
        added("two words", first + 7, special=False),
        added("\n\n", first + 8, special=False, normalized=False),
        added("日本", first + 9, special=False),
    ]
    return {**plain, "normalizer": {"type": "NFC"}, "added_tokens": [*plain["added_tokens"], *tokens]}
