"""White space of every kind: alone, in runs, at the ends of a text, and mixed."""

from __future__ import annotations

from itertools import product

ZS = tuple(chr(code) for code in (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000))
"""Every code point of category Zs (the list has not changed since Unicode 6.3)."""

LINE_ENDS = ("\t", "\n", "\v", "\f", "\r", "\r\n")
BREAKS = ("\x85", "\u2028", "\u2029")
"""White space for Unicode and for Hugging Face's ``\\s``, but not for the engine's."""


def _around(space: str) -> tuple[str, ...]:
    """One kind of white space in the places where it can make a difference."""
    return (
        f"a{space}b",
        f"{space}word",
        f"word{space}",
        f"one{space * 2}two",
        f"a {space}b",
        f"a{space} b",
        f"1{space}2,{space}.",
    )


def _spaces() -> tuple[str, ...]:
    texts = [" " * count for count in (2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300)]
    texts += [f"a{' ' * count}b" for count in (1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 40, 80, 81)]
    texts += [f"{' ' * count}x" for count in range(2, 6)]
    texts += [f"x{' ' * count}" for count in range(2, 6)]
    texts += [f"{' ' * left}left and right{' ' * right}" for left, right in ((1, 1), (2, 2), (3, 1), (1, 3))]
    texts += ["a b  c   d    e     f      g", " . , ; : ! ? ", "   !", "!   ", "   1   2   3", "  é  "]
    return (*texts, "\u3000\u3000「あ」")


def _lines() -> tuple[str, ...]:
    between = ("\n", "\n\n", "\n\n\n", " \n", "\n ", "  \n  ", "\t\n", "\r\n", "\r\n\r\n", "\r", "\n\t\t")
    before = (*LINE_ENDS, "\n\n", "\t\t", "\n ", " \n", "\n    ")
    after = (*LINE_ENDS, "\n\n", " \n\n ", "\n  ")
    alone = ("\r\r", "\n\r", "\r\n\n\r", "\n \n", "\n  \n  ", " \n", "\n ", "\t \t", "\n\t", "\v\f")
    return (
        *("\n" * count for count in (2, 3, 4, 5, 8, 20)),
        *("\t" * count for count in (2, 3, 4, 8)),
        *("\r\n" * count for count in (2, 3)),
        *alone,
        *(f"a{end}b" for end in LINE_ENDS),
        *(f"end{gap}Start" for gap in between),
        *(f"{gap}word" for gap in before),
        *(f"word{gap}" for gap in after),
        *(f"){gap}(" for gap in ("\n", "\n\n", " \n ")),
        *(f"9{gap}9" for gap in ("\n", "\t", " \n ")),
        "a \v b",
        "if x:\n\n\n\n\ty = 1\n        z = 2\n",
        "col1\tcol2\t\tcol3\n1\t2\t\t3\n",
    )


def _mixed() -> tuple[str, ...]:
    kinds = (" ", "\n", "\t", "\u00a0", "\u3000", "\r\n")
    pairs = [f"x{left}{right}y" for left, right in product(kinds, kinds) if left != right]
    every = "".join(ZS)
    return (
        *pairs,
        every,
        f"a{every}b",
        "".join(f"w{space}" for space in ZS),
        " \t\n\r\f\v" * 3,
        "\u00a0 \u00a0 x \u00a0",
    )


def _breaks() -> tuple[str, ...]:
    texts = [
        text
        for space in BREAKS
        for text in (space, space * 2, f"a{space}b", f" {space} ", f"end.{space}Next", f"x{space}")
    ]
    return (*texts, "".join(BREAKS), f"a{''.join(BREAKS)}\nb")


OTHER_SPACES: tuple[str, ...] = tuple(text for space in ZS[1:] for text in _around(space))
SPACES: tuple[str, ...] = _spaces()
LINES: tuple[str, ...] = _lines()
MIXED_SPACES: tuple[str, ...] = _mixed()
UNICODE_BREAKS: tuple[str, ...] = _breaks()
