"""Writes under computed keys that walk into an object: `target = target[key]`, a merge that calls itself.

A shallow copy (`out[key] = value[key]`) cannot reach a prototype that others share; only a function which goes down
by such a key can. A function that looks at `__proto__`, asks for own properties or builds on `Object.create(null)` is
left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import known
from leeboard.code.flow._lowering import line_of, text_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

SINK = "prototype.assign"
_CAREFUL = lazy(r"__proto__|hasOwn|prototype|Object\.create\(null\)|new Map\b|isSafeKey|isPrototypePolluted")
_WORD = lazy(r"^[A-Za-z_$][\w$]*$")
_ANCESTORS = 40
_LONGEST = 6000
"""A function longer than this is no merge."""


def assigned_key(left: SgNode) -> ir.Block:
    """For `target[key] = …` inside such a function: a call with the key, which the tables know as a sink."""
    if left.kind() != "subscript_expression":
        return ()
    key, target = left.field("index"), left.field("object")
    if key is None or target is None or key.kind() != "identifier" or not _WORD.search(target.text()):
        return ()
    for name, body in _functions_around(left):
        if len(body) < _LONGEST and not _CAREFUL.search(body) and _goes_down(name, body, target.text(), key.text()):
            line = line_of(left)
            return (ir.ExprStmt(line, known(line, SINK, ir.Name(line, key.text()))),)
    return ()


def _goes_down(name: str, body: str, target: str, key: str) -> bool:
    calls_itself = bool(name) and f"{name}({target}[{key}]" in body.replace(" ", "")
    return calls_itself or f"{target}={target}[" in body.replace(" ", "")


def _functions_around(node: SgNode) -> Iterator[tuple[str, str]]:
    current = node.parent()
    for _ in range(_ANCESTORS):
        if current is None:
            return
        if "function" in current.kind() or current.kind() == "method_definition":
            above = current.parent()
            yield text_of(current.field("name") or (above.field("name") if above is not None else None)), current.text()
        current = current.parent()
