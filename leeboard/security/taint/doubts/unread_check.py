"""Checks that nobody can read here: a call looks at the value, and what its outcome means is written in another file.

What a condition of this file shows is told by `guard`, well or badly. A function of another file, or one of this file
that compares the value with something, may be an allow-list as well as a formality: after it nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.state import Facts, State, TaintScope
from leeboard.security.taint.table import WEAK_CHECK, Kind
from leeboard.security.taint.values import NONE, held

_TELLS_NOTHING = lazy(
    "(?i)_*(?:" + "|".join((*TABLE.tells_nothing, TABLE.finds_file, *TABLE.tells_little)) + r")[?!]?\Z"
)
_CHECKS = lazy(TABLE.check_names)
_COUNTS = lazy(TABLE.counting_names)
_RAISES = lazy(TABLE.raising_check_names)
_MEASURES = lazy(f"(?:{TABLE.measuring_names})\\Z")


def unread_check(state: State, scope: TaintScope, test: ir.Call, *, holds: bool, later: bool) -> Facts:
    """Places of the values that the call looks at; `later`: its outcome was kept under a name."""
    name = ir.dotted(test.callee).rpartition(".")[2]
    if not name or _tells_nothing(name) or only_counts(name) or (later and not sounds_like_check(name)):
        return {}
    return _marked(state, scope, test, "passed" if holds else "failed")


@lru_cache(maxsize=1_024)
def _tells_nothing(name: str) -> bool:
    return _TELLS_NOTHING.match(name) is not None


@lru_cache(maxsize=1_024)
def only_counts(name: str) -> bool:
    return _COUNTS.search(name) is not None


def sounds_like_check(name: str) -> bool:
    return _CHECKS.match(name) is not None


def unread_check_by_outcome(state: State, scope: TaintScope, test: ir.Compare, *, holds: bool) -> Facts:
    """`if (known($x) !== false)`, and the same where the outcome was kept under a name first."""
    if type(test.left) is not ir.Const and type(test.right) is not ir.Const:
        return {}
    for one, other in ((test.left, test.right), (test.right, test.left)):
        kept = scope.tests.get(one.id) if isinstance(one, ir.Name) else None
        call = kept if kept is not None else one
        if isinstance(call, ir.Call) and isinstance(other, ir.Const) and not isinstance(other.value, str):
            return unread_check(state, scope, call, holds=holds, later=True)
    return {}


def places_compared(state: State, scope: TaintScope, test: ir.Expr) -> Iterator[str]:
    """Places of foreign values that have to equal something which is neither foreign nor the same each time."""
    for part in test.parts if isinstance(test, ir.Bool) else (test,):
        if isinstance(part, ir.Compare) and part.op in {"==", "==="}:
            left, right = held(state.evaluate(part.left, scope)), held(state.evaluate(part.right, scope))
            for one, other in ((left, right), (right, left)):
                if not other.is_foreign and not other.is_const:
                    yield from (origin.place for origin in one.taints)


@lru_cache(maxsize=1_024)
def sounds_like_raising_check(name: str) -> bool:
    return _RAISES.match(name) is not None


def raising_check(state: State, scope: TaintScope, call: ir.Call) -> Facts:
    """Places of what a call gets whose outcome is dropped, and whose name says that it raises."""
    name = ir.dotted(call.callee).rpartition(".")[2]
    return _marked(state, scope, call, "passed") if sounds_like_raising_check(name) and not only_counts(name) else {}


def checked_for(state: State, path: str) -> frozenset[Kind]:
    """The kinds for which a function that calls itself a check is believed; none where it only counts."""
    return NONE if only_counts(path.rpartition(".")[2]) else state.index.checked_for(path)


def _marked(state: State, scope: TaintScope, call: ir.Call, mark: Literal["passed", "failed"]) -> Facts:
    path = state.evaluate(call.callee, scope).path or ir.dotted(call.callee)
    if state.index.guards(path) or state.index.sinks(path):
        return {}  # what it shows is known
    found: Facts = {}
    for position, arg in enumerate((*call.args, *(value for _name, value in call.keywords))):
        taints = held(state.evaluate(arg, scope)).taints
        if taints and may_compare(state, path, position):
            shown = WEAK_CHECK if mark == "passed" and _only_looks_into(state, path, position) else mark
            found |= {origin.place: frozenset({shown}) for origin in taints}
    return found


def _only_looks_into(state: State, path: str, position: int) -> bool:
    """`return "example.org" in url`: a function of this file asks only whether something stands anywhere in it."""
    function = own_function(state, path)
    params = [param.name for param in function.params if param.name != "self"] if function is not None else []
    if function is None or position >= len(params):
        return False
    name, nodes = {params[position]}, list(ir.inside(state.body(function)))
    if any(isinstance(node, ir.Assign) and ir.names_in(node.value) & name for node in nodes):
        return False
    tests = [node for node in nodes if isinstance(node, ir.Compare) and _is_compared(node, name)]
    return bool(tests) and all(test.op == "in" and not ir.names_in(test.left) & name for test in tests)


def may_compare(state: State, path: str, position: int) -> bool:
    """Whether what it is given there may be held against something: a function of another file may do anything."""
    function = own_function(state, path)
    if function is None:
        return True
    key = (id(function), position)
    if key not in state.compares:
        state.compares[key] = _compares(state, function, position)
    return state.compares[key]


def own_function(state: State, path: str) -> ir.Function | None:
    """The function or method of this file that has the name; whose method it is makes no difference here."""
    name = path.rpartition(".")[2]
    if name in state.functions:
        return state.functions[name]
    return next((method for item in state.classes.values() for method in item.methods if method.name == name), None)


def _compares(state: State, function: ir.Function, position: int) -> bool:
    """Whether it holds what it gets at this place against something, other than nothing, a type or a length."""
    params = [param.name for param in function.params if param.name != "self"]
    if position >= len(params):
        return False
    names = {params[position]}
    nodes = list(ir.inside(state.body(function)))
    raises = any(isinstance(node, ir.Exit) and node.kind == "raise" for node in nodes)
    for node in nodes:
        if isinstance(node, ir.Assign) and ir.names_in(node.value) & names:
            names |= {target.id for target in node.targets if isinstance(target, ir.Name)}
        if isinstance(node, ir.Compare) and _is_compared(node, names):
            return True
        if raises and isinstance(node, ir.If) and _is_held_against_another(node.test, names):
            return True
    return False


def _is_held_against_another(test: ir.Expr, names: set[str]) -> bool:
    """`if not path.startswith(folder): raise`: what it gets is held against a second value."""
    calls = [node for node in ir.inside(test) if isinstance(node, ir.Call)]
    return any(ir.names_in(call) & names and ir.names_in(call) - names and call.args for call in calls)


def _is_compared(test: ir.Compare, names: set[str]) -> bool:
    for one, other in ((test.left, test.right), (test.right, test.left)):
        is_nothing = isinstance(other, ir.Const) and (not isinstance(other.value, str) or not other.value)
        if ir.names_in(one) & names and not is_nothing and not only_measures(one):
            return True
    return False


def only_measures(expr: ir.Expr) -> bool:
    """Whether only its length or its type is asked for."""
    return any(
        _MEASURES.match(node.name if isinstance(node, ir.Attr) else ir.dotted(node.callee))
        for node in ir.inside(expr)
        if isinstance(node, ir.Attr | ir.Call)
    )
