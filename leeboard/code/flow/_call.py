"""Calls: what they do to what they are given, and whether they are sinks."""

from __future__ import annotations

import msgspec

from leeboard.code.flow import _method, ir
from leeboard.code.flow._invoke import applies_to_each, given_params, instantiate, invoke, run_callback
from leeboard.code.flow._known import known_result
from leeboard.code.flow._read import attribute_of
from leeboard.code.flow._schema import loaded
from leeboard.code.flow._sink import Use, check_call
from leeboard.code.flow.state import Scope, State
from leeboard.code.flow.value import (
    CLEAN,
    FOREIGN,
    HARMLESS,
    Closure,
    Origin,
    Val,
    cleaned,
    either,
    foreign,
    held,
    is_settled,
    merged_taints,
    passed,
)
from leeboard.model.pattern import lazy

_MOST_PATH = 120
_LOADERS = (".load", ".loads", ".model_validate", ".parse_obj", ".model_validate_json", ".parse_raw", ".validate")
_SCHEMA = lazy(r"(?i:schema)|(?:^|\.)[A-Z]\w*\(\)$")


def evaluate_call(state: State, expr: ir.Call, scope: Scope) -> Val:
    callee = expr.callee
    receiver = state.evaluate(callee.value, scope) if isinstance(callee, ir.Attr) else None
    target = _target(state, callee, receiver, scope)
    written = ir.dotted(callee)
    use = Use(
        line=expr.line,
        path=target.path or written,
        written=written,
        receiver=receiver,
        args=_arguments(state, expr, scope),
        keywords=_keywords(state, expr, scope),
    )
    check_call(state, scope, use)
    _check_passed_on(state, scope, use)
    if target.call is not None:
        return _own(state, scope, expr, use, target.call)
    if target.type is not None and target.shape != "object":
        return instantiate(state, scope, target.type, use)
    ran = [run_callback(state, scope, use, value) for value in use.args if value.call is not None]
    returned = [value for value in ran if value is not None]
    if returned and applies_to_each(state, use):
        return Val(shape="list", rest=returned[0], text=CLEAN, steps=returned[0].steps)
    result = _result(state, scope, expr, use)
    for value in returned:
        result = either(result, value) if value.taints else result
    return result


def _target(state: State, callee: ir.Expr, receiver: Val | None, scope: Scope) -> Val:
    """What is called: a function of this file, or a path."""
    if receiver is None or not isinstance(callee, ir.Attr):
        return state.evaluate(callee, scope)
    if receiver.type is not None or callee.name in receiver.items:
        found = attribute_of(state, callee, receiver)
        if found.call is not None or found.type is not None:
            return found
    base = receiver.path or ("" if receiver.is_const else ir.dotted(callee.value))
    return Val(path=f"{base}.{callee.name}"[-_MOST_PATH:])


def _arguments(state: State, expr: ir.Call, scope: Scope) -> tuple[Val, ...]:
    values: list[Val] = []
    for arg in expr.args:
        value = state.evaluate(arg.value if isinstance(arg, ir.Spread) else arg, scope)
        if isinstance(arg, ir.Spread) and value.shape == "list" and value.rest is None:
            values += value.items.values()
        else:
            values.append(value)
    return tuple(values)


def _keywords(state: State, expr: ir.Call, scope: Scope) -> dict[str, Val]:
    found: dict[str, Val] = {}
    for name, arg in expr.keywords:
        value = state.evaluate(arg, scope)
        if name:
            found[name] = value
        else:
            found.update({str(key): item for key, item in value.items.items()})
            if value.taints or value.rest is not None:
                found["**"] = held(value)
    return found


def _check_passed_on(state: State, scope: Scope, use: Use) -> None:
    """`to_thread(os.system, line)`: a sink that is handed over with its arguments."""
    for position, value in enumerate(use.args):
        if "." in value.path and not value.taints and state.index.sinks(value.path):
            check_call(state, scope, _handed(use, value.path, use.args[position + 1 :]))
    target, given = use.keywords.get("target"), use.keywords.get("args")
    if target is not None and given is not None and target.path:
        check_call(state, scope, _handed(use, target.path, tuple(given.items.values())))


def _handed(use: Use, path: str, args: tuple[Val, ...]) -> Use:
    return msgspec.structs.replace(use, path=path, written=path, args=args, receiver=None)


