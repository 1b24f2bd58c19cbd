"""Tokenizers of the zoo that work on characters: BPE, WordPiece, WordLevel, Unigram."""

from __future__ import annotations

import base64
import json
import math
from collections import Counter
from collections.abc import Sequence

from tokenizers import Tokenizer, pre_tokenizers

from tests.charsmap import MAPPING, charsmap
from tests.tokenizer_parts import (
    BYTE_PIECES,
    SPACE,
    Json,
    added,
    bpe_model,
    corpus,
    in_sequence,
    metaspace,
    replace,
    split,
    template,
    trained_pieces,
    trained_words,
    whole,
)

# --- BPE on characters ------------------------------------------------------------------------------------------------

LLAMA_SPECIALS = ("<unk>", "<s>", "</s>")


def llama2() -> Json:
    trained = trained_pieces()
    vocab = trained.numbered((*LLAMA_SPECIALS, *BYTE_PIECES))
    decoders = [
        replace(SPACE, " "),
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    return whole(
        bpe_model(vocab, trained.merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True),
        normalizer=in_sequence("normalizers", {"type": "Prepend", "prepend": SPACE}, replace(" ", SPACE)),
        post_processor=template([("<s>", 1)]),
        decoder=in_sequence("decoders", *decoders),
        added_tokens=[added(name, vocab[name]) for name in LLAMA_SPECIALS],
    )


def gemma() -> Json:
    trained = trained_pieces(runs=True)
    names = ("<pad>", "<eos>", "<bos>", "<unk>")
    turns = ("<start_of_turn>", "<end_of_turn>")
    lines = ("\n\n", "\n\n\n")
    vocab = trained.numbered((*names, *turns, *lines, *BYTE_PIECES))
    return whole(
        bpe_model(vocab, trained.merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True),
        normalizer=replace(" ", SPACE),
        pre_tokenizer=split(" ", "MergedWithPrevious", literal=True),
        post_processor=template([("<bos>", vocab["<bos>"])]),
        decoder=in_sequence("decoders", replace(SPACE, " "), {"type": "ByteFallback"}, {"type": "Fuse"}),
        added_tokens=[
            *(added(name, vocab[name]) for name in (*names, *turns)),
            *(added(line, vocab[line], special=False, normalized=False) for line in lines),
        ],
    )


def bpe_metaspace() -> Json:
    trained = trained_pieces()
    vocab = trained.numbered(("<unk>",))
    return whole(
        bpe_model(vocab, trained.merges, unk_token="<unk>"),
        normalizer={"type": "NFKC"},
        pre_tokenizer=metaspace(),
        decoder=metaspace(),
        added_tokens=[added("<unk>", 0)],
    )


def whitespace_bpe() -> Json:
    trained = trained_words(uncased=True)
    names = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
    vocab = trained.numbered(names)
    chain = [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]
    return whole(
        bpe_model(vocab, trained.merges, unk_token="[UNK]"),
        normalizer=in_sequence("normalizers", *chain),
        pre_tokenizer={"type": "Whitespace"},
        post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        added_tokens=[added(name, vocab[name]) for name in names],
    )


# --- WordPiece and WordLevel ------------------------------------------------------------------------------------------

BERT_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def _wordpiece(*, uncased: bool) -> Json:
    trained = trained_words(uncased=uncased)
    tokens = dict.fromkeys((*BERT_SPECIALS, *trained.tokens, *(f"##{token}" for token in trained.tokens)))
    vocab = {token: number for number, token in enumerate(tokens)}
    return whole(
        {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocab,
        },
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": uncased,
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=template([("[CLS]", vocab["[CLS]"])], [("[SEP]", vocab["[SEP]"])]),
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        added_tokens=[added(name, vocab[name]) for name in BERT_SPECIALS],
    )


def wordpiece_cased() -> Json:
    return _wordpiece(uncased=False)


def wordpiece_uncased() -> Json:
    return _wordpiece(uncased=True)


def wordlevel() -> Json:
    whitespace = pre_tokenizers.Whitespace()
    counts = Counter(word for text in corpus() for word, _ in whitespace.pre_tokenize_str(text))
    words = sorted(counts, key=lambda word: (-counts[word], word))[:600]
    vocab = {word: number for number, word in enumerate(("[UNK]", *words))}
    return whole(
        {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"},
        pre_tokenizer={"type": "Whitespace"},
        added_tokens=[added("[UNK]", 0)],
    )


# --- Unigram ----------------------------------------------------------------------------------------------------------


def _scored() -> list[list[str | float]]:
    """Pieces with the logarithms of their frequencies, all of them different, so that no search ends in a tie."""
    trained = trained_pieces()
    tokenizer = Tokenizer.from_str(json.dumps(bpe_metaspace()))
    counts = Counter(token for text in corpus() for token in tokenizer.encode(text).tokens)
    total = sum(counts.values())
    return [
        [token, round(math.log((counts[token] + 0.5) / total) - rank * 1e-5, 7)]
        for rank, token in enumerate(trained.tokens)
    ]


def _unigram(first: Sequence[str], unk_id: int, *, normalizer: Json | None = None, byte_fallback: bool = False) -> Json:
    pieces: list[list[str | float]] = [[name, 0.0] for name in first]
    pieces += [[piece, 0.0] for piece in BYTE_PIECES] if byte_fallback else []
    model = {"type": "Unigram", "unk_id": unk_id, "vocab": pieces + _scored(), "byte_fallback": byte_fallback}
    return whole(
        model,
        normalizer=normalizer,
        pre_tokenizer=metaspace(),
        decoder=metaspace(),
        added_tokens=[added(name, number) for number, name in enumerate(first)],
    )


def unigram() -> Json:
    """As T5: an end token behind, no bytes."""
    made = _unigram(("<pad>", "</s>", "<unk>"), 2)
    return {**made, "post_processor": template([], [("</s>", 1)])}


def unigram_bytes() -> Json:
    made = _unigram(LLAMA_SPECIALS, 0, normalizer={"type": "NFC"}, byte_fallback=True)
    decoders = [
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        replace(SPACE, " "),
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    return {**made, "decoder": in_sequence("decoders", *decoders)}


def unigram_charsmap() -> Json:
    """As XLM-R: a character map, tokens on both sides, a mask that takes the space before it."""
    chars = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap(MAPPING)).decode()}
    runs = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    made = _unigram(("<s>", "<pad>", "</s>", "<unk>"), 3, normalizer=in_sequence("normalizers", chars, runs))
    mask = len(made["model"]["vocab"])
    made["model"]["vocab"].append(["<mask>", 0.0])
    made["added_tokens"].append(added("<mask>", mask, lstrip=True))
    return {**made, "post_processor": template([("<s>", 0)], [("</s>", 2)])}
