"""Syntax tree to operators: flags, spellings, properties and case are resolved here."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

from mtok_export.lowering.regex import ast
from mtok_export.lowering.regex.charset import ALL_CHARS, ASCII, NO_CHARS, CharSet
from mtok_export.lowering.regex.ir import (
    ANYTHING,
    EMPTY,
    Alt,
    Atomic,
    Edge,
    EdgeKind,
    Ir,
    Look,
    Repeat,
    ahead,
    alt,
    one,
    repeat,
    seq,
)
from mtok_export.lowering.regex.oniguruma import case_closure, char_set

NEWLINE = CharSet.of_text("\n")
_LINE_ENDS = CharSet.of([(0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)])
_ASCII_FLAGS = {"w": "ascii_word", "d": "ascii_digit", "s": "ascii_space", "h": "ascii_posix"}
_CASE_FOLD_END = 0x1FFF
_LIGATURES = (0xFB00, 0xFB17)
_BLOCK = 64


class RefusedError(Exception):
    """Valid syntax without a counterpart in the engine; ``str`` says what."""


class Builder:
    """Turns the tree of one pattern into operators.

    ``spellings`` says how each set of characters is written in the pattern; ``notes`` holds what the operators leave
    out.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.spellings: dict[CharSet, str] = {}
        self.notes: list[str] = []

    def build(self, node: ast.Node) -> Ir:
        """The operators of a node.

        Raises:
            RefusedError: the node is valid, but nothing the engine knows comes near it.
        """
        return _RULES[type(node)](self, node)

    def _one(self, chars: CharSet, span: ast.Span, *, ignore_case: bool = False) -> Ir:
        spelling = self.pattern[slice(*span)]
        self.spellings.setdefault(chars, f"(?i:{spelling})" if ignore_case else spelling)
        return one(chars)

    def _literal(self, literal: ast.Literal) -> Ir:
        if literal.flags.ignore_case:
            return self._text([literal])
        return self._one(CharSet.of([(literal.code, literal.code)]), literal.span)

    def _text(self, literals: list[ast.Literal]) -> Ir:
        """Neighbouring literals without regard to case: one character may stand for several (the sharp s for ss)."""
        folded = "".join(chr(literal.code) for literal in literals).lower()
        ends: list[Ir] = [EMPTY]  # from each literal on, the last one first
        for place in reversed(range(len(literals))):
            literal = literals[place]
            if chr(literal.code) in _one_to_many():
                char = chr(literal.code)
                raise RefusedError(f"case is ignored for {char!r}, which has an equivalent of several characters")
            closed = case_closure(CharSet.of([(literal.code, literal.code)]))
            options = [seq([self._one(closed, literal.span, ignore_case=True), ends[-1]])]
            for text, chars in _many_to_one().items():
                if folded.startswith(text, place):
                    span = (literal.span[0], literals[place + len(text) - 1].span[1])
                    options.append(seq([self._one(chars, span, ignore_case=True), ends[-len(text)]]))
            ends.append(alt(options))
        return ends[-1]

    def _any_char(self, node: ast.AnyChar) -> Ir:
        return self._one(ALL_CHARS if node.newline else ~NEWLINE, node.span)

    def _shorthand(self, node: ast.Shorthand) -> Ir:
        return self._one(_shorthand_set(node, "\\" + node.letter), node.span)

    def _property(self, node: ast.Property) -> Ir:
        return self._one(_property_set(node, f"\\p{{{node.name}}}"), node.span)

    def _char_class(self, node: ast.CharClass) -> Ir:
        chars = _class_set(node)
        if node.flags.ignore_case:
            inside = ~chars if node.negated else chars
            if not node.negated and any(chr(code) in _one_to_many() for code in inside & _folding_candidates()):
                self.notes.append(
                    f"ignoring case, {self.pattern[slice(*node.span)]} also takes in pairs such as ss for the sharp s"
                )
            inside = case_closure(inside)
            chars = ~inside if node.negated else inside
        return self._one(chars, node.span, ignore_case=node.flags.ignore_case)

    def _newline(self, _node: ast.Newline) -> Ir:
        both = seq([one(CharSet.of_text("\r")), one(NEWLINE)])
        return Atomic(alt([both, one(_LINE_ENDS)]))

    def _anchor(self, node: ast.Anchor) -> Ir:
        word = char_set(r"\w") & ASCII if node.flags.ascii_word else char_set(r"\w")
        return _ANCHORS[node.kind](word)

    def _group(self, node: ast.Group) -> Ir:
        body = self.build(node.body)
        return Atomic(body) if node.kind is ast.GroupKind.ATOMIC else body

    def _look(self, node: ast.Look) -> Ir:
        return Look(self.build(node.body), node.behind, node.negated)

    def _repeat(self, node: ast.Repeat) -> Ir:
        body = repeat(self.build(node.body), node.low, node.high, greedy=node.mode is not ast.Mode.LAZY)
        return Atomic(body) if node.mode is ast.Mode.POSSESSIVE and isinstance(body, Repeat) else body

    def _sequence(self, node: ast.Sequence) -> Ir:
        built: list[Ir] = []
        run: list[ast.Literal] = []
        for item in node.items:
            if isinstance(item, ast.Literal) and item.flags.ignore_case:
                run.append(item)
                continue
            built += [self._text(run), self.build(item)]
            run = []
        return seq([*built, self._text(run)])

    def _alternation(self, node: ast.Alternation) -> Ir:
        return Alt(tuple(self.build(branch) for branch in node.branches))

    def _exotic(self, node: ast.Exotic) -> Ir:
        raise RefusedError(f"{self.pattern[slice(*node.span)]}: {node.what} has no counterpart in the engine")


