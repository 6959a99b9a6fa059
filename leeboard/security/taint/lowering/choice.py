"""Choices by what a value is, where they are a value themselves: `match`, `switch`, `when` and `case`.

Each result is one where its own test holds, so that a list of allowed words is an allow-list here as well, and what
comes out of the others is what went in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.lowering import Lowering

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NESTED = frozenset({"or_pattern", "constant_pattern", "match_condition_list", "when_condition", "pattern"})
"""Forms that hold the values of one arm, alone or several."""

_MOST_ARMS = 24
"""Each lies inside of the one before it; a choice of more is a table."""


class Arm(msgspec.Struct, frozen=True):
    """One way of a choice: what has to hold, under which name the value goes on there, and what comes out."""

    result: ir.Expr
    tests: tuple[ir.Expr, ...] = ()
    bound: ir.Expr | None = None
    is_default: bool = False


def chosen(line: int, subject: ir.Expr | None, arms: Sequence[Arm]) -> ir.Expr:
    """The value of the choice; without a subject each arm has conditions of its own."""
    if len(arms) > _MOST_ARMS:
        return ir.Unknown(line, tuple(arm.result for arm in arms))
    result: ir.Expr = ir.Const(line, None)
    for arm in reversed(arms):
        result = arm.result if arm.is_default else ir.Ternary(line, _test(line, subject, arm), arm.result, result)
    return result


def _test(line: int, subject: ir.Expr | None, arm: Arm) -> ir.Expr:
    if subject is None:
        return ir.Bool(line, "or", arm.tests) if len(arm.tests) > 1 else (*arm.tests, ir.Unknown(line))[0]
    if arm.bound is not None:
        return ir.Walrus(line, arm.bound, subject)
    if arm.tests and all(isinstance(test, ir.Const) for test in arm.tests):
        return ir.Compare(line, "in", subject, ir.Container(line, "tuple", tuple((None, test) for test in arm.tests)))
    return ir.Unknown(line)


def values_of(low: Lowering, nodes: Iterable[SgNode]) -> tuple[ir.Expr, ...]:
    """The values an arm stands for, however they are written side by side."""
    found: list[ir.Expr] = []
    for node in nodes:
        inner = low.inside(node) if node.kind() in _NESTED else []
        found += values_of(low, inner) if inner else (low.expr(node),)
    return tuple(found)
