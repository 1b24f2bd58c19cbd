"""Strategies for small random files that no engine dies of, and for texts that reach into their corners."""

from __future__ import annotations

from array import array

from hypothesis import strategies as st

from mtok_export.byte_alphabet import BYTE_TO_CHAR
from mtok_export.format import MtokFile
from mtok_export.format import decoder as decoders
from mtok_export.format import model as models
from mtok_export.format import normalizer as normalizers
from mtok_export.format import pre_tokenizer as pre_tokenizers
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.spec import SplitBehavior
from mtok_export.format.tail import PostProcessorStep, SequenceA, SpecialTokenId, Tail, post_processor_padding

LETTERS = "abAZzé\u0130ßжЖ中\u3042\uac00\u0915\u01c5"
OTHERS = (
    " \t\n\r01٣²½.,!$+_'\u2581\u00a0\u3000\u0085\u2028\u0301\u093e\u20dd"
    "\u200b\u200d\ufeff\u00ad\ufffd\ue000😀\x01\x05\x7f"
)
ALPHABET = LETTERS + OTHERS
BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))

texts = st.text(st.sampled_from(ALPHABET), max_size=24) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
short = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=3)
entries = st.lists(
    st.tuples(st.sampled_from(range(1, 0x3000)), st.text(st.sampled_from(ALPHABET), max_size=2)), max_size=8
)


def _table(rows: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(dict(rows).items()))


flags = st.booleans()
plain_normalizers = st.one_of(
    st.builds(normalizers.Prepend, short),
    st.builds(normalizers.Replace, short, st.text(st.sampled_from(ALPHABET), max_size=3)),
    st.builds(normalizers.Bert, flags, flags, flags, flags),
    st.builds(normalizers.Table, entries.map(_table)),
    st.builds(
        lambda clean, cjk, lower, rows: normalizers.BertTable(clean, cjk, True, lower, _table(rows)),
        flags,
        flags,
        flags,
        entries,
    ),
    st.builds(normalizers.Strip, flags, flags),
)
any_normalizer = st.one_of(
    st.just(normalizers.NoNormalizer()),
    plain_normalizers,
    st.lists(plain_normalizers, max_size=3).map(lambda children: normalizers.Sequence(tuple(children))),
)

ATOMS = (
    "a", "Z", " ", r"\p{L}", r"\p{Lu}", r"\p{N}", r"\P{P}", r"\s", r"\S", r"\w", r"\d", ".", "[a-z]", r"[^\s\p{L}]",
    "[ab中]", r"\x01", "(?:a|ab)", "(?i:aB|z)", "(a| )", "(?!a)", r"(?!\S)", "(?=a)", r"\b", "^", "$", r"\u0061",
    r"\pL", "(?i)", "(?>a|b)", "[[:alpha:]]", "[a&&b]", r"\.", r"\r", "é", "{",
)  # fmt: skip
QUANTIFIERS = ("", "", "", "+", "*", "?", "{1,2}", "{2}", "{2,}", "++", "+?", "?+")

patterns = st.lists(
    st.lists(st.tuples(st.sampled_from(ATOMS), st.sampled_from(QUANTIFIERS)).map("".join), min_size=1, max_size=4).map(
        "".join
    ),
    min_size=1,
    max_size=3,
).map("|".join)
wide_patterns = st.sampled_from(("[一-龥あ-ん]+", "[^ж](?=[ж])", "中|é+", "[ж](?![ж])", "(?:é|中)a?"))
splits = st.builds(
    pre_tokenizers.Split, patterns.filter(lambda p: _folds(p)) | wide_patterns, flags, st.sampled_from(SplitBehavior)
)


def _folds(pattern: str) -> bool:
    """Whether the folding matcher gets a pattern: these tests give std::wregex only what it is known to take."""
    return pattern.isascii() or r"\p{" in pattern or r"\P{" in pattern


plain_pre_tokenizers = st.one_of(
    splits,
    splits,
    st.builds(pre_tokenizers.ByteLevel, flags),
    st.builds(pre_tokenizers.Digits, flags),
    st.builds(pre_tokenizers.Metaspace, st.sampled_from(("\u2581", " ", "_")), flags),
    st.just(pre_tokenizers.Bert()),
)
any_pre_tokenizer = st.one_of(
    st.just(pre_tokenizers.NoPreTokenizer()),
    plain_pre_tokenizers,
    st.lists(plain_pre_tokenizers, max_size=3).map(lambda children: pre_tokenizers.Sequence(tuple(children))),
)


