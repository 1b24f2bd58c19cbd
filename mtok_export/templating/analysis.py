"""Tag by tag: what the engine reads against what Jinja reads, and what both read but evaluate differently."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from jinja2 import Environment, TemplateError, nodes

from mtok_export.shown import visible_line
from mtok_export.templating import knowledge as know
from mtok_export.templating.findings import Part, Seen, TemplateFinding, grouped
from mtok_export.templating.reading import KNOWN_TAGS, NOTHING, Tag, Tree, read_template
from mtok_export.templating.rules import Scope, said_of
from mtok_export.templating.trees import from_jinja, to_text

EXCERPT = 80
"""So many characters of a tag stand in a finding."""

DEEPEST = 200
"""An expression with more levels is not looked at, whatever the interpreter's stack would allow."""

_ENVIRONMENT = Environment(autoescape=False)  # never renders anything
_MARKS = re.compile(r"\A\{[{%][-+]?\s*|\s*[-+]?[%}]\}\Z")
_COMMENT = re.compile(r"\{#(-?).*?(-?)#\}(\n?)", re.DOTALL)
_ENDLESS = "in a list or a dict the engine takes nothing but its members: what it does not know there it tries for ever"


def template_findings(template: str) -> tuple[TemplateFinding, ...]:
    """What the engine does otherwise than Jinja with a chat template.

    Args:
        template: the template, as it stands in the file.

    Returns:
        The findings, each with all its lines; none for a template that both render alike as far as that can be seen
        without rendering.  What depends on values (an undefined variable joined to a text, the length of a text that is
        not ASCII) is not among them.
    """
    return tuple(grouped(template, _seen(template)))


def finding_rows(template: str) -> list[list[Any]]:
    """The rows of ``template_findings``, for another process."""
    return [finding.row() for finding in template_findings(template)]


def _seen(template: str) -> Iterator[Seen]:
    reading = read_template(template)
    if reading.endless is not None:
        tag = reading.tags[-1]
        excerpt = _excerpt(template, tag.start, min(reading.endless + 20, len(template)))
        yield Seen(Part.EXPRESSION, "an endless loop", _ENDLESS, tag.start, excerpt, kills=True)
    if reading.too_deep is not None:
        yield _too_deep(template, reading.tags[-1], "it is not looked at from there on")
    macros = frozenset(str(tag.trees[0][1]) for tag in reading.tags if tag.word == "macro" and tag.trees)
    opened: list[str] = []
    for tag in reading.tags:
        if tag.end:
            try:
                if any(_depth(tree) > DEEPEST for tree in tag.trees):
                    raise RecursionError
                yield from list(_tag(template, tag, macros, opened))
            except RecursionError:
                yield _too_deep(template, tag, "it is not looked at")
    yield from _white_space(template)


