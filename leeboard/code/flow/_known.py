"""Results of calls whose effect the tables name: containers, texts, copies."""

from __future__ import annotations

import msgspec

from leeboard.code.flow import _method, ir
from leeboard.code.flow._assign import assign
from leeboard.code.flow._read import child_of
from leeboard.code.flow._sink import Use
from leeboard.code.flow._text_call import text_result
from leeboard.code.flow.state import Scope, State
from leeboard.code.flow.value import (
    HARMLESS,
    UNKNOWN,
    Val,
    constant,
    held,
    joined,
)

_PATH_JOINS = {
    "os.path.join",
    "posixpath.join",
    "ntpath.join",
    "path.join",
    "path.resolve",
    "filepath.Join",
    "File.join",
}

_WRITES = {"write", "writelines"}
_ABSORBS = {"extend", "update", "addAll", "putAll", "concat"}


def known_result(state: State, scope: Scope, expr: ir.Call, use: Use) -> Val | None:
    """None where the tables do not know the call."""
    model = state.index.tables.model
    name = use.path.rpartition(".")[2]
    receiver = use.receiver if use.receiver is not None else UNKNOWN
    if use.path in _PATH_JOINS:
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
        return HARMLESS if cast is not None and cast.kinds is None else _read(receiver, use)
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
        keys = [_method.key_of(value) for value in given[:-1]]
        key = None if None in keys else keys[0] if len(keys) == 1 else tuple(keys)
        return HARMLESS, _method.write(receiver, key, given[-1])
    if receiver.shape not in {"list", "dict"}:
        return None
    if name in model.take:
        return _method.take(receiver, _method.key_of(given[0]) if given else (0 if name == "shift" else -1))
    return HARMLESS, _method.drop(receiver, given[0] if given else None)


def _pushed(name: str, receiver: Val, use: Use) -> Val | None:
    if name in _WRITES and "IO()" not in receiver.path:
        return None  # a file or a response, not a buffer that is read again
    if name in _ABSORBS:
        return _absorbed(receiver, use)
    if name == "insert" and len(use.args) == 2:
        return _inserted(receiver, use.args)
    return _method.push(receiver, use.args[-1])


def _absorbed(receiver: Val, use: Use) -> Val:
    for value in use.args:
        if value.shape == "dict":
            receiver = msgspec.structs.replace(receiver, items={**receiver.items, **value.items}, shape="dict")
            receiver = _method.write(receiver, None, value.rest) if value.rest is not None else receiver
        else:
            receiver = _method.extend(receiver, value)
    return msgspec.structs.replace(receiver, items={**receiver.items, **use.keywords}) if use.keywords else receiver


def _inserted(receiver: Val, given: tuple[Val, ...]) -> Val:
    at = given[0].const
    if receiver.shape != "list" or receiver.rest is not None or not isinstance(at, int):
        return _method.push(receiver, given[1])
    order = list(receiver.items.values())
    order.insert(at, given[1])
    return msgspec.structs.replace(receiver, items=dict(enumerate(order)))


def _read(receiver: Val, use: Use) -> Val:
    keys = [_method.key_of(value) for value in use.args]
    for key in ((tuple(keys),) if len(keys) > 1 else ()) + tuple(keys[:1]):
        if key is not None and key in receiver.items:
            return receiver.items[key]
    if len(keys) == 2 and keys[0] in receiver.items and receiver.items[keys[0]].shape:
        return _method.read(receiver.items[keys[0]], keys[1]) or UNKNOWN
    if receiver.taints:
        return child_of(receiver, keys[0] if keys else None, use.line)
    if receiver.shape in {"list", "dict"}:
        default = use.args[1] if len(use.args) > 1 else None
        known = receiver.rest if keys and keys[0] is not None else _method.everything(receiver)
        return known or default or HARMLESS
    return Val(path=f"{use.path}()"[:120], args=use.args[:4], keywords=use.keywords)


def _values(name: str, receiver: Val) -> Val:
    inside = _method.everything(receiver)
    if receiver.taints or inside is None:
        return _method.stripped(held(receiver)) if receiver.taints else UNKNOWN
    if name in {"items", "entries", "entrySet"}:
        inside = Val(shape="list", items={0: HARMLESS, 1: inside}, text="\x02")
    if name in {"keys", "keySet"}:
        inside = HARMLESS
    if name in {"getvalue", "toString"}:
        return joined([inside])
    return Val(shape="list", rest=inside, text="\x02")
