"""Whether following a function could find anything, told from what it and the functions it calls say.

The gate reads the text alone and takes much for a sink. Here a function is lowered and looked at once, in no order:
which sinks its calls may be, as far as names, numbers of arguments and constants tell, what sort of value each of them
needs to do harm, and what sort may come up at all. A format that stands in the source needs nobody's values; a line of
a log is harmed by a request alone, and where no request is spoken of, nothing is found by following it.

Whatever is not known counts as possible: a sink that is read and not called is handed on to be called elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from leeboard.security.taint import ir
from leeboard.security.taint.entry import entry_values, handler_of, takes_request
from leeboard.security.taint.logged import names_secret
from leeboard.security.taint.mentioned import Mentioned
from leeboard.security.taint.possible_sink import is_constant, may_apply
from leeboard.security.taint.sink import is_spoken_of
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.sureness import RANK
from leeboard.security.taint.table import Sink, Trust
from leeboard.security.taint.table_file import last_name
from leeboard.security.taint.values import Val

_NOTHING, _ALWAYS, _FOREIGN, _SENT, _FAILURE = 0, 1, 2, 4, 8
"""What a sink needs to do harm: nobody's value, any foreign one, one that a stranger sent, what an error tells."""
_MAKERS = frozenset({"__init__", "constructor", "__construct", "initialize"})
_DEEPEST = 3

_Part = ir.Function | Mentioned


class _Told:
    """Of one function, or of what a class sets a field to."""

    __slots__ = ("called", "names", "needed", "there")

    def __init__(self, names: set[str], needed: int, there: int, called: tuple[_Part, ...]) -> None:
        self.names = names
        self.needed = needed
        """What its sinks need."""
        self.there = there
        """Which values may come up in it."""
        self.called = called
        """What may run when it does."""


class Reach:
    """Asked by function; each is looked at once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._index = state.index
        self._imports = state.module.imports
        self._registering = [re.compile(known.calls) for known in state.handlers if known.calls]
        self._told: dict[int, _Told] = {}
        self._around: dict[int, _Around] = {}

    def is_worth_it(self, function: ir.Function, scope: TaintScope) -> bool:
        """Whether a sink that it reaches may be given what harms, where these are its names to begin with."""
        if self._index.tables.by_name:
            return True  # it was chosen by the names of sinks: to look again costs more than it leaves out
        around = self._names_around(scope.parent)
        there = _ALWAYS
        for value in scope.names.values():
            there |= _brings(value)
        needed = _NOTHING
        seen = {id(function)}
        waiting: list[_Part] = [function]
        while waiting:
            told = self._of(waiting.pop())
            needed_around, there_around = around.said(told.names, self._of_names)
            needed |= told.needed | needed_around
            there |= told.there | there_around
            if needed & there:
                return True
            for each in (*told.called, *around.called(told.names)):
                if id(each) not in seen:
                    seen.add(id(each))
                    waiting.append(each)
        return False

    @cached_property
    def _fields(self) -> dict[str, list[Mentioned]]:
        """What the file's classes set their fields to, by the names of these: it is evaluated where one is read."""
        found: dict[str, list[Mentioned]] = {}
        for kind in self._state.classes.values():
            for said in map(Mentioned, kind.fields):
                for name in said.stored:
                    found.setdefault(name, []).append(said)
        return found

    def _names_around(self, scope: TaintScope | None) -> _Around:
        scope = scope or self._state.globals
        known = self._around.get(id(scope))
        return known if known is not None else self._around.setdefault(id(scope), _Around(scope))

    def _of(self, part: _Part) -> _Told:
        known = self._told.get(id(part))
        return known if known is not None else self._told.setdefault(id(part), self._look_at(part))

    def _look_at(self, part: _Part) -> _Told:
        if isinstance(part, Mentioned):
            said, own = part, part.stored
        else:
            defaults = tuple(param.default for param in part.params if param.default is not None)
            said = Mentioned((self._state.body(part), defaults))
            own = said.stored | {param.name for param in part.params}
        there = self._brought(said.names)
        for function in said.functions:
            there |= self._given(function)
        return _Told(said.names, self._needed(said, own), there, tuple(self._called(said)))

    def _called(self, said: Mentioned) -> Iterator[_Part]:
        yield from said.functions
        functions, classes = self._state.mentions.functions, self._state.classes
        for name in said.names & functions.keys():
            yield from functions[name]
        for name in said.names & self._fields.keys():
            yield from self._fields[name]
        for name in said.names & classes.keys():
            yield from _making(classes[name])

    # What the sinks need.

    def _needed(self, said: Mentioned, own: set[str]) -> int:
        if self._makes_handlers(said):
            return _ALWAYS
        needed = self._of_handed_on(said, own)
        logs = False
        for call in said.calls:
            sinks = self._sinks_of(call, own)
            for sink in sinks:
                if may_apply(sink, call):
                    needed |= self._of_sink(sink)
            logs = logs or any(sink.kind == "log" for sink in sinks)
        if logs and any(map(names_secret, said.names | said.keys)):
            return _ALWAYS
        for target, value in said.assigned:
            for sink in self._index.assigned_named(target.name):
                needed |= _NOTHING if is_constant(value) else self._of_sink(sink)
        return needed

    def _makes_handlers(self, said: Mentioned) -> bool:
        """Whether it gives a framework functions to call: what they return may be a page."""
        if any(handler_of(self._state, function, None) is not None for function in said.functions):
            return True
        if not self._registering:
            return False
        written = [self._state.dotted(call.callee) for call in said.calls if call.args]
        return any(known.search(name) for name in written for known in self._registering)

    def _of_handed_on(self, said: Mentioned, own: set[str]) -> int:
        read = {last_name(self._imports.get(name, name)) for name in said.read - own}
        return self._of_names(said.fields | read)

    def _of_names(self, names: set[str]) -> int:
        """Where any of these is called or set, whatever it is given."""
        needed = _NOTHING
        for name in names & self._index.dangerous_names:
            for sink in (*self._index.sinks_named(name), *self._index.assigned_named(f"{name}[]")):
                needed |= self._of_sink(sink)
        return needed

    def _sinks_of(self, call: ir.Call, own: set[str]) -> Sequence[Sink]:
        """Those that a call may be by its name. What a variable holds was read or handed on where it was set."""
        callee = call.callee
        if isinstance(callee, ir.Attr):
            return self._index.sinks_named(callee.name)
        if not isinstance(callee, ir.Name):
            return self._index.sinks_named(last_name(self._state.dotted(callee)))
        if callee.id in own:
            return ()
        return self._index.sinks_named(last_name(self._imports.get(callee.id, callee.id)))

    def _of_sink(self, sink: Sink) -> int:
        if not is_spoken_of(self._state, sink):
            return _NOTHING
        if sink.always or sink.bare:
            return _ALWAYS
        if sink.kind == "trace":
            return _FAILURE
        return _SENT if RANK[sink.least] >= RANK["handler"] else _FOREIGN

    # Which values there are.

    def _given(self, function: ir.Function) -> int:
        """To a function that is defined in another one, by whoever calls it from outside of the file."""
        there = _NOTHING
        trust: Trust = "handler" if takes_request(self._state, function) else "parameter"
        for value in entry_values(self._state, function, None, trust).values():
            there |= _brings(value)
        return there

    def _brought(self, names: set[str]) -> int:
        """By what names mean outside of the file."""
        there = _NOTHING
        imported = {last_name(self._imports[name]) for name in names & self._imports.keys()}
        for name in (names | imported) & self._index.foreign_names:
            there |= _FOREIGN | _SENT if name in self._index.request_names else _NOTHING
            for source in self._index.sources_named(name):
                there |= _of_trust(source.trust)
        return there


