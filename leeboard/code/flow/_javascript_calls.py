"""Calls of JavaScript: what they are given, and those that are loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import ir, table_file
from leeboard.code.flow._idiom import known, rewriting
from leeboard.code.flow._javascript_functions import FUNCTIONS, function_of, parameters
from leeboard.code.flow._lowering import Lowering, line_of, text_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_EACH = frozenset({"forEach", "each"})
_EXPANDS_ENTITIES = lazy(r"\bnoent\s*:\s*true|\bprocessEntities\s*:\s*true")
_EXITS = frozenset({"process.exit", "process.abort"})
_SCHEMA = lazy(r"(?i)(?:schema|validator)s?\w{0,12}$|^(?:z|joi|yup)\.")


def call_statement(low: Lowering, node: SgNode) -> ir.Block:
    callee, arguments = node.field("function"), node.field("arguments")
    if callee is not None and arguments is not None and text_of(callee.field("property")) in _EACH:
        passed = low.inside(arguments)
        if len(passed) == 1 and passed[0].kind() in FUNCTIONS:
            return (_each(low, callee, passed[0]),)
    value = low.expr(node)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in _EXITS:
        return (ir.Exit(value.line, "exit", value),)
    return (ir.ExprStmt(line_of(node), value),)


def _each(low: Lowering, callee: SgNode, callback: SgNode) -> ir.Stmt:
    """`xs.forEach(x => …)` is a loop."""
    params = parameters(low, callback)
    target = ir.Name(line_of(callback), params[0].name if params else "_")
    body = function_of(low, callback, "").lower()
    loop = tuple(map(_next, body))
    return ir.Loop(line_of(callee), loop, target=target, iterable=low.expr(callee.field("object")))


def _next(statement: ir.Stmt) -> ir.Stmt:
    """A `return` of the callback goes on with the next item."""
    if isinstance(statement, ir.Return):
        return ir.ExprStmt(statement.line, statement.value or ir.Const(statement.line, None))
    if isinstance(statement, ir.If):
        return ir.If(statement.line, statement.test, _left(statement.body), _left(statement.orelse))
    return statement


def _left(block: ir.Block) -> ir.Block:
    return tuple(ir.Exit(each.line, "continue", each.value) if isinstance(each, ir.Return) else each for each in block)


def call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    callee = low.expr(node.field("function") or node.field("constructor"))
    if arguments is None or arguments.kind() == "template_string":
        # A tagged template: its tag sees the parts and escapes or parameterises them.
        return low.call(node, callee, ())
    if _EXPANDS_ENTITIES.search(arguments.text()[-300:]):
        callee = ir.Attr(line_of(node), callee, "noent")
    values = low.exprs(low.inside(arguments))
    return low.call(node, callee, values, _options(values))


def _options(values: tuple[ir.Expr, ...]) -> tuple[tuple[str, ir.Expr], ...]:
    """What literal objects name, as named arguments besides."""
    return tuple(
        (str(key.value), value)
        for given in values
        if isinstance(given, ir.Container) and given.kind == "dict"
        for key, value in given.items
        if isinstance(key, ir.Const)
    )


def _validated(call: ir.Call) -> ir.Expr:
    """`schema.parse(x)`: what comes out is what the schema says."""
    owner = call.callee.value if isinstance(call.callee, ir.Attr) else None
    if owner is None or not call.args or not _SCHEMA.search(ir.dotted(owner)):
        return call
    return known(call.line, "schema.validated", call.args[0])


plain_call = rewriting(table_file.javascript().idioms, {"validated": _validated})
