"""Calls: what they do to what they are given, and whether they are sinks."""

from __future__ import annotations

import re

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir, method
from leeboard.security.taint.assign import DECODED, assign, attribute_of, child_of, field_of, named, told_field
from leeboard.security.taint.described import DESCRIBES, let_through
from leeboard.security.taint.index import PATH_JOINS, REPLACES
from leeboard.security.taint.invoke import applies_to_each, given_params, instantiate, invoke, run_callback
from leeboard.security.taint.logged import check_logged
from leeboard.security.taint.removed import without_pattern, without_text
from leeboard.security.taint.schema import by_rules, loaded, vouched
from leeboard.security.taint.sink import check_call
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.table import Kind
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import (
    CLEAN,
    FOREIGN,
    FROM_ROOT,
    HARMLESS,
    RESOLVED,
    UNKNOWN,
    Closure,
    TaintOrigin,
    Val,
    cleaned,
    constant,
    either,
    foreign,
    held,
    is_settled,
    joined,
    merged_taints,
    passed,
)

_MOST_PATH = 120
_MODEL_LOADERS = (".model_validate", ".parse_obj", ".model_validate_json", ".parse_raw")
_LOADERS = (*_MODEL_LOADERS, ".load", ".loads", ".validate")
_CONVERTS = lazy(
    r"(?i)decode|encode|parse|^read|bytes|stream|base64|b64|unquote|unescape|json|^to_?(?:s|str|string|lower|upper)|"
    r"trim|strip|concat|append|join|format|sprintf"
)
"""What makes another form of a value, by its name: most of it stays."""
_SCHEMA = lazy(r"(?i:schema)|(?:^|\.)[A-Z]\w*\(\)$")


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
    """Whether a method hands what it gets to one of the same name, `query(sql) { c.query(sql) }`, and nothing was found
    there: what it does is told by its own name then.
    """
    if any(function.line <= flow.sink_line <= function.end for flow in state.flows.values()):
        return False
    given = {param.name for param in function.params}
    called = re.finditer(rf"(?:\.|->){re.escape(function.name)}\(\s*[$&]?(\w+)", state.mentions.text_of(function))
    return any(found[1] in given for found in called)


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
    known = known_result(state, scope, expr, use) if nature.is_modelled else None
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
    clear = name in state.index.tables.model.transparent or _is_accessor(state, use)
    read = _is_checked(use) or (not clear and _CONVERTS.search(name) is not None)
    opaque = value.opaque and not (clear and any(item.taints and not item.opaque for item in map(held, given)))
    made_with = use.args[:4] or (use.receiver.args if use.receiver is not None else ())
    found = msgspec.structs.replace(value, args=made_with, keywords=use.keywords, text=text, opaque=opaque)
    return vouched(found) if read else found


# Results of calls whose effect the tables name: containers, texts, copies.


_SPELLED_OUT = {"base64", "base64url", "hex"}
_WRITES = {"write", "writelines"}
_ABSORBS = {"extend", "update", "addAll", "putAll", "concat"}


def known_result(state: State, scope: TaintScope, expr: ir.Call, use: Use) -> Val | None:
    """None where the tables do not know the call."""
    model = state.index.tables.model
    name = use.path.rpartition(".")[2]
    receiver = use.receiver if use.receiver is not None else UNKNOWN
    if use.path == "dict" and use.keywords and not use.args:
        return method.absorbed(Val(shape="dict", text=CLEAN), (), use.keywords)
    if use.path in PATH_JOINS:
        return joined([part for arg in use.args for part in (arg, constant("/"))][:-1])
    target = expr.callee.value if isinstance(expr.callee, ir.Attr) else None
    if target is not None and name in state.index.changes:
        changed = _change(state, name, receiver, use)
        if changed is not None:
            result, left = changed
            assign(state, target, left, scope)
            return result
    if name in model.read and use.receiver is not None:
        cast = state.index.cleaner(use.keywords["type"].path) if "type" in use.keywords else None
        return HARMLESS if cast is not None and cast.kinds is None else _read(state, receiver, use)
    if name in model.values and use.receiver is not None:
        return _values(name, receiver)
    return text_result(state, name, receiver, use)


def _change(state: State, name: str, receiver: Val, use: Use) -> tuple[Val, Val] | None:
    """The result of the call, and the receiver after it."""
    model = state.index.tables.model
    given = use.args
    if name in model.push and given:
        after = _pushed(name, receiver, use)
        return (HARMLESS, after) if after is not None else None
    if name in model.write and len(given) >= 2:
        keys = [method.key_of(value) for value in given[:-1]]
        key = None if None in keys else keys[0] if len(keys) == 1 else tuple(keys)
        return HARMLESS, method.write(receiver, key, given[-1])
    if receiver.shape not in {"list", "dict"}:
        return None
    if name in model.take:
        return method.take(receiver, method.key_of(given[0]) if given else (0 if name == "shift" else -1))
    return HARMLESS, method.drop(receiver, given[0] if given else None)


def _pushed(name: str, receiver: Val, use: Use) -> Val | None:
    if name in _WRITES and "IO()" not in receiver.path:
        return None  # a file or a response, not a buffer that is read again
    if name in _ABSORBS:
        return method.absorbed(receiver, use.args, use.keywords)
    if name == "insert" and len(use.args) == 2:
        return method.inserted(receiver, use.args)
    return method.push(receiver, use.args[-1])


