"""Expressions to values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from leeboard.code.flow import _operate, _read, ir
from leeboard.code.flow._call import evaluate_call
from leeboard.code.flow.state import Scope, State
from leeboard.code.flow.value import UNKNOWN, Closure, Val, constant, passed


def evaluate(state: State, expr: ir.Expr, scope: Scope) -> Val:
    """What is known of the value; nothing, once all is spent."""
    state.budget -= 1
    if state.budget <= 0:
        return UNKNOWN
    if type(expr) is ir.Name:  # two of five are: names of this scope need no further look
        found = scope.names.get(expr.id)
        if found is not None:
            return found
    return _HANDLERS[type(expr)](state, expr, scope)


def _const(_state: State, expr: ir.Const, _scope: Scope) -> Val:
    return constant(expr.value)


def _walrus(state: State, expr: ir.Walrus, scope: Scope) -> Val:
    value = state.evaluate(expr.value, scope)
    if isinstance(expr.target, ir.Name):
        scope.names[expr.target.id] = value
    return value


def _lambda(_state: State, expr: ir.Lambda, scope: Scope) -> Val:
    return Val(call=Closure(expr.function, scope))


def _unknown(state: State, expr: ir.Unknown, scope: Scope) -> Val:
    return passed([state.evaluate(child, scope) for child in expr.children])


_HANDLERS: dict[type[ir.Node], Callable[[State, Any, Scope], Val]] = {
    ir.Name: _read.name_value,
    ir.Const: _const,
    ir.Join: _operate.join_value,
    ir.Call: evaluate_call,
    ir.Attr: _read.attribute_value,
    ir.Index: _read.index_value,
    ir.Container: _read.container_value,
    ir.Spread: _read.spread_value,
    ir.Binary: _operate.binary_value,
    ir.Compare: _operate.compare_value,
    ir.Bool: _operate.bool_value,
    ir.Not: _operate.not_value,
    ir.Unary: _operate.unary_value,
    ir.Ternary: _operate.ternary_value,
    ir.Walrus: _walrus,
    ir.Lambda: _lambda,
    ir.Comprehension: _operate.comprehension_value,
    ir.Unknown: _unknown,
}
