"""Expression by expression: what the engine evaluates to something else than Jinja, though it reads it alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import nodes

from mtok_export.records import dataclass
from mtok_export.templating import knowledge as know
from mtok_export.templating.findings import Part

Said = tuple[Part, str, str, bool]
"""Part, name, effect, and whether it is the end of the process."""

_TEXTS = (nodes.Concat, nodes.TemplateData)
_TEXT_FILTERS = frozenset({"trim", "upper", "lower", "capitalize", "string", "tojson", "title", "replace", "join"})
_LIST_FILTERS = frozenset({"map", "list", "items"})
_TRUTHS = {nodes.Call: frozenset({"startswith", "endswith"}), nodes.Getattr: frozenset({"first", "last"})}
"""Methods that give a truth value, and attributes (of loop) that are one."""
_TEXT_METHODS = frozenset({"strip", "lstrip", "rstrip", "replace", "upper", "lower", "title", "join", "capitalize"})


@dataclass(frozen=True)
class Scope:
    """Where an expression stands: the macros of the template, and whether it is only asked for being true."""

    macros: frozenset[str]
    truth: bool = False


def said_of(node: nodes.Node, scope: Scope, *, printed: bool = False) -> Iterator[Said]:
    """Everything that is to be said of an expression and its parts; ``printed`` for what ``{{ }}`` holds."""
    if printed:
        yield from _printed(node)
    rule = _RULES.get(type(node))
    if rule is not None:
        yield from rule(node, scope)
    for child in node.iter_child_nodes():
        if isinstance(node, nodes.Call) and child is node.node and isinstance(child, nodes.Name):
            continue  # said of the call
        yield from said_of(child, Scope(scope.macros, _asks_truth(node, child, scope)))


def _printed(node: nodes.Node) -> Iterator[Said]:
    """Values that come out in another spelling."""
    if _is_truth(node):
        yield Part.EXPRESSION, "a truth value printed", "it prints true and false, Jinja True and False", False
    elif isinstance(node, nodes.Const) and node.value is None:
        yield Part.EXPRESSION, "none printed", "it prints null, Jinja None", False
    elif _is_collection(node):
        yield Part.EXPRESSION, "a list or a mapping printed", "it prints JSON, Jinja what Python shows", False


def _is_collection(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Filter):
        return node.name in _LIST_FILTERS
    if isinstance(node, nodes.Call):
        return isinstance(node.node, nodes.Name | nodes.Getattr) and _named(node.node) in ("range", "split")
    return isinstance(node, nodes.List | nodes.Dict) and bool(node.items)


def _asks_truth(node: nodes.Node, child: nodes.Node, scope: Scope) -> bool:
    if isinstance(node, nodes.And | nodes.Or):
        return scope.truth
    if isinstance(node, nodes.CondExpr):
        return child is node.test or scope.truth
    return isinstance(node, nodes.Not)


def _is_truth(node: nodes.Node) -> bool:
    """Whether an expression is true or false and nothing else."""
    if isinstance(node, nodes.And | nodes.Or):
        return _is_truth(node.left) and _is_truth(node.right)
    if isinstance(node, nodes.Call | nodes.Getattr):
        return _named(node.node if isinstance(node, nodes.Call) else node) in _TRUTHS[type(node)]
    return isinstance(node, nodes.Compare | nodes.Test | nodes.Not) or (
        isinstance(node, nodes.Const) and isinstance(node.value, bool)
    )


def _is_text(node: nodes.Node) -> bool:
    """Whether an expression is surely a text."""
    if isinstance(node, nodes.Const):
        return isinstance(node.value, str)
    if isinstance(node, nodes.Filter):
        return node.name in _TEXT_FILTERS
    if isinstance(node, nodes.Call):
        return isinstance(node.node, nodes.Getattr) and node.node.attr in _TEXT_METHODS
    return isinstance(node, _TEXTS)


def _named(node: nodes.Node) -> str | None:
    """The last name of ``a``, ``a.b`` or ``a['b']``."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        return node.arg.value
    return None


def _either(node: nodes.And | nodes.Or, scope: Scope) -> Iterator[Said]:
    if not scope.truth and not _is_truth(node):
        word = "or" if isinstance(node, nodes.Or) else "and"
        yield Part.EXPRESSION, f"the value of {word!r}", "it gives true or false, not one of the two values", False


def _filter(node: nodes.Filter, scope: Scope) -> Iterator[Said]:
    del scope
    name = node.name
    if name not in know.KNOWN_FILTERS:
        yield Part.FILTER, name, know.SKIPPED_FILTERS.get(name, know.SKIPPED_FILTER), False
        return
    if name in know.ASCII_FILTERS:
        yield Part.FILTER, name, know.ASCII_ONLY, False
    if name == "trim" and (node.args or node.kwargs):
        yield Part.FILTER, name, "its argument is ignored: white space alone is removed", False
    if name == "map" and [pair.key for pair in node.kwargs] != ["attribute"]:
        yield Part.FILTER, name, "it only takes an attribute from each member", False
    if name == "tojson":
        yield from _tojson(node)


def _tojson(node: nodes.Filter) -> Iterator[Said]:
    yield Part.FILTER, "tojson", know.TOJSON_ORDER, False
    if node.args:
        yield Part.FILTER, "tojson", "arguments without a name are ignored", False
    for pair in node.kwargs:
        usual = isinstance(pair.value, nodes.Const) and pair.value.value in (False, None)
        if pair.key != "indent" and not (pair.key in ("ensure_ascii", "sort_keys", "separators") and usual):
            yield Part.FILTER, "tojson", f"its argument {pair.key} is ignored", False


