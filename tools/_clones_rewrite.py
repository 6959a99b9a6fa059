"""Python in another flow, by rule: comprehensions for loops and back, `while` for `for`, turned branches, early
returns, values with names of their own, other ways to put texts together.
"""

from __future__ import annotations

import ast
from itertools import count

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip
_PLAIN = (ast.Name, ast.Constant, ast.Attribute, ast.Starred)
_KEPT_IN_PLACE = (*_PLAIN, ast.GeneratorExp, ast.Lambda, ast.Await, ast.Yield)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def rewritten(function: ast.AST) -> ast.AST:
    """All that can be written another way; neighbours that do not depend on each other change places."""
    return reordered(Rewriter().visit(function))


def negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


class Rewriter(ast.NodeTransformer):
    """Rewrites every block from the inside out."""

    def __init__(self) -> None:
        self._numbers = count(1)

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
            elif _leaves(first) and rest and isinstance(first, ast.If):
                out.append(ast.If(negated(first.test), rest, first.body))
                block = []
            else:
                out.extend(self._unfolded(first))
                block = rest
        return out

    def _unfolded(self, one: ast.stmt) -> list[ast.stmt]:
        """One statement as several, or turned round, or as it is."""
        if isinstance(one, ast.If):
            return self._branch(one)
        if isinstance(one, ast.For) and not one.orelse:
            return self._stepped(one)
        if isinstance(one, ast.While) and not one.orelse and not _is_true(one.test):
            leave = ast.If(negated(one.test), [ast.Break()], [])
            return [ast.While(ast.Constant(value=True), [leave, *one.body], [])]
        if isinstance(one, ast.Return) and one.value is not None:
            return self._returned(one.value)
        if isinstance(one, ast.Assign | ast.Expr):
            return self._named(one)
        return [_written_out(one)]

    def _branch(self, one: ast.If) -> list[ast.stmt]:
        if one.orelse and not isinstance(one.orelse[0], ast.If):
            return [ast.If(negated(one.test), one.orelse, one.body)]
        if not one.orelse and isinstance(one.test, ast.BoolOp) and isinstance(one.test.op, ast.And):
            first, *others = one.test.values
            inner = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
            return [ast.If(first, [ast.If(inner, one.body, [])], [])]
        return [one]

    def _stepped(self, loop: ast.For) -> list[ast.stmt]:
        """A loop over values as one over an iterator that ends it."""
        source, none = self._fresh("steps"), self._fresh("nothing")
        following = ast.Call(_name("next"), [_name(source), _name(none)], [])
        leave = ast.If(ast.Compare(_name(none), [ast.Is()], [_loaded(loop.target)]), [ast.Break()], [])
        if not isinstance(loop.target, ast.Name):
            held = self._fresh("held")
            leave = ast.If(ast.Compare(_name(held), [ast.Is()], [_name(none)]), [ast.Break()], [])
            taken: list[ast.stmt] = [_bound(held, following), leave, ast.Assign([loop.target], _name(held))]
        else:
            taken = [ast.Assign([loop.target], following), leave]
        start = [
            _bound(none, ast.Call(_name("object"), [], [])),
            _bound(source, ast.Call(_name("iter"), [loop.iter], [])),
        ]
        return [*start, ast.While(ast.Constant(value=True), [*taken, *loop.body], [])]

    def _returned(self, value: ast.expr) -> list[ast.stmt]:
        if isinstance(value, ast.IfExp):
            return [ast.If(value.test, [ast.Return(value.body)], []), ast.Return(value.orelse)]
        if isinstance(value, ast.ListComp) and len(value.generators) == 1:
            return _looped(value)
        if isinstance(value, _PLAIN):
            return [ast.Return(value)]
        name = self._fresh("outcome")
        return [_bound(name, value), ast.Return(_name(name))]

    def _named(self, one: ast.Assign | ast.Expr) -> list[ast.stmt]:
        """What is called on, and every argument that is more than a name, gets a name."""
        call, named = one.value, list[ast.stmt]()
        if not isinstance(call, ast.Call):
            return [one]
        if isinstance(call.func, ast.Attribute) and isinstance(
            call.func.value, ast.Call | ast.Attribute | ast.Subscript
        ):
            call.func.value = self._held(call.func.value, named)
        for at, argument in enumerate(call.args):
            if not isinstance(argument, _KEPT_IN_PLACE):
                call.args[at] = self._held(argument, named)
        return [*named, one]

    def _held(self, value: ast.expr, named: list[ast.stmt]) -> ast.expr:
        name = self._fresh("given")
        named.append(_bound(name, value))
        return _name(name)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`a < b` as `b > a`."""
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in _TURNED:
            return ast.Compare(node.comparators[0], [_TURNED[type(node.ops[0])]()], [node.left])
        return node

    def _fresh(self, word: str) -> str:
        return f"{word}{next(self._numbers)}"


def _written_out(one: ast.stmt) -> ast.stmt:
    """`x += 1` as `x = x + 1`."""
    if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
        return ast.Assign([one.target], ast.BinOp(ast.Name(one.target.id, ast.Load()), one.op, one.value))
    return one


def _leaves(one: ast.stmt) -> bool:
    return isinstance(one, ast.If) and not one.orelse and isinstance(one.body[-1], ast.Return)


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _loaded(target: ast.expr) -> ast.expr:
    return _name(target.id) if isinstance(target, ast.Name) else target


def _bound(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


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
    if isinstance(owner, Function):
        return ast.If(negated(last.test), [ast.Return(None)], [])
    return None


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
