"""What comes of a call whose effect the tables name: containers, texts, copies."""

from __future__ import annotations

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir, method
from leeboard.security.taint.assign import DECODED, assign, child_of
from leeboard.security.taint.index import PATH_JOINS, REPLACES
from leeboard.security.taint.removed import without_pattern, without_text
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.use import Use, is_asked_of_own_file
from leeboard.security.taint.values import (
    CLEAN,
    HARMLESS,
    UNKNOWN,
    Val,
    cleaned,
    constant,
    held,
    is_settled,
    joined,
    merged_taints,
    passed,
)

_WRITES = {"write", "writelines"}
_OF_AN_OBJECT = frozenset({"Object.entries", "Object.values"})
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
        is_of_object = use.path in _OF_AN_OBJECT and len(use.args) == 1 and (use.args[0].taints or use.args[0].shape)
        return _values(name, use.args[0] if is_of_object else receiver)
    return None if is_asked_of_own_file(state, use) else text_result(state, name, receiver, use)


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
