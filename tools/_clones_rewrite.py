"""Python in another flow: comprehensions for loops and back, early returns, turned branches, other error handling."""

from __future__ import annotations

import ast

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


class Rewriter(ast.NodeTransformer):
    """Rewrites every block from the inside out."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._block(block, node if field == "body" else None))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        inserted = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.Call(ast.Attribute(ast.Constant(text), "format", ast.Load()), inserted, [])

    def _block(self, block: list[ast.stmt], owner: ast.AST | None) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        while block:
            first, *rest = block
            if (gathered := _gathered(first, rest)) is not None:
                out.append(gathered)
                block = rest[1:]
            elif isinstance(first, ast.If) and not rest and (early := _early(first, owner)):
                out.append(early)
                block = first.body
            elif isinstance(first, ast.If) and first.orelse and isinstance(first.body[-1], _LEAVES):
                out.append(ast.If(first.test, first.body, []))
                block = [*first.orelse, *rest]
            else:
                out.extend(_unfolded(first))
                block = rest
        return out


def _gathered(first: ast.stmt, rest: list[ast.stmt]) -> ast.stmt | None:
    """`found = []` and the loop that appends to it as one comprehension."""
    if not (isinstance(first, ast.Assign) and isinstance(first.value, ast.List) and not first.value.elts and rest):
        return None
    loop, name = rest[0], first.targets[0]
    if not (isinstance(loop, ast.For) and not loop.orelse and len(loop.body) == 1 and isinstance(name, ast.Name)):
        return None
    inner, tests = loop.body[0], []
    while isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
        tests.append(inner.test)
        inner = inner.body[0]
    call = inner.value if isinstance(inner, ast.Expr) else None
    if not (isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name.id}.append" and len(call.args) == 1):
        return None
    return ast.Assign(first.targets, ast.ListComp(call.args[0], [ast.comprehension(loop.target, loop.iter, tests, 0)]))


def _early(last: ast.If, owner: ast.AST | None) -> ast.stmt | None:
    """The guard that takes the place of a branch which fills the rest of a function or a loop."""
    if last.orelse or len(last.body) < 2:
        return None
    if isinstance(owner, ast.For | ast.While):
        return ast.If(negated(last.test), [ast.Continue()], [])
    if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
        return ast.If(negated(last.test), [ast.Return(None)], [])
    return None


def _unfolded(one: ast.stmt) -> list[ast.stmt]:
    """One statement as several, or turned round, or as it is."""
    if isinstance(one, ast.If) and one.orelse and not isinstance(one.orelse[0], ast.If):
        return [ast.If(negated(one.test), one.orelse, one.body)]
    if isinstance(one, ast.Return) and isinstance(one.value, ast.IfExp):
        choice = one.value
        return [ast.If(choice.test, [ast.Return(choice.body)], []), ast.Return(choice.orelse)]
    if isinstance(one, ast.Return) and isinstance(one.value, ast.ListComp) and len(one.value.generators) == 1:
        return _looped(one.value)
    if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
        return [ast.Assign([one.target], ast.BinOp(ast.Name(one.target.id, ast.Load()), one.op, one.value))]
    return [one]


def _looped(gathered: ast.ListComp) -> list[ast.stmt]:
    source = gathered.generators[0]
    append = ast.Attribute(ast.Name("gathered", ast.Load()), "append", ast.Load())
    inner: list[ast.stmt] = [ast.Expr(ast.Call(append, [gathered.elt], []))]
    for test in reversed(source.ifs):
        inner = [ast.If(test, inner, [])]
    return [
        ast.Assign([ast.Name("gathered", ast.Store())], ast.List([], ast.Load())),
        ast.For(source.target, source.iter, inner, []),
        ast.Return(ast.Name("gathered", ast.Load())),
    ]


def reordered(function: ast.AST) -> ast.AST:
    """Neighbouring assignments that do not touch each other change places."""
    for node in ast.walk(function):
        block = getattr(node, "body", None)
        if not isinstance(block, list):
            continue
        for at in range(len(block) - 1):
            one, other = block[at], block[at + 1]
            both_assign = isinstance(one, ast.Assign) and isinstance(other, ast.Assign)
            if both_assign and not (_stored(one) & _names(other)) and not (_stored(other) & _names(one)):
                block[at], block[at + 1] = other, one
    return function


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _stored(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
