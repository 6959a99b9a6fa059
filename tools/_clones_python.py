"""Variants of a Python function by its syntax tree: other names, small edits, another flow. They still parse."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Callable, Iterator

from tools._clones_dice import Dice
from tools._clones_rewrite import Rewriter, negated, reordered

Function = ast.FunctionDef | ast.AsyncFunctionDef
_KEPT = frozenset({*dir(builtins), "self", "cls"})
_LOGS = ("logger.debug('processing %s', 1)", "log.info('step done')", "print('here')")
_MORE = ("checked = measure(limit, 3)", "if verbose:\n    counted += 1", "known[place] = None", "notify(outcome)")
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip


def variant(text: str, level: str, seed: str) -> str | None:
    """The text of a function on one of the levels of `tools.clones`; None where it does not parse."""
    function = _parsed(text)
    if function is None:
        return None
    dice = Dice(f"{seed}{level}")
    _bare(function)
    if level == "renamed":
        reordered(rename(function, dice))
    elif level == "edited":
        edit(function, dice, 3)
    elif level in {"disguised", "patched"}:
        _other_values(rename(function, dice, helpers=0), dice)
        if level == "patched":
            _drop(function, dice)
            _insert(function, dice)
    elif level == "rewritten":
        reordered(Rewriter().visit(edit(function, dice, 1)))
    return ast.unparse(ast.fix_missing_locations(function))


def _parsed(text: str) -> Function | None:
    for source, depth in ((textwrap.dedent(text), 0), (f"class X:\n    {text}", 1), (f"class X:\n  {text}", 1)):
        try:
            found = ast.parse(source).body[0]
        except (SyntaxError, ValueError, IndexError):
            continue
        if depth and isinstance(found, ast.ClassDef):
            found = found.body[0]
        if isinstance(found, Function):
            return found
    return None


def _bare(function: Function) -> None:
    """Without documentation, annotations and decorators."""
    function.decorator_list = []
    for node in ast.walk(function):
        if isinstance(node, Function):
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:] or [ast.Pass()]
            node.returns = None
            for argument in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs):
                argument.annotation = None


def rename(function: Function, dice: Dice, helpers: int = 33) -> Function:
    """Its own name, its parameters and its variables; of the helpers it calls, so many in a hundred."""
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    own = sorted(_own_names(function))
    names = {name: dice.fresh(used) for name in own}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id not in _KEPT
            and dice.chance(helpers)
        ):
            names.setdefault(node.func.id, dice.fresh(used))
    _Renaming(names).visit(function)
    function.name = dice.fresh(used)
    return function


def _own_names(function: Function) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found - _KEPT


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.names.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)


def edit(function: Function, dice: Dice, count: int) -> Function:
    """So many small edits, as far as the function has places for them."""
    edits = (_log, _constant, _turn, _extract, _one_name, _negate)
    done = 0
    for _ in range(20):
        done += dice.choice(edits)(function, dice)
        if done >= count:
            break
    return function


def _blocks(function: Function) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _log(function: Function, dice: Dice) -> bool:
    block = dice.choice(list(_blocks(function)))
    block.insert(dice.below(len(block) + 1), ast.parse(dice.choice(_LOGS)).body[0])
    return True


def _constant(function: Function, dice: Dice) -> bool:
    found = [node for node in ast.walk(function) if isinstance(node, ast.Constant) and type(node.value) in (int, str)]
    if not found:
        return False
    chosen = dice.choice(found)
    chosen.value = chosen.value + 7 if isinstance(chosen.value, int) else f"{chosen.value!s} changed"
    return True


def _other_values(function: Function, dice: Dice) -> None:
    """Every text and every number another one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
            node.value = dice.fresh(set()) if isinstance(node.value, str) else dice.below(90) + 5


def _drop(function: Function, dice: Dice) -> None:
    several = [block for block in _blocks(function) if len(block) > 1]
    if several:
        block = dice.choice(several)
        del block[dice.below(len(block))]


def _insert(function: Function, dice: Dice) -> None:
    block = dice.choice(list(_blocks(function)))
    block.insert(dice.below(len(block) + 1), ast.parse(dice.choice(_MORE)).body[0])


def _compares(function: Function) -> list[ast.Compare]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Compare) and len(node.ops) == 1]


def _turn(function: Function, dice: Dice) -> bool:
    found = [node for node in _compares(function) if type(node.ops[0]) in _TURNED]
    if not found:
        return False
    chosen = dice.choice(found)
    chosen.left, chosen.comparators[0] = chosen.comparators[0], chosen.left
    chosen.ops = [_TURNED[type(chosen.ops[0])]()]
    return True


def _negate(function: Function, dice: Dice) -> bool:
    found = _compares(function)
    if not found:
        return False
    chosen = dice.choice(found)
    turned = negated(chosen)
    if isinstance(turned, ast.Compare):
        chosen.ops = turned.ops
    return True


def _extract(function: Function, dice: Dice) -> bool:
    places = [
        (block, at)
        for block in _blocks(function)
        for at, one in enumerate(block)
        if isinstance(one, ast.Return) and one.value is not None and not isinstance(one.value, ast.Name | ast.Constant)
    ]
    if not places:
        return False
    block, at = dice.choice(places)
    returned = block[at]
    if isinstance(returned, ast.Return) and returned.value is not None:
        block.insert(at, ast.Assign([ast.Name("extracted", ast.Store())], returned.value))
        returned.value = ast.Name("extracted", ast.Load())
    return True


def _one_name(function: Function, dice: Dice) -> bool:
    own = sorted(_own_names(function))
    if own:
        chosen = dice.choice(own)
        _Renaming({chosen: f"{chosen}_renamed"}).visit(function)
    return bool(own)


Edit = Callable[[Function, Dice], bool]
