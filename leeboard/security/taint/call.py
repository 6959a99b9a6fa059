"""Calls: what they do to what they are given, and whether they are sinks."""

from __future__ import annotations

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir, method, segments
from leeboard.security.taint.assign import attribute_of, field_of, named, told_field
from leeboard.security.taint.declared import as_declared
from leeboard.security.taint.described import DESCRIBES, let_through
from leeboard.security.taint.invoke import applies_to_each, given_params, instantiate, invoke, run_callback
from leeboard.security.taint.joined_address import joined_address
from leeboard.security.taint.known_call import known_result
from leeboard.security.taint.logged import check_logged
from leeboard.security.taint.schema import by_rules, is_schema, loaded, vouched
from leeboard.security.taint.sink import check_call
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.table import Kind
from leeboard.security.taint.use import Use, is_asked_of_own_file
from leeboard.security.taint.values import (
    CLEAN,
    FOREIGN,
    FROM_ROOT,
    HARMLESS,
    RESOLVED,
    Closure,
    TaintOrigin,
    Val,
    cleaned,
    either,
    foreign,
    held,
    is_settled,
    merged_taints,
    passed,
)

_MOST_PATH = 120
_MODEL_LOADERS = (".model_validate", ".parse_obj", ".model_validate_json", ".parse_raw")
_LOADERS = (*_MODEL_LOADERS, ".load", ".loads", ".validate")
_SPELLED_OUT = {"base64", "base64url", "hex"}
_SCHEMA = lazy(r"(?i:schema)|(?:^|\.)[A-Z]\w*\(\)$")


_RECORD_BASES = lazy(r"(?:^|\.)(?:Model|Base|DeclarativeBase|Document|Entity)$")
_OF_MODELS = lazy(r"(?:^|[.])(?:models?|entit(?:y|ies)|tables|orm)(?:[.]\w+)*[.][A-Z]\w*$")


def _makes_record(state: State, use: Use, target: Val) -> bool:
    """`User(**data)` of a class that the database keeps, by its base or by where it lives."""
    if state.module.language != "python":
        return False
    if target.type is not None:
        return not is_schema(state, target.type) and any(map(_RECORD_BASES.search, target.type.bases))
    return _OF_MODELS.search(use.path) is not None


def evaluate_call(state: State, expr: ir.Call, scope: TaintScope) -> Val:
    callee = expr.callee
    receiver = state.evaluate(callee.value, scope) if isinstance(callee, ir.Attr) else None
    target = _target(state, callee, receiver, scope)
    written = state.dotted(callee)
    use = Use(
        line=expr.line,
        path=target.path or written,
        written=written,
        receiver=receiver,
        args=_arguments(state, expr, scope) if expr.args else (),
        keywords=_keywords(state, expr, scope) if expr.keywords else {},
    )
    if state.index.sinks(use.path):
        if target.call is None or receiver is None:  # a method of this file is followed, whatever it is called
            check_call(state, scope, use)
        check_logged(state, scope, expr, use)
    if "**" in use.keywords and _makes_record(state, use, target):
        built = msgspec.structs.replace(use, path="record.built", args=(use.keywords["**"],), keywords={})
        check_call(state, scope, built)
    if use.args or use.keywords:
        _check_passed_on(state, scope, use)
    if target.call is not None:
        result = _own(state, scope, expr, use, target.call)
        if receiver is not None and state.index.sinks(use.path) and _is_only_passed_on(state, target.call.function):
            check_call(state, scope, use)
        return result
    if target.type is not None and target.shape != "object":
        return instantiate(state, scope, target.type, use)
    given = (*use.args, *use.keywords.values()) if use.keywords else use.args
    for value in given:
        if value.call is not None:
            return _with_callbacks(state, scope, expr, use, given)
    return _result(state, scope, expr, use)


def _with_callbacks(state: State, scope: TaintScope, expr: ir.Call, use: Use, given: tuple[Val, ...]) -> Val:
    """The result of a call that is given functions: what they return may be a part of it."""
    ran = [run_callback(state, scope, use, value) for value in given if value.call is not None]
    returned = [value for value in ran if value is not None]
    if returned and applies_to_each(state, use):
        return Val(shape="list", rest=returned[0], text=CLEAN, steps=returned[0].steps)
    result = _result(state, scope, expr, use)
    for value in returned:
        result = either(result, value) if value.taints else result
    return result


