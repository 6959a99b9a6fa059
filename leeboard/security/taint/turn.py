"""Whether a second turn of a loop could find anything that the first did not."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.security.taint import ir
from leeboard.security.taint.state import Facts, State, TaintScope
from leeboard.security.taint.values import Val

_Seen = tuple[dict[str, Val], Facts, tuple[int, int, int]]


def seen_of(state: State, scope: TaintScope) -> _Seen:
    """What a turn of a loop begins with."""
    return scope.names.copy(), scope.facts, _elsewhere(state)


def _elsewhere(state: State) -> tuple[int, int, int]:
    """What it changes outside of its own names; a function made in it reads them as they are in the last turn."""
    return state.rebound, len(state.captured), len(state.nested)


def finds_the_same(state: State, stmt: ir.Loop, scope: TaintScope, before: _Seen) -> bool:
    """Whether the next turn begins as the one before it did, but for names that it sets before it reads them."""
    names, facts, elsewhere = before
    if elsewhere != _elsewhere(state) or scope.facts != facts:
        return False
    changed = {
        name for name, value in scope.names.items() if (known := names.get(name)) is not value and known != value
    }
    if not changed:
        return True
    if not changed.isdisjoint(names) or scope.tests or _is_read_elsewhere(state, scope):
        return False
    return changed <= _set_first(state, stmt)


def _is_read_elsewhere(state: State, scope: TaintScope) -> bool:
    """Whether functions may read these names: then they need not stand in the loop to be read there."""
    return scope is state.globals or any(one is scope or one.names is scope.names for one in state.captured)


def _set_first(state: State, stmt: ir.Loop) -> frozenset[str]:
    """Names that each turn sets before anything in it reads them."""
    key = id(stmt)
    if key not in state.set_first:
        state.set_first[key] = frozenset(_each_set_first(stmt))
    return state.set_first[key]


def _each_set_first(stmt: ir.Loop) -> Iterator[str]:
    read = _read((stmt.iterable, stmt.test))
    yield from _names(stmt.target) - read
    for part in stmt.body:
        if not isinstance(part, ir.Assign) or part.op:
            read |= _read(part)
            continue
        read |= _read((part.value, *(target for target in part.targets if not _names(target))))
        yield from {name for target in part.targets for name in _names(target)} - read


def _read(part: object) -> set[str]:
    """All names in it, however deep they stand."""
    names: set[str] = set()
    waiting = [part]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif isinstance(one, ir.Name):
            names.add(one.id)
        elif isinstance(one, ir.Node):
            waiting += [getattr(one, field) for field in one.__struct_fields__]
    return names


def _names(target: ir.Expr | None) -> set[str]:
    """Those that a target sets, where it sets nothing else."""
    if isinstance(target, ir.Name):
        return {target.id}
    if isinstance(target, ir.Container) and all(isinstance(item, ir.Name) for _key, item in target.items):
        return {item.id for _key, item in target.items if isinstance(item, ir.Name)}
    return set()
