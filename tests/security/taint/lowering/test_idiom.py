"""Calls get the one form that all languages share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.taint import ir
from leeboard.security.taint.lowering import idiom


def _name(id_: str) -> ir.Name:
    return ir.Name(1, id_)


def _text(value: str) -> ir.Const:
    return ir.Const(1, value)


def _method(receiver: ir.Expr, name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, receiver, name), args)


X, XS = _name("x"), _name("xs")


def test_membership_reads_the_same_whatever_the_order() -> None:
    wanted = ir.Compare(1, "in", X, XS)
    assert idiom.member()(_method(XS, "includes", X)) == wanted
    assert idiom.member(0, 1)(ir.Call(1, _name("in_array"), (X, XS))) == wanted
    assert idiom.member(1, 0)(ir.Call(1, _name("contains"), (XS, X))) == wanted


def test_a_call_without_its_arguments_stays_as_it_is() -> None:
    call = ir.Call(1, _name("includes"))
    for shape in (
        idiom.member(),
        idiom.equal(),
        idiom.method("startswith"),
        idiom.asked_of(0, 1),
        idiom.replaced(0, 1),
    ):
        assert shape(call) is call


@pytest.mark.parametrize(
    ("prefix", "wanted"),
    [
        (_text("/srv/"), ir.Call(1, ir.Attr(1, X, "startswith"), (_text("/srv/"),))),
        (_text("../"), ir.Compare(1, "in", _text("../"), X)),
        (_name("base"), ir.Call(1, _name("text.starts_with"), (X, _name("base")))),
    ],
)
def test_a_prefix_tells_what_it_shows(prefix: ir.Expr, wanted: ir.Expr) -> None:
    assert idiom.prefixed(1, X, prefix) == wanted


@pytest.mark.parametrize(
    ("written", "whole", "plain"),
    [
        ("/^[a-z]+$/i", False, "^[a-z]+$"),
        (r"\A\d+\z", False, r"^\d+$"),
        ("[a-z]+", True, "^[a-z]+$"),
        ("^[a-z]+$", True, "^[a-z]+$"),
    ],
)
def test_patterns_lose_their_spelling(written: str, plain: str, *, whole: bool) -> None:
    assert idiom.plain_pattern(written, whole=whole) == plain


@pytest.mark.parametrize(
    ("removed", "name"),
    [
        (r"[\r\n]", "text.without_newlines"),
        ("[&<>]", "text.without_markup"),
        (r"[^a-z0-9]", "text.without_special"),
        (r"[^\w./]", "text.without_special_but_path"),
        ("a", "replace"),
    ],
)
def test_a_replacement_is_named_for_what_it_takes_away(removed: str, name: str) -> None:
    value = idiom.replaced(0, idiom.RECEIVER)(_method(X, "replace", _text(removed), _text("")))
    assert isinstance(value, ir.Call)
    assert ir.dotted(value.callee).removeprefix("x.") == name


def test_parts_of_a_path_are_joined_by_slashes() -> None:
    joined = idiom.path_joined()(ir.Call(1, _name("join"), (XS, X)))
    assert joined == ir.Join(1, (idiom.known(1, "path.base", XS), _text("/"), X))


def test_the_folder_before_a_slash_is_its_callers() -> None:
    assert idiom.based((XS, _text("/a/"), X)) == (idiom.known(1, "path.base", XS), _text("/a/"), X)
    assert idiom.based((XS, _text("a"), X)) == (XS, _text("a"), X)
    assert idiom.based((XS,)) == (XS,)


def test_other_forms() -> None:
    call = _method(XS, "unwrap", X)
    assert idiom.itself()(call) == XS
    assert idiom.itself(0)(call) == X
    assert idiom.compiled()(ir.Call(1, _name("RegExp"), (_text("a"),))) == _text("a")
    assert idiom.named("type.is_number", 0)(call) == idiom.known(1, "type.is_number", X)
    assert idiom.negated(idiom.member())(call) == ir.Not(1, ir.Compare(1, "in", X, XS))
    assert idiom.shaped({".unwrap": idiom.itself()})(call) == XS


@given(st.text(max_size=80))
def test_any_pattern_is_read(text: str) -> None:
    call = _method(X, "replace", _text(text), _text(""))
    assert isinstance(idiom.replaced(0, idiom.RECEIVER)(call), ir.Call)
