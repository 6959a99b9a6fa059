"""Calls of PHP that have a plain form in the IR."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import asked_of, known, member, method, replaced, shaped, without


def _isset(call: ir.Call) -> ir.Expr:
    """`isset($allowed[$x])`."""
    asked = call.args[0] if call.args else None
    if isinstance(asked, ir.Index) and asked.key is not None and not isinstance(asked.key, ir.Const):
        return ir.Compare(call.line, "in", asked.key, asked.value)
    return ir.Const(call.line, None) if asked is None else ir.Unknown(call.line)


def _filter(call: ir.Call) -> ir.Expr:
    """A filter by its name."""
    if len(call.args) < 2:
        return call
    return known(call.line, f"{ir.dotted(call.callee)}.{ir.dotted(call.args[1])}", call.args[0])


def _replace(call: ir.Call) -> ir.Expr:
    removed = call.args[0] if call.args else None
    if isinstance(removed, ir.Container) and len(call.args) > 2:
        text = "".join(str(item.value) for _, item in removed.items if isinstance(item, ir.Const))
        return without(call, text, call.args[2])
    return replaced(0, 2)(call)


def _header(call: ir.Call) -> ir.Expr:
    """`header("Location: " . $x)` sends elsewhere."""
    value = call.args[0] if call.args else None
    parts = (
        value.parts if isinstance(value, ir.Join) else (value.left, value.right) if isinstance(value, ir.Binary) else ()
    )
    start = parts[0] if parts else None
    if not isinstance(start, ir.Const) or not str(start.value).lower().startswith("location:"):
        return call
    rest = str(start.value)[len("location:") :].lstrip()
    place = (*((ir.Const(start.line, rest),) if rest else ()), *parts[1:])
    return known(call.line, "header.location", place[0] if len(place) == 1 else ir.Join(call.line, place))


def _curl(call: ir.Call) -> ir.Expr:
    if len(call.args) < 3:
        return call
    return known(call.line, f"curl_setopt.{ir.dotted(call.args[1])}", call.args[2])


plain_call = shaped(
    {
        "in_array": member(0, 1),
        "array_key_exists": member(0, 1),
        "isset": _isset,
        "str_contains": member(1, 0),
        "str_starts_with": method("startswith", 0, 1),
        "str_ends_with": method("endswith", 0, 1),
        "preg_match": asked_of(0, 1),
        "preg_replace": replaced(0, 2),
        "str_replace": _replace,
        "str_ireplace": _replace,
        "filter_var": _filter,
        "header": _header,
        "curl_setopt": _curl,
    }
)
