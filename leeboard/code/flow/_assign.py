"""Assignments: to names, to what stands under a key, to fields of objects."""

from __future__ import annotations

import msgspec

from leeboard.code.flow import _method, ir
from leeboard.code.flow._sink import Use, check_assignment
from leeboard.code.flow.state import Scope, State
from leeboard.code.flow.value import UNKNOWN, Key, Val, either, held

_DEEPEST = 6


def assign(state: State, target: ir.Expr, value: Val, scope: Scope, depth: int = 0) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(target, ir.Name):
        _bind(state, target.id, value, scope)
    elif isinstance(target, ir.Container):
        _unpack(state, target, value, scope, depth)
    elif isinstance(target, ir.Spread):
        assign(state, target.value, Val(shape="list", rest=value, text="\x02"), scope, depth + 1)
    elif isinstance(target, ir.Attr):
        base = state.evaluate(target.value, scope)
        changed = _method.write(
            base if base.shape else msgspec.structs.replace(base, shape="object"), target.name, value
        )
        assign(state, target.value, changed, scope, depth + 1)
    elif isinstance(target, ir.Index):
        base = state.evaluate(target.value, scope)
        changed = _method.write(base, _key(state, target, scope), value)
        assign(state, target.value, changed, scope, depth + 1)


def _key(state: State, target: ir.Index, scope: Scope) -> Key | None:
    return _method.key_of(state.evaluate(target.key, scope)) if target.key is not None else None


def _bind(state: State, name: str, value: Val, scope: Scope) -> None:
    if state.index.tables.lexical and name not in scope.names:
        outer = scope.parent
        while outer is not None and outer is not state.globals:
            if name in outer.names:
                outer.names[name] = either(outer.names[name], value)
                return
            outer = outer.parent
    scope.names[name] = value


def _unpack(state: State, target: ir.Container, value: Val, scope: Scope, depth: int) -> None:
    for position, (key, item) in enumerate(target.items):
        found = None
        if value.shape in {"list", "dict", "object"}:
            name = _method.key_of(state.evaluate(key, scope)) if key is not None else position
            found = _method.read(value, name)
        fallback = _method.stripped(held(value)) if held(value).taints else UNKNOWN
        assign(state, item, found if found is not None else fallback, scope, depth + 1)


def check_target(state: State, target: ir.Expr, value: Val, scope: Scope, line: int) -> None:
    """Whether the place that is assigned to is a sink: `el.innerHTML`, `session[...]`."""
    if isinstance(target, ir.Attr) and not state.index.may_be_assigned(target.name):
        return
    if isinstance(target, ir.Attr | ir.Index):
        base = state.evaluate(target.value, scope)
        written = ir.dotted(target)
        path = _path(base, target, written)
        key = _indexed(state, target, scope)
        args = (value, *([key] if key is not None else []))
        use = Use(line=line, path=path, written=written, receiver=base, args=args, keywords={})
        check_assignment(state, scope, use)


def _path(base: Val, target: ir.Attr | ir.Index, written: str) -> str:
    if not base.path:
        return written
    return f"{base.path}.{target.name}" if isinstance(target, ir.Attr) else f"{base.path}[]"


def _indexed(state: State, target: ir.Expr, scope: Scope) -> Val | None:
    if isinstance(target, ir.Index) and target.key is not None:
        return state.evaluate(target.key, scope)
    return None
