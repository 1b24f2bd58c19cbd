"""The public face of the package: one Split of Hugging Face to Splits of the engine, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, reduce

from mtok_export.format.spec import MAX_STRING_BYTES
from mtok_export.format.spec import SplitBehavior as EngineBehavior
from mtok_export.lowering.regex import ast, oniguruma, wide
from mtok_export.lowering.regex.analysis import lengths
from mtok_export.lowering.regex.behind import resolve
from mtok_export.lowering.regex.boundaries import pieces_between
from mtok_export.lowering.regex.build import Builder, RefusedError
from mtok_export.lowering.regex.charset import ASCII, CharSet
from mtok_export.lowering.regex.confining import confined
from mtok_export.lowering.regex.cuts import certain_cuts
from mtok_export.lowering.regex.errors import RegexSyntaxError
from mtok_export.lowering.regex.examples import alphabet, find, random_texts, samples
from mtok_export.lowering.regex.ir import Ir, One, alt, is_run, options_of, sets_of, sole_set
from mtok_export.lowering.regex.limits import character_limits, difference, residue, touching
from mtok_export.lowering.regex.lower import lower
from mtok_export.lowering.regex.matcher import GPT2_PATTERN, split
from mtok_export.lowering.regex.normal import normal
from mtok_export.lowering.regex.parse import parse
from mtok_export.lowering.regex.plain import (
    CAPPED,
    EMPTY_MATCHES,
    NEIGHBOURS,
    REGROUPED,
    misread,
    plain_refusals,
    wide_limits,
)
from mtok_export.lowering.regex.program import NOTHING, Program, may_be_empty, write_program
from mtok_export.lowering.regex.reading import goes_wide
from mtok_export.lowering.regex.spelling import reads_as, set_names, write
from mtok_export.lowering.regex.tiling import Tiles, tiles
from mtok_export.lowering.regex.translation import RegexLimit, SplitStep, Translation
from mtok_export.lowering.regex.words import cased_words
from mtok_export.source.pipeline import SplitBehavior

__all__ = ["GPT2_PATTERN", "escape_literal", "translate", "translate_split"]

_PLAINEST = "a"
_METACHARACTERS = frozenset("\\^$.|?*+()[]{}")
_ONE_TO_ONE: dict[SplitBehavior, EngineBehavior] = {
    "Isolated": EngineBehavior.ISOLATED,
    "Removed": EngineBehavior.REMOVED,
    "MergedWithPrevious": EngineBehavior.MERGED_WITH_PREVIOUS,
    "MergedWithNext": EngineBehavior.ISOLATED,
    "Contiguous": EngineBehavior.ISOLATED,
}
"""The engine knows the first three; the others are written as the first."""


def escape_literal(text: str) -> str:
    """A pattern that matches ``text`` and nothing else, in the engine (both of its matchers) and in Hugging Face.

    Metacharacters alone get a backslash: a space, a slash, a hyphen stay as they are.
    """
    return "".join("\\" + char if char in _METACHARACTERS else char for char in text)


def translate(pattern: str, *, faithful: bool) -> Translation:
    """The steps for a regular expression whose matches are isolated; see ``translate_split``."""
    return translate_split(pattern, "Isolated", False, faithful=faithful)


def translate_split(
    pattern: str,
    behavior: SplitBehavior,
    invert: bool,
    *,
    literal: bool = False,
    faithful: bool = True,
    thorough: bool = True,
) -> Translation:
    """The engine's Splits for one Split of Hugging Face.

    Args:
        pattern: a regular expression of Oniguruma, or, if ``literal``, the text to look for.
        behavior: as tokenizer.json names it.
        invert: whether matches and gaps change places.
        literal: whether the pattern is a ``String``.
        faithful: whether the pattern may be rewritten; if not, there is one step with the pattern as it stands, and the
            limits say what the engine will make of it.
        thorough: whether a pattern that cannot be exact may take more steps to come nearer.  Each costs the engine
            about half a millisecond for 2,000 characters.

    Returns:
        The steps, with every way in which the engine's pieces can differ; ``refused`` says what cannot be said at all.

    Raises:
        RegexSyntaxError: ``tokenizers`` would not compile the pattern either.
    """
    task = _Task(pattern, behavior, invert, literal, thorough)
    return task.faithful() if faithful else task.plain()


class _Task:
    """One Split of Hugging Face."""

    def __init__(self, pattern: str, behavior: SplitBehavior, invert: bool, literal: bool, thorough: bool) -> None:
        self.pattern = pattern
        self.behavior = behavior
        self.invert = invert
        self.literal = literal
        self.thorough = thorough
        self.node: ast.Node
        self.text = escape_literal(self.pattern) if self.literal else self.pattern
        self.builder = Builder(self.text)
        fault = None if self.literal else oniguruma.syntax_error(self.text)
        try:
            self.node = parse(self.text)
        except RegexSyntaxError as error:
            if fault is not None:
                raise
            self.node = ast.Exotic(f"tokenizers compiles it, but it is not understood here: {error.message}")
        if fault is not None:
            raise RegexSyntaxError(fault, pattern=self.pattern, position=0)

    @cached_property
    def ir(self) -> Ir:
        return self.builder.build(self.node)

    @cached_property
    def forward(self) -> Ir:
        """The pattern without anything that looks back."""
        return resolve(self.ir)

    @cached_property
    def between(self) -> Ir | None:
        """A pattern of the pieces, if the pattern says only where to cut."""
        return pieces_between(self.ir)

    @property
    def one_to_one(self) -> SplitStep:
        return SplitStep(self.text, self.invert, _ONE_TO_ONE[self.behavior])

    # --- rewriting ----------------------------------------------------------------------------------------------------

    def faithful(self) -> Translation:
        """The Split, rewritten where the engine would misread it."""
        try:
            found = self._narrow()
            sets = sets_of(self.ir)
        except RefusedError as refused:
            return Translation((), refused=(str(refused),))
        hidden = any(each.chars and not each.mask for each in sets)
        if not hidden and not difference(sets) - residue() and not _is_unproved(found):
            return self._finished(found)
        exact = self._wide()
        if exact is not None:
            return self._finished(Translation(exact))
        if hidden and self.between is None:
            near = wide.near_steps(self.forward, self.behavior, self.invert, self.text)
            if near is not None:
                return self._finished(Translation(near, limits=(NEIGHBOURS,)))
        if found.refused or not self.thorough:
            return self._finished(found)
        better = self._with_cut_words() or self._with_cuts(found)
        return self._finished(better if _fits(better) else found)

    def _wide(self) -> tuple[SplitStep, ...] | None:
        """The Split as steps of the wide matcher, exact to the code point."""
        if self.between is None:
            return wide.steps(self.forward, self.behavior, self.invert, self.text)
        return None if self._keeps_empty_matches else wide.cut_steps(self.ir)

    @property
    def _keeps_empty_matches(self) -> bool:
        """Of a pattern of cuts, only the matches are kept: nothing at all."""
        return self.behavior == "Removed" and self.invert

    @property
    def _matches_are_pieces(self) -> bool:
        """Whether cutting a match in two makes two pieces of it, and nothing else."""
        isolated = self.behavior == "Isolated" or (self.behavior == "Removed" and self.invert)
        return isolated and self.between is None

    def _with_cut_words(self) -> Translation | None:
        """The Split of a pattern that tells capitals from small letters, its words cut beforehand."""
        words = cased_words(self.forward) if self._matches_are_pieces else None
        if words is None:
            return None
        program, unproved = lower(words.pattern())
        tiled = self._tiles(normal(program), of_cuts=False) or ()
        names = set_names(self.builder.spellings)
        steps = tuple(SplitStep(self._written(each, names), each.invert, each.behavior) for each in tiled)
        limits = (*character_limits(words.sets(), self.builder.spellings), *words.limits(), *map(RegexLimit, unproved))
        return Translation((words.cut(), *steps), limits=limits)

    def _with_cuts(self, found: Translation) -> Translation:
        """The best, on a sample of texts, of the Split as it is and of some with the cuts that are certain."""
        cuts = certain_cuts(self.forward) if self._matches_are_pieces else None
        if cuts is None:
            return found
        inner = [variant for variant in (found, self._without_hidden_runs(found)) if variant is not None]
        cut = [replace(each, steps=(*cuts.before, *each.steps, *cuts.after)) for each in inner]
        chars = self._sample_characters(found)
        texts = tuple(random_texts(chars))

        def wrong(each: Translation) -> int:
            steps = _confined(each.steps, chars)
            return sum(self._differs(text, steps) for text in texts)

        return min([found, *cut], key=wrong)

    def _without_hidden_runs(self, found: Translation) -> Translation | None:
        """The Split without options such as a run of Han, which the byte matcher takes for a run of letters.

        Where no character of such a run is in a text, the option is not missed.
        """
        options = options_of(self.forward)
        hidden = [sole for option in options if (sole := sole_set(option)) and self._is_hidden(sole)]
        kept = [option for option in options if sole_set(option) not in hidden]
        if not hidden or not kept:
            return None
        tiled = self._tiles(normal(lower(alt(kept))[0]), of_cuts=False) or ()
        names = set_names(self.builder.spellings)
        steps = tuple(SplitStep(self._written(each, names), each.invert, each.behavior) for each in tiled)
        missed = reduce(CharSet.__or__, (each.chars for each in hidden))
        return replace(found, steps=steps, limits=touching(found.limits, missed))

    @staticmethod
    def _is_hidden(sole: One) -> bool:
        return sole.chars.isdisjoint(ASCII) and bool(difference([sole]) - residue())

    def _sample_characters(self, found: Translation) -> str:
        touched = [samples(limit.characters) for limit in found.limits if limit.characters]
        return "".join(dict.fromkeys("".join([alphabet(self._masks), *touched])))

    def _narrow(self) -> Translation:
        """The Split as Splits of the byte matcher."""
        program, unproved = lower(self.forward if self.between is None else self.between)
        tiled = self._tiles(normal(program), of_cuts=self.between is not None)
        if tiled is None:
            reason = f"{self.text} can match without taking a character, looks ahead, and is {self.behavior}"
            return Translation((), refused=(f"{reason}: the engine cannot do all of that",))
        names = set_names(self.builder.spellings)
        steps = tuple(SplitStep(self._written(each, names), each.invert, each.behavior) for each in tiled)
        longest = max(len(step.pattern.encode()) for step in steps)
        if longest > MAX_STRING_BYTES:
            return Translation(
                (), refused=(f"the pattern becomes {longest:,} bytes long, more than {MAX_STRING_BYTES:,}",)
            )
        limits = [*character_limits(sets_of(self.ir), self.builder.spellings)]
        limits += [RegexLimit(reason) for reason in (*unproved, *self.builder.notes)]
        return Translation(steps, limits=tuple(limits))

    def _written(self, tile: Tiles, names: Mapping[int, str]) -> str:
        if tile.as_is:
            return write(tile.program, self.text, self.node, names)
        return write_program(tile.program, names)

    def _tiles(self, program: Program, *, of_cuts: bool) -> tuple[Tiles, ...] | None:
        if of_cuts:
            kept = EngineBehavior.REMOVED if self._keeps_empty_matches else EngineBehavior.ISOLATED
            return (Tiles(program, invert=False, behavior=kept, as_is=False),)
        if not program:
            return (Tiles(NOTHING, self.invert, _ONE_TO_ONE[self.behavior]),)
        return tiles(program, self.behavior, self.invert)

    # --- as it stands -------------------------------------------------------------------------------------------------

    def plain(self) -> Translation:
        """The Split as it stands, and what the engine will make of it."""
        step = self.one_to_one
        refused = plain_refusals(self.text)
        if refused:
            return Translation((), refused=refused)
        limits = wide_limits(self.text) if goes_wide(self.text) else self._narrow_limits(step)
        return self._finished(Translation((step,), limits=(*limits, *self._behavior_limits())))

    def _narrow_limits(self, step: SplitStep) -> tuple[RegexLimit, ...]:
        """What the byte matcher misreads in the pattern."""
        try:
            lowered, unproved = lower(self.forward)
            limits = character_limits(sets_of(self.ir), self.builder.spellings)
        except RefusedError as refused:
            return misread(self.node, self.text, {}) or (RegexLimit(str(refused)),)
        program = normal(lowered)
        limits += tuple(map(RegexLimit, self.builder.notes))
        if reads_as(step.pattern, program):
            return limits + tuple(map(RegexLimit, unproved))
        if reads_as(step.pattern, program, uncapped=True):
            return (CAPPED, *limits, *map(RegexLimit, unproved))
        return (*(misread(self.node, self.text, self.builder.spellings) or (REGROUPED,)), *limits)

    def _behavior_limits(self) -> tuple[RegexLimit, ...]:
        """What the one-to-one record does otherwise with the matches, if the engine finds the same ones."""
        try:
            program = normal(lower(self.forward)[0])
            empty = lengths(self.forward)[0] == 0 if goes_wide(self.text) else any(map(may_be_empty, program))
        except RefusedError:
            return ()
        if empty:
            kept = self.behavior == "Removed" and self.invert
            return () if kept else (EMPTY_MATCHES,)
        if self.behavior == "MergedWithNext" or (self.behavior == "Contiguous" and not is_run(self.forward)):
            return (RegexLimit(f"the op has no {self.behavior}: it is written as Isolated"),)
        joins = self.behavior == "MergedWithPrevious" and not self.invert
        return (NEIGHBOURS,) if joins and not is_run(self.forward) else ()

    # --- examples -----------------------------------------------------------------------------------------------------

    def _finished(self, found: Translation) -> Translation:
        wregex = any(goes_wide(step.pattern) for step in found.steps)
        changed = found.steps != (self.one_to_one,)
        can_be_run = bool(found.limits) and self._is_known and all(map(_is_modelled, found.steps))
        limits = self._with_examples(found) if can_be_run else found.limits
        return replace(found, changed=changed, wregex=wregex, limits=limits)

    @cached_property
    def _is_known(self) -> bool:
        """Whether the library may be run on texts: some of what is not understood here makes it take all memory."""
        try:
            return self.ir is not None
        except RefusedError:
            return False

    def _with_examples(self, found: Translation) -> tuple[RegexLimit, ...]:
        usual, specials = alphabet(self._masks), [_special(limit, found.limits) for limit in found.limits]
        given = (limit.example for limit in found.limits)
        steps = _confined(found.steps, "".join(filter(None, (usual, _PLAINEST, *specials, *given))))
        return tuple(
            self._with_example(limit, _clean(usual, _others(limit, found.limits)), special, steps)
            for limit, special in zip(found.limits, specials, strict=True)
        )

    def _with_example(
        self, limit: RegexLimit, usual: str, special: str | None, steps: tuple[SplitStep, ...]
    ) -> RegexLimit:
        if limit.example is not None:
            return limit if self._differs(limit.example, steps) else replace(limit, example=None)
        return replace(limit, example=find(lambda text: self._differs(text, steps), usual, special))

    @cached_property
    def _masks(self) -> tuple[int, ...]:
        return tuple(sorted({each.mask for each in sets_of(self.ir)}))

    def _differs(self, text: str, steps: tuple[SplitStep, ...]) -> bool:
        expected = oniguruma.split(text, self.pattern, self.behavior, self.invert, literal=self.literal)
        return expected != split(text, steps)


def _is_unproved(found: Translation) -> bool:
    return bool(found.refused) or any(limit.characters is None for limit in found.limits)


def _fits(found: Translation) -> bool:
    """Whether every pattern fits into a string of the format."""
    return all(len(step.pattern.encode()) <= MAX_STRING_BYTES for step in found.steps)


def _is_modelled(step: SplitStep) -> bool:
    return not goes_wide(step.pattern) or wide.is_modelled(step.pattern)


def _confined(steps: tuple[SplitStep, ...], chars: str) -> tuple[SplitStep, ...]:
    """Steps that do the same to texts of some characters, and that Python compiles sooner."""
    return tuple(
        replace(step, pattern=confined(step.pattern, chars)) if goes_wide(step.pattern) else step for step in steps
    )


def _others(limit: RegexLimit, limits: tuple[RegexLimit, ...]) -> list[CharSet]:
    return [each.characters for each in limits if each is not limit and each.characters is not None]


def _special(limit: RegexLimit, limits: tuple[RegexLimit, ...]) -> str | None:
    """Characters that a limit touches, and no other one if there are such."""
    if limit.characters is None:
        return None
    own = limit.characters
    for chars in _others(limit, limits):
        own = own - chars
    return samples(own or limit.characters)


def _clean(usual: str, limits: list[CharSet]) -> str:
    return "".join(char for char in usual if not any(ord(char) in chars for chars in limits)) or _PLAINEST
