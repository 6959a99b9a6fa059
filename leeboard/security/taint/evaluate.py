"""Expressions to values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from leeboard.security.taint import assign, fold, ir, method
from leeboard.security.taint.assign import bind, element_of
from leeboard.security.taint.call import evaluate_call
from leeboard.security.taint.entry import is_handed_a_request
from leeboard.security.taint.guard import facts_of
from leeboard.security.taint.state import State, TaintScope, added
from leeboard.security.taint.values import (
    CLEAN,
    HARMLESS,
    MISSING,
    UNKNOWN,
    Closure,
    Known,
    Missing,
    Val,
    constant,
    either,
    is_settled,
    joined,
    passed,
    stepped,
)

# Operators: arithmetic, string building, comparisons, conditions, comprehensions.


def join_value(state: State, expr: ir.Join, scope: TaintScope) -> Val:
    value = joined([state.evaluate(part, scope) for part in expr.parts])
    return value if value.is_const else stepped(value, expr.line)


def binary_value(state: State, expr: ir.Binary, scope: TaintScope) -> Val:
    left, right = state.evaluate(expr.left, scope), state.evaluate(expr.right, scope)
    known = fold.arithmetic(expr.op, left.const, right.const)
    if not isinstance(known, Missing):
        return constant(known)
    if expr.op in state.index.tables.numbers and not left.shape and not right.shape:
        return HARMLESS
    if expr.op == "+":
        return _added(left, right, expr.line)
    if expr.op == "%" and not isinstance(left.const, int | float):
        values = list(right.items.values()) if right.shape and right.rest is None else [right]
        return stepped(method.formatted(left, values), expr.line)
    if expr.op == "/" and (left.path or left.taints or right.taints):
        whole = joined([left, constant("/"), right])
        return msgspec.structs.replace(whole, path=left.path or "pathlib.Path()", const=MISSING)
    return _computed(expr.op, left, right)


def _added(left: Val, right: Val, line: int) -> Val:
    if left.shape == "list":
        return method.extend(left, right)
    return passed([left, right]) if right.shape == "list" else stepped(joined([left, right]), line)


def _computed(op: str, left: Val, right: Val) -> Val:
    if op == "*" and left.shape == "list":
        return msgspec.structs.replace(left, items={}, rest=method.everything(left))
    if op == "*" and isinstance(left.const, str):
        return HARMLESS
    if left.taints or right.taints:
        return passed([left, right])
    if op == "|" and left.path and right.path:
        return Val(path=f"{left.path}|{right.path}"[:_MOST_FLAGS], text=CLEAN)
    return HARMLESS if is_settled(left) and is_settled(right) else UNKNOWN


_MOST_FLAGS = 200
"""How much of the names of flags that are put together is kept."""


def compare_value(state: State, expr: ir.Compare, scope: TaintScope) -> Val:
    left, right = state.evaluate(expr.left, scope), state.evaluate(expr.right, scope)
    if state.operands is not None:
        state.operands[id(expr)] = (scope.names, left, right)
    known = fold.comparison(expr.op, left.const, right.const)
    if isinstance(known, Missing) and expr.op in {"in", "not in"}:
        known = _contained(left, right, wanted=expr.op == "in")
    return constant(known) if not isinstance(known, Missing) else HARMLESS


def _contained(item: Val, container: Val, *, wanted: bool) -> Known:
    """Whether a constant is in a container of constants."""
    if not item.is_const or not container.shape or container.rest is not None or container.taints:
        return MISSING
    inside = list(container.items) if container.shape == "dict" else [one.const for one in container.items.values()]
    return MISSING if any(isinstance(one, Missing) for one in inside) else (item.const in inside) is wanted


def bool_value(state: State, expr: ir.Bool, scope: TaintScope) -> Val:
    """Parts that can be reached, each where what stands before it has (or has not) held."""
    inner = scope.fork()
    inner.names = scope.names
    result: Val | None = None
    for part in expr.parts:
        value = _marked(state.evaluate(part, inner), inner)
        known = fold.truth(value.const)
        if expr.op == "and":
            result = None  # nothing, where it does not hold
        if known is (expr.op == "or"):
            return either(result, value) if result is not None else value
        if known is None or part is expr.parts[-1]:
            result = either(result, value) if result is not None else value
        inner.facts = added(inner.facts, facts_of(state, inner, part, holds=expr.op == "and"))
    return result if result is not None else UNKNOWN


def not_value(state: State, expr: ir.Not, scope: TaintScope) -> Val:
    known = fold.truth(state.evaluate(expr.value, scope).const)
    return HARMLESS if known is None else constant(not known)


def unary_value(state: State, expr: ir.Unary, scope: TaintScope) -> Val:
    value = state.evaluate(expr.value, scope)
    if expr.op == "-" and isinstance(value.const, int | float):
        return constant(-value.const)
    return HARMLESS if value.taints and state.index.tables.numbers else value


def ternary_value(state: State, expr: ir.Ternary, scope: TaintScope) -> Val:
    known = fold.truth(state.evaluate(expr.test, scope).const)
    if known is not None:
        return state.evaluate(expr.yes if known else expr.no, scope)
    yes = _under(state, scope, expr.test, expr.yes, holds=True)
    return either(yes, _under(state, scope, expr.test, expr.no, holds=False))


def _under(state: State, scope: TaintScope, test: ir.Expr, branch: ir.Expr, *, holds: bool) -> Val:
    """A value where a test holds: what the test showed stays with the value."""
    inner = scope.fork()
    inner.facts = added(inner.facts, facts_of(state, scope, test, holds=holds))
    return _marked(state.evaluate(branch, inner), inner)


def _marked(value: Val, scope: TaintScope) -> Val:
    if not scope.facts or not value.taints:
        return value
    taints = {origin: done | scope.cleaned(origin) for origin, done in value.taints.items()}
    return msgspec.structs.replace(value, taints=taints)


def comprehension_value(state: State, expr: ir.Comprehension, scope: TaintScope) -> Val:
    inner = scope.fork()
    for target, iterable in expr.clauses:
        bind(target, element_of(state.evaluate(iterable, inner)), inner)
    for test in expr.tests:
        state.evaluate(test, inner)
        inner.facts = added(inner.facts, facts_of(state, inner, test, holds=True))
    value = _marked(state.evaluate(expr.value, inner), inner)
    return Val(shape="list" if expr.key is None else "dict", rest=value, text=CLEAN, steps=value.steps)


def evaluate(state: State, expr: ir.Expr, scope: TaintScope) -> Val:
    """What is known of the value; nothing, once all is spent."""
    state.budget -= 1
    if state.budget <= 0:
        return UNKNOWN
    if type(expr) is ir.Name:  # two of five are: names of this scope need no further look
        found = scope.names.get(expr.id)
        if found is not None:
            return found
    elif type(expr) is ir.Const:
        return constant(expr.value)
    return _HANDLERS[type(expr)](state, expr, scope)


def _const(_state: State, expr: ir.Const, _scope: TaintScope) -> Val:
    return constant(expr.value)


def _walrus(state: State, expr: ir.Walrus, scope: TaintScope) -> Val:
    value = state.evaluate(expr.value, scope)
    if isinstance(expr.target, ir.Name):
        scope.names[expr.target.id] = value
    return value


def _lambda(state: State, expr: ir.Lambda, scope: TaintScope) -> Val:
    if is_handed_a_request(state, expr.function):
        state.nested.append((expr.function, scope))  # a handler, whoever it is returned or passed to
    state.captured.append(scope)
    return Val(call=Closure(expr.function, scope))


def _unknown(state: State, expr: ir.Unknown, scope: TaintScope) -> Val:
    return passed([state.evaluate(child, scope) for child in expr.children])


_HANDLERS: dict[type[ir.Node], Callable[[State, Any, TaintScope], Val]] = {
    ir.Name: assign.name_value,
    ir.Const: _const,
    ir.Join: join_value,
    ir.Call: evaluate_call,
    ir.Attr: assign.attribute_value,
    ir.Index: assign.index_value,
    ir.Container: assign.container_value,
    ir.Spread: assign.spread_value,
    ir.Binary: binary_value,
    ir.Compare: compare_value,
    ir.Bool: bool_value,
    ir.Not: not_value,
    ir.Unary: unary_value,
    ir.Ternary: ternary_value,
    ir.Walrus: _walrus,
    ir.Lambda: _lambda,
    ir.Comprehension: comprehension_value,
    ir.Unknown: _unknown,
}
