"""What a block says: the names in it, its calls, and the functions that are defined in it. Gathered in one walk."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from leeboard.security.taint import ir
from leeboard.security.taint.table_file import last_name

_Parts = tuple[object, ...]


class Mentioned:
    """Of what stands behind a dot the last name counts."""

    __slots__ = ("assigned", "calls", "fields", "functions", "keys", "names", "read", "stored")

    def __init__(self, part: object) -> None:
        self.names: set[str] = set()
        """All of them."""
        self.read: set[str] = set()
        """Those that are read and not called here: what they stand for may be called elsewhere."""
        self.fields: set[str] = set()
        """The same of something else."""
        self.stored: set[str] = set()
        """Those that are set, as names of their own."""
        self.keys: set[str] = set()
        """Constants under which something is looked up."""
        self.calls: list[ir.Call] = []
        self.assigned: list[tuple[ir.Attr, ir.Expr]] = []
        """Fields that are set, and what to."""
        self.functions: list[ir.Function] = []
        self._walk(part)
        self.names |= self.read
        self.names |= self.fields
        self.names.update([last_name(name) for name in self.names if "." in name])

    def _walk(self, part: object) -> None:
        waiting: list[Any] = [part]
        while waiting:
            one = waiting.pop()
            kind = type(one)
            if kind is tuple:
                waiting += one
            elif kind is ir.Name:
                self.read.add(one.id)
            elif kind is ir.Attr:
                self.fields.add(one.name)
                waiting.append(one.value)
            elif kind in _PARTS:
                waiting += _PARTS[kind](one)
            elif kind in _TAKEN:
                waiting += _TAKEN[kind](self, one)

    def call(self, call: ir.Call) -> _Parts:
        """Its callee is no value that is read."""
        self.calls.append(call)
        callee = call.callee
        if type(callee) is ir.Attr:
            self.names.add(callee.name)
            return callee.value, call.args, call.keywords
        if type(callee) is ir.Name:
            self.names.add(callee.id)
            return call.args, call.keywords
        return callee, call.args, call.keywords

    def assign(self, stmt: ir.Assign) -> _Parts:
        self._store(stmt.targets)
        self.assigned += [(target, stmt.value) for target in stmt.targets if type(target) is ir.Attr]
        return stmt.targets, stmt.value

    def walrus(self, expr: ir.Walrus) -> _Parts:
        self._store(expr.target)
        return (expr.value,)

    def loop(self, stmt: ir.Loop) -> _Parts:
        self._store(stmt.target)
        return stmt.target, stmt.iterable, stmt.test, stmt.body, stmt.orelse

    def comprehension(self, expr: ir.Comprehension) -> _Parts:
        self._store(tuple(target for target, _iterable in expr.clauses))
        return expr.clauses, expr.tests, expr.value, expr.key

    def index(self, expr: ir.Index) -> _Parts:
        if type(expr.key) is ir.Const and isinstance(expr.key.value, str):
            self.keys.add(expr.key.value)
        return expr.value, expr.key

    def function(self, defined: ir.Define | ir.Lambda) -> _Parts:
        self.functions.append(defined.function)
        return ()

    def type(self, stmt: ir.DefineClass) -> _Parts:
        self.functions += stmt.type.methods
        return stmt.type.fields

    def bind(self, stmt: ir.Bind) -> _Parts:
        """What is imported inside of a block may be read under another name."""
        self.fields.add(last_name(stmt.path))
        return ()

    def _store(self, target: object) -> None:
        if isinstance(target, ir.Name):
            self.stored.add(target.id)
        elif isinstance(target, tuple):
            for one in target:
                self._store(one)
        elif isinstance(target, ir.Container):
            self._store(tuple(item for _key, item in target.items))
        elif isinstance(target, ir.Spread):
            self._store(target.value)


def _parts_of(fields: str) -> Callable[[Any], _Parts]:
    get = attrgetter(*fields.split())
    return get if " " in fields else lambda one: (get(one),)


_PARTS: dict[type, Callable[[Any], _Parts]] = {
    kind: _parts_of(fields)
    for kind, fields in {
        ir.Join: "parts",
        ir.Container: "items",
        ir.Spread: "value",
        ir.Binary: "left right",
        ir.Compare: "left right",
        ir.Bool: "parts",
        ir.Not: "value",
        ir.Unary: "value",
        ir.Ternary: "test yes no",
        ir.Unknown: "children",
        ir.ExprStmt: "value",
        ir.If: "test body orelse",
        ir.Try: "body handlers orelse final",
        ir.Case: "values guard body",
        ir.Switch: "subject cases",
        ir.Return: "value",
        ir.Exit: "value",
    }.items()
}
"""The parts of nodes that say nothing themselves."""

_TAKEN: dict[type, Callable[[Mentioned, Any], _Parts]] = {
    ir.Call: Mentioned.call,
    ir.Assign: Mentioned.assign,
    ir.Walrus: Mentioned.walrus,
    ir.Loop: Mentioned.loop,
    ir.Comprehension: Mentioned.comprehension,
    ir.Index: Mentioned.index,
    ir.Define: Mentioned.function,
    ir.Lambda: Mentioned.function,
    ir.DefineClass: Mentioned.type,
    ir.Bind: Mentioned.bind,
}
