"""Whether a call may be a sink, told from how it is written: what `use.applies` says where no value is known yet."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.table import Sink

_ALWAYS_KNOWN = (ir.Const, ir.Compare, ir.Not)
"""What is compared is true or false, whatever it was."""


def may_apply(sink: Sink, call: ir.Call) -> bool:
    """Whether the sink may mean this call, and be given something else than constants."""
    keywords = dict(call.keywords)
    if "" in keywords or any(isinstance(arg, ir.Spread) for arg in call.args):
        return True  # as many as there are, under names that nobody knows
    if not sink.arity[0] <= len(call.args) <= sink.arity[1]:
        return False
    for name, wanted in sink.needs:
        given = _named(call, keywords, name)
        if given is None or (isinstance(given, ir.Const) and given.value != wanted):
            return False
    if any(_named(call, keywords, name) is None for name, _pattern in sink.given):
        return False
    values = _values_at(sink, call, keywords)
    return not all(map(is_constant, values)) if values else sink.always > 0


def _named(call: ir.Call, keywords: dict[str, ir.Expr], name: str) -> ir.Expr | None:
    if name == "receiver":
        return call.callee
    place = name.partition(".")[0]
    if place.isdigit():
        return call.args[int(place)] if int(place) < len(call.args) else None
    return keywords.get(name)


def _values_at(sink: Sink, call: ir.Call, keywords: dict[str, ir.Expr]) -> list[ir.Expr]:
    """Those that count there."""
    given = keywords if sink.keywords == ("*",) else sink.keywords
    found = [keywords[name] for name in given if name in keywords]
    for position in sink.args:
        if position == -1:
            found += call.args
        elif position == -2:
            found.append(call.callee)
        elif position < len(call.args):
            found.append(call.args[position])
    return found


def is_constant(expr: ir.Expr | None) -> bool:
    """Whether it is the same in each run."""
    if expr is None or isinstance(expr, _ALWAYS_KNOWN):
        return True
    if isinstance(expr, ir.Join):
        return all(map(is_constant, expr.parts))
    if isinstance(expr, ir.Binary):
        return is_constant(expr.left) and is_constant(expr.right)
    if isinstance(expr, ir.Container):
        return all(is_constant(key) and is_constant(item) for key, item in expr.items)
    return isinstance(expr, ir.Unary) and is_constant(expr.value)
