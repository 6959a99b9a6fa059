"""By which names a function speaks of a foreign value: those it was given, or the field of a request that it is."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.values import TaintOrigin, Val

_KEY = lazy(r"\[['\"]?([^\[\]'\"]+)['\"]?\]$")
_PARAMETER = lazy(r"parameter '([\w.]+)'")
_GETTER = lazy(r"get([A-Z]\w*)$")
_WORD = lazy(r"\w+")
_SUPERGLOBALS = frozenset({"_GET", "_POST", "_REQUEST", "_COOKIE"})
"""One form under several names."""
_WHOLE = frozenset({"get", "keys", "values", "items"})
_OUTCOMES = frozenset({"err", "error", "ok", "_", "self"})
"""Names that go along with a value and tell whether there is one."""


class ValueNames:
    """How a function speaks of the value: by the names it was given, or as the field of a request that it is."""

    def __init__(self, value: Val, origin: TaintOrigin, nodes: ir.NodesByLine, line: int) -> None:
        whole, key = _form_and_field(origin)
        self._words = frozenset(_WORD.findall(whole))
        self._key = key
        parameter = _PARAMETER.match(origin.label)
        self._whole = {parameter[1].partition(".")[0]} if parameter is not None else set[str]()
        """Names of what the field is one of."""
        self._names: set[str] = set()
        for named, made in reversed([*_given(value, nodes, line)]):
            if not self._is_sister(made):
                (self._names if not key or self.is_in(made) or key in named else self._whole).update(named)

    def is_in(self, expr: object) -> bool:
        """Whether it is named anywhere in there; a sister that is read from the same request is another value."""
        if isinstance(expr, tuple):
            return any(self.is_in(one) for one in expr)
        if not isinstance(expr, ir.Node):
            return False
        if isinstance(expr, ir.Name):
            return expr.id in self._names or expr.id in self._whole
        read = _read(expr)
        if read is not None and self._key:
            base, key = read
            if key == self._key and self._is_whole(base):
                return True
            if isinstance(base, ir.Name) and base.id in self._whole and base.id not in self._names:
                return key in _WHOLE
        return any(self.is_in(getattr(expr, field)) for field in expr.__struct_fields__)

    def _is_sister(self, made: ir.Expr) -> bool:
        """Another field of what it was read of."""
        base, key = _read(made) or (made, self._key)
        return bool(self._key) and key != self._key and key not in self._words and self._is_whole(base)

    def is_form(self, expr: ir.Expr) -> bool:
        """Whether it is what the field was read of, and not the field."""
        if not self._key or (isinstance(expr, ir.Name) and expr.id in self._names):
            return False
        return isinstance(expr, ir.Name | ir.Attr) and self._is_whole(expr)

    def _is_whole(self, base: ir.Expr) -> bool:
        last = ir.dotted(base).removesuffix("()").rpartition(".")[2]
        return last in self._words or last in self._whole or last in _SUPERGLOBALS


def _given(value: Val, nodes: ir.NodesByLine, line: int) -> Iterator[tuple[set[str], ir.Expr]]:
    """Names that it gets on its way, as far as what stands on the line, or in a call that begins there, leads back to
    them; all of them where that line is in another function.
    """
    there = nodes.at(line)
    used = {name for node in there if isinstance(node, ir.Name | ir.Call) for name in ir.names_in(node)}
    for node in reversed(nodes.at(*value.steps)):
        if isinstance(node, ir.Assign):
            named = {part.id for part in ir.inside(node.targets) if isinstance(part, ir.Name)} - _OUTCOMES
            named = named & used if there else named
            if named:
                used |= ir.names_in(node.value)
                yield named, node.value


def _form_and_field(origin: TaintOrigin) -> tuple[str, str]:
    """What was sent, and the name of the field that was read of it."""
    key = _KEY.search(origin.label)
    if origin.field:
        return f"{origin.label} {origin.field.rpartition('.')[0]}", origin.field.rpartition(".")[2]
    return (origin.label[: key.start()], key[1]) if key is not None else (origin.label, "")


def _read(expr: ir.Node) -> tuple[ir.Expr, str] | None:
    """`args["name"]`, `query.name`, `args.get("name")`."""
    if isinstance(expr, ir.Attr):
        getter = _GETTER.match(expr.name)
        return expr.value, getter[1] if getter is not None else expr.name
    if isinstance(expr, ir.Index) and isinstance(expr.key, ir.Const):
        return expr.value, str(expr.key.value)
    if isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attr) and len(expr.args) > 0:
        first = expr.args[0]
        return (expr.callee.value, str(first.value)) if isinstance(first, ir.Const) else None
    return None
