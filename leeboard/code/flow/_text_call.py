"""Results of calls that make texts of texts, or numbers of anything."""

from __future__ import annotations

import msgspec

from leeboard.code.flow import _method
from leeboard.code.flow._removed import without_pattern, without_text
from leeboard.code.flow._sink import Use
from leeboard.code.flow.state import State
from leeboard.code.flow.value import (
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

_REPLACES = {"sub", "replace", "replaceAll", "gsub", "preg_replace", "str_replace", "removeprefix"}


def text_result(state: State, name: str, receiver: Val, use: Use) -> Val | None:
    """None where the tables do not know the call."""
    subject, others = _subject(receiver, use)
    model = state.index.tables.model
    if name in _REPLACES:
        return _replaced(name, receiver, use)
    if name in model.mapped:
        mapped = _mapped(state, use)
        if mapped is not None:
            return mapped
    if name in model.join:
        return _joined(name, subject, others, use)
    if name in model.copy:
        return subject
    if name in model.same and (use.args or use.receiver is not None):
        return _method.same(name, subject, others if name not in {"decode", "encode"} else ())
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
        return Val(path="open()")
    return msgspec.structs.replace(HARMLESS, path=f"{use.path}()"[:120])


def _joined(name: str, subject: Val, others: tuple[Val, ...], use: Use) -> Val:
    if name == "join" and len(others) == 1:
        if subject.is_const or (subject.shape == "" and others[0].shape == "list"):
            return _method.joined_by(subject, others[0])
        return _method.joined_by(others[0], subject)
    if name in {"concat", "join"}:
        return joined([subject, *others])
    return _method.formatted(subject, [*others, *use.keywords.values()])


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
    value = msgspec.structs.replace(_method.stripped(held(subject)), taints=merged_taints(held(subject), held(put)))
    if subject.is_const and is_settled(put):
        return HARMLESS
    return cleaned(value, kinds) if kinds else value if value.taints else passed([subject, put])
