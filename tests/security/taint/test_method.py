"""What containers keep."""

from __future__ import annotations

import pytest

from leeboard.security.taint import method
from leeboard.security.taint.values import CLEAN, HARMLESS, UNKNOWN, TaintOrigin, Val, constant, foreign, is_settled

INPUT = foreign(TaintOrigin("request", "x", 1))
EMPTY = Val(shape="list", text=CLEAN)
A, B = constant("a"), constant("b")


def test_a_list_is_known_item_by_item() -> None:
    items = method.push(method.push(method.push(EMPTY, A), INPUT), B)
    assert method.read(items, 1) == INPUT
    assert method.read(items, -1) == B
    taken, left = method.take(items, 0)
    assert taken == A
    assert method.read(left, 0) == INPUT
    assert method.drop(items, A).items[0] == INPUT
    assert method.drop(items, None).items == {}


def test_an_unknown_key_may_be_any() -> None:
    mapping = method.write(method.write(Val(shape="dict"), "a", A), "b", INPUT)
    assert method.read(mapping, "a") == A
    found = method.read(mapping, None)
    assert found is not None
    assert found.is_foreign
    spread = method.write(mapping, None, B)
    assert method.read(spread, "unheard") == B


def test_lists_are_added() -> None:
    both = method.extend(method.push(EMPTY, A), method.push(EMPTY, INPUT))
    assert both.items[1] == INPUT
    assert method.extend(EMPTY, INPUT).rest == INPUT


def test_keys() -> None:
    assert method.key_of(constant("a")) == "a"
    assert method.key_of(Val(path="stat.S_IRWXU")) == "stat.S_IRWXU"
    assert method.key_of(UNKNOWN) is None
    assert method.key_of(INPUT) is None


def test_texts_are_filled_and_joined() -> None:
    assert method.formatted(constant("a {} b {}"), [A, INPUT], braces=True).text == "a a b \x00"
    assert method.formatted(constant("x = '%(n)s'"), [INPUT]).text.startswith("x = '\x00")
    assert method.formatted(constant("a {}"), [constant(1)], braces=True) == HARMLESS
    assert method.joined_by(constant(","), method.push(method.push(EMPTY, A), INPUT)).text == "a,\x00"
    assert is_settled(method.joined_by(constant(","), Val(shape="list", rest=constant("?"))))


@pytest.mark.parametrize(
    ("template", "foreign_at", "is_harmless"),
    [
        ("id = %d and name = '%s'", 0, True),
        ("id = %d and name = '%s'", 1, False),
        ("id = %2$d and name = '%1$s'", 0, False),
        ("id = %2$d and name = '%1$s'", 1, True),
        ("head -n %[2]d %[1]s", 0, False),
        ("head -n %[2]d %[1]s", 1, True),
        ("%1$d %1$s %2$s", 0, False),
        ("%*d %s", 0, False),
    ],
)
def test_a_directive_for_numbers_gets_its_own_value(template: str, foreign_at: int, is_harmless: bool) -> None:  # noqa: FBT001 - a column
    values = [INPUT if place == foreign_at else A for place in range(2)]
    assert method.formatted(constant(template), values).is_foreign is not is_harmless


@pytest.mark.parametrize("template", ["like '%{}%' order by name", "<p>5% discount for {}</p>", "date +%d > /tmp/{}"])
def test_a_per_cent_sign_among_braces_is_one(template: str) -> None:
    assert method.formatted(constant(template), [INPUT], braces=True).is_foreign


def test_the_same_text_in_other_letters() -> None:
    assert method.same("upper", constant("a"), ()).const == "A"
    assert method.same("strip", INPUT, ()).is_foreign
    assert method.stripped(INPUT).taints == INPUT.taints
