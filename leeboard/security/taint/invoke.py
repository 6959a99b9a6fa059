"""Functions and classes of the file itself: followed with the values they are given."""

from __future__ import annotations

from itertools import takewhile

from leeboard.security.taint import ir
from leeboard.security.taint.assign import element_of
from leeboard.security.taint.declared import as_declared
from leeboard.security.taint.entry import callback_values, registering
from leeboard.security.taint.remembered import OwnCall, keep, own_call, recall
from leeboard.security.taint.schema import filled, is_loader, is_schema
from leeboard.security.taint.state import NAMELESS, Facts, State, TaintScope, both
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import HARMLESS, UNKNOWN, Closure, Key, Val, either, held, passed

DEEPEST = 3
_SHORT = 12
_MOST_ROUTE = 120


def invoke(state: State, caller: TaintScope, closure: Closure, use: Use) -> tuple[Val, TaintScope | None]:
    """What the function returns, and its names at the end; nothing is known of it when it lies too deep."""
    function = closure.function
    if (
        caller.depth >= DEEPEST
        or is_recursive(state, function)
        or state.budget <= 0
        or not _is_worth_it(state, function, use)
    ):
        return passed([*use.args, *use.keywords.values()]), None
    call = own_call(state, caller, closure, use, DEEPEST)
    known = recall(state, caller, call) if call is not None else None
    return known if known is not None else _follow(state, caller, closure, use, call)


def _follow(
    state: State, caller: TaintScope, closure: Closure, use: Use, call: OwnCall | None
) -> tuple[Val, TaintScope]:
    inner = _scope_for(state, caller, closure)
    _bind(state, inner, closure, use)
    around, state.invoked = state.invoked, {id(closure.function)}
    nested = len(state.nested)
    result = run(state, caller, inner, closure.function, use.line)
    if call is not None and state.budget > 0 and len(state.nested) == nested:
        keep(state, call, result, caller.facts, inner.names.get("self"))
    state.invoked |= around
    return result, inner


def _is_worth_it(state: State, function: ir.Function, use: Use) -> bool:
    """Long functions without a sink are worth their time only when something of a request goes in."""
    if function.end - function.line <= _SHORT or state.holds_sinks(function):
        return True
    given = (*use.args, *use.keywords.values(), *([use.receiver] if use.receiver is not None else []))
    return state.is_web and any(_is_of_request(value) for value in given)


def _is_of_request(value: Val) -> bool:
    return value.shape == "request" or any(
        origin.trust in {"request", "handler", "archive"} for origin in held(value).taints
    )


def run(state: State, caller: TaintScope, inner: TaintScope, function: ir.Function, line: int = 0) -> Val:
    """What tests inside have shown on every way out holds for the caller as well. `line`: where it is called."""
    state.active.append(function)
    state.called_at.append(line)
    asked, state.operands = state.operands, None
    try:
        left = state.execute(state.body(function), inner)
    finally:
        state.active.pop()
        state.called_at.pop()
        state.operands = asked
    ends: list[Facts] = [facts for _value, facts in inner.returns] + ([] if left else [inner.facts])
    if ends:
        shown = ends[0]
        for facts in ends[1:]:
            shown = both(shown, facts)
        caller.facts = shown
    if not inner.returns:
        return passed([value for value in inner.names.values() if value.taints])
    result = inner.returns[0][0]
    for value, _facts in inner.returns[1:]:
        result = either(result, value)
    return result


def _scope_for(state: State, caller: TaintScope, closure: Closure, *, deeper: bool = True) -> TaintScope:
    """`deeper`: it is called from there; what a framework calls begins anew."""
    parent = closure.scope if isinstance(closure.scope, TaintScope) else state.globals
    inner = state.scope_of(closure.function, parent, caller.depth + deeper)
    inner.facts = caller.facts
    return inner


def given_params(closure: Closure) -> tuple[ir.Param, ...]:
    """Those that the arguments of a call stand for: without the object it is called on, where that is listed."""
    params = closure.function.params
    is_listed = isinstance(closure.scope, Val) and bool(params) and params[0].name in {"self", "cls"}
    return params[1:] if is_listed else params


def _bind(state: State, inner: TaintScope, closure: Closure, use: Use) -> None:
    if isinstance(closure.scope, Val):
        inner.names["self"] = inner.names["cls"] = closure.scope
    given = list(use.args)
    for param in given_params(closure):
        if param.kind == "*":
            inner.names[param.name] = Val(shape="list", items=dict(enumerate(given)))
            given = []
        elif param.kind == "**":
            inner.names[param.name] = Val(shape="dict", items=_keyed(use.keywords))
        elif given:
            inner.names[param.name] = as_declared(state, param.annotation, given.pop(0))
        elif param.name in use.keywords:
            inner.names[param.name] = as_declared(state, param.annotation, use.keywords[param.name])
        else:
            inner.names[param.name] = state.evaluate(param.default, inner) if param.default is not None else UNKNOWN


