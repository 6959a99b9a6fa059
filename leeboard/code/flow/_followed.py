"""Calls of the file's own functions that were followed before, with the same values: they show nothing new."""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from leeboard.code.flow import ir
from leeboard.code.flow._sink import Use
from leeboard.code.flow.state import Followed, Scope, State
from leeboard.code.flow.value import Closure, Key, Val, held, merged_steps

_NO_KEY = object()


def call_key(state: State, caller: Scope, closure: Closure, use: Use) -> Hashable | None:
    """What a call depends on; None where that is too much to tell, such as the content of a container it is given."""
    receiver = closure.scope
    if receiver is not None and not isinstance(receiver, Val):
        return None  # it reads the names around it, and they change
    given = [_signature(value) for value in (*use.args, *use.keywords.values())]
    if _NO_KEY in given:
        return None
    mentioned = state.mentions.of(closure.function)
    own = _own_signature(receiver, mentioned.names) if receiver is not None else ()
    depth = caller.depth if mentioned.calls_own else 0
    return id(closure.function), depth, frozenset(caller.facts.items()), *given, *use.keywords, own


def _signature(value: Val) -> object:
    if value.is_const:
        return type(value.const), value.const
    if value.shape or value.call is not None or value.type is not None or value.args or value.keywords:
        return _NO_KEY
    return value.text, value.path, value.opaque, value.steps, frozenset(value.taints.items())


def _own_signature(receiver: Val, names: frozenset[str] | None) -> object:
    """Of the fields of its object that matter: which are foreign, and for what; of the others their constants."""
    fields = [(key, _field(value)) for key, value in receiver.items.items() if names is None or key in names]
    return id(receiver.type), receiver.path, frozenset(fields)


def _field(value: Val) -> object:
    if value.is_const:
        return type(value.const), value.const
    taints = value.taints if not value.shape else held(value).taints
    origins = frozenset([(origin.label, done) for origin, done in taints.items()]) if taints else None
    return value.shape, value.path, value.opaque, id(value.type), id(value.call and value.call.function), origins


def recall(state: State, caller: Scope, closure: Closure, key: Hashable) -> tuple[Val, Scope] | None:
    """The outcome of the call when it was followed before."""
    known = state.followed.get(key)
    if known is None or (known.entry and known.entry != _entry(state)):
        return None
    if not known.invoked.isdisjoint([id(function) for function in state.active]):
        return None
    state.invoked |= known.invoked
    caller.facts = known.facts
    inner = Scope(closure.function.name, caller, caller.depth + 1)
    if isinstance(closure.scope, Val):
        inner.names["self"] = _changed(closure.scope, known.changes)
    return known.result, inner


def _changed(receiver: Val, changes: dict[Key, Val]) -> Val:
    if not changes:
        return receiver
    steps = merged_steps(receiver, *changes.values())
    return msgspec.structs.replace(receiver, items={**receiver.items, **changes}, steps=steps)


def _entry(state: State) -> int:
    return id(state.active[0]) if state.active else 0


def keep(state: State, caller: Scope, key: Hashable, result: Val, own: tuple[Val, Val] | None) -> None:
    """Remember the outcome. `own`: the object it was called on, before and after."""
    if not state.invoked.isdisjoint([id(function) for function in state.active]):
        return  # a call that goes round was left out
    changes: dict[Key, Val] = {}
    if own is not None:
        before, after = own
        if after.rest is not before.rest or after.type is not before.type or after.taints != before.taints:
            return
        changes = {name: value for name, value in after.items.items() if value is not before.items.get(name)}
    told = bool(result.taints) or any(held(value).taints for value in (result, *changes.values()))
    state.followed[key] = Followed(
        result=result,
        facts=caller.facts,
        changes=changes,
        invoked=frozenset(state.invoked),
        # What is foreign names the line it came in at, and that is another one in every function.
        entry=_entry(state) if told else 0,
    )


def is_recursive(state: State, function: ir.Function) -> bool:
    """Whether it is being followed already. Asking is remembered: the answer is part of why a call went as it did."""
    state.invoked.add(id(function))
    return function in state.active