def _read(state: State, receiver: Val, use: Use) -> Val:
    keys = [method.key_of(value) for value in use.args]
    for key in ((tuple(keys),) if len(keys) > 1 else ()) + tuple(keys[:1]):
        if key is not None and key in receiver.items:
            return receiver.items[key]
    if len(keys) == 2 and keys[0] in receiver.items and receiver.items[keys[0]].shape:
        return method.read(receiver.items[keys[0]], keys[1]) or UNKNOWN
    if receiver.taints:
        return child_of(state, receiver, keys[0] if keys else None, use.line)
    if receiver.shape in {"list", "dict"}:
        default = use.args[1] if len(use.args) > 1 else None
        known = receiver.rest if keys and keys[0] is not None else method.everything(receiver)
        return known or default or HARMLESS
    return Val(path=f"{use.path}()"[:120], args=use.args[:4], keywords=use.keywords)


def _values(name: str, receiver: Val) -> Val:
    inside = method.everything(receiver)
    if receiver.taints or inside is None:
        return method.stripped(held(receiver)) if receiver.taints else UNKNOWN
    if name in {"items", "entries", "entrySet"}:
        inside = Val(shape="list", items={0: HARMLESS, 1: inside}, text="\x02")
    if name in {"keys", "keySet"}:
        inside = HARMLESS
    if name in {"getvalue", "toString"}:
        return joined([inside])
    return Val(shape="list", rest=inside, text="\x02")


# Results of calls that make texts of texts, or numbers of anything.


def text_result(state: State, name: str, receiver: Val, use: Use) -> Val | None:
    """None where the tables do not know the call."""
    subject, others = _subject(receiver, use)
    model = state.index.tables.model
    if name in REPLACES:
        return _replaced(name, receiver, use)
    if name in model.mapped:
        mapped = _mapped(state, use)
        if mapped is not None:
            return mapped
    if name in model.join:
        return _joined(name, subject, others, use, braces=state.module.language in _BRACED)
    if name in model.copy:
        return subject
    if name in model.same and (use.args or use.receiver is not None):
        same = method.same(name, subject, others if name not in {"decode", "encode"} else ())
        return msgspec.structs.replace(same, path=DECODED) if use.path == "JSON.parse" and same.taints else same
    return _counted(name, use) if name in model.harmless else None


def _subject(receiver: Val, use: Use) -> tuple[Val, tuple[Val, ...]]:
    """What the text is made of: the receiver, or the first argument of a function."""
    on_value = receiver.taints or receiver.is_const or not receiver.path or receiver.shape
    if (use.receiver is not None and on_value) or not use.args:
        return receiver, use.args
    return use.args[0], use.args[1:]


def _mapped(state: State, use: Use) -> Val | None:
    """`map(int, values)`, `values.map(escapeHtml)`: a cleaner that is named instead of called."""
    values = use.args[1] if len(use.args) == 2 else use.receiver
    if values is None or not use.args or not use.args[0].path:
        return None
    cleaner = state.index.cleaner(use.args[0].path)
    if cleaner is not None:
        return cleaned(values, cleaner.kinds)
    is_escape, kinds = state.index.escape(use.args[0].path)
    return cleaned(values, kinds) if is_escape else None


def _counted(name: str, use: Use) -> Val:
    if name == "len" and use.args:
        value = use.args[0]
        if isinstance(value.const, str):
            return constant(len(value.const))
        if value.shape == "list" and value.rest is None and not value.taints:
            return constant(len(value.items))
    if name == "open":
        return Val(path=f"{use.path}()"[:120])
    return msgspec.structs.replace(HARMLESS, path=f"{use.path}()"[:120])


_BRACED = frozenset({"python", "rust", "c", "cpp", "csharp"})
"""Languages in which what is called a format has its holes in braces, and a per cent sign is one."""
_FORMATS = lazy(r"(?i)format|f$|^arg$")
"""What fills a template; all else puts texts one after the other."""


def _joined(name: str, subject: Val, others: tuple[Val, ...], use: Use, *, braces: bool) -> Val:
    if name == "join" and len(others) == 1:
        if subject.is_const or (subject.shape == "" and others[0].shape == "list"):
            return method.joined_by(subject, others[0])
        return method.joined_by(others[0], subject)
    if not _FORMATS.search(name):
        return joined([subject, *others])
    braces = braces and "format" in name.lower()
    return method.formatted(subject, [*others, *use.keywords.values()], braces=braces)


def _replaced(name: str, receiver: Val, use: Use) -> Val:
    """A text without something: harmless for the kinds that need it."""
    on_pattern = name in {"sub", "preg_replace", "str_replace"}
    if on_pattern and len(use.args) >= 3:
        pattern, put, subject = use.args[:3]
    elif on_pattern and len(use.args) == 2 and receiver.args:
        pattern, put, subject = receiver.args[0], use.args[0], use.args[1]
    else:
        pattern, put, subject = *(*use.args, UNKNOWN, UNKNOWN)[:2], receiver
    text = pattern.const if isinstance(pattern.const, str) else ""
    kinds = without_pattern(text) if name in {"sub", "gsub", "preg_replace"} else without_text(text)
    if kinds is None and is_settled(put):
        return HARMLESS
    value = msgspec.structs.replace(method.stripped(held(subject)), taints=merged_taints(held(subject), held(put)))
    if subject.is_const and is_settled(put):
        return HARMLESS
    return cleaned(value, kinds) if kinds else value if value.taints else passed([subject, put])