def _depth(tree: Tree) -> int:
    """How many levels a tree has, counted level by level, so that no depth is too much."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [part for node in level for part in node if isinstance(part, tuple)]
    return depth


def _too_deep(template: str, tag: Tag, what: str) -> Seen:
    effect = f"{what}; the engine calls itself for each level"
    excerpt = _excerpt(template, tag.start, tag.end or len(template))
    return Seen(Part.EXPRESSION, "deep nesting", effect, tag.start, excerpt)


def _tag(template: str, tag: Tag, macros: frozenset[str], opened: list[str]) -> Iterator[Seen]:
    """One tag; ``opened`` are the tags that are open around it."""
    source = template[tag.start : tag.end]
    excerpt = _excerpt(template, tag.start, tag.end)
    if tag.word in ("for", "if", "macro"):
        opened.append(tag.word)
    elif opened and tag.word == f"end{opened[-1]}":
        opened.pop()
    elif opened and opened[-1] == "for" and tag.word == "else":
        effect = "it is skipped: what stands behind it is rendered at the end of each round"
        yield Seen(Part.TAG, "else of for", effect, tag.start, excerpt)
    if tag.word and tag.word not in KNOWN_TAGS:
        yield from _skipped_tag(tag, excerpt)
        return
    inner = _MARKS.sub("", source)
    special = _special(tag, inner)
    if special is not None:
        yield Seen(Part.TAG, *special, tag.start, excerpt)
    elif tag.word in _EXPRESSIONS:
        yield from _expressions(tag, inner, excerpt, macros)


def _special(tag: Tag, inner: str) -> tuple[str, str] | None:
    """The name and the effect of a form of a known tag that the engine does not know."""
    if tag.word == "set":
        node = _parsed(f"{{% {inner} %}}") or _parsed(f"{{% {inner} %}}{{% endset %}}")
        if isinstance(node, nodes.AssignBlock):
            return "set with a body", "nothing is set: what stands inside is printed in its place"
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Tuple):
            return "set of several names", "nothing is set"
    if tag.word == "for" and tag.unread == "recursive":
        return "recursive for", "loop() gives an empty text"
    if tag.word == "macro":
        node = _parsed(f"{{% {inner} %}}{{% endmacro %}}")
        if isinstance(node, nodes.Macro) and node.defaults:
            return "macro with default values", "an argument that is not given is undefined"
    return None


def _skipped_tag(tag: Tag, excerpt: str) -> Iterator[Seen]:
    if tag.word not in know.HARMLESS_TAGS and tag.word not in know.CLOSING_TAGS:
        yield Seen(Part.TAG, tag.word, know.SKIPPED_TAGS.get(tag.word, know.SKIPPED_TAG), tag.start, excerpt)


def _excerpt(template: str, start: int, end: int) -> str:
    text = visible_line(template[start:end])
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}..."


# --- what Jinja reads -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _parsed(source: str) -> nodes.Node | None:
    """The first node of a piece of template, which is only looked at; None for what is none."""
    try:
        body = _ENVIRONMENT.parse(source).body
    except (TemplateError, ValueError, RecursionError):
        return None
    return body[0] if body else None


def _expression(tree: Tree) -> nodes.Node | None:
    """What the engine read, as Jinja reads it."""
    node = _parsed(f"{{{{ {to_text(tree)} }}}}")
    return node.nodes[0] if isinstance(node, nodes.Output) else None


def _node_of(tree: Tree, known: nodes.Node | None) -> nodes.Node | None:
    """The same, where ``known`` may be it already: most expressions are read alike, and need not be parsed again."""
    if known is None or isinstance(known, nodes.NSRef) or from_jinja(known) != tree:
        return _expression(tree)
    # The arguments of a test are in no tree.
    return _expression(tree) if any(test.args or test.kwargs for test in _tests_in(known)) else known


def _tests_in(node: nodes.Node) -> Iterator[nodes.Test]:
    if isinstance(node, nodes.Test):
        yield node
    yield from node.find_all(nodes.Test)


def _print(_tag: Tag, inner: str) -> list[nodes.Node] | None:
    node = _parsed(f"{{{{ {inner} }}}}")
    return list(node.nodes) if isinstance(node, nodes.Output) else None


def _condition(tag: Tag, inner: str) -> list[nodes.Node] | None:
    node = _parsed(f"{{% if {inner.removeprefix(tag.word)} %}}{{% endif %}}")
    return [node.test] if isinstance(node, nodes.If) else None


def _set(_tag: Tag, inner: str) -> list[nodes.Node] | None:
    node = _parsed(f"{{% {inner} %}}")
    return [node.target, node.node] if isinstance(node, nodes.Assign) else None


def _for(_tag: Tag, inner: str) -> list[nodes.Node] | None:
    node = _parsed(f"{{% {inner} %}}{{% endfor %}}")
    if not isinstance(node, nodes.For):
        return None
    targets = node.target.items if isinstance(node.target, nodes.Tuple) else [node.target]
    return [*targets, node.iter, *([] if node.test is None else [node.test])]


_EXPRESSIONS: dict[str, Callable[[Tag, str], list[nodes.Node] | None]] = {
    "": _print,
    "if": _condition,
    "elif": _condition,
    "set": _set,
    "for": _for,
}
"""The tags that hold expressions, and how Jinja's are got out of them; None where it finds another tag, or none."""


