"""Assignments: to names, to what stands under a key, to fields of objects."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import fold, ir, segments
from leeboard.security.taint import method as _method
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.index import ADDRESSES, CONTENT
from leeboard.security.taint.sink import check_assignment
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.table import Kind, Trust
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import (
    CLEAN,
    FOREIGN,
    HARMLESS,
    MOST_ITEMS,
    OPEN,
    UNKNOWN,
    Closure,
    Key,
    Missing,
    TaintOrigin,
    Val,
    cleaned,
    constant,
    either,
    foreign,
    held,
    is_settled,
    merged_steps,
    stepped,
)

_DEEPEST = 6
_AROUND_REQUEST = lazy(r"^(?:\{[^{}]*\}\.|(?:c|ctx|context|req|request|event)\.(?=(?:[rR]equest|req|raw)\b))")
"""What a request is a part of: a parameter that is taken apart where it is declared, a context with more in it."""
_PLACES = (ir.Attr, ir.Index)


def assign(state: State, target: ir.Expr, value: Val, scope: TaintScope, depth: int = 0) -> None:
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


def _key(state: State, target: ir.Index, scope: TaintScope) -> Key | None:
    return _method.key_of(state.evaluate(target.key, scope)) if target.key is not None else None


def _bind(state: State, name: str, value: Val, scope: TaintScope) -> None:
    if state.index.tables.lexical and name not in scope.names:
        outer = scope.parent
        while outer is not None and outer is not state.globals:
            if name in outer.names:
                outer.names[name] = either(outer.names[name], value)
                state.rebound += 1
                return
            outer = outer.parent
    scope.names[name] = value


def _unpack(state: State, target: ir.Container, value: Val, scope: TaintScope, depth: int) -> None:
    for position, (key, item) in enumerate(target.items):
        found = None
        if value.shape in {"list", "dict", "object"}:
            name = _method.key_of(state.evaluate(key, scope)) if key is not None else position
            found = _method.read(value, name)
        fallback = _method.stripped(held(value)) if held(value).taints else UNKNOWN
        assign(state, item, found if found is not None else fallback, scope, depth + 1)


def check_target(state: State, target: ir.Expr, value: Val, scope: TaintScope, line: int) -> None:
    """Whether the place that is assigned to is a sink: `el.innerHTML`, `session[...]`."""
    if isinstance(target, ir.Attr) and not state.index.may_be_assigned(target.name):
        return
    if isinstance(target, _PLACES):
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


def _indexed(state: State, target: ir.Expr, scope: TaintScope) -> Val | None:
    if isinstance(target, ir.Index) and target.key is not None:
        return state.evaluate(target.key, scope)
    return None


# Reading: names, attributes, what stands under a key, literal containers.


_LENGTHS = frozenset({"length", "byteLength", "Length", "LongLength"})
_COUNTS = frozenset("size count Count total width height index page pages offset limit duration percent".split())
"""Numbers in what the program's own people hand on; a request may send anything under these names."""
_OWN = frozenset({"parameter", "local"})
_FILE_NAMES = frozenset({"filename", "name", "originalname", "raw_filename"})
_ADDRESS_PARTS = frozenset("netloc hostname host scheme protocol href port origin search Host Scheme Port".split())
"""Of one and the same address: what is asked about one of them is asked about the address."""
DECODED = "JSON.parse()"
"""The path of what a text holds that was sent: fields of its sender's, as in a body that a framework has read."""
_CONSTANT = lazy(r"(?:^|\.)[A-Z][A-Z0-9_]+(?:\.(?:value|name))?$")
_MOST_PATH = 120
_MOST_LABEL = 80
_MOST_BASES = 5


_CALLED_BY_NAME = frozenset({"ruby"})
"""Languages in which a method that is named is called, with nothing behind it."""


def name_value(state: State, expr: ir.Name, scope: TaintScope) -> Val:
    value = named(state, expr, scope)
    if value.call is not None and state.module.language in _CALLED_BY_NAME and scope.find(expr.id) is None:
        return state.evaluate(ir.Call(expr.line, expr), scope)
    return value


def named(state: State, expr: ir.Name, scope: TaintScope) -> Val:
    """What the name stands for."""
    found = scope.find(expr.id)
    if found is not None:
        return found
    if expr.id in state.functions:
        return Val(call=Closure(state.functions[expr.id]), path=expr.id)
    if expr.id in state.classes:
        return Val(type=state.classes[expr.id], path=expr.id)
    if state.index.tables.own_methods:
        own = scope.find("self")
        if own is not None and expr.id in own.items:
            return own.items[expr.id]
        method = find_method(state, own.type, expr.id) if own is not None and own.type is not None else None
        if method is not None:
            return Val(call=Closure(method, own), path=expr.id)
    path = state.module.imports.get(expr.id, expr.id)
    return _from_outside(state, path, path, expr.line)


