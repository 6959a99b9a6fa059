"""What is known of values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.taint.values import (
    CLEAN,
    FOREIGN,
    HARMLESS,
    OPEN,
    UNKNOWN,
    TaintOrigin,
    Val,
    cleaned,
    constant,
    either,
    foreign,
    held,
    is_settled,
    joined,
    merged_taints,
    passed,
    stepped,
)

SOURCE = TaintOrigin("request", "request.args", 3)
INPUT = foreign(SOURCE)


def test_a_text_keeps_its_holes() -> None:
    value = joined([constant("a"), INPUT, constant(1), UNKNOWN, HARMLESS])
    assert value.text == f"a{FOREIGN}1{OPEN}{CLEAN}"
    assert list(value.taints) == [SOURCE]
    assert not value.is_const


def test_constants_stay_constant() -> None:
    assert joined([constant("a"), constant("b")]).const == "ab"
    assert is_settled(constant("a"))
    assert is_settled(HARMLESS)
    assert not is_settled(UNKNOWN)


def test_clean_on_one_way_is_not_clean() -> None:
    safe = cleaned(INPUT, frozenset({"sql", "html"}))
    other = cleaned(INPUT, frozenset({"html"}))
    assert merged_taints(safe, other)[SOURCE] == {"html"}
    assert either(safe, INPUT).taints[SOURCE] == frozenset()
    assert cleaned(INPUT, None) == HARMLESS


def test_one_of_two_constants_is_harmless_but_not_known() -> None:
    value = either(constant("a"), constant("b"))
    assert not value.is_const
    assert is_settled(value)
    assert either(constant("a"), constant("a")).const == "a"


def test_a_container_gives_away_what_it_holds() -> None:
    inner = Val(shape="list", items={0: INPUT})
    outer = Val(shape="dict", items={"a": inner}, rest=constant("x"))
    assert held(outer).taints == INPUT.taints
    assert held(Val(shape="list", items={0: constant("x")})).text == CLEAN
    assert held(Val(shape="request", path="request", steps=(4,))).taints == {
        TaintOrigin("request", "request", 4): frozenset()
    }


def test_an_unknown_call_passes_it_on() -> None:
    assert passed([INPUT]).opaque
    assert not passed([UNKNOWN]).is_foreign


def test_lines_are_kept() -> None:
    assert stepped(INPUT, 7).steps == (3, 7)
    assert stepped(UNKNOWN, 7).steps == ()


@given(st.lists(st.sampled_from([INPUT, UNKNOWN, HARMLESS, constant("x"), constant(1)]), min_size=1, max_size=6))
def test_either_keeps_what_is_foreign(values: list[Val]) -> None:
    result = values[0]
    for value in values[1:]:
        result = either(result, value)
    assert result.is_foreign == any(value.is_foreign for value in values)
    assert is_settled(result) == all(is_settled(value) for value in values)
