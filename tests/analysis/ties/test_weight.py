"""What the facts weigh."""

from __future__ import annotations

import pytest

from leeboard.analysis.relation import GIVEN_TEXTS
from leeboard.analysis.ties.fact import MEANINGS
from leeboard.analysis.ties.weight import Curve, Tie, goal_table, weigh


def test_a_curve_steps_at_its_edges() -> None:
    curve = Curve((0.2, 0.6), (1.0, 0.0, -1.0))
    assert [curve.at(value) for value in (0.0, 0.2, 0.5, 0.6, 1.0)] == [1.0, 0.0, 0.0, -1.0, -1.0]


@pytest.mark.parametrize("name", sorted(goal_table().curves))
def test_more_of_a_fact_never_means_the_opposite(name: str) -> None:
    """The sign common sense knows is enforced."""
    weights = goal_table().curves[name].weights
    assert list(weights) == sorted(weights, reverse=MEANINGS[name].sign < 0)
    assert len(weights) == len(goal_table().curves[name].edges) + 1


def test_what_is_given_by_hand_is_in_the_table() -> None:
    assert set(GIVEN_TEXTS.values()) == set(goal_table().given)


def test_the_heaviest_reason_comes_first() -> None:
    total, reasons = weigh({"found": 1.0}, (Tie("it is deleted", 5.0),))
    assert [reason.text for reason in reasons] == ["it is deleted", "a search or a run named it"]
    assert total == pytest.approx(goal_table().bias + sum(reason.weight for reason in reasons), abs=0.01)


def test_where_nothing_whatever_led_to_it_that_is_enough() -> None:
    assert weigh({})[0] >= goal_table().speak
    assert weigh({"found": 1.0})[0] < 0