def _from_outside(state: State, path: str, written: str, line: int) -> Val:
    known = state.outside.get((path, written))
    if known is not None:
        return known
    if _is_request(state, path):
        return Val(shape="request", path=path, text=FOREIGN, steps=(line,))
    source = state.source_of(path, written)
    if source is not None:
        return foreign(TaintOrigin(source.trust, source.label or written, line), path, state.index.of_source(path))
    # A constant of another module, or of the rest of the file where this is a piece of it: nobody sends it.
    constant_there = _CONSTANT.search(path) is not None and ("." in path or not state.module.imports)
    value = Val(path=path[:_MOST_PATH], text=CLEAN if constant_there else OPEN)
    return state.outside.setdefault((path, written), value)


def _is_request(state: State, path: str) -> bool:
    """A bare `request` only where the file has to do with a web framework."""
    if path not in state.index.tables.requests:
        return False
    return path.partition(".")[0] not in {"request", "self"} or state.is_web


def attribute_value(state: State, expr: ir.Attr, scope: TaintScope) -> Val:
    value = attribute_of(state, expr, state.evaluate(expr.value, scope))
    if value.call is not None and value.path and state.module.language in _CALLED_BY_NAME:
        return state.evaluate(ir.Call(expr.line, expr), scope)
    return value


def attribute_of(state: State, expr: ir.Attr, base: Val) -> Val:
    """The attribute of a value that is known already."""
    if expr.name in base.items and base.shape != "request":
        return base.items[expr.name]
    path = f"{base.path}.{expr.name}"[:_MOST_PATH] if base.path else state.dotted(expr)[:_MOST_PATH]
    if base.shape == "request":
        return _of_request(state, expr, path, state.dotted(expr))
    if base.type is not None:
        return _member(state, base, expr.name, path, expr.line)
    if base.taints:
        return _entry_name(state, expr, base, path) or _of_foreign(state, base, path)
    if base.text == CLEAN and not base.path and not base.shape:
        return HARMLESS
    return _from_outside(state, path, state.dotted(expr), expr.line)


def _of_request(state: State, expr: ir.Attr, path: str, written: str) -> Val:
    if state.index.request_safe.fullmatch(expr.name):
        return Val(path=path)
    return foreign(TaintOrigin("request", written, expr.line), path, state.index.of_request(expr.name))


_TOLD_ANEW: frozenset[Trust] = frozenset({"archive", "failure"})


def _entry_name(state: State, expr: ir.Attr, base: Val, path: str) -> Val | None:
    """What an entry of an archive is called is foreign in its own right, however the archive was taken apart; so is
    what an error tells, whoever handed it over.
    """
    is_whose = base.opaque or all(origin.trust in _OWN for origin in base.taints)
    source = state.source_of(path, ir.dotted(expr)) if is_whose else None
    if source is None or source.trust not in _TOLD_ANEW:
        return None
    return foreign(TaintOrigin(source.trust, source.label, expr.line), path)


def _of_foreign(state: State, base: Val, path: str) -> Val:
    name = path.rpartition(".")[2]
    if name in _LENGTHS or (name in _COUNTS and all(origin.trust in _OWN for origin in base.taints)):
        return HARMLESS
    cleaner = state.index.cleaner(path)
    if cleaner is not None and not cleaner.callee.startswith("*."):
        return cleaned(base, cleaner.kinds)
    taints = field_of(base, name).taints
    own = _of_own_address(state, path)
    if own:
        taints = {origin: done | own for origin, done in taints.items()}
    if name in _FILE_NAMES:
        taints = {origin: done - CONTENT for origin, done in taints.items()}
    return Val(taints=taints, text=FOREIGN, path=path, steps=base.steps, opaque=base.opaque)


def _of_own_address(state: State, path: str) -> frozenset[Kind]:
    """Of what is given as `{ params, url }` a part of the address: a text that is called so has none. And the address
    of a request inside of a context.
    """
    part = _AROUND_REQUEST.sub("", path)
    return state.index.of_label(part) if part != path and "." in part else frozenset()