def _target(state: State, callee: ir.Expr, receiver: Val | None, scope: TaintScope) -> Val:
    """What is called: a function of this file, or a path."""
    if receiver is None or not isinstance(callee, ir.Attr):
        return named(state, callee, scope) if isinstance(callee, ir.Name) else state.evaluate(callee, scope)
    if callee.name == "__invoke" and receiver.call is not None:
        return receiver  # a function that a variable holds
    if receiver.type is not None or callee.name in receiver.items:
        found = attribute_of(state, callee, receiver)
        if found.call is not None or found.type is not None:
            return found
        if callee.name == "new" and receiver.type is not None and receiver.shape != "object":
            return receiver
    base = receiver.path or ("" if receiver.is_const else state.dotted(callee.value))
    return Val(path=f"{base}.{callee.name}"[-_MOST_PATH:])


def _arguments(state: State, expr: ir.Call, scope: TaintScope) -> tuple[Val, ...]:
    values: list[Val] = []
    for arg in expr.args:
        if type(arg) is not ir.Spread:
            values.append(state.evaluate(arg, scope))
            continue
        value = state.evaluate(arg.value, scope)
        if value.shape == "list" and value.rest is None:
            values += value.items.values()
        else:
            values.append(value)
    return tuple(values)


def _keywords(state: State, expr: ir.Call, scope: TaintScope) -> dict[str, Val]:
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


def _check_passed_on(state: State, scope: TaintScope, use: Use) -> None:
    """`to_thread(os.system, line)`: a sink that is handed over with its arguments."""
    for position, value in enumerate(use.args):
        if value.path and "." in value.path and not value.taints and state.index.sinks(value.path):
            check_call(state, scope, _handed(use, value.path, use.args[position + 1 :]))
    if not use.keywords:
        return
    target, given = use.keywords.get("target"), use.keywords.get("args")
    if target is not None and given is not None and target.path:
        check_call(state, scope, _handed(use, target.path, tuple(given.items.values())))


def _handed(use: Use, path: str, args: tuple[Val, ...]) -> Use:
    return msgspec.structs.replace(use, path=path, written=path, args=args, receiver=None)


def _own(state: State, scope: TaintScope, expr: ir.Call, use: Use, closure: Closure) -> Val:
    """A function of this file: followed with what it is given; what it changes is changed here as well."""
    result, inner = invoke(state, scope, closure, use)
    result = as_declared(state, closure.function.returns, result)
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


def _is_only_passed_on(state: State, function: ir.Function) -> bool:
    """Whether a method hands what it gets to one of the same name, and nothing was found there: what it does is told by
    its own name then.
    """
    if not state.mentions.hands_on(function):
        return False
    return not any(function.line <= flow.sink_line <= function.end for flow in state.flows.values())


def _write_back(target: ir.Expr, value: Val, scope: TaintScope) -> None:
    if isinstance(target, ir.Name) and target.id in scope.names:
        scope.names[target.id] = value


def _result(state: State, scope: TaintScope, expr: ir.Call, use: Use) -> Val:
    """The result of a call of something outside the file."""
    described = _described(state, use)
    return described if described is not None else _result_of_unseen(state, scope, expr, use)


def _described(state: State, use: Use) -> Val | None:
    """What a class or a schema of this file says of it."""
    field = told_field(state, use.receiver, use.path) if not use.args and use.receiver is not None else None
    return field if field is not None or state.module.language not in DESCRIBES else let_through(state, use)