def _expressions(tag: Tag, inner: str, excerpt: str, macros: frozenset[str]) -> Iterator[Seen]:
    wanted = _EXPRESSIONS[tag.word](tag, inner)
    yield from _compared(tag, excerpt, wanted)
    for number, tree in enumerate(tag.trees):
        node = _node_of(tree, wanted[number] if wanted is not None and number < len(wanted) else None)
        truth = tag.word in ("if", "elif") or (tag.word == "for" and wanted is not None and number > _iterable(tag))
        if node is not None:
            for part, name, effect, kills in said_of(node, Scope(macros, truth), printed=not tag.word):
                yield Seen(part, name, effect, tag.start, excerpt, kills)


def _iterable(tag: Tag) -> int:
    """The number of the expression that a for goes through: the first that is no plain name, or the last name."""
    return next((number for number, tree in enumerate(tag.trees) if number and tree[0] != "name"), 1)


def _compared(tag: Tag, excerpt: str, wanted: list[nodes.Node] | None) -> Iterator[Seen]:
    """Whether the engine reads the expressions as Jinja does."""
    trees = [] if wanted is None else [_comparable(from_jinja(node)) for node in wanted]
    read = [_comparable(tree) for tree in tag.trees]
    if not tag.unread and read == trees:
        return
    if not tag.unread and [_small(tree) for tree in read] == trees:
        yield Seen(Part.EXPRESSION, "True, False or None", know.CAPITAL_EFFECT, tag.start, excerpt)
        return
    if not tag.unread and [_without_condition(tree) for tree in trees] == read:
        yield Seen(Part.EXPRESSION, "'if' without 'else'", "the value is taken in any case", tag.start, excerpt)
        return
    text = " and ".join(f"`{visible_line(to_text(tree))}`" for tree in tag.trees if tree != NOTHING) or "nothing"
    yield Seen(Part.EXPRESSION, "misread", f"of it the engine reads {text}", tag.start, excerpt)


def _changed(tree: Any, change: Callable[[Tree], Tree]) -> Any:
    """A tree in which ``change`` was applied to every part, from the inside out."""
    if not isinstance(tree, tuple):
        return tree
    inner = tuple(_changed(part, change) for part in tree)
    return change(inner) if inner and isinstance(inner[0], str) else inner


def _comparable(tree: Tree) -> Tree:
    """Without the arguments of tojson, of which there is more to say than that they are read otherwise."""
    changed: Tree = _changed(tree, lambda part: (*part[:3], (), ()) if part[:1] + part[2:3] == _TOJSON else part)
    return changed


_TOJSON = ("filter", "tojson")


def _small(tree: Tree) -> Tree:
    """With constants in place of the names True, False and None."""
    capitals = know.CAPITAL_CONSTANTS
    changed: Tree = _changed(
        tree, lambda part: ("const", capitals[part[1]]) if part[0] == "name" and part[1] in capitals else part
    )
    return changed


def _without_condition(tree: Tree) -> Tree:
    """With the value in place of a condition that has no else."""
    changed: Tree = _changed(tree, lambda part: part[2] if part[0] == "if" and part[3] is None else part)
    return changed


# --- white space ------------------------------------------------------------------------------------------------------


def _white_space(template: str) -> Iterator[Seen]:
    for comment in _COMMENT.finditer(template):
        if not comment[2] and comment[3]:
            effect = "the line end behind it stays (transformers takes it away)"
            yield Seen(Part.WHITE_SPACE, "a comment", effect, comment.start(), "{#...#} and a line end")
    if template.endswith("\n") and not re.search(r"%\}\n\Z", template):
        effect = "it stays (Jinja takes one away)"
        yield Seen(Part.WHITE_SPACE, "a line end at the end", effect, len(template) - 1, "a final line end")
    if "\r" in template:
        effect = "it stays as it is (Jinja makes a line feed of it)"
        yield Seen(Part.WHITE_SPACE, "a carriage return", effect, template.index("\r"), "a carriage return")