def field_of(base: Val, name: str) -> Val:
    """With the field that is read of it, so that what is asked about it is asked about no other."""
    if base.opaque or (name in _ADDRESS_PARTS and not _is_record(base)):
        return base
    taints = {
        msgspec.structs.replace(origin, field=f"{origin.field}.{name}".lstrip(".")[:_MOST_LABEL]): done
        for origin, done in base.taints.items()
    }
    return msgspec.structs.replace(base, taints=taints)


_FREE_TEXT = lazy(TABLE.free_text)


def _typed_text(state: State, base: Val, path: str) -> Val | None:
    """`note.title` of what a caller hands on: where a field is read by a call, one that holds what somebody typed."""
    name = path.rpartition(".")[2]
    if state.module.language not in _CALLED_BY_NAME or base.opaque or not _FREE_TEXT.search(name):
        return None
    if not base.taints or any(origin.trust != "parameter" for origin in base.taints):
        return None
    return Val(taints=field_of(base, name).taints, text=FOREIGN, path=path[-_MOST_PATH:], steps=base.steps)


def told_field(state: State, base: Val, path: str) -> Val | None:
    """`order.count()`, `order.getCount()`: a field of which its class says that it is harmless."""
    if not base.items or not base.taints:
        return _typed_text(state, base, path)
    name = path.rpartition(".")[2]
    found = base.items.get(name) or base.items.get(name[3:4].lower() + name[4:])
    return found if found is HARMLESS else None


def _is_record(base: Val) -> bool:
    """Whether it is what was sent, with fields of its sender's, and no address that was taken apart."""
    return base.path == DECODED or any(origin.label == base.path for origin in base.taints)


def _member(state: State, base: Val, name: str, path: str, line: int) -> Val:
    """A method or field of a class of this file."""
    method = find_method(state, base.type, name)
    if method is not None:
        return Val(call=Closure(method, base), path=path)
    key = (id(base.type), name)
    if key not in state.fields:
        state.fields[key] = _class_field(state, base.type, name)
    field = state.fields[key]
    return field if field is not None else _from_outside(state, path, f"self.{name}", line)


def _class_field(state: State, kind: ir.Class | None, name: str) -> Val | None:
    for field in kind.fields if kind is not None else ():
        targets = field.targets if isinstance(field, ir.Assign) else ()
        if isinstance(field, ir.Assign) and any(isinstance(item, ir.Name) and item.id == name for item in targets):
            return state.evaluate(field.value, TaintScope("<class>", state.globals))
    return None


def find_method(state: State, kind: ir.Class | None, name: str) -> ir.Function | None:
    """In the class, or in one of its bases in this file."""
    key = (id(kind), name)
    if key not in state.methods:
        state.methods[key] = _inherited(state, kind, name)
    return state.methods[key]


def _inherited(state: State, kind: ir.Class | None, name: str) -> ir.Function | None:
    for _step in range(_MOST_BASES):
        if kind is None:
            return None
        for method in kind.methods:
            if method.name == name:
                return method
        kind = next((state.classes[base] for base in kind.bases if base in state.classes), None)
    return None


def index_value(state: State, expr: ir.Index, scope: TaintScope) -> Val:
    base = state.evaluate(expr.value, scope)
    if expr.key is None:
        return base if base.shape else _sliced(base)
    given = state.evaluate(expr.key, scope)
    key = _method.key_of(given)
    if base.shape == "request":
        return foreign(TaintOrigin("request", f"{ir.dotted(expr.value)}[{key!r}]"[:_MOST_LABEL], expr.line))
    if base.shape in {"list", "dict"}:
        found = _method.read(base, key)
        if found is None and not base.taints:
            return UNKNOWN
        if found is not None:
            return _under_any_key(state, found) if key is None else found
    if base.taints:
        return segments.indexed(base, expr.key, key) or child_of(state, base, key, expr.line)
    return _read_indexed(state, expr, base, given)


def _read_indexed(state: State, expr: ir.Index, base: Val, key: Val) -> Val:
    """What is read from something that is neither foreign nor a container whose content is known."""
    character = fold.item(base.const, key.const)
    if not isinstance(character, Missing):
        return constant(character)
    source = state.source_of(f"{base.path}[]", ir.dotted(expr))
    if source is not None:
        return foreign(TaintOrigin(source.trust, source.label, expr.line))
    if base.is_const or (not base.path and is_settled(base)):
        return HARMLESS
    return Val(path=f"{base.path}[]" if base.path else "")


