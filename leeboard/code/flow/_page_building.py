"""Texts that are pages: markup built around values, wherever it goes afterwards."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import known
from leeboard.model.pattern import lazy

BUILT = "page.built"
"""The call that tables know as a sink; its result is what it got."""
_MARKUP = lazy(
    r"^\s*<(?:!doctype|html|head|body|div|p|h[1-6]|span|ul|ol|li|table|tr|td|strong|em|form"
    r"|input|script|title|section|img|button|label|a href|article|main|textarea|b"
    r"|i)\b[^\x00]{0,200}"
)


def page(value: ir.Expr) -> ir.Expr:
    """A text that starts with markup and holds more than constants, marked as a page."""
    parts = _parts(value)
    start = parts[0] if parts else None
    if (
        not isinstance(start, ir.Const)
        or not isinstance(start.value, str)
        or not _MARKUP.search(start.value[:300].lower())
    ):
        return value
    if all(isinstance(part, ir.Const) for part in parts):
        return value
    return known(value.line, BUILT, value)


def _parts(value: ir.Expr) -> tuple[ir.Expr, ...]:
    if isinstance(value, ir.Join):
        return value.parts
    if isinstance(value, ir.Binary) and value.op == "+":
        return (value.left, value.right)
    return value.args if isinstance(value, ir.Call) else ()