_RULES: dict[type, Callable[[Builder, Any], Ir]] = {
    ast.Literal: Builder._literal,
    ast.AnyChar: Builder._any_char,
    ast.Shorthand: Builder._shorthand,
    ast.Property: Builder._property,
    ast.CharClass: Builder._char_class,
    ast.Newline: Builder._newline,
    ast.Anchor: Builder._anchor,
    ast.Group: Builder._group,
    ast.Look: Builder._look,
    ast.Repeat: Builder._repeat,
    ast.Sequence: Builder._sequence,
    ast.Alternation: Builder._alternation,
    ast.Exotic: Builder._exotic,
}


# --- anchors ----------------------------------------------------------------------------------------------------------


def _boundary(word: CharSet, *, negated: bool) -> Ir:
    """Between a word character and none, at the ends of the text too."""
    before, after = Look(one(word), behind=True, negated=False), ahead(one(word))
    not_before, not_after = Look(one(word), behind=True, negated=True), ahead(one(word), negated=True)
    if negated:
        return alt([seq([before, after]), seq([not_before, not_after])])
    return alt([seq([before, not_after]), seq([not_before, after])])


def _line_start(_word: CharSet) -> Ir:
    """The start of the text, or after a newline that is not the text's last character."""
    after_newline = seq([Look(one(NEWLINE), behind=True, negated=False), ahead(ANYTHING)])
    return alt([Edge(EdgeKind.TEXT_START), after_newline])


def _text_end(_word: CharSet) -> Ir:
    return ahead(ANYTHING, negated=True)


_ANCHORS: dict[ast.AnchorKind, Callable[[CharSet], Ir]] = {
    ast.AnchorKind.LINE_START: _line_start,
    ast.AnchorKind.LINE_END: lambda _: ahead(one(~NEWLINE), negated=True),
    ast.AnchorKind.TEXT_START: lambda _: Edge(EdgeKind.TEXT_START),
    ast.AnchorKind.TEXT_END: _text_end,
    ast.AnchorKind.TEXT_END_OR_NEWLINE: lambda _: ahead(
        alt([one(~NEWLINE), seq([one(NEWLINE), ANYTHING])]), negated=True
    ),
    ast.AnchorKind.WORD_BOUNDARY: lambda word: _boundary(word, negated=False),
    ast.AnchorKind.NOT_WORD_BOUNDARY: lambda word: _boundary(word, negated=True),
    ast.AnchorKind.SEARCH_START: lambda _: Edge(EdgeKind.SEARCH_START),
}


# --- sets -------------------------------------------------------------------------------------------------------------


def _negated(chars: CharSet, negated: bool) -> CharSet:
    return ~chars if negated else chars


def _shorthand_set(node: ast.Shorthand, expression: str) -> CharSet:
    chars = char_set(expression)
    if getattr(node.flags, _ASCII_FLAGS[node.letter]):
        chars = chars & ASCII
    return _negated(chars, node.negated)


def _property_set(node: ast.Property, expression: str) -> CharSet:
    if node.flags.ascii_posix:
        raise RefusedError(f"\\p{{{node.name}}} under an option that confines POSIX names to ASCII")
    return _negated(char_set(expression), node.negated)


def _posix_set(node: ast.Posix) -> CharSet:
    chars = char_set(f"[[:{node.name}:]]")
    return _negated(chars & ASCII if node.flags.ascii_posix else chars, node.negated)


def _class_set(node: ast.CharClass) -> CharSet:
    operands = [reduce(CharSet.__or__, map(_item_set, operand), NO_CHARS) for operand in node.operands]
    return _negated(reduce(CharSet.__and__, operands), node.negated)


_ITEM_RULES: dict[type, Callable[[Any], CharSet]] = {
    ast.Literal: lambda item: CharSet.of([(item.code, item.code)]),
    ast.ClassRange: lambda item: CharSet.of([(item.low, item.high)]),
    ast.Shorthand: lambda item: _shorthand_set(item, f"[\\{item.letter}]"),
    ast.Property: lambda item: _property_set(item, f"[\\p{{{item.name}}}]"),
    ast.Posix: _posix_set,
    ast.CharClass: _class_set,
}


def _item_set(item: ast.ClassItem) -> CharSet:
    return _ITEM_RULES[type(item)](item)


# --- case -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _folding_candidates() -> CharSet:
    return CharSet.of([(0x80, _CASE_FOLD_END), _LIGATURES])


@lru_cache(maxsize=1)
def _one_to_many() -> dict[str, str]:
    """Characters whose case folding has several characters; Unicode has added none since 5.1."""
    candidates = list(map(chr, _folding_candidates()))
    found: dict[str, str] = {}
    for start in range(0, len(candidates), _BLOCK):
        block = candidates[start : start + _BLOCK]
        if len("".join(block).casefold()) > len(block):  # true of few blocks
            found |= {char: folded for char in block if len(folded := char.casefold()) > 1}
    return found


@lru_cache(maxsize=1)
def _many_to_one() -> dict[str, CharSet]:
    """The same, the other way round."""
    found: dict[str, str] = {}
    for char, folded in _one_to_many().items():
        found[folded] = found.get(folded, "") + char
    return {folded: CharSet.of_text(chars) for folded, chars in found.items()}
