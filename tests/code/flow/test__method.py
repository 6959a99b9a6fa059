"""What containers keep."""

from __future__ import annotations

from leeboard.code.flow import _method
from leeboard.code.flow.value import CLEAN, HARMLESS, UNKNOWN, Origin, Val, constant, foreign, is_settled

INPUT = foreign(Origin("request", "x", 1))
EMPTY = Val(shape="list", text=CLEAN)
A, B = constant("a"), constant("b")


def test_a_list_is_known_item_by_item() -> None:
    items = _method.push(_method.push(_method.push(EMPTY, A), INPUT), B)
    assert _method.read(items, 1) == INPUT
    assert _method.read(items, -1) == B
    taken, left = _method.take(items, 0)
    assert taken == A
    assert _method.read(left, 0) == INPUT
    assert _method.drop(items, A).items[0] == INPUT
    assert _method.drop(items, None).items == {}


def test_an_unknown_key_may_be_any() -> None:
    mapping = _method.write(_method.write(Val(shape="dict"), "a", A), "b", INPUT)
    assert _method.read(mapping, "a") == A
    found = _method.read(mapping, None)
    assert found is not None
    assert found.is_foreign
    spread = _method.write(mapping, None, B)
    assert _method.read(spread, "unheard") == B


def test_lists_are_added() -> None:
    both = _method.extend(_method.push(EMPTY, A), _method.push(EMPTY, INPUT))
    assert both.items[1] == INPUT
    assert _method.extend(EMPTY, INPUT).rest == INPUT


def test_keys() -> None:
    assert _method.key_of(constant("a")) == "a"
    assert _method.key_of(Val(path="stat.S_IRWXU")) == "stat.S_IRWXU"
    assert _method.key_of(UNKNOWN) is None
    assert _method.key_of(INPUT) is None


def test_texts_are_filled_and_joined() -> None:
    assert _method.formatted(constant("a {} b {}"), [A, INPUT]).text == "a a b \x00"
    assert _method.formatted(constant("x = '%(n)s'"), [INPUT]).text.startswith("x = '\x00")
    assert _method.formatted(constant("a {}"), [constant(1)]) == HARMLESS
    assert _method.joined_by(constant(","), _method.push(_method.push(EMPTY, A), INPUT)).text == "a,\x00"
    assert is_settled(_method.joined_by(constant(","), Val(shape="list", rest=constant("?"))))


def test_the_same_text_in_other_letters() -> None:
    assert _method.same("upper", constant("a"), ()).const == "A"
    assert _method.same("strip", INPUT, ()).is_foreign
    assert _method.stripped(INPUT).taints == INPUT.taints
