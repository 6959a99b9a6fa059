"""Whether a foreign value is looked at, or something is taken out of it, anywhere before it is used.

What a test shows is told by `guard` and `asked`, on the way on which it holds. A refusal needs more: nobody has looked
at the value at all, in whatever form, be it the same field that is read anew or a list of errors that is asked later.
As this is asked only where a refusal is near, it may walk through whole functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.asked import is_counted, is_measured, may_ask, may_compare, may_refuse, own_function
from leeboard.security.taint.index import REPLACES
from leeboard.security.taint.reason import DOUBTS
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.state import Asked, State
from leeboard.security.taint.table import Kind
from leeboard.security.taint.values import TaintOrigin, Val

_SAYS_NOTHING = lazy("(?i)_*(?:" + "|".join(DOUBTS.tells_nothing) + r")[?!]?\Z")
_FINDS_FILE = lazy(f"(?i)_*(?:{DOUBTS.finds_file})[?!]?\\Z")
_SAYS_LITTLE = lazy("(?i)_*(?:" + "|".join(DOUBTS.tells_little) + r")[?!]?\Z")
_KEY = lazy(r"\[['\"]?([^\[\]'\"]+)['\"]?\]$")
_PARAMETER = lazy(r"parameter '([\w.]+)'")
_WITHIN = frozenset({"in", "not in"})
_EQUAL = frozenset({"==", "===", "!=", "!==", "is", "is not", "<>"})
_MARKS = lazy(r"[^\w\s]")
_GETTER = lazy(r"get([A-Z]\w*)$")
_WORD = lazy(r"\w+")
_SUPERGLOBALS = frozenset({"_GET", "_POST", "_REQUEST", "_COOKIE"})
"""One form under several names."""
_WHOLE = frozenset({"get", "keys", "values", "items"})
_TRIMS = frozenset({"trim", "ltrim", "rtrim", "Trim", "TrimLeft", "TrimPrefix", "TrimStart"})
"""Given the text first, and what is taken off its ends behind it."""
_TAKES_OFF = (
    REPLACES | _TRIMS | {"str_ireplace", "strip", "lstrip", "rstrip", "removesuffix", "delete", "delete_prefix"}
)
_OUTCOMES = frozenset({"err", "error", "ok", "_", "self"})
"""Names that go along with a value and tell whether there is one."""


class _Spoken:
    """How a function speaks of the value: by the names it was given, or as the field of a request that it is."""

    def __init__(self, value: Val, origin: TaintOrigin, block: ir.Block, line: int) -> None:
        whole, key = _taken_apart(origin)
        self._words = frozenset(_WORD.findall(whole))
        self._key = key
        parameter = _PARAMETER.match(origin.label)
        self._whole = {parameter[1].partition(".")[0]} if parameter is not None else set[str]()
        """Names of what the field is one of."""
        self._names: set[str] = set()
        for named, made in reversed([*_given(value, block, line)]):
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


def _given(value: Val, block: ir.Block, line: int) -> Iterator[tuple[set[str], ir.Expr]]:
    """Names that it gets on its way, as far as what stands on the line leads back to them; all of them where that line
    is in another function.
    """
    nodes = list(ir.inside(block))
    used = {node.id for node in nodes if isinstance(node, ir.Name) and node.line == line}
    elsewhere = not any(node.line == line for node in nodes)
    for node in reversed(nodes):
        if isinstance(node, ir.Assign) and node.line in value.steps:
            named = {part.id for part in ir.inside(node.targets) if isinstance(part, ir.Name)} - _OUTCOMES
            named = named if elsewhere else named & used
            if named:
                used |= ir.names_in(node.value)
                yield named, node.value


def _taken_apart(origin: TaintOrigin) -> tuple[str, str]:
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


def is_looked_at(state: State, kind: Kind, value: Val, origin: TaintOrigin, line: int) -> bool:
    """Whether a test in front of the line asks for more than whether it is there, of which type and how long."""
    for block in _blocks(state, value):
        spoken = _Spoken(value, origin, block, line)
        for asked in _tests(state, block):
            hangs = asked.hangs or asked.first <= line <= asked.last
            if asked.node.line <= line and _weighs(state, asked.node, spoken, kind, hangs=hangs):
                return True
    return False


def is_taken_apart(state: State, value: Val, origin: TaintOrigin, line: int) -> bool:
    """Whether marks are replaced in it on one of the lines on its way."""
    for block in _blocks(state, value):
        spoken = _Spoken(value, origin, block, line)
        for node in ir.inside(block):
            if isinstance(node, ir.Call) and node.line in value.steps and _replaces_in(node, spoken):
                return True
    return False


def _blocks(state: State, value: Val) -> Iterator[ir.Block]:
    """The functions that led here, and those it went through; outside of all, the statements of the file."""
    if not state.active:
        yield state.module.body
    active = {id(function) for function in state.active}
    for function in tuple(state.lowered):
        passed = any(function.line <= line <= function.end for line in value.steps)
        if passed or id(function) in active:
            yield state.body(function)


def _tests(state: State, block: ir.Block) -> tuple[Asked, ...]:
    """Found once for each block."""
    known = state.asked.get(id(block))
    if known is None:
        known = state.asked[id(block)] = tuple(
            Asked(part, *_hanging(node))
            for node in ir.inside(block)
            for test in _asked_by(node)
            for part in ir.inside(test)
            if isinstance(part, ir.Call | ir.Compare)
        )
    return known


def _hanging(node: ir.Node) -> tuple[bool, int, int]:
    if not isinstance(node, ir.If):
        return True, 0, 0
    inner = list(ir.inside((node.body, node.orelse)))
    lines = [part.line for part in inner]
    hangs = any(isinstance(part, ir.Return | ir.Exit | ir.Assign) for part in inner)
    return hangs, min(lines, default=0), max(lines, default=0)


def _asked_by(node: ir.Node) -> Iterator[ir.Expr]:
    if isinstance(node, ir.If | ir.Ternary | ir.Loop):
        is_counter = isinstance(node, ir.Loop) and isinstance(node.test, ir.Compare)
        yield from (node.test,) if node.test is not None and not is_counter else ()
    elif isinstance(node, ir.ExprStmt) and isinstance(node.value, ir.Bool):
        yield node.value
    elif isinstance(node, ir.Comprehension):
        yield from node.tests
    elif (isinstance(node, ir.Assign) and _is_kept(node.value)) or _may_raise(node):
        yield node.value


def _may_raise(node: ir.Node) -> TypeGuard[ir.ExprStmt]:
    return isinstance(node, ir.ExprStmt) and isinstance(node.value, ir.Call) and may_refuse(_name(node.value))


def _is_kept(value: ir.Expr) -> bool:
    """The outcome of a test under a name: `ok = pattern.match(name)`."""
    if isinstance(value, ir.Not | ir.Compare):
        return True
    return isinstance(value, ir.Call) and (may_ask(_name(value)) or _SAYS_LITTLE.match(_name(value)) is not None)


def _weighs(state: State, node: ir.Node, spoken: _Spoken, kind: Kind, *, hangs: bool) -> bool:
    if isinstance(node, ir.Call):
        return not _says_nothing(state, node, kind) and _is_weighed_by(state, node, spoken, kind)
    if not isinstance(node, ir.Compare) or (node.op in _EQUAL and not hangs):
        return False
    if node.op in _WITHIN and spoken.is_form(node.right):
        return False  # whether a field is there
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if spoken.is_in(one) and not is_measured(one) and not (node.op in _EQUAL and _is_told(other)):
            return True
    return False


def _is_weighed_by(state: State, call: ir.Call, spoken: _Spoken, kind: Kind) -> bool:
    if isinstance(call.callee, ir.Attr) and spoken.is_in(call.callee):
        return True
    path, given = ir.dotted(call.callee), (*call.args, *(value for _name, value in call.keywords))
    says_so = (may_refuse(_name(call)) or may_ask(_name(call))) and _asks_anything(state, path, kind)
    return any(
        spoken.is_in(arg) and (says_so or may_compare(state, path, position)) for position, arg in enumerate(given)
    )


def _asks_anything(state: State, path: str, kind: Kind) -> bool:
    """Whether a function that calls itself a check may be one: what it is given goes on into a call or a loop."""
    function = own_function(state, path)
    if function is None:
        return True
    given = {param.name for param in function.params}
    return any(
        any(isinstance(part, ir.Name) and part.id in given for part in ir.inside(node))
        and not (isinstance(node, ir.Call) and _says_nothing(state, node, kind))
        for node in ir.inside(state.body(function))
        if isinstance(node, ir.Call | ir.Loop)
    )


def _is_told(other: ir.Expr) -> bool:
    """A constant: which way is taken, and no check of what goes on the other way."""
    return isinstance(other, ir.Const) or ir.dotted(other) in _NOTHING


_NOTHING = frozenset({"null", "nil", "None", "undefined", "NULL", "nullptr", "true", "false"})


def _says_nothing(state: State, call: ir.Call, kind: Kind) -> bool:
    name, path = _name(call), ir.dotted(call.callee)
    acts = any(sink.kind != "regex" for sink in state.index.sinks(path))
    if not name or acts or is_counted(name) or _SAYS_NOTHING.match(name):
        return True
    return kind in PATHS and _FINDS_FILE.match(name) is not None


def _name(call: ir.Call) -> str:
    return ir.dotted(call.callee).rpartition(".")[2]


def _replaces_in(call: ir.Call, spoken: _Spoken) -> bool:
    name = _name(call)
    if name.startswith("without_"):
        return spoken.is_in(call.args)
    if isinstance(call.callee, ir.Attr) and name in _TAKES_OFF and spoken.is_in(call.callee.value):
        return bool(call.args) and _has_marks(call.args[0])
    position = 1 if name in _TRIMS else 2
    if name not in _TAKES_OFF or len(call.args) <= position or not spoken.is_in(call.args[0 if position == 1 else 2]):
        return False
    return _has_marks(call.args[1 if position == 1 else 0])


def _has_marks(removed: ir.Expr | None) -> bool:
    """Words and blanks are replaced for their looks; any other sign, or a pattern nobody knows, for what it does."""
    text = removed.value if isinstance(removed, ir.Const) else "?"
    return isinstance(text, str) and _MARKS.search(text) is not None
