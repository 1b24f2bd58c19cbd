"""Expressions as Jinja reads them, in the shape that ``reading`` gives them, and back to text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes

from mtok_export.templating.reading import Tree

_OPERATORS = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "gt": ">",
    "lteq": "<=",
    "gteq": ">=",
    "in": "in",
    "notin": "not in",
}


def from_jinja(node: nodes.Node) -> Tree:
    """The tree of a node of Jinja; what the engine has no notion of keeps a shape that it never gives."""
    rule = _RULES.get(type(node))
    return ("other", type(node).__name__) if rule is None else rule(node)


def _chain(node: nodes.Compare) -> Tree:
    tree = from_jinja(node.expr)
    for number, operand in enumerate(node.ops):
        tree = ("binary" if number == 0 else "chained", _OPERATORS[operand.op], tree, from_jinja(operand.expr))
    return tree


def _joined(node: nodes.Concat) -> Tree:
    tree, *others = map(from_jinja, node.nodes)
    for other in others:
        tree = ("binary", "~", tree, other)
    return tree


def _arguments(node: Any) -> tuple[Tree, Tree]:
    names = tuple(sorted(((pair.key, from_jinja(pair.value)) for pair in node.kwargs), key=lambda pair: str(pair[0])))
    starred = tuple(("other", "*") for each in (node.dyn_args, node.dyn_kwargs) if each is not None)
    return (*map(from_jinja, node.args), *starred), names


def _two(operator: str) -> Callable[[Any], Tree]:
    return lambda node: ("binary", operator, from_jinja(node.left), from_jinja(node.right))


def _part(node: nodes.Expr | None) -> Tree | None:
    return None if node is None else from_jinja(node)


_RULES: dict[type[nodes.Node], Callable[[Any], Tree]] = {
    nodes.Name: lambda node: ("name", node.name),
    nodes.NSRef: lambda node: ("attribute", ("name", node.name), node.attr),
    nodes.Const: lambda node: ("const", node.value),
    nodes.Getattr: lambda node: ("attribute", from_jinja(node.node), node.attr),
    nodes.Getitem: lambda node: ("item", from_jinja(node.node), from_jinja(node.arg)),
    nodes.Slice: lambda node: ("slice", _part(node.start), _part(node.stop), _part(node.step)),
    nodes.Call: lambda node: ("call", from_jinja(node.node), *_arguments(node)),
    nodes.Filter: lambda node: ("filter", _part(node.node), node.name, *_arguments(node)),
    nodes.Test: lambda node: ("test", from_jinja(node.node), node.name, _arguments(node)[0]),
    nodes.Not: lambda node: ("not", from_jinja(node.node)),
    nodes.Neg: lambda node: ("unary", "-", from_jinja(node.node)),
    nodes.Pos: lambda node: ("unary", "+", from_jinja(node.node)),
    nodes.And: _two("and"),
    nodes.Or: _two("or"),
    nodes.Add: _two("+"),
    nodes.Sub: _two("-"),
    nodes.Mul: _two("*"),
    nodes.Div: _two("/"),
    nodes.FloorDiv: _two("//"),
    nodes.Mod: _two("%"),
    nodes.Pow: _two("**"),
    nodes.Concat: _joined,
    nodes.Compare: _chain,
    nodes.CondExpr: lambda node: ("if", from_jinja(node.test), from_jinja(node.expr1), _part(node.expr2)),
    nodes.List: lambda node: ("list", tuple(map(from_jinja, node.items))),
    nodes.Tuple: lambda node: ("tuple", tuple(map(from_jinja, node.items))),
    nodes.Dict: lambda node: ("dict", tuple((from_jinja(pair.key), from_jinja(pair.value)) for pair in node.items)),
}


# --- back to text -----------------------------------------------------------------------------------------------------


def to_text(tree: Tree | None) -> str:
    """A tree as an expression, with parentheses where one part stands in another."""
    return "" if tree is None else _WRITERS[tree[0]](*tree[1:])


def _inner(tree: Tree) -> str:
    text = to_text(tree)
    return f"({text})" if tree[0] in ("binary", "if", "not", "test", "chained") else text


def _call_text(called: Tree, values: Tree, names: Tree) -> str:
    return f"{to_text(called)}({_listed(values, names)})"


def _listed(values: Tree, names: Tree) -> str:
    return ", ".join([*map(to_text, values), *(f"{name}={to_text(value)}" for name, value in names)])


def _filter_text(filtered: Tree, name: str, values: Tree, names: Tree) -> str:
    return f"{_inner(filtered)}|{name}" + (f"({_listed(values, names)})" if values or names else "")


def _const_text(value: object) -> str:
    words = {True: "true", False: "false", None: "none"}
    return words[value] if value is None or isinstance(value, bool) else repr(value)


_WRITERS: dict[str, Callable[..., str]] = {
    "name": lambda name: name,
    "const": _const_text,
    "attribute": lambda of, name: f"{_inner(of)}.{name}",
    "item": lambda of, key: f"{_inner(of)}[{to_text(key)}]",
    "slice": lambda start, stop, step: ":".join(map(to_text, (start, stop) if step is None else (start, stop, step))),
    "call": _call_text,
    "filter": _filter_text,
    "test": lambda tested, name, _arguments: f"{_inner(tested)} is {name}",
    "not": lambda negated: f"not {_inner(negated)}",
    "unary": lambda sign, value: sign + _inner(value),
    "binary": lambda operator, left, right: f"{_inner(left)} {operator} {_inner(right)}",
    "chained": lambda operator, left, right: f"{to_text(left)} {operator} {_inner(right)}",
    "if": lambda condition, then, otherwise: f"{_inner(then)} if {_inner(condition)} else {to_text(otherwise)}",
    "list": lambda items: f"[{', '.join(map(to_text, items))}]",
    "tuple": lambda items: f"({', '.join(map(to_text, items))})",
    "dict": lambda pairs: "{" + ", ".join(f"{to_text(key)}: {to_text(value)}" for key, value in pairs) + "}",
    "other": lambda name: f"<{name}>",
}
