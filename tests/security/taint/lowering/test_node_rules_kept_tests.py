"""A test whose answer is kept is asked where the answer is."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.node_rules import with_tests

OK = ir.Name(1, "ok")
TEST = ir.Compare(1, "in", ir.Name(1, "x"), ir.Name(1, "allowed"))
LEAVE = (ir.Return(2),)


def _asked(*before: ir.Stmt) -> ir.Expr:
    last = with_tests((*before, ir.If(3, ir.Not(3, OK), LEAVE)))[-1]
    assert isinstance(last, ir.If)
    return last.test


def test_the_test_takes_the_place_of_the_name() -> None:
    assert _asked(ir.Assign(1, (OK,), TEST)) == ir.Not(3, TEST)


def test_a_flag_raised_by_a_loop_stands_for_its_test() -> None:
    raised = ir.If(1, TEST, (ir.Assign(1, (OK,), ir.Const(1, 1)), ir.Exit(1, "break")))
    assert _asked(ir.Assign(1, (OK,), ir.Const(1, 0)), ir.Loop(1, (raised,))) == ir.Not(3, TEST)


def test_a_name_that_is_set_anew_is_only_a_name() -> None:
    assert _asked(ir.Assign(1, (OK,), TEST), ir.Assign(2, (OK,), ir.Name(2, "y"))) == ir.Not(3, OK)
    assert _asked(ir.Assign(1, (OK,), ir.Name(1, "y"))) == ir.Not(3, OK)