def _own(state: State, scope: Scope, expr: ir.Call, use: Use, closure: Closure) -> Val:
    """A function of this file: followed with what it is given; what it changes is changed here as well."""
    result, inner = invoke(state, scope, closure, use)
    if inner is None:
        return result
    if isinstance(closure.scope, Val) and isinstance(expr.callee, ir.Attr) and "self" in inner.names:
        _write_back(expr.callee.value, inner.names["self"], scope)
    for param, arg in zip(given_params(closure), expr.args, strict=False):
        if param.kind:  # it gathers several arguments: none of them is what it holds
            break
        value = inner.names.get(param.name)
        if value is not None and value.shape in {"list", "dict", "object"}:
            _write_back(arg, value, scope)
    return result


def _write_back(target: ir.Expr, value: Val, scope: Scope) -> None:
    if isinstance(target, ir.Name) and target.id in scope.names:
        scope.names[target.id] = value


def _result(state: State, scope: Scope, expr: ir.Call, use: Use) -> Val:
    """Of a call of something outside the file."""
    source = state.index.source(use.path, use.written, called=True)
    if source is not None:
        return foreign(
            Origin(source.trust, _labelled(source.label or f"{use.written}()", use), use.line), f"{use.path}()"
        )
    if use.receiver is not None and use.receiver.shape == "request":
        return _of_request(state, expr, use)
    cleaner = state.index.cleaner(use.path)
    if cleaner is not None:
        return _cleaned(use, cleaner.kinds)
    known = known_result(state, scope, expr, use)
    if known is not None:
        return known
    is_escape, kinds = state.index.escape(use.path)
    if is_escape:
        return _cleaned(use, kinds)
    return _unknown(state, use)


def _labelled(label: str, use: Use) -> str:
    """With the constant key that is asked for, so that two of them are two values."""
    key = _method.key_of(use.args[0]) if use.args else None
    return f"{label}[{key!r}]"[:80] if key is not None else label


def _of_request(state: State, expr: ir.Call, use: Use) -> Val:
    name = expr.callee.name if isinstance(expr.callee, ir.Attr) else ""
    if state.index.request_safe.fullmatch(name):
        return Val(path=f"{use.path}()")
    origin = Origin("request", _labelled(f"{use.written}()", use), use.line)
    return foreign(origin, f"{use.path}()", state.index.of_request(name))


def _cleaned(use: Use, kinds: frozenset[str] | None) -> Val:
    if kinds is None:
        return msgspec.structs.replace(HARMLESS, path=f"{use.path}()"[:_MOST_PATH])
    given = [held(value) for value in (*use.args, *use.keywords.values())]
    if use.receiver is not None and use.receiver.is_foreign:
        given.insert(0, held(use.receiver))
    if not given:
        return Val(path=f"{use.path}()")
    if len(given) > 1:
        given = [msgspec.structs.replace(given[0], taints=merged_taints(*given))]
    text = given[0].text if not given[0].taints else FOREIGN
    return msgspec.structs.replace(cleaned(given[0], kinds), text=text, path=f"{use.path}()"[:_MOST_PATH])  # type: ignore[arg-type]  # kinds of the tables


def _is_checked(use: Use) -> bool:
    """`UserSchema().load(data)`, defined elsewhere: what it lets through need not be what was sent."""
    owner, _, name = use.path.rpartition(".")
    return name in {"load", "loads"} and _SCHEMA.search(owner) is not None


def _unknown(state: State, use: Use) -> Val:
    kind = use.receiver.type if use.receiver is not None else None
    checked = loaded(state, kind, use.args) if kind is not None and use.path.endswith(_LOADERS) else None
    if checked is not None:
        return checked
    given = [*use.args, *use.keywords.values()]
    if use.receiver is not None and use.receiver.taints:
        given.append(use.receiver)
    value = passed(given, f"{use.path}()"[-_MOST_PATH:])
    # Given nothing but constants, it is taken to give nothing worse.
    text = CLEAN if given and not value.taints and all(is_settled(item) for item in given) else value.text
    clear = use.path.rpartition(".")[2] in state.index.tables.model.transparent and not _is_checked(use)
    opaque = value.opaque and (not clear or any(item.opaque for item in given))
    return msgspec.structs.replace(value, args=use.args[:4], keywords=use.keywords, text=text, opaque=opaque)
