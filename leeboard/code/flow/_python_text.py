"""Python's string literals: their parts and what their escapes stand for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_ESCAPE = lazy(r"\\(?:\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[\s\S])")
_PLAIN = {
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'",
    '"': '"', "\n": "",
}  # fmt: skip

Lower = Callable[["SgNode"], ir.Expr]


def lower_string(node: SgNode, line: int, lower: Lower) -> ir.Expr:
    """A constant, or a `Join` where something is interpolated."""
    parts: list[ir.Expr] = []
    prefix = ""
    for child in node.children():
        kind = child.kind()
        if kind == "string_start":
            prefix = child.text().rstrip("\"'").lower()
        elif kind == "string_content":
            parts.append(ir.Const(line, _content(child.text(), prefix)))
        elif kind == "interpolation":
            inner = child.field("expression") or next(iter(child.children()[1:2]), None)
            parts.append(lower(inner) if inner is not None else ir.Unknown(line))
    return _one(parts, line, prefix)


def lower_concatenation(node: SgNode, line: int, lower: Lower) -> ir.Expr:
    """Literals side by side."""
    parts = [lower_string(child, line, lower) for child in node.children() if child.kind() == "string"]
    return _one(parts, line, "")


def _one(parts: list[ir.Expr], line: int, prefix: str) -> ir.Expr:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, ir.Join) else (part,))]
    values = [part.value for part in flat if isinstance(part, ir.Const)]
    if len(values) < len(flat):
        return ir.Join(line, tuple(flat))
    text = "".join(value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in values)
    if "b" in prefix or any(isinstance(value, bytes) for value in values):
        return ir.Const(line, text.encode("utf-8", "replace"))
    return ir.Const(line, text)


def _content(text: str, prefix: str) -> str:
    if "f" in prefix:
        text = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in prefix:
        return text
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    body = match[0][1:]
    if body in _PLAIN:
        return _PLAIN[body]
    if body[0] in "xu" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body.isdigit() and not set(body) & {"8", "9"}:
        return chr(int(body, 8))
    return match[0]