def _keyed(values: dict[str, Val]) -> dict[Key, Val]:
    return {name: value for name, value in values.items()}  # noqa: C416 - a copy with a wider type


def instantiate(state: State, caller: TaintScope, kind: ir.Class, use: Use) -> Val:
    """A new object: what its constructor stores, or, without one, what it is given."""
    if any(base.rpartition(".")[2].endswith(("Enum", "IntFlag", "Flag")) for base in kind.bases):
        return HARMLESS
    blank = Val(shape="object", type=kind, path=f"{use.path}()", text="\x02")
    for name in ("__init__", "constructor", kind.name, "__construct", "initialize"):
        method = next((method for method in kind.methods if method.name == name), None)
        if method is not None:
            _result, inner = invoke(state, caller, Closure(method, blank), use)
            return inner.names.get("self", blank) if inner is not None else blank
    fields = [
        target.id
        for stmt in kind.fields
        if isinstance(stmt, ir.Assign)
        for target in stmt.targets
        if isinstance(target, ir.Name)
    ]
    if is_schema(state, kind) and not is_loader(kind):
        return filled(state, kind, use.keywords, use.keywords.get("**"))
    items = {**dict(zip(fields, use.args, strict=False)), **use.keywords}
    rest = held(passed(list(use.args))) if use.args and not fields else None
    return Val(shape="object", type=kind, path=f"{use.path}()", items=_keyed(items), rest=rest, text="\x02")


def run_callback(state: State, scope: TaintScope, use: Use, value: Val) -> Val | None:
    """A function given to a call: a handler gets a request, another one what it is called on. None: it is not run."""
    closure = value.call
    if closure is None or closure.function in state.active or scope.depth >= DEEPEST or state.budget <= 0:
        return None
    known = registering(state, use)
    if known is None and closure.function.name != NAMELESS and not applies_to_each(state, use):
        return None
    if known is not None and (route := _route(use)):
        state.routes.setdefault(id(closure.function), route)
    inner = _scope_for(state, scope, closure, deeper=known is None)
    inner.handler = known
    given = callback_values(state, known, closure.function, use) if known is not None else None
    inner.names.update(given if given is not None else _elements(state, closure.function, use))
    if known is not None:
        state.registered[id(closure.function)] = tuple(takewhile(lambda each: each is not value, use.args))
    return run(state, scope, inner, closure.function, use.line if known is None else 0)


def _route(use: Use) -> str:
    """`<get /search>`: the call that registers a handler, and for what; empty where that is no plain text."""
    behind_route = use.receiver is not None and use.receiver.path.endswith(".route()")
    given = use.receiver.args if use.receiver is not None and behind_route else use.args
    first = given[0].const if given and given[0].is_const else None
    if not isinstance(first, str) or not first.strip():
        return ""
    return f"<{use.written.rpartition('.')[2]} {' '.join(first.split())[:_MOST_ROUTE]}>"


def applies_to_each(state: State, use: Use) -> bool:
    """Whether the call gives what a function makes of each item."""
    name, model = use.path.rpartition(".")[2], state.index.tables.model
    return name in model.mapped or name in model.folded


def _elements(state: State, function: ir.Function, use: Use) -> dict[str, Val]:
    """`values.map(x => ...)`, `map(lambda x: ..., values)`: each parameter may be anything that is in there."""
    names = [param.name for param in function.params]
    given = [value for value in (use.receiver, *use.args) if value is not None and value.call is None]
    if given and use.path.rpartition(".")[2] in state.index.tables.model.folded:
        start, item = given[-1] if len(given) > 1 else UNKNOWN, element_of(given[0])
        return dict(zip(names, (start, item, *[HARMLESS] * len(names)), strict=False))
    if given and applies_to_each(state, use):
        inside = element_of(given[-1] if use.receiver is None else given[0])
    else:
        inside = passed([held(value) for value in given])
    return {name: inside if position == 0 else UNKNOWN for position, name in enumerate(names)}


def is_recursive(state: State, function: ir.Function) -> bool:
    """Whether it is being followed already. Asking is remembered: the answer is part of why a call went as it did."""
    state.invoked.add(id(function))
    return function in state.active
