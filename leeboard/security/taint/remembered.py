"""Calls of the file's own functions that were followed before: what they gave then, they give again.

A call is told by two keys. The exact one holds all that the way through a function may depend on: of a second call with
the same one nothing new can come. The other holds what is foreign in what the function is given, and for what it was
made harmless. A function is followed for every other constant until it was followed often; from then on only another
foreign value is worth another look.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

import msgspec

from leeboard.security.taint import ir
from leeboard.security.taint.assign import find_method
from leeboard.security.taint.state import Facts, Followed, State, TaintScope, added
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import NONE, Closure, Key, Taints, Val, held, merged_steps

OFTEN = 4
_NO_KEY: Final = object()
_CONTAINERS = frozenset({"list", "dict", "object"})

_Lines = dict[int, int]
"""The lines at which foreign values came in, where a call was followed and where it is met again."""


class OwnCall:
    """A call of a function of the file, where all that it depends on can be told."""

    __slots__ = ("_exact", "_foreign", "_state", "depth", "facts", "fields", "function", "given", "named", "receiver")

    def __init__(self, state: State, caller: TaintScope, function: ir.Function, receiver: Val | None, use: Use) -> None:
        names = state.mentions.of(function) if receiver is not None else None
        held_by_it = receiver.items.items() if receiver is not None else ()
        self.function = function
        self.receiver = receiver
        self.fields = [item for item in held_by_it if names is None or item[0] in names]
        """Those of its object that matter."""
        self.given = (*use.args, *use.keywords.values()) if use.keywords else use.args
        self.named = tuple(use.keywords)
        self.depth = 0
        """How deep it lies, where that may cut off what the function calls."""
        self.facts = caller.facts
        self._state = state
        self._exact: Hashable = None
        self._foreign: Hashable = None

    @property
    def exact(self) -> Hashable:
        """The key of all that it depends on."""
        if self._exact is None:
            self._exact = _exact_key(self._state, self)
        return self._exact

    @property
    def foreign(self) -> Hashable:
        """The key of what is foreign in it."""
        if self._foreign is None:
            self._foreign = _foreign_key(self._state, self)
        return self._foreign


def own_call(state: State, caller: TaintScope, closure: Closure, use: Use, deepest: int) -> OwnCall | None:
    """None where the function reads the names around it, and they change."""
    receiver = closure.scope
    if receiver is not None and not isinstance(receiver, Val):
        return None
    call = OwnCall(state, caller, closure.function, receiver, use)
    if caller.depth and caller.depth + state.mentions.height_of(closure.function) >= deepest:
        call.depth = caller.depth
    return call


def recall(state: State, caller: TaintScope, call: OwnCall) -> tuple[Val, TaintScope] | None:
    """The outcome of the call when it was followed before."""
    function = call.function
    known = state.memory.followed.get(call.exact)
    if known is None and state.memory.times.get(id(function), 0) >= OFTEN:
        known = state.memory.followed.get(call.foreign)
        known = known if known is not None and known.depth <= call.depth else None
    if known is None or not known.invoked.isdisjoint([id(one) for one in state.active]):
        return None
    lines = _lines_since(state, known, call)
    if lines is None:
        return None
    state.invoked |= known.invoked
    caller.facts = added(caller.facts, known.shown)
    inner = TaintScope(function.name, caller, caller.depth + 1)
    if call.receiver is not None:
        inner.names["self"] = _changed(call.receiver, known.changes, lines)
    return _moved(known.result, lines), inner


def keep(state: State, call: OwnCall, result: Val, after: Facts, receiver: Val | None) -> None:
    """Remember the outcome, with the object it was called on as it was left."""
    function = id(call.function)
    state.memory.times[function] = state.memory.times.get(function, 0) + 1
    if not state.invoked.isdisjoint([id(active) for active in state.active]):
        return  # a call that goes round was left out
    changes = _changes(call.receiver, receiver)
    if changes is None:
        return
    told = bool(result.taints) or any(held(value).taints for value in (result, *changes.values()))
    known = Followed(
        result=result,
        shown={label: kinds for label, kinds in after.items() if call.facts.get(label, NONE) != kinds},
        changes=changes,
        depth=call.depth,
        invoked=frozenset(state.invoked),
        entry=_entry(state) if told else 0,
        places=_places(call) if told else {},
    )
    followed = state.memory.followed
    followed[call.exact] = known
    if call.foreign not in followed or known.depth <= followed[call.foreign].depth:
        followed[call.foreign] = known
    followed.pop(_NO_KEY, None)


def _changes(before: Val | None, after: Val | None) -> dict[Key, Val] | None:
    """Fields that were set; None where more was done to the object."""
    if before is None or after is None:
        return {}
    if after.rest is not before.rest or after.type is not before.type or after.taints != before.taints:
        return None
    return {name: value for name, value in after.items.items() if value is not before.items.get(name)}


def _changed(receiver: Val, changes: dict[Key, Val], lines: _Lines) -> Val:
    if not changes:
        return receiver
    moved = {key: _moved(value, lines) for key, value in changes.items()}
    steps = merged_steps(receiver, *moved.values())
    return msgspec.structs.replace(receiver, items={**receiver.items, **moved}, steps=steps)


# What a call depends on.


def _exact_key(state: State, call: OwnCall) -> Hashable:
    given = [_signature(value) for value in call.given]
    if _NO_KEY in given:
        return _NO_KEY
    own: Hashable = ()
    if call.receiver is not None:
        fields = frozenset([(key, _field(state, value)[0]) for key, value in call.fields])
        own = id(call.receiver.type), call.receiver.path, fields
    return id(call.function), call.depth, frozenset(call.facts.items()), *given, *call.named, own


def _signature(value: Val) -> object:
    if value.is_const:
        return type(value.const), value.const
    if value.shape or value.call is not None or value.type is not None or value.args or value.keywords:
        return _NO_KEY
    return value.text, value.path, value.opaque, value.steps, frozenset(value.taints.items())


def _field(state: State, value: Val) -> tuple[int, int]:
    """Numbers for all that counts of a field, and for what is foreign in it: 0 where nothing is. Made once for each
    value, since an object carries most of its fields through many calls.
    """
    memory = state.memory
    known = memory.signatures.get(id(value))
    if known is None:
        foreign = _foreign_in(value)
        number = memory.number(foreign) if foreign is not None else 0
        known = memory.signatures[id(value)] = (value, (memory.number(_field_signature(value)), number))
    return known[1]


def _field_signature(value: Val) -> object:
    if value.is_const:
        return type(value.const), value.const
    return value.shape, value.path, value.opaque, id(value.type), id(value.call and value.call.function), _named(value)


def _named(value: Val) -> frozenset[tuple[str, object]] | None:
    """What of it is foreign, by name."""
    taints: Taints = held(value).taints if value.shape else value.taints
    return frozenset([(origin.place, done) for origin, done in taints.items()]) if taints else None


def _foreign_key(state: State, call: OwnCall) -> Hashable:
    """Beside a foreign argument a constant counts: it may say what is done with it."""
    given: list[Hashable] = []
    for value in call.given:
        if value.shape in _CONTAINERS or value.call is not None:
            return _NO_KEY  # it may be filled or called
        given.append(_foreign_in(value))
    if any(given):
        given += [(type(value.const), value.const) for value in call.given if value.is_const]
    fields = [(key, number) for key, value in call.fields if (number := _field(state, value)[1])]
    return "foreign", id(call.function), *given, *call.named, _methods(state, call), frozenset(fields)


def _methods(state: State, call: OwnCall) -> Hashable:
    """Those of its object that may be called, which are others in another class."""
    kind = call.receiver.type if call.receiver is not None else None
    if kind is None:
        return None
    key = id(kind), id(call.function)
    if key not in state.memory.methods:
        names = state.mentions.of(call.function)
        known = names & state.mentions.functions.keys() if names is not None else None
        methods = [find_method(state, kind, name) for name in sorted(known)] if known is not None else [kind]
        state.memory.methods[key] = tuple(map(id, methods))
    return state.memory.methods[key]


def _foreign_in(value: Val) -> Hashable:
    named = _named(value)
    return (value.shape, value.opaque, named) if named else None


# The same in another function: a foreign value names the line at which it came in.


def _entry(state: State) -> int:
    return id(state.active[0]) if state.active else 0


def _places(call: OwnCall) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in (*call.given, *(value for _key, value in call.fields)):
        found.update({f"{origin.trust} {origin.place}": origin.line for origin in held(value).taints})
    return found


def _lines_since(state: State, known: Followed, call: OwnCall) -> _Lines | None:
    """None where they can not be told apart."""
    if not known.entry or known.entry == _entry(state):
        return {}
    lines: _Lines = {}
    for place, line in _places(call).items():
        before = known.places.get(place)
        if before is None or lines.setdefault(before, line) != line:
            return None
    return {before: line for before, line in lines.items() if before != line}


def _moved(value: Val, lines: _Lines) -> Val:
    """The value as it is where foreign ones came in at other lines."""
    if not lines:
        return value
    items = {key: _moved(item, lines) for key, item in value.items.items()} if value.items else value.items
    return msgspec.structs.replace(
        value,
        taints={
            msgspec.structs.replace(origin, line=lines.get(origin.line, origin.line)): done
            for origin, done in value.taints.items()
        },
        items=items,
        rest=_moved(value.rest, lines) if value.rest is not None else None,
        steps=_moved_steps(value.steps, lines),
    )


def _moved_steps(steps: Iterable[int], lines: _Lines) -> tuple[int, ...]:
    return tuple(lines.get(line, line) for line in steps)
