"""Which differences the limits of an export's report name in advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mtok_export.errors import SourceError
from mtok_export.report import Aspect, Effect, Fidelity, Limit
from mtok_export.verify.results import Difference, Row, RowResult

ASPECTS: dict[Row, frozenset[Aspect]] = {
    Row.IDS: frozenset({Aspect.IDS}),
    Row.PLAIN_IDS: frozenset({Aspect.IDS}),
    Row.STREAMING: frozenset({Aspect.STREAMING}),
    Row.WHOLE: frozenset({Aspect.DECODING}),
    Row.CHAT_IDS: frozenset({Aspect.CHAT, Aspect.IDS}),
    Row.CHAT_TEXT: frozenset({Aspect.CHAT}),
    Row.OWNER_IDS: frozenset({Aspect.IDS}),
}
"""The aspects whose limits can cover a difference of a row."""

_AROUND_A_TEXT = "$.post_processor"
"""Limits on what stands round a text are about engine versions.  A row of ids has those texts under *by version*, so
what still differs there is something else."""


def cover(result: RowResult, limits: Sequence[Limit]) -> RowResult:
    """The row with the limit that covers each difference, where one does.

    A limit covers a difference if it is about the row's aspect and, where it says which characters it needs, the text
    holds one of them; a limit with an effect covers no other.  The limit that says most is the one that is named.
    """
    relevant = [
        limit
        for limit in limits
        if ASPECTS[result.row] & set(limit.aspects) and not limit.path.startswith(_AROUND_A_TEXT)
    ]
    relevant.sort(key=lambda limit: (limit.effect is None, limit.characters is None))
    return replace(result, differences=tuple(_covered(difference, relevant) for difference in result.differences))


def _covered(difference: Difference, limits: Sequence[Limit]) -> Difference:
    limit = next((limit for limit in limits if _covers(limit, difference)), None)
    return difference if limit is None else replace(difference, limit=named(limit))


def named(limit: Limit) -> str:
    """A limit as a difference names it."""
    return f"{limit.path} {limit.component}: {limit.reason}"


def _covers(limit: Limit, difference: Difference) -> bool:
    """Whether a limit can be the reason; one with an effect only of differences that are that effect and no more."""
    return limit.effect in (None, difference.effect) and limit.touches(difference.text)


# --- reports on disk --------------------------------------------------------------------------------------------------


def limits_of_report(value: Any, sha256: str, where: str) -> tuple[Limit, ...]:
    """The limits of a report, read back from its JSON.

    Args:
        value: the report as JSON values.
        sha256: the hash of the tokenizer file, which the report must be about.
        where: what errors call the report.

    Raises:
        SourceError: it is no report, or that of another file.
    """
    report = _Node(value, where)
    if report.get("tool", str) != "mtok-export":
        raise report.error("this is no report of mtok export", "give the file that mtok export --report wrote")
    if report.child("summary").get("sha256", str) != sha256:
        raise report.error("it is the report of another tokenizer file", "export again with --report")
    limits = report.get("limits", list)
    return tuple(_limit(_Node(limit, f"{where}: $.limits[{index}]")) for index, limit in enumerate(limits))


class _Node:
    """A JSON object and its place."""

    def __init__(self, value: Any, where: str) -> None:
        self.where = where
        if not isinstance(value, dict):
            raise self.error("an object was expected")
        self._items = value

    def error(self, message: str, hint: str | None = None) -> SourceError:
        return SourceError(message, where=self.where, hint=hint)

    def get(self, key: str, kind: type[Any]) -> Any:
        value = self._items.get(key)
        if not isinstance(value, kind):
            raise self.error(f"{key} is missing or of another type than {kind.__name__}")
        return value

    def optional(self, key: str, kind: type[Any]) -> Any:
        return None if self._items.get(key) is None else self.get(key, kind)

    def child(self, key: str) -> _Node:
        return _Node(self._items.get(key), f"{self.where}: $.{key}")


def _limit(node: _Node) -> Limit:
    try:
        fidelity = Fidelity(node.get("fidelity", str))
        aspects = tuple(Aspect(name) for name in node.get("aspects", list))
        effect = node.optional("effect", str)
        effect = None if effect is None else Effect(effect)
    except ValueError as error:
        raise node.error(str(error)) from None
    characters = node.optional("characters", list)
    return Limit(
        path=node.get("path", str),
        component=node.get("component", str),
        fidelity=fidelity,
        reason=node.get("reason", str),
        aspects=aspects,
        bound=node.optional("bound", str),
        example=node.optional("example", str),
        characters=None if characters is None else tuple(_range(node, pair) for pair in characters),
        effect=effect,
        run=node.optional("run", int) or 1,
        holds=tuple(_string(node, string) for string in node.optional("holds", list) or ()),
    )


def _string(node: _Node, value: Any) -> str:
    if not isinstance(value, str):
        raise node.error("holds must hold strings")
    return value


def _range(node: _Node, pair: Any) -> tuple[int, int]:
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(number, int) for number in pair):
        raise node.error("characters must hold pairs of code points")
    return pair[0], pair[1]
