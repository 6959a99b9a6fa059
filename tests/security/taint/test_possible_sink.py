"""Whether a call as it is written may be a sink."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.possible_sink import is_constant, may_apply
from leeboard.security.taint.table import Sink

RUN = Sink(kind="command", callee="run")
VALUE, TEXT = ir.Name(1, "value"), ir.Const(1, "ls")


def call(*args: ir.Expr, **keywords: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, ir.Name(1, "tool"), "run"), args, tuple(keywords.items()))


def test_constants_do_no_harm() -> None:
    assert may_apply(RUN, call(VALUE))
    assert not may_apply(RUN, call(TEXT, VALUE))
    assert not may_apply(RUN, call())


def test_all_that_count_are_looked_at() -> None:
    assert may_apply(Sink(kind="command", callee="run", args=(-1,)), call(TEXT, VALUE))
    assert may_apply(Sink(kind="command", callee="run", args=(-2,)), call(TEXT))
    assert may_apply(Sink(kind="command", callee="run", keywords=("line",)), call(TEXT, line=VALUE))
    assert may_apply(Sink(kind="command", callee="run", keywords=("*",)), call(other=VALUE))


def test_what_is_unsafe_by_itself_needs_no_argument() -> None:
    assert may_apply(Sink(kind="xxe", callee="run", always=0.7), call())
    assert not may_apply(Sink(kind="xxe", callee="run", always=0.7), call(TEXT))


def test_how_many_there_are() -> None:
    one_only = Sink(kind="command", callee="run", arity=(1, 1))
    assert may_apply(one_only, call(VALUE))
    assert not may_apply(one_only, call(VALUE, VALUE))


def test_arguments_that_nobody_counts() -> None:
    assert may_apply(Sink(kind="command", callee="run", arity=(2, 2)), call(ir.Spread(1, VALUE)))
    spread = ir.Call(1, ir.Name(1, "run"), (VALUE,), (("", VALUE),))
    assert may_apply(Sink(kind="command", callee="run", needs=(("shell", True),)), spread)


def test_options_that_have_to_stand_there() -> None:
    with_shell = Sink(kind="command", callee="run", needs=(("shell", True),))
    assert may_apply(with_shell, call(VALUE, shell=ir.Const(1, value=True)))
    assert may_apply(with_shell, call(VALUE, shell=VALUE))
    assert not may_apply(with_shell, call(VALUE, shell=ir.Const(1, value=False)))
    assert not may_apply(with_shell, call(VALUE))
    second = Sink(kind="command", callee="run", given=(("1", "x"), ("receiver", "x")))
    assert may_apply(second, call(VALUE, TEXT))
    assert not may_apply(second, call(VALUE))


@pytest.mark.parametrize(
    ("expr", "known"),
    [
        (TEXT, True),
        (VALUE, False),
        (ir.Join(1, (TEXT, VALUE)), False),
        (ir.Join(1, (TEXT, TEXT)), True),
        (ir.Binary(1, "+", TEXT, VALUE), False),
        (ir.Binary(1, "+", TEXT, TEXT), True),
        (ir.Container(1, "list", ((None, TEXT), (None, VALUE))), False),
        (ir.Container(1, "dict", ((TEXT, TEXT),)), True),
        (ir.Compare(1, "==", VALUE, TEXT), True),
        (ir.Unary(1, "-", TEXT), True),
        (ir.Unary(1, "-", VALUE), False),
    ],
)
def test_what_is_the_same_in_each_run(expr: ir.Expr, *, known: bool) -> None:
    assert is_constant(expr) is known