def _test(node: nodes.Test, scope: Scope) -> Iterator[Said]:
    del scope
    if node.name not in know.KNOWN_TESTS:
        yield Part.TEST, node.name, know.UNKNOWN_TEST, False
    elif node.name in ("defined", "undefined") and isinstance(node.node, nodes.Getitem):
        yield (
            Part.TEST,
            f"a subscript is {node.name}",
            "a missing member is an empty text, so it is always defined",
            False,
        )
    elif node.name == "none" and isinstance(node.node, nodes.Name) and node.node.name in know.ABSENT_NAMES:
        yield Part.TEST, f"{node.node.name} is none", _absent(node.node.name), False


def _absent(name: str) -> str:
    return f"{name} is undefined, not none, so it is never none"


def _comparison(node: nodes.Compare, scope: Scope) -> Iterator[Said]:
    del scope
    sides = (node.expr, *(operand.expr for operand in node.ops))
    if any(isinstance(side, nodes.Const) and side.value is None for side in sides):
        for side in sides:
            if isinstance(side, nodes.Name) and side.name in know.ABSENT_NAMES:
                yield Part.TEST, f"{side.name} == none", _absent(side.name), False


def _call(node: nodes.Call, scope: Scope) -> Iterator[Said]:
    if isinstance(node.node, nodes.Name):
        yield from _function(node, node.node.name, scope)
    elif isinstance(node.node, nodes.Getattr):
        if isinstance(node.node.node, nodes.Name) and node.node.node.name == "loop":
            return  # said of the attribute
        yield from _method(node, node.node.attr)


def _function(node: nodes.Call, name: str, scope: Scope) -> Iterator[Said]:
    if name == know.RAISE:
        yield Part.FUNCTION, name, know.RAISE_EFFECT, False
    elif name not in know.KNOWN_FUNCTIONS and name not in scope.macros:
        yield Part.FUNCTION, name, know.UNKNOWN_FUNCTION, False
    elif name == "namespace" and node.args:
        yield Part.FUNCTION, name, "arguments without a name are ignored", False
    elif name == "range":
        numbers = [arg.value for arg in node.args if isinstance(arg, nodes.Const) and isinstance(arg.value, int)]
        if len(numbers) == len(node.args) and len(_range(numbers)) > know.MAX_RANGE:
            yield Part.FUNCTION, name, "so many numbers fill the memory", True


def _range(numbers: list[int]) -> range:
    try:
        return range(*numbers)
    except (TypeError, ValueError):
        return range(0)


def _method(node: nodes.Call, name: str) -> Iterator[Said]:
    if name not in know.KNOWN_METHODS:
        yield Part.METHOD, name, know.METHODS_ON_MAPPINGS.get(name, know.UNKNOWN_METHOD), False
        return
    if name == "split":
        first = node.args[0] if node.args else None
        if isinstance(first, nodes.Const) and (not isinstance(first.value, str) or not first.value):
            yield Part.METHOD, name, "without a separating text it never ends", True
        elif first is None:
            yield Part.METHOD, name, "it splits at each single space, not at white space", False
        elif len(node.args) > 1:
            yield Part.METHOD, name, "its second argument is ignored: it splits everywhere", False
    if name == "replace" and len(node.args) > len(("old", "new")):
        yield Part.METHOD, name, "its third argument is ignored: it replaces everywhere", False


def _attribute(node: nodes.Getattr, scope: Scope) -> Iterator[Said]:
    del scope
    if isinstance(node.node, nodes.Name) and node.node.name == "loop" and node.attr not in know.KNOWN_LOOP:
        yield Part.EXPRESSION, f"loop.{node.attr}", know.UNKNOWN_LOOP, False


def _subscript(node: nodes.Getitem, scope: Scope) -> Iterator[Said]:
    del scope
    sliced = isinstance(node.arg, nodes.Slice)
    counted = isinstance(node.arg, nodes.Const | nodes.Neg)
    if (_is_text(node.node) and (sliced or counted)) or (sliced and _named(node.node) in know.TEXT_NAMES):
        yield Part.EXPRESSION, "a part of a text", "subscripts and slices of a text give an empty text", False


def _name(node: nodes.Name, scope: Scope) -> Iterator[Said]:
    del scope
    if node.name in know.UNDEFINED_NAMES:
        yield Part.EXPRESSION, node.name, "it is undefined", False


def _dict(node: nodes.Dict, scope: Scope) -> Iterator[Said]:
    del scope
    if any(isinstance(pair.key, nodes.Const) and not isinstance(pair.key.value, str) for pair in node.items):
        yield Part.EXPRESSION, "a key that is no text", "it becomes the empty text", False


_RULES: dict[type[nodes.Node], Callable[[Any, Scope], Iterator[Said]]] = {
    nodes.And: _either,
    nodes.Or: _either,
    nodes.Filter: _filter,
    nodes.Test: _test,
    nodes.Compare: _comparison,
    nodes.Call: _call,
    nodes.Getattr: _attribute,
    nodes.Getitem: _subscript,
    nodes.Name: _name,
    nodes.Dict: _dict,
}