def child_of(state: State, base: Val, key: object, line: int) -> Val:
    """What stands under a key of something foreign: a value of its own, so that tests of its sisters do not count."""
    if base.opaque:
        return Val(taints=base.taints, text=FOREIGN, steps=base.steps, opaque=True)
    if not isinstance(key, str | int):
        return _under_any_key(state, Val(taints=base.taints, text=FOREIGN, steps=base.steps))
    taints = {}
    for origin, done in base.taints.items():
        label = f"{origin.label}[{key!r}]"[:_MOST_LABEL]
        told = f"{origin.label}['any']" if isinstance(key, str) and "." in key else label
        if not state.index.is_of_server(told):
            kept = done if key == 0 else done - ADDRESSES  # what an address begins with is one still
            taints[TaintOrigin(origin.trust, label, origin.line, origin.field)] = state.index.of_label(label) | kept
    if not taints:
        return HARMLESS
    return Val(taints=taints, text=FOREIGN, steps=stepped(base, line).steps)


def _under_any_key(state: State, value: Val) -> Val:
    """Nobody knows the key: what stands there is what stands under most of them, and that may be the server's own."""
    taints = {
        origin: done for origin, done in value.taints.items() if not state.index.is_of_server(f"{origin.label}['any']")
    }
    if len(taints) == len(value.taints):
        return value
    return msgspec.structs.replace(value, taints=taints) if taints else UNKNOWN


def _sliced(base: Val) -> Val:
    if base.is_const:
        return HARMLESS
    text = base.text if base.taints else base.text[-1:]
    return Val(taints=base.taints, text=text, steps=base.steps, opaque=base.opaque)


def container_value(state: State, expr: ir.Container, scope: TaintScope) -> Val:
    if ir.Spread not in [type(item) for _key, item in expr.items]:
        return _literal(state, expr, scope)
    value = Val(shape="dict" if expr.kind == "dict" else "list", text=CLEAN)
    for key, item in expr.items:
        if isinstance(item, ir.Spread):
            value = _spread_into(value, state.evaluate(item.value, scope))
        elif expr.kind == "dict":
            value = _method.write(value, _read_key(state, key, scope), state.evaluate(item, scope))
        else:
            value = _method.push(value, state.evaluate(item, scope))
    return value


def _literal(state: State, expr: ir.Container, scope: TaintScope) -> Val:
    """As if its items were written one after the other, without a copy for each of them."""
    is_dict = expr.kind == "dict"
    items: dict[Key, Val] = {}
    values: list[Val] = []
    rest: Val | None = None
    for position, (key_expr, item) in enumerate(expr.items):
        key = _read_key(state, key_expr, scope) if is_dict else position
        value = state.evaluate(item, scope)
        values.append(value)
        if key is None or (len(items) >= MOST_ITEMS and key not in items):
            rest = value if rest is None else either(rest, value)
        else:
            items[key] = value
    shape: Literal["dict", "list"] = "dict" if is_dict else "list"
    return Val(shape=shape, items=items, rest=rest, text=CLEAN, steps=merged_steps(*values))


def _spread_into(value: Val, inner: Val) -> Val:
    if value.shape != "dict":
        return _method.extend(value, inner)
    value = msgspec.structs.replace(value, items={**value.items, **inner.items})
    return _method.write(value, None, held(inner)) if inner.taints or not inner.shape else value


def _read_key(state: State, key: ir.Expr | None, scope: TaintScope) -> Key | None:
    return _method.key_of(state.evaluate(key, scope)) if key is not None else None


def spread_value(state: State, expr: ir.Spread, scope: TaintScope) -> Val:
    inner = state.evaluate(expr.value, scope)
    return _method.everything(inner) or held(inner)


def element_of(container: Val) -> Val:
    """What one turn of a loop over it gives."""
    if container.shape in {"list", "dict"} and not container.taints:
        if container.shape == "dict":
            return HARMLESS if container.rest is None else UNKNOWN
        return _method.everything(container) or UNKNOWN
    if container.is_const:
        return HARMLESS
    whole = held(container)
    return _method.stripped(whole) if whole.taints else UNKNOWN


def bind(target: ir.Expr, value: Val, scope: TaintScope) -> None:
    """Names of a loop or a comprehension."""
    if isinstance(target, ir.Name):
        scope.names[target.id] = value
    elif isinstance(target, ir.Container):
        fallback = _method.stripped(held(value)) if held(value).taints else UNKNOWN
        for position, (_key_expr, item) in enumerate(target.items):
            part = _method.read(value, position) if value.shape == "list" else None
            bind(item.value if isinstance(item, ir.Spread) else item, part or fallback, scope)
