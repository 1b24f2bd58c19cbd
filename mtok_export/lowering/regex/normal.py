"""One shape for programs that the engine runs alike, so that a pattern that is right already is recognised as such."""

from __future__ import annotations

from mtok_export.lowering.regex.program import (
    UNBOUNDED,
    Branch,
    Chars,
    Group,
    Node,
    NotAhead,
    Program,
    may_be_empty,
    never_fails,
    takes_nothing,
)


def normal(program: Program) -> Program:
    """The program in its normal shape: every step keeps all matches, in order."""
    branches: list[Branch] = []
    for branch in program:
        nodes = _normal_branch(branch)
        if nodes is None:
            continue
        branches += _spliced(nodes)
        if never_fails(branches[-1]):
            break
    return tuple(branches)


def _spliced(branch: Branch) -> Program:
    """A branch that is one group and nothing else is as good as the group's branches."""
    if len(branch) == 1 and isinstance(branch[0], Group) and (branch[0].low, branch[0].high) == (1, 1):
        inner = branch[0].branches
        if not any(map(may_be_empty, inner)):
            return inner
    return (branch,)


def _normal_branch(branch: Branch) -> Branch | None:
    """The nodes of a branch; ``None`` if it can match nowhere."""
    nodes: list[Node] = []
    for place, node in enumerate(branch):
        normalized = _normal_node(node, last=place == len(branch) - 1)
        if normalized is None:
            return None
        for each in normalized:
            _append(nodes, each)
    return tuple(nodes)


def _append(nodes: list[Node], node: Node) -> None:
    """``aa*`` is ``a+``: the ends and their order are the same."""
    if nodes and isinstance(node, Chars):
        before = nodes[-1]
        if isinstance(before, Chars) and before.mask == node.mask:
            high = None if before.high is None or node.high is None else before.high + node.high
            nodes[-1] = Chars(node.mask, before.low + node.low, high)
            return
    nodes.append(node)


def _normal_node(node: Node, *, last: bool) -> Branch | None:
    if isinstance(node, Chars):
        return _normal_chars(node)
    branches = normal(node.branches)
    if isinstance(node, NotAhead):
        if not branches:
            return ()
        return None if any(map(never_fails, branches)) else (NotAhead(branches),)
    if node.high == 0 or all(map(takes_nothing, branches)):
        return () if node.low == 0 else None  # a round that takes nothing is none
    return _normal_group(Group(branches, node.low, node.high), last=last)


def _normal_chars(node: Chars) -> Branch | None:
    if node.high == 0 or (node.mask == 0 and node.low == 0):
        return ()
    return (node,) if node.mask else None


def _filled(branch: Branch) -> Branch:
    """A group that takes nothing fails, so that a set alone in it is taken once at least."""
    if len(branch) == 1 and isinstance(branch[0], Chars) and branch[0].low == 0:
        return (Chars(branch[0].mask, 1, branch[0].high),)
    return branch


def _normal_group(group: Group, *, last: bool) -> Branch:
    singles = [branch[0] for branch in group.branches if len(branch) == 1]
    masks = [node.mask for node in singles if isinstance(node, Chars) and (node.low, node.high) == (1, 1)]
    if len(masks) == len(group.branches):
        mask = 0
        for each in masks:
            mask |= each
        if group.high is None:  # the engine stops after 10,000 rounds of a group, but not of a set
            return (Group(((Chars(mask),),), group.low, None),)
        return (Chars(mask, group.low, None if group.high == UNBOUNDED else group.high),)
    if (group.low, group.high) == (1, 1) and len(group.branches) == 1:
        branch = _filled(group.branches[0])
        group = Group((branch,))
        fixed = all(isinstance(node, Chars) and node.low == node.high for node in branch)
        if (fixed or last) and not may_be_empty(branch):
            return branch
    return (group,)