class _Around:
    """The names around a function. Each is looked at when somebody says it: most are tables that nobody asks here."""

    def __init__(self, scope: TaintScope) -> None:
        self._scopes: list[TaintScope] = []
        """Kept, so that none of another function gets the same id."""
        self._known: dict[str, tuple[int, int]] = {}
        outer: TaintScope | None = scope
        while outer is not None:
            self._scopes.append(outer)
            outer = outer.parent

    def said(self, names: set[str], needed_for: Callable[[set[str]], int]) -> tuple[int, int]:
        """What their values need where they are called or set, which is told by their paths, and what they bring."""
        needed = there = _NOTHING
        for scope in self._scopes:
            for name in names & scope.names.keys():
                known = self._known.get(name)
                if known is None:
                    value = scope.names[name]
                    known = self._known[name] = needed_for(_paths_in(value)), _brings(value)
                needed, there = needed | known[0], there | known[1]
        return needed, there

    def called(self, names: set[str]) -> Iterator[ir.Function]:
        for scope in self._scopes:
            for name in names & scope.names.keys():
                closure = scope.names[name].call
                if closure is not None:
                    yield closure.function


def _of_trust(trust: Trust) -> int:
    if trust == "failure":
        return _FAILURE
    return _FOREIGN | _SENT if RANK[trust] >= RANK["handler"] else _FOREIGN


def _brings(value: Val, depth: int = 0) -> int:
    """What of others is in a value."""
    there = _FOREIGN | _SENT if value.shape == "request" else _NOTHING
    for origin in value.taints:
        there |= _of_trust(origin.trust)
    if depth < _DEEPEST:
        for item in value.items.values():
            there |= _brings(item, depth + 1)
        if value.rest is not None:
            there |= _brings(value.rest, depth + 1)
    return there


def _paths_in(value: Val, depth: int = 0) -> set[str]:
    """The names of what it is, and of what stands in it."""
    names = {last_name(value.path)} if value.path else set[str]()
    if depth < _DEEPEST:
        for item in (*value.items.values(), *([value.rest] if value.rest is not None else [])):
            names |= _paths_in(item, depth + 1)
    return names


def _making(kind: ir.Class) -> Iterator[ir.Function]:
    """What makes an object of the class."""
    return (method for method in kind.methods if method.name in _MAKERS or method.name == kind.name)