def _vocab(tokens: list[str]) -> models.Vocab:
    rows = sorted((token, id_) for id_, token in enumerate(tokens))
    return models.Vocab(tuple(token for token, _ in rows), array("I", [id_ for _, id_ in rows]))


@st.composite
def bpe(draw: st.DrawFn) -> models.Bpe:
    """Characters, byte characters or byte pieces, and merges that build on each other; some merges lead nowhere."""
    tokens = draw(st.lists(st.sampled_from(ALPHABET), unique=True, min_size=1, max_size=20))
    tokens += [char for char in BYTE_TO_CHAR.values() if char not in tokens] * draw(flags)
    tokens += list(BYTE_PIECES) * draw(flags)
    merges: dict[tuple[int, int], int] = {}
    for rank in range(draw(st.integers(0, 24))):
        left, right = (draw(st.integers(0, len(tokens) - 1)) for _ in range(2))
        merges.setdefault((left, right), rank)
        joined = tokens[left] + tokens[right]
        if joined not in tokens and draw(st.integers(0, 9)):
            tokens.append(joined)
    rows = sorted((left << 32 | right, rank) for (left, right), rank in merges.items())
    columns = models.Merges(
        array("I", [key >> 32 for key, _ in rows]),
        array("I", [key & 0xFFFFFFFF for key, _ in rows]),
        array("I", [rank for _, rank in rows]),
    )
    return models.Bpe(_vocab(tokens), columns, byte_fallback=draw(flags), byte_level=draw(flags))


@st.composite
def word_piece(draw: st.DrawFn) -> models.WordPiece:
    """Short entries with and without the prefix."""
    prefix = draw(st.sampled_from(("##", "", "\U0010ffff")))
    words = draw(st.lists(short, unique=True, max_size=30))
    tokens = ["[UNK]", *words, *(prefix + word for word in draw(st.lists(short, unique=True, max_size=20)))]
    unique = list(dict.fromkeys(tokens))
    return models.WordPiece(_vocab(unique), "[UNK]", prefix, draw(st.integers(1, 40)))


@st.composite
def unigram(draw: st.DrawFn) -> models.Unigram:
    """Short pieces with scores that tie now and then."""
    byte_fallback = draw(flags)
    words = draw(st.lists(short, unique=True, max_size=30))
    tokens = ["<unk>", *words, *BYTE_PIECES] if byte_fallback else ["<unk>", *words]
    scores = st.sampled_from((0.0, -1.0, -1.5, -2.0, -3.25, -10.0))
    rows = sorted((token, id_) for id_, token in enumerate(tokens))
    return models.Unigram(
        models.Vocab(tuple(token for token, _ in rows), array("I", [id_ for _, id_ in rows])),
        array("d", [draw(scores) for _ in rows]),
        unk_id=0,
        byte_fallback=byte_fallback,
    )


any_decoder: st.SearchStrategy[decoders.Decoder] = st.sampled_from(
    (
        decoders.ByteLevel(),
        decoders.Fuse(),
        decoders.WordPiece("##", cleanup=True),
        decoders.Metaspace("\u2581", add_prefix_space=True),
        decoders.Sequence(
            (decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0))
        ),
    )
)


@st.composite
def files(draw: st.DrawFn) -> MtokFile:
    """A whole file: pipeline, added tokens inside and beyond the vocabulary, lists of the header, tail."""
    model = draw(st.one_of(bpe(), word_piece(), unigram()))
    size = len(model.vocab)
    top = size + 3 if isinstance(model, models.Bpe) else size - 1
    ids = st.integers(0, top)
    added = draw(
        st.lists(
            st.builds(AddedToken, ids, flags, flags, flags, st.text(st.sampled_from(ALPHABET), max_size=3)), max_size=4
        )
    )
    steps: list[PostProcessorStep] = [SequenceA(), *draw(st.lists(st.builds(SpecialTokenId, ids), max_size=3))]
    program = tuple(draw(st.permutations(steps)))
    return MtokFile(
        Header(tuple(draw(st.lists(ids, max_size=3))), (), tuple(draw(st.lists(ids, max_size=2)))),
        draw(any_normalizer),
        draw(any_pre_tokenizer),
        model,
        draw(any_decoder),
        tuple(added),
        Tail("", "", 0, "", program, post_processor_padding(program)),
    )