def _result_of_unseen(state: State, scope: TaintScope, expr: ir.Call, use: Use) -> Val:
    getter = _GETTER.search(use.path) if use.receiver is not None and use.receiver.taints and not use.args else None
    if getter is not None and use.receiver is not None:
        use = msgspec.structs.replace(use, receiver=field_of(use.receiver, getter[1]))
    nature, source = state.index.nature(use.path), None
    if nature.may_be_source:
        source = state.source_of(use.path, use.written, called=True, first=use.args[0].const if use.args else None)
    if source is not None:
        label = _labelled(source.label or f"{use.written}()", use)
        done = state.index.of_source(use.path) | state.index.of_label(label)
        return foreign(TaintOrigin(source.trust, label, use.line), f"{use.path}()", done)
    if use.receiver is not None and use.receiver.shape == "request":
        return _of_request(state, expr, use)
    if nature.cleaner is not None:
        return _cleaned(use, None if _is_spelled_out(use) else nature.cleaner.kinds)
    if use.path == "path.resolved":
        return _resolved(use)
    known = segments.result_of(expr, use) if nature.may_cut else joined_address(use)
    if known is None and nature.is_modelled:
        known = known_result(state, scope, expr, use)
    if known is None:
        known = _cleaned(use, nature.escapes[0]) if nature.escapes is not None else _unknown(state, use)
    if getter is not None and use.receiver is not None and known.opaque and not use.receiver.opaque:
        return _field_read(use, use.receiver)
    return known


_GETTER = lazy(r"\.[gG]et([A-Z]\w*)$")


_ASKED_ELSEWHERE: frozenset[Kind] = frozenset({"passed"})


def _field_read(use: Use, whole: Val) -> Val:
    """`request.getName()`: a field of what was sent, of a class that may have looked at it."""
    taints = {origin: done | _ASKED_ELSEWHERE for origin, done in whole.taints.items()}
    return Val(taints=taints, text=FOREIGN, path=f"{use.path}()"[-_MOST_PATH:], steps=whole.steps)


def _resolved(use: Use) -> Val:
    """The last part of a path that is resolved: one from the root takes the place of all before it."""
    return msgspec.structs.replace(use.args[0], path=RESOLVED) if use.args[0].path == FROM_ROOT else use.args[0]


def _labelled(label: str, use: Use) -> str:
    """With the constant key that is asked for, so that two of them are two values."""
    key = method.key_of(use.args[0]) if use.args else None
    return f"{label}[{key!r}]"[:80] if key is not None else label


def _of_request(state: State, expr: ir.Call, use: Use) -> Val:
    name = expr.callee.name if isinstance(expr.callee, ir.Attr) else ""
    if state.index.request_safe.fullmatch(name):
        ruled = by_rules(use.args[0], use.line) if name == "validate" and use.args else None
        return ruled or Val(path=f"{use.path}()")
    label = _labelled(f"{use.written}()", use)
    done = state.index.of_request(name) | state.index.of_label(label)
    return foreign(TaintOrigin("request", label, use.line), f"{use.path}()", done)


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


def _is_spelled_out(use: Use) -> bool:
    """`bytes.toString("base64")`: letters and digits, whatever it was."""
    return use.path.endswith(".toString") and bool(use.args) and use.args[0].const in _SPELLED_OUT


def _is_checked(use: Use) -> bool:
    """`UserSchema().load(data)`, defined elsewhere: what it lets through need not be what was sent."""
    owner, _, name = use.path.rpartition(".")
    return use.path.endswith(_MODEL_LOADERS) or (name in {"load", "loads"} and _SCHEMA.search(owner) is not None)


def _is_accessor(state: State, use: Use) -> bool:
    """`order.name()`, of a record that was sent."""
    return state.module.language in _HAS_RECORDS and use.receiver is not None and not use.args and not use.keywords


_HAS_RECORDS = frozenset({"java", "kotlin"})


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
    name = use.path.rpartition(".")[2]
    clear = name in state.index.tables.model.transparent and not is_asked_of_own_file(state, use)
    clear = clear or _is_accessor(state, use)
    read = (not clear and state.index.nature(use.path).converts) or _is_checked(use)
    opaque = value.opaque and not (clear and any(item.taints and not item.opaque for item in map(held, given)))
    made_with = use.args[:4] or (use.receiver.args if use.receiver is not None else ())
    found = msgspec.structs.replace(value, args=made_with, keywords=use.keywords, text=text, opaque=opaque)
    return vouched(found) if read else found
