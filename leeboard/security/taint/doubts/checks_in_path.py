"""Whether a foreign value is checked, or something is taken out of it, anywhere in this file before it is used.

What a condition shows is told by `guard` and `unread_check`, on the way on which it holds. A refusal needs more: nobody
has looked at the value at all, in whatever form, be it the same field that is read anew or a list of errors that is
looked at later. As this is asked only where a refusal is near, it may walk through whole functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeGuard

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.doubts.unread_check import (
    may_compare,
    only_counts,
    only_measures,
    own_function,
    sounds_like_check,
    sounds_like_raising_check,
)
from leeboard.security.taint.doubts.value_names import ValueNames
from leeboard.security.taint.index import REPLACES
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.state import PossibleCheck, State
from leeboard.security.taint.table import Kind
from leeboard.security.taint.values import TaintOrigin, Val

_TELLS_NOTHING = lazy("(?i)_*(?:" + "|".join(TABLE.tells_nothing) + r")[?!]?\Z")
_FINDS_FILE = lazy(f"(?i)_*(?:{TABLE.finds_file})[?!]?\\Z")
_TELLS_LITTLE = lazy("(?i)_*(?:" + "|".join(TABLE.tells_little) + r")[?!]?\Z")
_WITHIN = frozenset({"in", "not in"})
_EQUAL = frozenset({"==", "===", "!=", "!==", "is", "is not", "<>"})
_MARKS = lazy(r"[^\w\s]")
_ONE_TAG = lazy(r"</?[a-zA-Z]{1,12}>?")
_ADDRESSED: frozenset[Kind] = frozenset({"url", "redirect"})
_NAMES_HOST = lazy(r"(?i)[a-z0-9-]\.[a-z]{2,}|^https?")
_TRIMS = frozenset({"trim", "ltrim", "rtrim", "Trim", "TrimLeft", "TrimPrefix", "TrimStart"})
"""Given the text first, and what is taken off its ends behind it."""
_TAKES_OFF = (
    REPLACES | _TRIMS | {"str_ireplace", "strip", "lstrip", "rstrip", "removesuffix", "delete", "delete_prefix"}
)


def checks_in_path(
    state: State, kind: Kind, value: Val, origin: TaintOrigin, line: int
) -> Literal["", "part_found", "checked_in_path"]:
    """The doubt that a condition in front of the line casts, which looks at more than whether it is there, of which
    type and how long. That a host's name stands anywhere in an address is no more than a beginning of a check.
    """
    found: Literal["", "part_found"] = ""
    for block in _blocks(state, value):
        names = ValueNames(value, origin, state.nodes(block), line)
        for check in _checks(state, block):
            decides = check.decides or check.first <= line <= check.last
            if check.node.line <= line and _is_check(state, check.node, names, kind, decides=decides):
                if not _finds_host(check.node, kind):
                    return "checked_in_path"
                found = "part_found"
    return found


def has_marks_removed(state: State, kind: Kind, value: Val, origin: TaintOrigin, line: int) -> bool:
    """Whether marks are replaced in it on one of the lines on its way."""
    for block in _blocks(state, value):
        names = ValueNames(value, origin, state.nodes(block), line)
        for node in state.nodes(block).at(*value.steps):
            if isinstance(node, ir.Call) and _replaces_in(node, names, kind):
                return True
    return False


def _finds_host(node: ir.Node, kind: Kind) -> bool:
    """`"example.com" in url`: another host may have such a path, or such a name before its own."""
    return (
        kind in _ADDRESSED
        and isinstance(node, ir.Compare)
        and node.op in _WITHIN
        and isinstance(node.left, ir.Const)
        and isinstance(node.left.value, str)
        and _NAMES_HOST.search(node.left.value) is not None
    )


def _blocks(state: State, value: Val) -> Iterator[ir.Block]:
    """The functions that led here, and those it went through; outside of all, the statements of the file."""
    if not state.active:
        yield state.module.body
    passed = (function for line in {*value.steps} for function in state.lowered.by_line.get(line, ()))
    for function in {id(each): each for each in (*passed, *state.active)}.values():
        yield state.body(function)


def _checks(state: State, block: ir.Block) -> tuple[PossibleCheck, ...]:
    """Found once for each block."""
    known = state.checks.get(id(block))
    if known is None:
        known = state.checks[id(block)] = tuple(
            PossibleCheck(part, *_what_hangs_on(node))
            for node in ir.inside(block)
            for test in _conditions(node)
            for part in ir.inside(test)
            if isinstance(part, ir.Call | ir.Compare)
        )
    return known


def _what_hangs_on(node: ir.Node) -> tuple[bool, int, int]:
    if not isinstance(node, ir.If):
        return True, 0, 0
    inner = list(ir.inside((node.body, node.orelse)))
    lines = [part.line for part in inner]
    decides = any(isinstance(part, ir.Return | ir.Exit | ir.Assign) for part in inner)
    return decides, min(lines, default=0), max(lines, default=0)


def _conditions(node: ir.Node) -> Iterator[ir.Expr]:
    if isinstance(node, ir.If | ir.Ternary | ir.Loop):
        is_counter = isinstance(node, ir.Loop) and isinstance(node.test, ir.Compare)
        yield from (node.test,) if node.test is not None and not is_counter else ()
    elif isinstance(node, ir.ExprStmt) and isinstance(node.value, ir.Bool):
        yield node.value
    elif isinstance(node, ir.Comprehension):
        yield from node.tests
    elif (isinstance(node, ir.Assign) and _is_kept(node.value)) or _may_raise(node):
        yield node.value


def _may_raise(node: ir.Node) -> TypeGuard[ir.ExprStmt]:
    return (
        isinstance(node, ir.ExprStmt)
        and isinstance(node.value, ir.Call)
        and sounds_like_raising_check(_name(node.value))
    )


def _is_kept(value: ir.Expr) -> bool:
    """The outcome of a test under a name: `ok = pattern.match(name)`."""
    if isinstance(value, ir.Not | ir.Compare):
        return True
    return isinstance(value, ir.Call) and (
        sounds_like_check(_name(value)) or _TELLS_LITTLE.match(_name(value)) is not None
    )


def _is_check(state: State, node: ir.Node, names: ValueNames, kind: Kind, *, decides: bool) -> bool:
    if isinstance(node, ir.Call):
        return not _tells_nothing(state, node, kind) and _is_checked_by_call(state, node, names, kind)
    if not isinstance(node, ir.Compare) or (node.op in _EQUAL and not decides):
        return False
    if node.op in _WITHIN and names.is_form(node.right):
        return False  # whether a field is there
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if names.is_in(one) and not only_measures(one) and not (node.op in _EQUAL and _is_constant(other)):
            return True
    return False


def _is_checked_by_call(state: State, call: ir.Call, names: ValueNames, kind: Kind) -> bool:
    if isinstance(call.callee, ir.Attr) and names.is_in(call.callee):
        return True
    path, given = ir.dotted(call.callee), (*call.args, *(value for _name, value in call.keywords))
    is_named_check = (sounds_like_raising_check(_name(call)) or sounds_like_check(_name(call))) and _may_check_anything(
        state, path, kind
    )
    return any(
        names.is_in(arg) and (is_named_check or may_compare(state, path, position))
        for position, arg in enumerate(given)
    )


def _may_check_anything(state: State, path: str, kind: Kind) -> bool:
    """Whether a function that calls itself a check may be one: what it is given goes on into a call or a loop."""
    function = own_function(state, path)
    if function is None:
        return True
    given = {param.name for param in function.params}
    return any(
        any(isinstance(part, ir.Name) and part.id in given for part in ir.inside(node))
        and not (isinstance(node, ir.Call) and _tells_nothing(state, node, kind))
        for node in ir.inside(state.body(function))
        if isinstance(node, ir.Call | ir.Loop)
    )


def _is_constant(other: ir.Expr) -> bool:
    """A constant: which way is taken, and no check of what goes on the other way."""
    return isinstance(other, ir.Const) or ir.dotted(other) in _NOTHING


_NOTHING = frozenset({"null", "nil", "None", "undefined", "NULL", "nullptr", "true", "false"})


def _tells_nothing(state: State, call: ir.Call, kind: Kind) -> bool:
    name, path = _name(call), ir.dotted(call.callee)
    acts = any(sink.kind != "regex" for sink in state.index.sinks(path))
    if not name or acts or only_counts(name) or _TELLS_NOTHING.match(name):
        return True
    return kind in PATHS and _FINDS_FILE.match(name) is not None


def _name(call: ir.Call) -> str:
    return ir.dotted(call.callee).rpartition(".")[2]


def _replaces_in(call: ir.Call, names: ValueNames, kind: Kind) -> bool:
    name = _name(call)
    if name.startswith("without_"):
        return names.is_in(call.args)
    if isinstance(call.callee, ir.Attr) and name in _TAKES_OFF and names.is_in(call.callee.value):
        return bool(call.args) and _has_marks(call.args[0], kind)
    position = 1 if name in _TRIMS else 2
    if name not in _TAKES_OFF or len(call.args) <= position or not names.is_in(call.args[0 if position == 1 else 2]):
        return False
    return _has_marks(call.args[1 if position == 1 else 0], kind)


def _has_marks(removed: ir.Expr | None, kind: Kind) -> bool:
    """Words and blanks are replaced for their looks; any other sign, or a pattern nobody knows, for what it does. One
    tag that is spelled out leaves all the others, and itself in capitals or put together of two.
    """
    text = removed.value if isinstance(removed, ir.Const) else "?"
    if kind == "html" and isinstance(text, str) and _ONE_TAG.fullmatch(text):
        return False
    return isinstance(text, str) and _MARKS.search(text) is not None
