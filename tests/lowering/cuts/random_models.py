"""Random files whose model merges whatever its random merges say, and texts that reach into their corners."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence

from mtok_export.format import MtokFile, decoder, model, normalizer, pre_tokenizer
from mtok_export.format.added_tokens import AddedToken
from mtok_export.format.header import Header
from mtok_export.format.tail import Tail

META = "\u2581"
LETTERS = "abcdeXYZéßжЖאक"
OTHERS = f"{META}{META} 019.,!?'\"()<>/_-\n\t\r½²\u0301\u093e\u00a0\u3000»…€😀\u200b"
EAST_ASIAN = "一二三四五六七八九十中国日本。、「」はがのをアイウー𠀀"
UNKNOWN = "zQ§ÿ龘ヴ\u07ff\ud7fb\U0001f9ff\x01\x05\x7f"
ALL_BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
FIRST_BYTES = tuple(f"<0x{byte:02X}>" for byte in (*range(0x80), *range(0xC2, 0xF5)))

NORMALIZERS: dict[str, normalizer.Normalizer] = {
    "nothing": normalizer.NoNormalizer(),
    "spaces replaced": normalizer.Replace(" ", META),
    "as in Llama 2": normalizer.Sequence((normalizer.Prepend(META), normalizer.Replace(" ", META))),
    "prepended behind": normalizer.Sequence((normalizer.Replace(" ", META), normalizer.Prepend(META))),
    "something else prepended": normalizer.Sequence((normalizer.Prepend("a"), normalizer.Replace(" ", META))),
    "more replaced": normalizer.Sequence((normalizer.Replace("é", "e "), normalizer.Replace(" ", META))),
    "a space prepended behind": normalizer.Sequence((normalizer.Replace(" ", META), normalizer.Prepend(" "))),
}
PRE_TOKENIZERS: dict[str, pre_tokenizer.PreTokenizer] = {
    "nothing": pre_tokenizer.NoPreTokenizer(),
    "Metaspace": pre_tokenizer.Metaspace(META, add_prefix_space=False),
    "Metaspace with a prefix": pre_tokenizer.Metaspace(META, add_prefix_space=True),
    "Metaspace that replaces by a letter": pre_tokenizer.Metaspace("a", add_prefix_space=True),
    "bytes": pre_tokenizer.ByteLevel(use_regex=False),
}


def bpe(rows: Sequence[tuple[str, int]], merges: Sequence[tuple[str, str]]) -> model.Bpe:
    """A model from entries and merges in order of rank."""
    rows = sorted(rows)
    ids = dict(reversed(rows))
    ranks = {(ids[left], ids[right]): rank for rank, (left, right) in enumerate(merges)}
    pairs = sorted(ranks)
    return model.Bpe(
        model.Vocab(tuple(token for token, _ in rows), array("I", [id_ for _, id_ in rows])),
        model.Merges(
            array("I", [left for left, _ in pairs]),
            array("I", [right for _, right in pairs]),
            array("I", [ranks[pair] for pair in pairs]),
        ),
        byte_fallback=False,
        byte_level=False,
    )


def random_model(rng: random.Random) -> model.Bpe:
    """Characters, results of merges of them in any order of rank, and byte pieces: all, the needed ones, or few."""
    chars = sorted(set(rng.sample(LETTERS, 8) + rng.sample(OTHERS, 18) + rng.sample(EAST_ASIAN, 14) + [META, "a"]))
    tokens, merges = list(chars), []
    for _ in range(rng.choice((10, 60, 200))):
        left, right = rng.choice(tokens), rng.choice(chars if rng.random() < 0.7 else tokens)
        if len(left) + len(right) < 9 and (left, right) not in merges:
            merges.append((left, right))
            tokens.append(left + right)
    rng.shuffle(merges)
    kind = rng.random()
    pieces = ALL_BYTES if kind < 0.5 else FIRST_BYTES if kind < 0.7 else ALL_BYTES[:100] if kind < 0.8 else ()
    one_id = kind < 0.7 and rng.random() < 0.3
    if pieces and not one_id and rng.random() < 0.2:
        merges.append((rng.choice(pieces), rng.choice(chars)))
        tokens.append("".join(merges[-1]))
    names = dict.fromkeys([*tokens, *pieces])
    entries = {token: id_ for id_, token in enumerate(names)}
    if one_id:
        entries.update(dict.fromkeys(("<unk>", *pieces), len(entries)))
    used = sorted(set(entries.values()))
    dense = {id_: place for place, id_ in enumerate(used)}
    rows = [(token, dense[id_]) for token, id_ in entries.items()]
    rows += [("", len(used) + extra) for extra in range(len(rows) - len(used))]
    return bpe(rows, merges)


def with_runs(made: model.Bpe, char: str, longest: int, rng: random.Random) -> model.Bpe:
    """The model with entries and merges for runs of a character: as in Gemma 3, or not quite."""
    new = run_merges(char, longest)
    if rng.random() < 0.2:
        rng.shuffle(new)
    string = {id_: token for token, id_ in zip(made.vocab.tokens, made.vocab.ids, strict=True) if token}
    ranked = sorted(zip(made.merges.rank, made.merges.left, made.merges.right, strict=True))
    old = [(string[left], string[right]) for _, left, right in ranked]
    if rng.random() < 0.7:
        old = [merge for merge in old if char not in "".join(merge)]
    rows = list(zip(made.vocab.tokens, made.vocab.ids, strict=True))
    known = frozenset(made.vocab.tokens)
    runs = [char * length for length in range(1, longest + 1) if char * length not in known]
    rows += [(run, len(rows) + place) for place, run in enumerate(runs)]
    return bpe(rows, list(dict.fromkeys((*new, *old))))


def run_merges(char: str, longest: int) -> list[tuple[str, str]]:
    """The merges of a SentencePiece vocabulary that holds runs of a character: those of the longest result first."""
    results = range(longest, 1, -1)
    return [(char * (size - right), char * right) for size in results for right in range(1, size)]


def run_tokens(made: model.Bpe, char: str, lengths: Iterable[int]) -> tuple[AddedToken, ...]:
    """Added tokens for runs of a character."""
    ids = dict(zip(made.vocab.tokens, made.vocab.ids, strict=True))
    return tuple(AddedToken(ids[char * length], False, False, False, char * length) for length in lengths)


PARTS = ("a", "b", "ab", "1", "12", "/", "!", "-", "c")
"""What the tags below are made of."""


def with_tags(made: model.Bpe, rng: random.Random) -> tuple[model.Bpe, tuple[AddedToken, ...], list[str]]:
    """The model with entries for tags, the tags as added tokens, and texts that they may be in.

    Most tags are such as ``<ab1>``; some lack an end, hold each other, strip white space, or are found by their parts.
    """
    merges = [("a", "b"), ("1", "2"), ("c", "c"), *([("(", "<")] if rng.random() < 0.5 else [])]
    merges += [("<", "/")] if rng.random() < 0.5 else []
    merges += [("<", "a")] if rng.random() < 0.1 else []
    chars = dict.fromkeys(char for part in (*PARTS, *"<>()é ", META, *map("".join, merges)) for char in part)
    string = {id_: token for token, id_ in zip(made.vocab.tokens, made.vocab.ids, strict=True) if token}
    ranked = sorted(zip(made.merges.rank, made.merges.left, made.merges.right, strict=True))
    old = [(string[left], string[right]) for _, left, right in ranked if rng.random() < 0.3]
    old = [merge for merge in old if "<" not in "".join(merge)]
    tags = {f"<{''.join(rng.choices(PARTS, k=rng.randint(1, 4)))}>" for _ in range(30)}
    odd = [
        ("<a", False),
        ("a<b>", False),
        ("ab", False),
        ("<b>c", False),
        ("(1)", False),
        ("<é>", False),
        ("<c>", True),
    ]
    chosen = [(tag, False) for tag in sorted(tags)] + [each for each in odd if rng.random() < 0.1]
    rows = dict(zip(made.vocab.tokens, made.vocab.ids, strict=True))
    names = [*chars, *map("".join, merges), *(tag for tag, _ in chosen)]
    kept = [token for token in rows if token]
    entries = [(token, id_) for id_, token in enumerate(dict.fromkeys([*kept, *names]))]
    ids = dict(entries)
    tokens = tuple(AddedToken(ids[tag], False, strips, strips, tag) for tag, strips in dict(chosen).items())
    parts = [*PARTS, *"<>()é ", "<a", "</", "1>", ">>", "<<", "  ", *(token.content for token in tokens)]
    texts = ["".join(rng.choices(parts, k=rng.randint(1, 20))) for _ in range(400)]
    return bpe(entries, list(dict.fromkeys((*merges, *old)))), tokens, texts


def file_of(
    made: model.Bpe,
    before: normalizer.Normalizer,
    splitting: pre_tokenizer.PreTokenizer,
    added: Sequence[AddedToken] = (),
) -> MtokFile:
    """A whole file."""
    nothing = Tail(chat_template="", eos_token="", flags=0, bos_token="", post_processor=None, padding=b"")
    return MtokFile(Header((), (), ()), before, splitting, made, decoder.Fuse(), tuple(added), nothing)


def random_texts(rng: random.Random, made: model.Bpe, number: int) -> list[str]:
    """Texts of entries, of single characters, of what is no entry, and of runs."""
    tokens = [token.replace(META, rng.choice((" ", META))) for token in made.vocab.tokens if token]
    chars = LETTERS + OTHERS + EAST_ASIAN

    def part() -> str:
        kind = rng.random()
        if kind < 0.5:
            return rng.choice(tokens)
        if kind < 0.8:
            return rng.choice(chars)
        return rng.choice(UNKNOWN) if kind < 0.9 else rng.choice(chars) * rng.randint(2, 9)

    return ["".join(part() for _ in range(rng.randint(1, 40))) for _ in range(number)]
