"""Patterns of real tokenizers, and random ones."""

from __future__ import annotations

import random

REAL = {
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
        r"|\s*[\r\n]|\s+(?!\S)|\s+"
    ),
    "cl100k, possessive throughout": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "llama3": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "qwen2": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "kimi": (
        r"[\p{Han}]+"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "deepseek, numbers": r"\p{N}{1,3}",
    "deepseek, Chinese and Japanese": r"[一-龥぀-ゟ゠-ヿ]+",
    "deepseek, the rest": (
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "bloom": r" ?[^(\s|[.,!?…。，、।۔،])]+",
    "falcon": r"[0-9][0-9][0-9]",
    "digits": r"\d",
    "digits from the right": r"\d{1,3}(?=(?:\d{3})*\b)",
    "spaces": r"\s+",
    "words": r"\w+|[^\w\s]+",
    "bert": r"[\p{P}$+<=>^`|~]|\s+",
    "lines": r"\R",
    "camel case": r"(?<=[a-z])(?=[A-Z])",
    "camel case of any script": r"(?<=\p{Ll})(?=\p{Lu})",
    "word boundaries": r"\b",
    "blank lines": r"(?:\r?\n)+(?!\r?\n)",
    "two scripts": r"\p{Hangul}+|\p{Han}+",
    "posix": r"[[:punct:]]",
    "one ideograph": r"[一-龥]",
}
BEHAVIORS = ("Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous")

CHARACTERS = (
    "abcABkKsS019 -'_.!+$\r\n\t\v\x85\u2028\xa0\u3000éÉßſǅʰя中〇あア가²٣Ⅷ½\u0301\u0903\u20dd。、‿€√😀\u200d\u200b\ue000"
    "\u0378\x01\x02\x03\x04\x05\x06\x07\x7f\u1c89\U0001fae9\u212a"
)
"""Of each kind that patterns or the engine tell apart: case, script, number, mark, space, control, new, private."""

USUAL = "abcABkKsS019 -'_.!+$\r\n\t\vÉé中я²٣\u3000\xa0\u0301。€\u200d"

_LEAVES = (
    *("a", "b", "c", "A", "k", "s", " ", "-", "'", r"\.", "1", "é", "中", r"\n", r"\r", r"\t"),
    *("[ab]", "[^a]", "[a-c]", "[A-Z]", r"[^\s]", "[0-9]", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\h", ".", r"\R"),
    *(
        r"\p{L}",
        r"\p{N}",
        r"\P{L}",
        r"\p{Lu}",
        r"\p{Ll}",
        r"\p{P}",
        r"\p{S}",
        r"\p{M}",
        r"\p{Z}",
        r"\p{Nd}",
        r"\p{Han}",
    ),
    *(
        r"[^\r\n\p{L}\p{N}]",
        " ?[一-龥]+",
        r" ?\p{L}+",
        r"[\p{L}\p{M}]",
        "[一-龥]",
        "[[:alpha:]]",
        "[a-z&&[^b]]",
        "(?i:s)",
        "(?i:ab)",
        r"[\s\S]",
    ),
)
_ASSERTIONS = (
    *(r"\b", "^", "$", r"\A", r"\z", r"\Z", r"\B", "(?<=a)", "(?<!a)", r"(?<=\s)", r"(?!\S)", "(?=a)", "(?!b)"),
    *(r"(?=\p{L})", "(?![ab]c)", "(?=ab|c)"),
)
_COUNTS = ("?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}")
_GROUPS = ("(?:", "(?:", "(", "(?>", "(?i:")


def random_pattern(choice: random.Random) -> str:
    """A pattern of one to three branches; ``tokenizers`` refuses some of them."""
    branches = choice.choice((1, 1, 1, 2, 2, 3))
    return "|".join(_part(choice, choice.randint(1, 3)) for _ in range(branches))


def _part(choice: random.Random, depth: int) -> str:
    kind = choice.random()
    if depth == 0 or kind < 0.5:
        return choice.choice(_LEAVES)
    if kind < 0.56:
        return choice.choice(_ASSERTIONS)
    if kind < 0.72:
        part = _part(choice, depth - 1)
        mark = choice.choice("?+") if choice.random() < 0.15 else ""
        return f"(?:{part}){choice.choice(_COUNTS)}{mark}"
    if kind < 0.85:
        return "".join(_part(choice, depth - 1) for _ in range(choice.randint(2, 3)))
    if kind < 0.96:
        return choice.choice(_GROUPS) + "|".join(_part(choice, depth - 1) for _ in range(choice.randint(1, 3))) + ")"
    return choice.choice(("(?=", "(?!")) + _part(choice, depth - 1) + ")"


def random_texts(choice: random.Random, count: int) -> list[str]:
    """Short texts of a few different characters each; every third is of usual ones alone."""
    texts = []
    for number in range(count):
        chars = choice.sample(USUAL if number % 3 == 0 else CHARACTERS, choice.randint(2, 8))
        texts.append("".join(choices) if (choices := choice.choices(chars, k=choice.randint(1, 14))) else "")
    return texts


_FEW_LEAVES = ("a", "b", "c", "[ab]", "[^a]", ".", "[bc]", r"\n", "ab", "bc", "aa")
_FEW_ASSERTIONS = (r"\b", "$", r"\z", "(?<=a)", "(?<!b)", "(?!a)", "(?=b)", "(?![ab]c)", "(?=ab|c)", "(?<=[ab])", "^")
_FEW_COUNTS = ("?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}", "{3,1}")


def structural_pattern(choice: random.Random) -> str:
    """A pattern of three letters whose groups, counts and assertions are nested up to four deep."""
    while True:
        branches = choice.choice((1, 1, 2, 3))
        pattern = "|".join(_structure(choice, choice.randint(2, 4)) for _ in range(branches))
        if len(pattern) <= 70:
            return pattern


def _structure(choice: random.Random, depth: int) -> str:
    kind = choice.random()
    if depth == 0 or kind < 0.25:
        return choice.choice(_FEW_LEAVES)
    if kind < 0.33:
        return choice.choice(_FEW_ASSERTIONS)
    if kind < 0.6:
        mark = choice.choice("?+") if choice.random() < 0.35 else ""
        return f"(?:{_structure(choice, depth - 1)}){choice.choice(_FEW_COUNTS)}{mark}"
    parts = [_structure(choice, depth - 1) for _ in range(choice.randint(1, 3))]
    if kind < 0.8:
        return "".join(parts)
    if kind < 0.96:
        return choice.choice(("(?:", "(?:", "(", "(?>")) + "|".join(parts) + choice.choice((")", "|)"))
    return choice.choice(("(?=", "(?!")) + parts[0] + ")"
