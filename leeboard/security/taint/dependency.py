"""What a framework makes for a parameter by itself: a class or a function of this file, filled from the request.

`filters: Annotated[Filters, Depends()]` and `page = Depends(page)` are as foreign as what they are made of.
"""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.entry import entry_values
from leeboard.security.taint.invoke import instantiate, run
from leeboard.security.taint.schema import filled, is_schema
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.table import Handlers
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import CLEAN, HARMLESS, Key, TaintOrigin, Val, foreign

_NAMED = lazy(r"\b(?:Depends|Security|Provide)\(\s*([A-Za-z_]\w*)")
_TYPED = lazy(r"^(?:Annotated\[)?\s*([A-Za-z_]\w*)\s*(?:\]|,\s*(?:Depends|Security)\(\s*\)|$)")
_MADE = lazy(r"\b(?:Depends|Security|Provide)\b")


def dependencies(state: State, function: ir.Function, handlers: Handlers) -> dict[str, Val]:
    """Those of a handler that this file shows, by the names of its parameters."""
    found: dict[str, Val] = {}
    for param in function.params:
        name = _made_by(param)
        kind, made = state.classes.get(name), state.functions.get(name)
        if kind is not None:
            found[param.name] = _object(
                state, kind, handlers, TaintOrigin("handler", f"parameter '{param.name}'", function.line)
            )
        elif made is not None and made is not function:
            found[param.name] = _answer(state, made, handlers)
    return found


def _made_by(param: ir.Param) -> str:
    default = param.default if isinstance(param.default, ir.Call) else None
    if default is not None and _MADE.search(ir.dotted(default)):
        typed = _TYPED.match(param.annotation)
        return ir.dotted(default.args[0]) if default.args else typed[1] if typed is not None else ""
    if not _MADE.search(param.annotation):
        return ""
    named = _NAMED.search(param.annotation) or _TYPED.match(param.annotation)
    return named[1] if named is not None else ""


def _object(state: State, kind: ir.Class, handlers: Handlers, origin: TaintOrigin) -> Val:
    made = next((method for method in kind.methods if method.name == "__init__"), None)
    if made is not None:
        given = {name: value for name, value in entry_values(state, made, handlers, None).items() if name != "self"}
        use = Use(line=origin.line, path=kind.name, written=kind.name, receiver=None, args=(), keywords=given)
        return instantiate(state, state.globals, kind, use)
    if is_schema(state, kind):
        return filled(state, kind, {}, foreign(origin))
    items: dict[Key, Val] = {
        name: HARMLESS if state.index.safe_types.search(declared.partition("=")[0].strip()) else foreign(origin)
        for name, declared in kind.types
    }
    return Val(shape="object", type=kind, items=items, text=CLEAN, path=kind.name)


def _answer(state: State, function: ir.Function, handlers: Handlers) -> Val:
    """What a function gives back that is filled as the handler is."""
    inner: TaintScope = state.scope_of(function, state.globals, 1)
    inner.names.update(entry_values(state, function, handlers, None))
    return run(state, state.globals, inner, function)
