"""Variants of a Python function by its syntax tree: another layout, other names and values, an edit, another flow."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterator

from tools._clones_dice import Dice
from tools._clones_rewrite import rewritten

Function = ast.FunctionDef | ast.AsyncFunctionDef
_KEPT = frozenset({*dir(builtins), "self", "cls"})
_MORE = (
    "{new} = {old}",
    "{new} = measure({old}, 3)",
    "{new} = []",
    "if {old} is None:\n    {new} = 0",
    "notify({old})",
    "self.{new} = {old}",
    "logger.debug('at %s', {old})",
    "assert {old} is not None",
    "{new} = {{'kind': {old}, 'count': 1}}",
    "print({old}, 'done')",
)


def variant(text: str, level: str, seed: str) -> str | None:
    """The text of a function on one of the levels of `tools.clones`; None where it does not parse."""
    function = parsed(text)
    if function is None:
        return None
    dice = Dice(f"{seed}{level}")
    _without_documentation(function)
    if level == "re-implemented":
        rewritten(function)
        _other_helpers(function, dice)
    if level != "reformatted":
        _rename(function, dice)
    if level in {"renamed", "edited"}:
        _other_values(function, dice)
    if level == "edited":
        _drop(function, dice)
        _insert(function, dice)
    return ast.unparse(ast.fix_missing_locations(function))


def parsed(text: str) -> Function | None:
    """The function alone, also where its first line was cut out of a class."""
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


def statements_in(text: str) -> int:
    """How many statements the body of a function has at all depths; documentation is none."""
    function = parsed(text)
    if function is None:
        return 0
    _without_documentation(function)
    return sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - 1


def _without_documentation(function: Function) -> None:
    for node in ast.walk(function):
        if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]


def _rename(function: Function, dice: Dice) -> None:
    """Its own name, its parameters, its variables and its inner functions."""
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    _Renaming({name: dice.fresh(used) for name in sorted(_own_names(function))}).visit(function)
    function.name = dice.fresh(used)


def _other_helpers(function: Function, dice: Dice) -> None:
    """A third of what it calls is called something else: who writes it anew has other helpers."""
    names: dict[str, str] = {}
    for node in ast.walk(function):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute):
            called.attr = names.setdefault(called.attr, dice.fresh(set()) if dice.chance(33) else called.attr)
        elif isinstance(called, ast.Name) and called.id not in _KEPT:
            called.id = names.setdefault(called.id, dice.fresh(set()) if dice.chance(33) else called.id)


def _own_names(function: Function) -> set[str]:
    found: set[str] = set()
    foreign: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, Function | ast.ClassDef | ast.ExceptHandler) and node is not function and node.name:
            found.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            foreign.update(node.names)
    return found - _KEPT - foreign


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

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)


def _other_values(function: Function, dice: Dice) -> None:
    """Every text and every number another one."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            node.value = dice.fresh(set())
        elif isinstance(node.value, bytes):
            node.value = dice.fresh(set()).encode()
        elif type(node.value) in (int, float):
            node.value = dice.below(90) + 5


def _blocks(function: Function) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _drop(function: Function, dice: Dice) -> None:
    """One statement, no block with all that is in it, of those that leave another one beside them."""
    several = [block for block in _blocks(function) if len(block) > 1]
    places = [(block, at) for block in several for at, one in enumerate(block) if not hasattr(one, "body")]
    if places:
        block, at = dice.choice(places)
        del block[at]


def _insert(function: Function, dice: Dice) -> None:
    places = [(block, at) for block in _blocks(function) for at in range(len(block) + 1)]
    block, at = dice.choice(places)
    old = dice.choice(sorted(_own_names(function)) or ["None"])
    block.insert(at, ast.parse(dice.choice(_MORE).format(new=dice.fresh(set()), old=old)).body[0])
